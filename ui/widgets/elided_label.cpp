// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QToolTip>

namespace quarry {

ElidedLabel::ElidedLabel(TextStyle style, Tone tone, QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setFont(fontFor(style));
  setTone(this, tone);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

bool ElidedLabel::isElided() const { return fontMetrics().horizontalAdvance(text()) > contentsRect().width(); }

QSize ElidedLabel::sizeHint() const { return {fontMetrics().horizontalAdvance(text()) + 2, fontMetrics().height() + 2}; }

QSize ElidedLabel::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 4, fontMetrics().height() + 2}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QString shown = fontMetrics().elidedText(text(), m_mode, contentsRect().width());
  style()->drawItemText(&painter, contentsRect(), int(alignment() | Qt::AlignVCenter), palette(), isEnabled(), shown, foregroundRole());
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && toolTip().isEmpty()) {
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), isElided() ? text() : QString(), this);
    return true;
  }
  return QLabel::event(event);
}

}  // namespace quarry
