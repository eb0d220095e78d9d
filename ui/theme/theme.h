// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the application its palette and style sheet: as the system says, or light or dark by choice. Lives on the GUI thread,
// built in main beside the QApplication; widgets learn of a change through QEvent::PaletteChange.
#pragma once

#include <QObject>

#include "ui/theme/colors.h"

class QApplication;

namespace quarry {

enum class ThemeChoice { System, Light, Dark };

QString themeName(ThemeChoice choice);  // "system", "light", "dark": as kept in the settings
ThemeChoice themeFromName(const QString& name);

class Theme : public QObject {
  Q_OBJECT

 public:
  explicit Theme(QApplication& application);

  void choose(ThemeChoice choice);
  ThemeChoice choice() const { return m_choice; }

  bool eventFilter(QObject* object, QEvent* event) override;

 Q_SIGNALS:
  void changed();

 private:
  Scheme systemScheme();
  void apply();

  QApplication& m_application;
  ThemeChoice m_choice = ThemeChoice::System;
  bool m_applying = false;
};

}  // namespace quarry
