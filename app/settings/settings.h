// SPDX-License-Identifier: GPL-3.0-or-later
// The console's settings: one table of key, scope and default (settings.cpp) over two INI files, one with the user's choices and one with
// this machine's state. A stored value of the wrong type or outside its limits counts as absent. GUI thread only; values are written
// at once and reach the disk with QSettings' own delay or at destruction.
#pragma once

#include <QObject>
#include <QSettings>
#include <QString>
#include <QVariant>

namespace quarry {

enum class Setting {
  EngineTarget,      // "local", a socket path; command line wins
  StorePath,         // of the local engine; empty: not set up yet
  ListenAddress,
  NfsPort,
  HostAddress,       // address shown in mount commands; empty: the engine's first
  ColorScheme,       // "system", "light", "dark"
  ChartSpanSeconds,  // 300, 3600, 86400, 2592000
  StopEngineOnQuit,
  WindowGeometry,
};

class Settings : public QObject {
  Q_OBJECT
 public:
  enum class Scope { User, Machine };

  // folder: where the two files live; empty: the user's configuration folder.
  explicit Settings(const QString& folder = {}, QObject* parent = nullptr);

  QVariant value(Setting setting) const;
  QString text(Setting setting) const { return value(setting).toString(); }
  int number(Setting setting) const { return value(setting).toInt(); }
  bool flag(Setting setting) const { return value(setting).toBool(); }
  void set(Setting setting, const QVariant& wanted);  // one that does not fit is ignored
  void reset(Setting setting);  // back to the default

 Q_SIGNALS:
  void changed(quarry::Setting setting);

 private:
  QSettings& file(Setting setting);
  const QSettings& file(Setting setting) const;

  QSettings m_user;
  QSettings m_machine;
};

}  // namespace quarry
