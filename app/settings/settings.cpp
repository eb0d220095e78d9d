// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/settings.h"

#include <QDir>
#include <QStandardPaths>
#include <QStringList>

namespace quarry {
namespace {

struct Entry {
  const char* key;
  Settings::Scope scope;
  QVariant fallback;
  int minimum = 0, maximum = 0;  // of whole numbers
  QStringList choices = {};      // of texts; empty: any
};

Entry entryOf(Setting setting) {
  using Scope = Settings::Scope;
  switch (setting) {
    case Setting::EngineTarget: return {.key = "engine/target", .scope = Scope::User, .fallback = QStringLiteral("local")};
    case Setting::StorePath: return {.key = "engine/storePath", .scope = Scope::Machine, .fallback = QString()};
    case Setting::ListenAddress: return {.key = "engine/listenAddress", .scope = Scope::Machine, .fallback = QStringLiteral("0.0.0.0")};
    case Setting::NfsPort: return {.key = "engine/nfsPort", .scope = Scope::Machine, .fallback = 2049, .minimum = 1, .maximum = 65535};
    case Setting::HostAddress: return {.key = "engine/hostAddress", .scope = Scope::Machine, .fallback = QString()};
    case Setting::ColorScheme:
      return {.key = "look/colorScheme",
              .scope = Scope::User,
              .fallback = QStringLiteral("system"),
              .choices = {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")}};
    case Setting::ChartSpanSeconds:
      return {.key = "chart/spanSeconds", .scope = Scope::User, .fallback = 300, .minimum = 300, .maximum = 30 * 24 * 3600};
    case Setting::StopEngineOnQuit: return {.key = "engine/stopOnQuit", .scope = Scope::Machine, .fallback = false};
    case Setting::WindowGeometry: return {.key = "window/geometry", .scope = Scope::Machine, .fallback = QByteArray()};
  }
  return {.key = "unknown", .scope = Scope::Machine, .fallback = {}};
}

// The stored value in the type of the default; invalid when it does not fit.
QVariant checked(const Entry& entry, QVariant stored) {
  if (!stored.isValid() || !stored.convert(entry.fallback.metaType())) return {};
  const bool isNumber = entry.fallback.metaType() == QMetaType::fromType<int>();
  if (isNumber && (stored.toInt() < entry.minimum || stored.toInt() > entry.maximum)) return {};
  if (!entry.choices.isEmpty() && !entry.choices.contains(stored.toString())) return {};
  return stored;
}

QString fileIn(const QString& folder, const QString& name) {
  const QString base = folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/quarry") : folder;
  return QDir(base).filePath(name);
}

}  // namespace

Settings::Settings(const QString& folder, QObject* parent)
    : QObject(parent),
      m_user(fileIn(folder, QStringLiteral("console.ini")), QSettings::IniFormat),
      m_machine(fileIn(folder, QStringLiteral("machine.ini")), QSettings::IniFormat) {}

QVariant Settings::value(Setting setting) const {
  const Entry entry = entryOf(setting);
  const QVariant stored = checked(entry, file(setting).value(QString::fromLatin1(entry.key)));
  return stored.isValid() ? stored : entry.fallback;
}

void Settings::set(Setting setting, const QVariant& wanted) {
  const Entry entry = entryOf(setting);
  const QVariant fitting = checked(entry, wanted);
  if (!fitting.isValid() || fitting == value(setting)) return;
  file(setting).setValue(QString::fromLatin1(entry.key), fitting);
  Q_EMIT changed(setting);
}

void Settings::reset(Setting setting) {
  const QVariant before = value(setting);
  file(setting).remove(QString::fromLatin1(entryOf(setting).key));
  if (value(setting) != before) Q_EMIT changed(setting);
}

QSettings& Settings::file(Setting setting) { return entryOf(setting).scope == Scope::User ? m_user : m_machine; }

const QSettings& Settings::file(Setting setting) const { return entryOf(setting).scope == Scope::User ? m_user : m_machine; }

}  // namespace quarry
