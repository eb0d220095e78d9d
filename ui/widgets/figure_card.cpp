// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure_card.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/theme/typography.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/elided_label.h"

namespace quarry {

FigureLabel::FigureLabel(QWidget* parent) : QWidget(parent) {
  setFixedHeight(34);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FigureLabel::setFigure(const formatter::Figure& figure) {
  m_figure = figure;
  setAccessibleName(text());
  update();
}

QString FigureLabel::text() const { return m_figure.unit.isEmpty() ? m_figure.number : m_figure.number + u' ' + m_figure.unit; }

void FigureLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFont big = fontFor(TextStyle::Figure);
  painter.setFont(big);
  painter.setPen(color(ColorRole::Text));
  const qreal width = numberWidth(big, m_figure.number);
  drawNumber(painter, QRectF(0, 0, width + 1, height()), Qt::AlignLeft, m_figure.number);
  const QFontMetricsF bigMetrics(big);
  const qreal baseline = (height() + bigMetrics.ascent() - bigMetrics.descent()) / 2;
  painter.setFont(fontFor(TextStyle::Body));
  painter.setPen(color(ColorRole::Dim));
  const QFontMetricsF unitMetrics(painter.font());
  painter.drawText(QPointF(width + 5, baseline), unitMetrics.elidedText(m_figure.unit, Qt::ElideRight, this->width() - width - 5));
}

FigureCard::FigureCard(const QString& title, QWidget* parent)
    : Card(title, parent),
      m_figure(new FigureLabel),
      m_subline(new ElidedLabel(TextStyle::Caption, Tone::Dim)),
      m_legend(new Legend(Qt::AlignLeft)),
      m_bar(new Bar) {
  body()->setSpacing(2);
  body()->addWidget(m_figure);
  m_subline->setFixedHeight(18);
  body()->addWidget(m_subline);
  body()->addWidget(m_legend);
  body()->addSpacing(4);
  QSizePolicy keepsRoom = m_bar->sizePolicy();
  keepsRoom.setRetainSizeWhenHidden(true);
  m_bar->setSizePolicy(keepsRoom);
  m_bar->setFixedHeight(6);
  body()->addWidget(m_bar);
  body()->addStretch();
  m_bar->hide();
  m_legend->hide();
  setLoading();
}

void FigureCard::setFigure(const formatter::Figure& figure) { m_figure->setFigure(figure); }

void FigureCard::setLoading() {
  m_figure->setFigure({QStringLiteral("–"), {}});
  setSubline({});
}

void FigureCard::setSubline(const QString& text, Tone tone) {
  m_subline->setText(text);
  setTone(m_subline, tone);
  m_legend->hide();
  m_subline->show();
}

void FigureCard::setKeys(const QList<LegendKey>& keys) {
  m_legend->setKeys(keys);
  m_subline->hide();
  m_legend->show();
}

void FigureCard::setShare(double share, ColorRole role) {
  m_bar->setRole(role);
  m_bar->setShare(share);
  m_bar->show();
}

QString FigureCard::subline() const { return m_subline->text(); }

}  // namespace quarry
