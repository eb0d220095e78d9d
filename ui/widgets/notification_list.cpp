// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/notification_list.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <chrono>

#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"
#include "ui/widgets/icon_label.h"

namespace quarry {

namespace {

constexpr std::chrono::seconds infoStays{6};
constexpr int entryWidth = 360;

IconLabel* severityIcon(protocol::Severity severity) {
  switch (severity) {
    case protocol::Severity::Info: return new IconLabel(Icon::Check, ColorRole::Good, 18);
    case protocol::Severity::Warning: return new IconLabel(Icon::Warning, ColorRole::Warning, 18);
    case protocol::Severity::Error: return new IconLabel(Icon::Error, ColorRole::Bad, 18);
  }
  return nullptr;
}

QFrame* makeEntry(protocol::Severity severity, const QString& title, const QString& text) {
  auto* entry = new QFrame;
  entry->setProperty("card", true);
  entry->setFixedWidth(entryWidth);
  entry->setAccessibleName(title);
  auto* row = new QHBoxLayout(entry);
  row->setContentsMargins(12, 10, 8, 10);
  row->setSpacing(10);
  row->addWidget(severityIcon(severity), 0, Qt::AlignTop);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  for (QLabel* label : {makeLabel(title, TextStyle::Strong), makeLabel(text, TextStyle::Caption, Tone::Dim)}) {
    label->setWordWrap(true);
    label->setVisible(!label->text().isEmpty());
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words->addWidget(label);
  }
  row->addLayout(words, 1);
  auto* close = new QToolButton;
  close->setIcon(icon(Icon::Close));
  close->setAccessibleName(NotificationList::tr("Close this notification"));
  row->addWidget(close, 0, Qt::AlignTop);
  QObject::connect(close, &QToolButton::clicked, entry, &QObject::deleteLater);
  return entry;
}

}  // namespace

NotificationList::NotificationList(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this)) {
  m_column->setContentsMargins(0, 0, 0, 0);
  m_column->setSpacing(8);
  parent->installEventFilter(this);
  hide();
}

void NotificationList::add(protocol::Severity severity, const QString& title, const QString& text) {
  while (count() >= entriesMax) delete m_column->itemAt(0)->widget();
  QFrame* entry = makeEntry(severity, title, text);
  m_lastText = text.isEmpty() ? title : title + u'\n' + text;
  m_column->addWidget(entry);
  connect(entry, &QObject::destroyed, this, [this] { QTimer::singleShot(0, this, &NotificationList::place); });
  if (severity == protocol::Severity::Info) QTimer::singleShot(infoStays, entry, &QObject::deleteLater);
  place();
}

int NotificationList::count() const { return m_column->count(); }

QString NotificationList::lastText() const { return m_lastText; }

bool NotificationList::eventFilter(QObject* object, QEvent* event) {
  if (object == parent() && event->type() == QEvent::Resize) place();
  return QWidget::eventFilter(object, event);
}

void NotificationList::place() {
  setVisible(count() > 0);
  if (count() == 0) return;
  const int height = m_column->hasHeightForWidth() ? m_column->heightForWidth(entryWidth) : m_column->sizeHint().height();
  const QWidget* around = parentWidget();
  setGeometry(around->width() - entryWidth - metrics::pageMargin, around->height() - height - metrics::pageMargin - metrics::statusHeight,
              entryWidth, height);
  raise();
}

}  // namespace quarry
