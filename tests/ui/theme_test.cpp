// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QApplication>
#include <QTest>

#include "ui/theme/icons.h"
#include "ui/theme/style_sheet.h"
#include "ui/theme/typography.h"

using namespace quarry;

class ThemeTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void textKeepsItsContrast_data();
  void textKeepsItsContrast();
  void areasKeepTheirContrast();
  void contrastKnowsItsEnds();
  void choiceChangesThePalette();
  void namesGoBothWays();
  void sheetHasNoPlaceholderLeft();
  void iconsFollowTheTheme();
  void everyDigitIsEquallyWide();
};

void ThemeTest::textKeepsItsContrast_data() {
  QTest::addColumn<int>("scheme");
  QTest::addColumn<int>("role");
  for (const auto scheme : {Scheme::Light, Scheme::Dark}) {
    for (const auto role : {ColorRole::Text, ColorRole::Dim, ColorRole::Accent, ColorRole::Read, ColorRole::Write, ColorRole::Good,
                            ColorRole::Warning, ColorRole::Bad}) {
      QTest::addRow("%d/%d", int(scheme), int(role)) << int(scheme) << int(role);
    }
  }
}

void ThemeTest::textKeepsItsContrast() {
  QFETCH(int, scheme);
  QFETCH(int, role);
  for (const auto under : {ColorRole::Panel, ColorRole::Background}) {
    const double measured = contrast(color(ColorRole(role), Scheme(scheme)), color(under, Scheme(scheme)));
    QVERIFY2(measured >= 4.5, qPrintable(QString::number(measured)));
  }
}

void ThemeTest::areasKeepTheirContrast() {
  for (const auto scheme : {Scheme::Light, Scheme::Dark}) {
    QVERIFY(contrast(color(ColorRole::OnAccent, scheme), color(ColorRole::Accent, scheme)) >= 4.5);
    QVERIFY(contrast(color(ColorRole::Dim, scheme), color(ColorRole::Hover, scheme)) >= 4.5);
    QVERIFY(contrast(color(ColorRole::Dim, scheme), color(ColorRole::Field, scheme)) >= 4.5);
    for (const auto role : {ColorRole::Zero, ColorRole::Duplicate, ColorRole::Compressed, ColorRole::Stored}) {
      const double measured = contrast(color(role, scheme), color(ColorRole::Panel, scheme));
      QVERIFY2(measured >= 3, qPrintable(QString::number(measured)));
    }
  }
}

void ThemeTest::contrastKnowsItsEnds() {
  QCOMPARE(qRound(contrast(Qt::black, Qt::white)), 21);
  QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
}

void ThemeTest::choiceChangesThePalette() {
  Theme theme(*qApp);
  theme.choose(ThemeChoice::Dark);
  QCOMPARE(currentScheme(), Scheme::Dark);
  for (const auto role : {ColorRole::Good, ColorRole::Warning, ColorRole::Bad, ColorRole::Accent})
    QVERIFY(contrast(color(role), tint(role)) >= 4.5);
  theme.choose(ThemeChoice::Light);
  QCOMPARE(currentScheme(), Scheme::Light);
  for (const auto role : {ColorRole::Good, ColorRole::Warning, ColorRole::Bad, ColorRole::Accent}) {
    QVERIFY2(contrast(color(role), tint(role)) >= 4.5, qPrintable(QString::number(int(role))));
  }
}

void ThemeTest::namesGoBothWays() {
  for (const auto choice : {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark}) QCOMPARE(themeFromName(themeName(choice)), choice);
  QCOMPARE(themeFromName(QStringLiteral("pink")), ThemeChoice::System);
}

void ThemeTest::sheetHasNoPlaceholderLeft() {
  QVERIFY(!styleSheet(Scheme::Light).contains(u'@'));
  QVERIFY(!styleSheet(Scheme::Dark).contains(u'@'));
  QVERIFY(styleSheet(Scheme::Light) != styleSheet(Scheme::Dark));
}

void ThemeTest::iconsFollowTheTheme() {
  Theme theme(*qApp);
  theme.choose(ThemeChoice::Light);
  const QImage light = iconPixmap(Icon::Vm, ColorRole::Text, 16, 2).toImage();
  QCOMPARE(light.width(), 32);
  theme.choose(ThemeChoice::Dark);
  const QImage dark = iconPixmap(Icon::Vm, ColorRole::Text, 16, 2).toImage();
  QVERIFY(light != dark);
  for (int i = 0; i <= int(Icon::Chevron); ++i) {
    QImage drawn = iconPixmap(Icon(i), ColorRole::Text, 24, 1).toImage();
    QImage nothing(drawn.size(), drawn.format());
    nothing.fill(Qt::transparent);
    QVERIFY2(drawn != nothing, qPrintable(QString::number(i)));
  }
  QVERIFY(!applicationIcon().pixmap(64, 64).isNull());
}

void ThemeTest::everyDigitIsEquallyWide() {
  const QFont font = fontFor(TextStyle::Figure);
  QCOMPARE(numberWidth(font, QStringLiteral("111")), numberWidth(font, QStringLiteral("888")));
}

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
