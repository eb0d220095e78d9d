// SPDX-License-Identifier: GPL-3.0-or-later
// The hit ratio over the size of the cache as a curve, with sizes marked on it, and a slider below that stands on the same axis. It paints
// what it is given. GUI thread only.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <optional>

#include "engine/protocol/messages.h"
#include "ui/theme/colors.h"

class QSlider;

namespace quarry {

struct CurveMark {
  uint64_t bytes = 0;
  QString name;  // "now"
  ColorRole role = ColorRole::Text;

  bool operator==(const CurveMark&) const = default;
};

class HitCurve : public QWidget {
  Q_OBJECT

 public:
  // Takes the slider.
  explicit HitCurve(QSlider* slider, QWidget* parent = nullptr);

  // Up to bytesMax. Without points the text stands in the curve's place.
  void setCurve(const protocol::CacheCurve& curve, uint64_t bytesMax, const QString& whenEmpty);
  void setMarks(const QList<CurveMark>& marks);
  QSize sizeHint() const override { return {400, 250}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void layoutPlot();
  bool isEmpty() const { return m_curve.points.empty(); }
  QPointF toPixels(double bytes, double ratio) const;
  void paintAxes(QPainter& painter) const;
  void paintCurve(QPainter& painter) const;
  void paintNothing(QPainter& painter) const;
  QPointF markPoint(const CurveMark& mark) const;
  void paintMarkLine(QPainter& painter, const CurveMark& mark) const;
  void paintMarkWords(QPainter& painter, int place) const;
  void paintHover(QPainter& painter) const;
  void describe();

  QSlider* m_slider;
  protocol::CacheCurve m_curve;
  uint64_t m_bytesMax = 0;
  QString m_whenEmpty;
  QList<CurveMark> m_marks;
  QRectF m_plot;
  std::optional<double> m_hoverX;  // in pixels
};

}  // namespace quarry
