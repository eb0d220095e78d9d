// SPDX-License-Identifier: GPL-3.0-or-later
// A card with one big number and its unit, and below it a line of words, or keys, or a bar. All heights are fixed, so that nothing moves
// while values arrive. GUI thread only.
#pragma once

#include "app/format/formatter.h"
#include "ui/theme/typography.h"
#include "ui/widgets/card.h"
#include "ui/widgets/legend.h"

namespace quarry {

class Bar;
class ElidedLabel;

class FigureLabel : public QWidget {
  Q_OBJECT

 public:
  explicit FigureLabel(QWidget* parent = nullptr);

  void setFigure(const formatter::Figure& figure);
  QString text() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  formatter::Figure m_figure;
};

class FigureCard : public Card {
  Q_OBJECT

 public:
  explicit FigureCard(const QString& title, QWidget* parent = nullptr);

  void setFigure(const formatter::Figure& figure);
  void setLoading();  // a dash instead of a number
  void setSubline(const QString& text, Tone tone = Tone::Dim);
  void setKeys(const QList<LegendKey>& keys);  // instead of a subline
  void setShare(double share, ColorRole role);
  QString figureText() const { return m_figure->text(); }
  QString subline() const;

 private:
  FigureLabel* m_figure;
  ElidedLabel* m_subline;
  Legend* m_legend;
  Bar* m_bar;
};

}  // namespace quarry
