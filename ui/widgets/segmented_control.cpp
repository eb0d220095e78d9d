// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segmented_control.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

namespace quarry {

namespace {

QString placeOf(qsizetype i, qsizetype count) {
  if (count == 1) return QStringLiteral("only");
  if (i == 0) return QStringLiteral("first");
  return i == count - 1 ? QStringLiteral("last") : QStringLiteral("middle");
}

}  // namespace

SegmentedControl::SegmentedControl(const QString& accessibleName, QWidget* parent)
    : QWidget(parent), m_row(new QHBoxLayout(this)), m_group(new QButtonGroup(this)) {
  setAccessibleName(accessibleName);
  m_row->setContentsMargins(0, 0, 0, 0);
  m_row->setSpacing(0);
  m_group->setExclusive(true);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(m_group, &QButtonGroup::idToggled, this, [this](int id, bool checked) {
    if (checked) Q_EMIT currentChanged(id);
  });
}

void SegmentedControl::setSegments(const QStringList& texts) {
  if (texts.size() == m_group->buttons().size()) {
    for (qsizetype i = 0; i < texts.size(); ++i) m_group->button(int(i))->setText(texts[i]);
    return;
  }
  const int chosen = std::clamp(current(), 0, int(texts.size()) - 1);
  const QSignalBlocker blocker(m_group);
  for (QAbstractButton* button : m_group->buttons()) {
    m_group->removeButton(button);
    delete button;
  }
  for (qsizetype i = 0; i < texts.size(); ++i) {
    auto* button = new QToolButton;
    button->setText(texts[i]);
    button->setCheckable(true);
    button->setProperty("segment", true);
    button->setProperty("place", placeOf(i, texts.size()));
    button->setFocusPolicy(Qt::StrongFocus);
    m_group->addButton(button, int(i));
    m_row->addWidget(button);
  }
  if (!texts.isEmpty()) m_group->button(chosen)->setChecked(true);
}

void SegmentedControl::setCurrent(int index) {
  if (QAbstractButton* button = m_group->button(index)) button->setChecked(true);
}

int SegmentedControl::current() const { return m_group->checkedId(); }

int SegmentedControl::count() const { return int(m_group->buttons().size()); }

}  // namespace quarry
