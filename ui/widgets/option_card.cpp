// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/option_card.h"

#include <QFontMetrics>
#include <QPainter>

#include "ui/theme/colors.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {
constexpr int optionHeight = 58, textLeft = 42;
}

OptionCard::OptionCard(const QString& title, const QString& sentence, QWidget* parent) : QAbstractButton(parent), m_sentence(sentence) {
  setText(title);
  setAccessibleName(title);
  setAccessibleDescription(sentence);
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OptionCard::setSentenceRole(ColorRole role) {
  m_sentenceRole = role;
  update();
}

QSize OptionCard::sizeHint() const { return {320, optionHeight}; }

void OptionCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const bool marked = isChecked() || hasFocus();
  painter.setPen(QPen(color(marked ? ColorRole::Accent : ColorRole::Line), hasFocus() ? 2 : 1));
  painter.setBrush(color(ColorRole::Panel));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), metrics::controlRadius, metrics::controlRadius);
  const QRectF mark(15, (height() - 16) / 2.0, 16, 16);
  painter.setPen(QPen(color(isChecked() ? ColorRole::Accent : ColorRole::Dim), isChecked() ? 5 : 1.6));
  painter.drawEllipse(isChecked() ? mark.adjusted(2.5, 2.5, -2.5, -2.5) : mark.adjusted(1, 1, -1, -1));
  const QRect words = rect().adjusted(textLeft, 10, -12, -10);
  painter.setFont(fontFor(TextStyle::Strong));
  painter.setPen(color(ColorRole::Text));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, text());
  painter.setFont(fontFor(TextStyle::Caption));
  painter.setPen(color(m_sentenceRole));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignBottom,
                   QFontMetrics(painter.font()).elidedText(m_sentence, Qt::ElideRight, words.width()));
}

}  // namespace quarry
