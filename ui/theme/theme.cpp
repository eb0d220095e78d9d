// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QStyleFactory>

#include "ui/theme/style_sheet.h"
#include "ui/theme/typography.h"

namespace quarry {

QString themeName(ThemeChoice choice) {
  switch (choice) {
    case ThemeChoice::System: return QStringLiteral("system");
    case ThemeChoice::Light: return QStringLiteral("light");
    case ThemeChoice::Dark: return QStringLiteral("dark");
  }
  return {};
}

ThemeChoice themeFromName(const QString& name) {
  if (name == QLatin1String("light")) return ThemeChoice::Light;
  if (name == QLatin1String("dark")) return ThemeChoice::Dark;
  return ThemeChoice::System;
}

Theme::Theme(QApplication& application) : m_application(application) {
  QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QApplication::setFont(fontFor(TextStyle::Body));
  m_application.installEventFilter(this);
  apply();
}

void Theme::choose(ThemeChoice choice) {
  m_choice = choice;
  apply();
}

bool Theme::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::ThemeChange && m_choice == ThemeChoice::System && !m_applying) apply();
  return QObject::eventFilter(object, event);
}

// The system's palette shows only while the application has none of its own.
Scheme Theme::systemScheme() {
  QApplication::setPalette(QPalette());
  return schemeOf(QApplication::palette());
}

void Theme::apply() {
  m_applying = true;
  Scheme scheme = Scheme::Light;
  switch (m_choice) {
    case ThemeChoice::System: scheme = systemScheme(); break;
    case ThemeChoice::Light: scheme = Scheme::Light; break;
    case ThemeChoice::Dark: scheme = Scheme::Dark; break;
  }
  QApplication::setPalette(paletteFor(scheme));
  m_application.setStyleSheet(styleSheet(scheme));
  m_applying = false;
  Q_EMIT changed();
}

}  // namespace quarry
