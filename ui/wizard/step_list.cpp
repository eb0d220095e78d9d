// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/step_list.h"

#include <QPainter>

#include "ui/theme/icons.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {
constexpr int stepHeight = 44, disc = 24;
}

StepList::StepList(const QStringList& titles, QWidget* parent) : QWidget(parent), m_titles(titles) { setCurrent(0); }

void StepList::setCurrent(int step) {
  m_current = step;
  setAccessibleName(tr("Step %1 of %2: %3").arg(step + 1).arg(m_titles.size()).arg(m_titles.value(step)));
  update();
}

QSize StepList::sizeHint() const { return {180, stepHeight * int(m_titles.size())}; }

void StepList::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < m_titles.size(); ++i) {
    const QRect row(0, i * stepHeight, width(), stepHeight);
    const QRect mark(0, row.center().y() - disc / 2, disc, disc);
    const bool done = i < m_current, current = i == m_current;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(done ? ColorRole::Good : current ? ColorRole::Accent : ColorRole::Hover));
    painter.drawEllipse(mark);
    if (done) {
      painter.drawPixmap(mark.left() + 5, mark.top() + 5, iconPixmap(Icon::Check, ColorRole::OnAccent, 14, devicePixelRatioF()));
    } else {
      painter.setFont(fontFor(TextStyle::CardTitle));
      painter.setPen(color(current ? ColorRole::OnAccent : ColorRole::Dim));
      painter.drawText(mark, Qt::AlignCenter, QString::number(i + 1));
    }
    painter.setFont(fontFor(current ? TextStyle::Strong : TextStyle::Body));
    painter.setPen(color(done || current ? ColorRole::Text : ColorRole::Dim));
    painter.drawText(row.adjusted(disc + 12, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, m_titles[i]);
  }
}

}  // namespace quarry
