// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/navigation_button.h"

#include <QPainter>

#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {
constexpr int entryHeight = 32, iconLeft = 12, textLeft = 38;
constexpr int titleFrom = 80;  // narrower: the icon alone
}

NavigationButton::NavigationButton(Icon icon, const QString& title, QWidget* parent) : QAbstractButton(parent), m_icon(icon) {
  setText(title);
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize NavigationButton::sizeHint() const { return {160, entryHeight}; }

void NavigationButton::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? QPen(color(ColorRole::Accent), 1) : QPen(Qt::NoPen));
  painter.setBrush(isChecked()    ? QBrush(color(ColorRole::Hover))
                   : underMouse() ? QBrush(color(ColorRole::Background))
                                  : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::controlRadius, metrics::controlRadius);
  const QPixmap pixmap = iconPixmap(m_icon, isChecked() ? ColorRole::Accent : ColorRole::Dim, 18, devicePixelRatioF());
  painter.drawPixmap(iconLeft, (height() - 18) / 2, pixmap);
  if (width() < titleFrom) return;
  painter.setFont(fontFor(isChecked() ? TextStyle::Strong : TextStyle::Body));
  painter.setPen(color(isChecked() ? ColorRole::Text : ColorRole::Dim));
  painter.drawText(rect().adjusted(textLeft, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
}

}  // namespace quarry
