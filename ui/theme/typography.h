// SPDX-License-Identifier: GPL-3.0-or-later
// The few sizes of type, all from the system's sans. Numbers are laid out with one width for every digit, so that columns align
// and live figures do not tremble; Qt 6.4 cannot ask a font for its tabular digits. GUI thread only.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <Qt>

class QLabel;
class QPainter;
class QWidget;

namespace quarry {

enum class TextStyle { PageTitle, SectionTitle, CardTitle, Figure, Strong, Body, Caption };

QFont fontFor(TextStyle style);

enum class Tone { Normal, Dim, Good, Warning, Bad };
// A plain-text label on one line; setWordWrap() for more.
QLabel* makeLabel(const QString& text, TextStyle style, Tone tone = Tone::Normal, QWidget* parent = nullptr);
void setTone(QWidget* widget, Tone tone);

qreal numberWidth(const QFont& font, const QString& text);
// Draws text with the painter's font and pen on one line, aligned left or right, vertically centred; too wide is elided.
void drawNumber(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);

}  // namespace quarry
