// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/command_field.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/figure_card.h"
#include "ui/widgets/line_chart.h"
#include "ui/widgets/notification_list.h"
#include "ui/widgets/segmented_control.h"

using namespace quarry;

class WidgetsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void chartDrawsGapsAsGaps();
  void chartShowsWhatItWasGiven();
  void longNamesAreElided();
  void figureSaysNumberAndUnit();
  void segmentsKeepTheirChoice();
  void commandIsCopied();
  void emptyCommandSaysWhy();
  void notificationsAreBounded();
  void bannerOffersOneAction();
  void tableHidesOtherColumns();
};

void WidgetsTest::initTestCase() { new Theme(*qApp); }

void WidgetsTest::chartDrawsGapsAsGaps() {
  LineChart chart(protocol::Unit::Count);
  chart.resize(400, 200);
  const double none = std::nan("");
  chart.setSeries({{QStringLiteral("read"), ColorRole::Read, {{-4, 10}, {-3, 20}, {-2, none}, {-1, 30}, {0, 40}}}}, 300);
  QCOMPARE(chart.stretchCount(), 2);
  QVERIFY(chart.maximum() >= 40);
  chart.setSeries({{QStringLiteral("read"), ColorRole::Read, {{-1, 30}, {0, 40}}}}, 300);
  QCOMPARE(chart.stretchCount(), 1);
}

void WidgetsTest::chartShowsWhatItWasGiven() {
  LineChart chart(protocol::Unit::Count);
  chart.resize(400, 200);
  const QImage before = chart.grab().toImage();
  QList<QPointF> points;
  for (int i = -300; i <= 0; ++i) points.append({double(i), 500.0});
  chart.setSeries({{QStringLiteral("read"), ColorRole::Read, points}}, 300);
  QVERIFY(before != chart.grab().toImage());
  QVERIFY(chart.accessibleDescription().contains(QStringLiteral("500")));
}

void WidgetsTest::longNamesAreElided() {
  ElidedLabel label;
  label.setText(QString(300, u'w'));
  label.resize(200, 20);
  QVERIFY(label.isElided());
  QVERIFY(label.minimumSizeHint().width() < 200);
  label.setText(QStringLiteral("short"));
  QVERIFY(!label.isElided());
}

void WidgetsTest::figureSaysNumberAndUnit() {
  FigureCard card(QStringLiteral("Latency"));
  QCOMPARE(card.figureText(), QStringLiteral("–"));
  card.setFigure({QStringLiteral("0.42"), QStringLiteral("ms")});
  QCOMPARE(card.figureText(), QStringLiteral("0.42 ms"));
}

void WidgetsTest::segmentsKeepTheirChoice() {
  SegmentedControl control(QStringLiteral("span"));
  control.setSegments({QStringLiteral("a"), QStringLiteral("b")});
  control.setCurrent(1);
  control.setSegments({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
  QCOMPARE(control.count(), 3);
  QCOMPARE(control.current(), 1);
  control.setSegments({QStringLiteral("a")});
  QCOMPARE(control.current(), 0);
}

void WidgetsTest::commandIsCopied() {
  CommandField field(QStringLiteral("Linux"));
  field.setCommand(QStringLiteral("mount -t nfs a:/b /mnt"));
  field.findChild<QToolButton*>()->click();
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("mount -t nfs a:/b /mnt"));
}

void WidgetsTest::emptyCommandSaysWhy() {
  CommandField field(QStringLiteral("ESXi"));
  field.setCommand({}, QStringLiteral("wrong port"));
  QVERIFY(field.command().isEmpty());
  QCOMPARE(field.findChild<QLineEdit*>()->text(), QStringLiteral("wrong port"));
  QVERIFY(!field.findChild<QToolButton*>()->isEnabled());
}

void WidgetsTest::notificationsAreBounded() {
  QWidget window;
  window.resize(800, 600);
  NotificationList list(&window);
  for (int i = 0; i < 10; ++i) list.add(protocol::Severity::Error, QStringLiteral("failure %1").arg(i), QStringLiteral("why"));
  QCOMPARE(list.count(), NotificationList::entriesMax);
  QCOMPARE(list.lastText(), QStringLiteral("failure 9\nwhy"));
}

void WidgetsTest::bannerOffersOneAction() {
  Banner banner;
  QVERIFY(banner.text().isEmpty());
  banner.display(ColorRole::Bad, QStringLiteral("lost"), QStringLiteral("Retry"));
  QCOMPARE(banner.text(), QStringLiteral("lost"));
}

void WidgetsTest::tableHidesOtherColumns() {
  QStandardItemModel model(3, 4);
  DataTable table(QStringLiteral("t"));
  table.resize(400, 200);
  table.showModel(&model, {{2, 100}, {0, 0}});
  QVERIFY(table.isColumnHidden(1));
  QVERIFY(!table.isColumnHidden(2));
  QCOMPARE(table.columnWidth(2), 100);
  QCOMPARE(table.rowHeight(0), 30);
}

QTEST_MAIN(WidgetsTest)
#include "widgets_test.moc"
