// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/typography.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QLabel>
#include <QPainter>
#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace quarry {

namespace {

struct StyleRow {
  TextStyle style;
  int pixelSize;
  QFont::Weight weight;
};
constexpr StyleRow styleTable[] = {
    {TextStyle::PageTitle, 18, QFont::DemiBold}, {TextStyle::SectionTitle, 15, QFont::DemiBold},
    {TextStyle::CardTitle, 12, QFont::DemiBold}, {TextStyle::Figure, 26, QFont::DemiBold},
    {TextStyle::Strong, 13, QFont::DemiBold},    {TextStyle::Body, 13, QFont::Normal},
    {TextStyle::Caption, 12, QFont::Normal},
};

QString toneName(Tone tone) {
  switch (tone) {
    case Tone::Normal: return QStringLiteral("normal");
    case Tone::Dim: return QStringLiteral("dim");
    case Tone::Good: return QStringLiteral("good");
    case Tone::Warning: return QStringLiteral("warning");
    case Tone::Bad: return QStringLiteral("bad");
  }
  return {};
}

qreal digitWidth(const QFontMetricsF& fontMetrics) {
  qreal widest = 0;
  for (char16_t digit = u'0'; digit <= u'9'; ++digit) widest = std::max(widest, fontMetrics.horizontalAdvance(QChar(digit)));
  return widest;
}

// Maximal stretches without digits, so that words keep their kerning.
qsizetype wordEnd(const QString& text, qsizetype from) {
  qsizetype end = from;
  while (end < text.size() && !text[end].isDigit()) ++end;
  return end;
}

}  // namespace

QFont fontFor(TextStyle style) {
  const StyleRow& row = styleTable[size_t(style)];
  QFont font = QApplication::font();
  font.setPixelSize(row.pixelSize);
  font.setWeight(row.weight);
  return font;
}

QLabel* makeLabel(const QString& text, TextStyle style, Tone tone, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setFont(fontFor(style));
  setTone(label, tone);
  return label;
}

void setTone(QWidget* widget, Tone tone) {
  const QString name = toneName(tone);
  if (widget->property("tone").toString() == name) return;
  widget->setProperty("tone", name);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

qreal numberWidth(const QFont& font, const QString& text) {
  const QFontMetricsF fontMetrics(font);
  const qreal digit = digitWidth(fontMetrics);
  qreal width = 0;
  for (qsizetype at = 0; at < text.size();) {
    if (text[at].isDigit()) {
      width += digit;
      ++at;
      continue;
    }
    const qsizetype end = wordEnd(text, at);
    width += fontMetrics.horizontalAdvance(text.mid(at, end - at));
    at = end;
  }
  return width;
}

void drawNumber(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text) {
  const QFontMetricsF fontMetrics(painter.font());
  const qreal width = numberWidth(painter.font(), text);
  const qreal baseline = rect.top() + (rect.height() + fontMetrics.ascent() - fontMetrics.descent()) / 2;
  if (width > rect.width() + 1) {
    painter.drawText(QPointF(rect.left(), baseline), fontMetrics.elidedText(text, Qt::ElideRight, rect.width()));
    return;
  }
  const qreal digit = digitWidth(fontMetrics);
  qreal x = alignment.testFlag(Qt::AlignRight) ? rect.right() - width : rect.left();
  for (qsizetype at = 0; at < text.size();) {
    if (text[at].isDigit()) {
      painter.drawText(QPointF(x + (digit - fontMetrics.horizontalAdvance(text[at])) / 2, baseline), QString(text[at]));
      x += digit;
      ++at;
      continue;
    }
    const qsizetype end = wordEnd(text, at);
    const QString word = text.mid(at, end - at);
    painter.drawText(QPointF(x, baseline), word);
    x += fontMetrics.horizontalAdvance(word);
    at = end;
  }
}

}  // namespace quarry
