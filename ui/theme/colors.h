// SPDX-License-Identifier: GPL-3.0-or-later
// Colours by role, two palettes in one table (colors.cpp). A role means the same everywhere, and never stands alone: a word or a
// shape goes with it. Roles that colour text keep at least 4.5 : 1 on Panel and Background, areas of a chart at least 3 : 1.
// GUI thread only.
#pragma once

#include <QColor>
#include <QPalette>

namespace quarry {

enum class ColorRole {
  Background,
  Panel,
  Line,
  Hover,  // pointed at, selected row, chosen entry of the navigation
  Field,  // unfilled part of a bar, background of a copyable command
  Text,
  Dim,
  Accent,
  OnAccent,  // text on Accent
  Read,
  Write,
  Good,
  Warning,
  Bad,
  Zero,
  Duplicate,
  Compressed,
  Stored,
};
inline constexpr int colorRoleCount = int(ColorRole::Stored) + 1;

enum class Scheme { Light, Dark };

QColor color(ColorRole role, Scheme scheme);
QColor color(ColorRole role);  // in the scheme of the application's palette
QColor tint(ColorRole role);   // pale background for a word in this role

Scheme schemeOf(const QPalette& palette);
Scheme currentScheme();
QPalette paletteFor(Scheme scheme);

double contrast(const QColor& one, const QColor& other);  // 1…21, by WCAG 2.1

}  // namespace quarry
