// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style_sheet.h"

#include "ui/theme/metrics.h"

namespace quarry {

namespace {

// @name@ stands for a colour of the table or a measure of metrics.h.
constexpr const char* surfaces = R"(
QMainWindow, QDialog, #pageBackground { background: @background@; }
#navigation, #pageHeader, #statusLine { background: @panel@; }
#navigation { border: 0; border-right: 1px solid @line@; }
#pageHeader { border: 0; border-bottom: 1px solid @line@; }
#statusLine { border: 0; border-top: 1px solid @line@; }
QFrame[card="true"] { background: @panel@; border: 1px solid @line@; border-radius: @cardRadius@px; }
QLabel { background: transparent; color: @text@; }
*[tone="dim"] { color: @dim@; }
*[tone="good"] { color: @good@; }
*[tone="warning"] { color: @warning@; }
*[tone="bad"] { color: @bad@; }
QToolTip { background: @panel@; color: @text@; border: 1px solid @line@; padding: 4px 6px; }
QScrollArea, QScrollArea > QWidget > QWidget { background: transparent; border: 0; }
QFrame[separator="true"], QFrame[separator="vertical"] { background: @line@; border: 0; }
)";

constexpr const char* buttons = R"(
QPushButton { background: @panel@; color: @text@; border: 1px solid @line@; border-radius: @controlRadius@px; padding: 0 14px; min-height: 28px; }
QPushButton:hover { background: @hover@; }
QPushButton:pressed { background: @line@; }
QPushButton:disabled { color: @dim@; background: @background@; }
QPushButton:focus { border: 1px solid @accent@; }
QPushButton[primary="true"], QPushButton:default[primary="true"] { background: @accent@; color: @onAccent@; border: 1px solid @accent@; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @accentHover@; }
QPushButton[primary="true"]:focus { border: 2px solid @text@; padding: 0 13px; min-height: 26px; }
QPushButton[primary="true"]:disabled { background: @field@; color: @dim@; border: 1px solid @line@; }
QPushButton[danger="true"] { color: @bad@; }
QPushButton[danger="true"]:disabled { color: @dim@; }
QToolButton { background: transparent; color: @text@; border: 1px solid transparent; border-radius: @controlRadius@px; padding: 3px; }
QToolButton:hover { background: @hover@; }
QToolButton:focus { border: 1px solid @accent@; }
QToolButton[link="true"] { color: @accent@; padding: 0; }
QToolButton[segment="true"] { background: @panel@; color: @dim@; border: 1px solid @line@; border-left: 0;
  border-radius: 0; padding: 0 12px; min-height: 24px; }
QToolButton[segment="true"][place="first"] { border-left: 1px solid @line@; border-top-left-radius: @controlRadius@px;
  border-bottom-left-radius: @controlRadius@px; }
QToolButton[segment="true"][place="last"] { border-top-right-radius: @controlRadius@px; border-bottom-right-radius: @controlRadius@px; }
QToolButton[segment="true"][place="only"] { border: 1px solid @line@; border-radius: @controlRadius@px; }
QToolButton[segment="true"]:hover { background: @hover@; }
QToolButton[segment="true"]:checked { background: @accent@; color: @onAccent@; border-color: @accent@; }
QToolButton[segment="true"]:focus { border: 1px solid @text@; }
)";

constexpr const char* fields = R"(
QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox { background: @panel@; color: @text@; border: 1px solid @line@; border-radius: @controlRadius@px;
  padding: 0 8px; min-height: 28px; selection-background-color: @accent@; selection-color: @onAccent@; }
QPlainTextEdit { padding: 4px 6px; }
QPlainTextEdit[readOnly="true"] { border: 0; padding: 0; background: transparent; }
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus { border: 1px solid @accent@; }
QLineEdit[invalid="true"] { border: 1px solid @bad@; }
QLineEdit:disabled, QComboBox:disabled, QAbstractSpinBox:disabled { color: @dim@; background: @background@; }
QLineEdit[command="true"] { background: @field@; border: 1px solid @line@; font-family: monospace; font-size: 12px; }
QComboBox::drop-down { border: 0; width: 24px; }
QComboBox::down-arrow { image: url(:/icons/arrow-down-@scheme@.svg); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @panel@; color: @text@; border: 1px solid @line@; selection-background-color: @hover@;
  selection-color: @text@; outline: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; width: 20px; background: transparent; }
QAbstractSpinBox::up-arrow { image: url(:/icons/arrow-up-@scheme@.svg); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/arrow-down-@scheme@.svg); width: 10px; height: 10px; }
QCheckBox, QRadioButton { spacing: 8px; color: @text@; border: 1px solid transparent; border-radius: 4px; min-height: 22px; padding: 1px 4px; }
QCheckBox:focus, QRadioButton:focus { border: 1px solid @accent@; }
QCheckBox::indicator { width: 16px; height: 16px; border: 1px solid @dim@; border-radius: 4px; background: @panel@; }
QCheckBox::indicator:checked { background: @accent@; border: 1px solid @accent@; image: url(:/icons/tick-@scheme@.svg); }
QRadioButton::indicator { width: 14px; height: 14px; border: 2px solid @dim@; border-radius: 9px; background: @panel@; }
QRadioButton::indicator:checked { border: 5px solid @accent@; width: 8px; height: 8px; background: @panel@; }
QSlider::groove:horizontal { height: 6px; border-radius: 3px; background: @field@; margin: 0 7px; }
QSlider::sub-page:horizontal { height: 6px; border-radius: 3px; background: @accent@; margin: 0 7px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -4px -7px; border-radius: 7px; background: @accent@; }
QSlider::handle:horizontal:focus { width: 10px; height: 10px; border: 2px solid @text@; }
QSlider::sub-page:horizontal:disabled, QSlider::handle:horizontal:disabled { background: @dim@; }
)";

constexpr const char* tables = R"(
QTableView { background: transparent; color: @text@; border: 0; outline: 0; gridline-color: transparent;
  selection-background-color: @hover@; selection-color: @text@; }
QHeaderView { background: transparent; border: 0; }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QMenu { background: @panel@; color: @text@; border: 1px solid @line@; padding: 4px; }
QMenu::item { padding: 6px 20px; border-radius: 4px; }
QMenu::item:selected { background: @hover@; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar::handle:vertical { background: @scroll@; border-radius: 3px; min-height: 30px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle:horizontal { background: @scroll@; border-radius: 3px; min-width: 30px; margin: 2px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }
)";

struct ColorName {
  const char* name;
  ColorRole role;
};
constexpr ColorName colorNames[] = {
    {"@background@", ColorRole::Background},
    {"@panel@", ColorRole::Panel},
    {"@line@", ColorRole::Line},
    {"@hover@", ColorRole::Hover},
    {"@field@", ColorRole::Field},
    {"@text@", ColorRole::Text},
    {"@dim@", ColorRole::Dim},
    {"@accent@", ColorRole::Accent},
    {"@onAccent@", ColorRole::OnAccent},
    {"@good@", ColorRole::Good},
    {"@warning@", ColorRole::Warning},
    {"@bad@", ColorRole::Bad},
};

}  // namespace

QString styleSheet(Scheme scheme) {
  QString sheet = QLatin1String(surfaces) + QLatin1String(buttons) + QLatin1String(fields) + QLatin1String(tables);
  for (const ColorName& entry : colorNames) sheet.replace(QLatin1String(entry.name), color(entry.role, scheme).name());
  const QColor accent = color(ColorRole::Accent, scheme);
  sheet.replace(QLatin1String("@accentHover@"), (scheme == Scheme::Light ? accent.darker(112) : accent.lighter(112)).name());
  sheet.replace(
      QLatin1String("@scroll@"),
      (scheme == Scheme::Light ? color(ColorRole::Line, scheme).darker(112) : color(ColorRole::Line, scheme).lighter(130)).name());
  sheet.replace(QLatin1String("@scheme@"), scheme == Scheme::Light ? QLatin1String("light") : QLatin1String("dark"));
  sheet.replace(QLatin1String("@cardRadius@"), QString::number(metrics::cardRadius));
  sheet.replace(QLatin1String("@controlRadius@"), QString::number(metrics::controlRadius));
  return sheet;
}

}  // namespace quarry
