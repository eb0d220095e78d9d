// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/line_chart.h"

#include <QAreaSeries>
#include <QChart>
#include <QEvent>
#include <QFontMetricsF>
#include <QGraphicsLayout>
#include <QLineSeries>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "app/format/formatter.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {

constexpr qreal seriesWidth = 1.8, timeLabelHeight = 20, topMargin = 8;
constexpr float fillOpacity = 0.10F;

// The last point not after the time; NaN when there is none near.
QPointF pointAt(const QList<QPointF>& points, double seconds) {
  const auto after = std::upper_bound(points.begin(), points.end(), seconds, [](double x, const QPointF& point) { return x < point.x(); });
  if (after == points.begin()) return {seconds, std::nan("")};
  return *(after - 1);
}

}  // namespace

LineChart::LineChart(protocol::Unit unit, QWidget* parent)
    : QChartView(parent), m_unit(unit), m_scale(unit), m_timeAxis(new QValueAxis(this)), m_valueAxis(new QValueAxis(this)) {
  setFrameShape(QFrame::NoFrame);
  setRenderHint(QPainter::Antialiasing);
  setMouseTracking(true);
  setFocusPolicy(Qt::NoFocus);
  setStyleSheet(QStringLiteral("background: transparent"));
  setMinimumHeight(150);
  chart()->setBackgroundVisible(false);
  chart()->legend()->hide();
  chart()->setMargins({});
  chart()->layout()->setContentsMargins(0, 0, 0, 0);
  chart()->setAnimationOptions(QChart::NoAnimation);
  chart()->addAxis(m_timeAxis, Qt::AlignBottom);
  chart()->addAxis(m_valueAxis, Qt::AlignLeft);
  m_timeAxis->setVisible(false);
  m_valueAxis->setVisible(false);
  m_scale.fit(0);
  rebuild();
}

void LineChart::setSeries(const QList<ChartSeries>& series, double spanSeconds) {
  m_series = series;
  if (spanSeconds != m_spanSeconds) m_scale = ValueScale(m_unit);
  m_spanSeconds = spanSeconds;
  double peak = 0;
  for (const ChartSeries& one : m_series) {
    for (const QPointF& point : one.points) {
      if (point.y() > peak) peak = point.y();
    }
  }
  const QString unitBefore = unitText();
  m_scale.fit(peak);
  rebuild();
  describe();
  if (unitText() != unitBefore) Q_EMIT unitTextChanged(unitText());
}

qsizetype LineChart::stretchCount() const { return qsizetype(m_usedStretches); }

LineChart::Stretch LineChart::makeStretch() {
  auto* upper = new QLineSeries(this);
  auto* lower = new QLineSeries(this);
  Stretch stretch{new QLineSeries, upper, lower, new QAreaSeries(upper, lower)};
  stretch.area->setPen(Qt::NoPen);
  for (QAbstractSeries* series : {static_cast<QAbstractSeries*>(stretch.area), static_cast<QAbstractSeries*>(stretch.line)}) {
    chart()->addSeries(series);
    series->attachAxis(m_timeAxis);
    series->attachAxis(m_valueAxis);
  }
  return stretch;
}

void LineChart::showStretch(Stretch& stretch, const QList<QPointF>& points, ColorRole role) {
  QColor fill = color(role);
  fill.setAlphaF(fillOpacity);
  stretch.area->setBrush(fill);
  stretch.line->setPen(QPen(color(role), seriesWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  QList<QPointF> shown = points;
  if (shown.size() == 1) shown.append({shown.first().x() + m_spanSeconds / 500, shown.first().y()});
  stretch.line->replace(shown);
  stretch.upper->replace(shown);
  stretch.lower->replace(QList<QPointF>{{shown.first().x(), 0}, {shown.last().x(), 0}});
  stretch.area->setVisible(true);
  stretch.line->setVisible(true);
}

void LineChart::rebuild() {
  layoutPlot();
  m_timeAxis->setRange(-m_spanSeconds, 0);
  m_valueAxis->setRange(0, m_scale.maximum());
  m_usedStretches = 0;
  for (const ChartSeries& one : m_series) {
    for (const QList<QPointF>& points : withoutGaps(decimated(one.points, int(m_plot.width())))) {
      if (m_usedStretches == m_stretches.size()) m_stretches.push_back(makeStretch());
      showStretch(m_stretches[m_usedStretches++], points, one.role);
    }
  }
  for (size_t i = m_usedStretches; i < m_stretches.size(); ++i) {
    m_stretches[i].area->setVisible(false);
    m_stretches[i].line->setVisible(false);
  }
  resetCachedContent();
  viewport()->update();
}

void LineChart::layoutPlot() {
  const QFont labels = fontFor(TextStyle::Caption);
  qreal widest = 0;
  for (int step = 0; step <= ValueScale::steps; ++step) widest = std::max(widest, numberWidth(labels, m_scale.label(step)));
  const qreal left = std::ceil(std::max(widest, 32.0)) + 10;
  m_plot = QRectF(left, topMargin, std::max(10.0, width() - left - 2), std::max(10.0, height() - topMargin - timeLabelHeight));
  chart()->setPlotArea(m_plot);
}

QPointF LineChart::toPixels(const QPointF& value) const {
  return {m_plot.right() + value.x() / m_spanSeconds * m_plot.width(), m_plot.bottom() - value.y() / m_scale.maximum() * m_plot.height()};
}

void LineChart::drawBackground(QPainter* painter, const QRectF&) {
  painter->save();
  painter->setFont(fontFor(TextStyle::Caption));
  for (int step = 0; step <= ValueScale::steps; ++step) {
    const qreal y = std::round(m_plot.bottom() - m_plot.height() * step / ValueScale::steps) + 0.5;
    painter->setPen(QPen(color(ColorRole::Line), 1));
    painter->drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
    painter->setPen(color(ColorRole::Dim));
    drawNumber(*painter, QRectF(0, y - 10, m_plot.left() - 8, 20), Qt::AlignRight, m_scale.label(step));
  }
  paintTimeLabels(*painter);
  painter->restore();
}

void LineChart::paintTimeLabels(QPainter& painter) const {
  const QList<TimeTick> ticks = timeTicks(m_spanSeconds);
  const QFontMetricsF fontMetrics(painter.font());
  const qreal y = m_plot.bottom() + 4 + fontMetrics.ascent();
  const qreal lastLeft = m_plot.right() - fontMetrics.horizontalAdvance(ticks.last().text);
  painter.drawText(QPointF(m_plot.left(), y), ticks.first().text);
  painter.drawText(QPointF(lastLeft, y), ticks.last().text);
  qreal free = m_plot.left() + fontMetrics.horizontalAdvance(ticks.first().text) + 6;
  for (qsizetype i = 1; i + 1 < ticks.size(); ++i) {
    const qreal textWidth = fontMetrics.horizontalAdvance(ticks[i].text);
    const qreal x = toPixels({ticks[i].seconds, 0}).x() - textWidth / 2;
    if (x < free || x + textWidth > lastLeft - 6) continue;
    painter.drawText(QPointF(x, y), ticks[i].text);
    free = x + textWidth + 6;
  }
}

void LineChart::drawForeground(QPainter* painter, const QRectF&) {
  if (!m_hoverX || m_series.isEmpty()) return;
  paintHover(*painter, (*m_hoverX - m_plot.right()) / m_plot.width() * m_spanSeconds);
}

void LineChart::paintHover(QPainter& painter, double seconds) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(color(ColorRole::Dim), 1));
  painter.drawLine(QPointF(*m_hoverX, m_plot.top()), QPointF(*m_hoverX, m_plot.bottom()));
  painter.setFont(fontFor(TextStyle::Caption));
  QStringList lines{tr("%1 ago").arg(formatter::duration(uint64_t(-seconds)))};
  qreal widest = numberWidth(painter.font(), lines.first());
  for (const ChartSeries& one : m_series) {
    const QPointF point = pointAt(one.points, seconds);
    lines << one.name + u' ' + formatter::text(point.y(), m_unit);
    widest = std::max(widest, numberWidth(painter.font(), lines.last()));
    if (std::isnan(point.y())) continue;
    painter.setBrush(color(one.role));
    painter.setPen(QPen(color(ColorRole::Panel), 1.5));
    painter.drawEllipse(QPointF(*m_hoverX, toPixels(point).y()), 4, 4);
  }
  const qreal lineHeight = 18;
  QRectF box(*m_hoverX + 10, m_plot.top(), widest + 16, qreal(lines.size()) * lineHeight + 8);
  if (box.right() > m_plot.right()) box.moveRight(*m_hoverX - 10);
  painter.setBrush(color(ColorRole::Panel));
  painter.setPen(color(ColorRole::Line));
  painter.drawRoundedRect(box, metrics::controlRadius, metrics::controlRadius);
  for (qsizetype i = 0; i < lines.size(); ++i) {
    painter.setPen(color(i == 0 ? ColorRole::Dim : m_series[i - 1].role));
    drawNumber(painter, QRectF(box.left() + 8, box.top() + 4 + qreal(i) * lineHeight, widest + 1, lineHeight), Qt::AlignLeft, lines[i]);
  }
  painter.restore();
}

// What a screen reader says instead of the picture.
void LineChart::describe() {
  QStringList words;
  for (const ChartSeries& one : m_series) {
    if (!one.points.isEmpty()) words << tr("%1 now %2").arg(one.name, formatter::text(one.points.last().y(), m_unit));
  }
  setAccessibleDescription(words.join(QStringLiteral(", ")));
}

void LineChart::resizeEvent(QResizeEvent* event) {
  QChartView::resizeEvent(event);
  rebuild();
}

void LineChart::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !m_plot.isNull()) rebuild();
}

void LineChart::mouseMoveEvent(QMouseEvent* event) {
  const qreal x = event->position().x();
  m_hoverX = x >= m_plot.left() && x <= m_plot.right() ? std::optional<double>(x) : std::nullopt;
  viewport()->update();
}

void LineChart::leaveEvent(QEvent* event) {
  QChartView::leaveEvent(event);
  m_hoverX.reset();
  viewport()->update();
}

}  // namespace quarry
