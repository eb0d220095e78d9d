// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/colors.h"

#include <QGuiApplication>
#include <algorithm>
#include <array>
#include <cmath>

namespace quarry {

namespace {

struct ColorRow {
  ColorRole role;
  QRgb light, dark;
};

constexpr std::array<ColorRow, colorRoleCount> colorTable{{
    {ColorRole::Background, 0xfff4f6f8, 0xff14171c},
    {ColorRole::Panel, 0xffffffff, 0xff1b2129},
    {ColorRole::Line, 0xffdfe4ea, 0xff2c343e},
    {ColorRole::Hover, 0xffe9edf1, 0xff262e37},
    {ColorRole::Field, 0xffeef1f4, 0xff262e37},
    {ColorRole::Text, 0xff1a2330, 0xffe8ecf1},
    {ColorRole::Dim, 0xff5b6675, 0xff9aa5b3},
    {ColorRole::Accent, 0xff0f6cbd, 0xff4da3ea},
    {ColorRole::OnAccent, 0xffffffff, 0xff0d1520},
    {ColorRole::Read, 0xff0f6cbd, 0xff4da3ea},
    {ColorRole::Write, 0xffb05500, 0xfff2994a},
    {ColorRole::Good, 0xff18794a, 0xff4cc38a},
    {ColorRole::Warning, 0xff8f5b00, 0xffe2b04a},
    {ColorRole::Bad, 0xffc0332b, 0xfff2776d},
    {ColorRole::Zero, 0xff8793a2, 0xff717d8c},
    {ColorRole::Duplicate, 0xff1f8f82, 0xff3db8a8},
    {ColorRole::Compressed, 0xff7a57c7, 0xffa78be0},
    {ColorRole::Stored, 0xff0f6cbd, 0xff4da3ea},
}};

double linear(double channel) { return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4); }

double luminance(const QColor& value) {
  return 0.2126 * linear(value.redF()) + 0.7152 * linear(value.greenF()) + 0.0722 * linear(value.blueF());
}

}  // namespace

QColor color(ColorRole role, Scheme scheme) {
  const ColorRow& row = colorTable[size_t(role)];
  return QColor::fromRgba(scheme == Scheme::Light ? row.light : row.dark);
}

QColor color(ColorRole role) { return color(role, currentScheme()); }

QColor tint(ColorRole role) {
  const QColor top = color(role);
  const QColor under = color(ColorRole::Panel);
  constexpr float share = 0.12F;
  return QColor::fromRgbF(top.redF() * share + under.redF() * (1 - share), top.greenF() * share + under.greenF() * (1 - share),
                          top.blueF() * share + under.blueF() * (1 - share));
}

Scheme schemeOf(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness() ? Scheme::Dark : Scheme::Light;
}

Scheme currentScheme() { return schemeOf(QGuiApplication::palette()); }

QPalette paletteFor(Scheme scheme) {
  const auto of = [scheme](ColorRole role) { return color(role, scheme); };
  QPalette palette(of(ColorRole::Panel), of(ColorRole::Background));
  palette.setColor(QPalette::Window, of(ColorRole::Background));
  palette.setColor(QPalette::WindowText, of(ColorRole::Text));
  palette.setColor(QPalette::Base, of(ColorRole::Panel));
  palette.setColor(QPalette::AlternateBase, of(ColorRole::Background));
  palette.setColor(QPalette::Text, of(ColorRole::Text));
  palette.setColor(QPalette::Button, of(ColorRole::Panel));
  palette.setColor(QPalette::ButtonText, of(ColorRole::Text));
  palette.setColor(QPalette::Highlight, of(ColorRole::Accent));
  palette.setColor(QPalette::HighlightedText, of(ColorRole::OnAccent));
  palette.setColor(QPalette::PlaceholderText, of(ColorRole::Dim));
  palette.setColor(QPalette::ToolTipBase, of(ColorRole::Panel));
  palette.setColor(QPalette::ToolTipText, of(ColorRole::Text));
  palette.setColor(QPalette::Link, of(ColorRole::Accent));
  palette.setColor(QPalette::Mid, of(ColorRole::Line));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, of(ColorRole::Dim));
  }
  return palette;
}

double contrast(const QColor& one, const QColor& other) {
  const double a = luminance(one), b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

}  // namespace quarry
