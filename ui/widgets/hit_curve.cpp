// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/hit_curve.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSlider>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "app/format/formatter.h"
#include "engine/protocol/cache_curve.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {

constexpr qreal left = 48, right = 28, top = 8, axisHeight = 22, curveWidth = 1.8, dot = 4;
constexpr int sliderHeight = 22, sliderHandle = 14;
constexpr float fillOpacity = 0.10F;
constexpr int ratioSteps = 4;

// Sizes are read in powers of two: at most eight labels.
double labelStep(double bytesMax) {
  double step = 1 << 20;
  while (bytesMax / step > 8) step *= 2;
  return step;
}

QColor fillColor() {
  QColor fill = color(ColorRole::Read);
  fill.setAlphaF(fillOpacity);
  return fill;
}

}  // namespace

HitCurve::HitCurve(QSlider* slider, QWidget* parent) : QWidget(parent), m_slider(slider) {
  m_slider->setParent(this);
  setMouseTracking(true);
  setMinimumHeight(190);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Hit ratio by size of the cache"));
  setFocusProxy(m_slider);
}

void HitCurve::setCurve(const protocol::CacheCurve& curve, uint64_t bytesMax, const QString& whenEmpty) {
  if (curve == m_curve && bytesMax == m_bytesMax && whenEmpty == m_whenEmpty) return;
  m_curve = curve;
  m_bytesMax = bytesMax;
  m_whenEmpty = whenEmpty;
  describe();
  update();
}

void HitCurve::setMarks(const QList<CurveMark>& marks) {
  if (marks == m_marks) return;
  m_marks = marks;
  describe();
  update();
}

void HitCurve::layoutPlot() {
  m_plot = QRectF(left, top, std::max(10.0, width() - left - right), std::max(10.0, height() - top - axisHeight - sliderHeight));
  const int handle = sliderHandle / 2;
  m_slider->setGeometry(int(m_plot.left()) - handle, height() - sliderHeight, int(m_plot.width()) + 2 * handle, sliderHeight);
}

void HitCurve::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layoutPlot();
}

QPointF HitCurve::toPixels(double bytes, double ratio) const {
  const double share = m_bytesMax == 0 ? 0 : bytes / double(m_bytesMax);
  return {m_plot.left() + share * m_plot.width(), m_plot.bottom() - ratio * m_plot.height()};
}

void HitCurve::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(fontFor(TextStyle::Caption));
  paintAxes(painter);
  paintCurve(painter);
  for (const CurveMark& mark : m_marks) paintMarkLine(painter, mark);
  for (qsizetype i = 0; i < m_marks.size(); ++i) paintMarkWords(painter, int(i));
  if (isEmpty()) paintNothing(painter);
  if (m_hoverX && !isEmpty()) paintHover(painter);
}

void HitCurve::paintAxes(QPainter& painter) const {
  for (int step = 0; step <= ratioSteps; ++step) {
    const double ratio = double(step) / ratioSteps;
    const qreal y = std::round(toPixels(0, ratio).y()) + 0.5;
    painter.setPen(QPen(color(ColorRole::Line), 1));
    painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
    painter.setPen(color(ColorRole::Dim));
    drawNumber(painter, QRectF(0, y - 10, m_plot.left() - 8, 20), Qt::AlignRight, formatter::percent(ratio));
  }
  const double step = labelStep(double(m_bytesMax));
  if (m_bytesMax == 0) return;
  for (double bytes = 0; bytes <= double(m_bytesMax) * 1.001; bytes += step) {
    const QRectF label(toPixels(bytes, 0).x() - 40, m_plot.bottom() + 3, 80, axisHeight - 4);
    painter.drawText(label, Qt::AlignHCenter | Qt::AlignTop, bytes == 0 ? QStringLiteral("0") : formatter::bytes(uint64_t(bytes)));
  }
}

void HitCurve::paintCurve(QPainter& painter) const {
  if (isEmpty()) return;
  painter.save();
  painter.setClipRect(m_plot.adjusted(0, -2, 1, 1));
  QPainterPath line(toPixels(0, 0));
  for (const protocol::CachePoint& point : m_curve.points) line.lineTo(toPixels(double(point.bytes), point.hitRatio));
  const protocol::CachePoint& last = m_curve.points.back();
  line.lineTo(toPixels(double(std::max(m_bytesMax, last.bytes)), last.hitRatio));
  QPainterPath area = line;
  area.lineTo(area.currentPosition().x(), m_plot.bottom());
  area.closeSubpath();
  painter.fillPath(area, fillColor());
  painter.setPen(QPen(color(ColorRole::Read), curveWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(line);
  painter.restore();
}

// Between two lines of the grid, and over the marks.
void HitCurve::paintNothing(QPainter& painter) const {
  painter.setFont(fontFor(TextStyle::Body));
  const QFontMetricsF fontMetrics(painter.font());
  QRectF box(0, 0, fontMetrics.horizontalAdvance(m_whenEmpty) + 24, fontMetrics.height() + 8);
  box.moveCenter(QPointF(m_plot.center().x(), m_plot.top() + m_plot.height() * 0.625));
  painter.fillRect(box, color(ColorRole::Panel));
  painter.setPen(color(ColorRole::Dim));
  painter.drawText(box, int(Qt::AlignCenter), m_whenEmpty);
}

QPointF HitCurve::markPoint(const CurveMark& mark) const {
  return toPixels(double(std::min(mark.bytes, m_bytesMax)), protocol::hitRatioAt(m_curve, mark.bytes));
}

void HitCurve::paintMarkLine(QPainter& painter, const CurveMark& mark) const {
  const QPointF at = markPoint(mark);
  painter.setPen(QPen(color(mark.role), 1.4, Qt::DashLine));
  painter.drawLine(QPointF(at.x(), m_plot.top()), QPointF(at.x(), m_plot.bottom()));
  if (isEmpty()) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(color(mark.role));
  painter.drawEllipse(at, dot, dot);
}

// Below the curve there is room for words; each mark has its own line there, so that near ones do not cover each other.
void HitCurve::paintMarkWords(QPainter& painter, int place) const {
  constexpr qreal lineHeight = 20, gap = 8;
  const CurveMark& mark = m_marks[place];
  qreal highest = m_plot.top();
  for (const CurveMark& one : m_marks) highest = std::max(highest, isEmpty() ? m_plot.top() : markPoint(one).y() + 8);
  const qreal first = std::min(highest, m_plot.bottom() - lineHeight * qreal(m_marks.size()));
  QString words = mark.name + u' ' + formatter::bytes(mark.bytes);
  if (!isEmpty()) words += QStringLiteral(" · ") + formatter::percent(protocol::hitRatioAt(m_curve, mark.bytes));
  const qreal width = numberWidth(painter.font(), words), x = markPoint(mark).x();
  const bool fitsRight = x + gap + width <= m_plot.right();
  const QRectF box(fitsRight ? x + gap : x - gap - width, first + place * lineHeight, width + 1, lineHeight);
  painter.fillRect(box.adjusted(-2, 1, 2, -1), color(ColorRole::Panel));
  if (!isEmpty()) painter.fillRect(box.adjusted(-2, 1, 2, -1), fillColor());
  painter.setPen(color(mark.role));
  drawNumber(painter, box, Qt::AlignLeft, words);
}

void HitCurve::paintHover(QPainter& painter) const {
  const double bytes = (*m_hoverX - m_plot.left()) / m_plot.width() * double(m_bytesMax);
  const double ratio = protocol::hitRatioAt(m_curve, uint64_t(bytes));
  painter.setPen(QPen(color(ColorRole::Dim), 1));
  painter.drawLine(QPointF(*m_hoverX, m_plot.top()), QPointF(*m_hoverX, m_plot.bottom()));
  painter.setBrush(color(ColorRole::Read));
  painter.setPen(QPen(color(ColorRole::Panel), 1.5));
  painter.drawEllipse(QPointF(*m_hoverX, toPixels(bytes, ratio).y()), dot, dot);
  const QString words = formatter::bytes(uint64_t(bytes)) + QStringLiteral(" · ") + formatter::percent(ratio);
  const qreal width = numberWidth(painter.font(), words);
  QRectF box(*m_hoverX + 10, m_plot.bottom() - 34, width + 16, 26);
  if (box.right() > m_plot.right()) box.moveRight(*m_hoverX - 10);
  painter.setBrush(color(ColorRole::Panel));
  painter.setPen(color(ColorRole::Line));
  painter.drawRoundedRect(box, metrics::controlRadius, metrics::controlRadius);
  painter.setPen(color(ColorRole::Text));
  drawNumber(painter, box.adjusted(8, 0, -8, 0), Qt::AlignLeft, words);
}

// What a screen reader says instead of the picture.
void HitCurve::describe() {
  QStringList words;
  for (const CurveMark& mark : m_marks) {
    words << (isEmpty() ? mark.name + u' ' + formatter::bytes(mark.bytes)
                                 : tr("%1 %2: %3").arg(mark.name, formatter::bytes(mark.bytes), formatter::percent(protocol::hitRatioAt(m_curve, mark.bytes))));
  }
  if (isEmpty()) words << m_whenEmpty;
  setAccessibleDescription(words.join(QStringLiteral(", ")));
}

void HitCurve::mouseMoveEvent(QMouseEvent* event) {
  const qreal x = event->position().x();
  m_hoverX = x >= m_plot.left() && x <= m_plot.right() ? std::optional<double>(x) : std::nullopt;
  update();
}

void HitCurve::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_hoverX.reset();
  update();
}

}  // namespace quarry
