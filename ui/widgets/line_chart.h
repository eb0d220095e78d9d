// SPDX-License-Identifier: GPL-3.0-or-later
// Values over the last minutes to days as lines with pale areas. It paints what it is given and owns no data source and no timer;
// all series are replaced in one call, decimated to the width in pixels, and gaps (NaN) stay gaps. GUI thread only.
#pragma once

#include <QChartView>
#include <QList>
#include <QPointF>
#include <QString>
#include <optional>
#include <vector>

#include "engine/protocol/unit.h"
#include "ui/theme/colors.h"
#include "ui/widgets/chart_scale.h"

class QAreaSeries;
class QLineSeries;
class QValueAxis;

namespace quarry {

struct ChartSeries {
  QString name;
  ColorRole role = ColorRole::Read;
  QList<QPointF> points;  // x: seconds from now, ≤ 0, ascending; y: value in the chart's unit or NaN
};

class LineChart : public QChartView {
  Q_OBJECT

 public:
  explicit LineChart(protocol::Unit unit, QWidget* parent = nullptr);

  void setSeries(const QList<ChartSeries>& series, double spanSeconds);
  QString unitText() const { return m_scale.unitText(); }
  QString numberText(double value) const { return m_scale.number(value); }  // in the unit of unitText()
  double maximum() const { return m_scale.maximum(); }
  qsizetype stretchCount() const;  // lines drawn: one per series and stretch without gap

 Q_SIGNALS:
  void unitTextChanged(const QString& text);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;

 private:
  struct Stretch {
    QLineSeries* line;  // what is seen
    QLineSeries* upper;
    QLineSeries* lower;
    QAreaSeries* area;  // between upper and lower
  };
  Stretch makeStretch();
  void showStretch(Stretch& stretch, const QList<QPointF>& points, ColorRole role);
  void rebuild();
  void layoutPlot();
  void paintTimeLabels(QPainter& painter) const;
  void paintHover(QPainter& painter, double seconds) const;
  void describe();
  QPointF toPixels(const QPointF& value) const;

  protocol::Unit m_unit;
  ValueScale m_scale;
  double m_spanSeconds = 300;
  QList<ChartSeries> m_series;
  std::vector<Stretch> m_stretches;
  size_t m_usedStretches = 0;
  QValueAxis* m_timeAxis;
  QValueAxis* m_valueAxis;
  QRectF m_plot;
  std::optional<double> m_hoverX;  // in pixels
};

}  // namespace quarry
