// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/gib_box.h"

#include <QLocale>
#include <cmath>

namespace quarry {

namespace {
constexpr double gib = 1024.0 * 1024 * 1024;
constexpr double shownMax = 1 << 20;  // 1 PiB: that a machine has not so much is said beside the box
}  // namespace

GibBox::GibBox(QWidget* parent) : QDoubleSpinBox(parent) {
  setDecimals(2);
  setRange(0, shownMax);
  setSingleStep(1);
  setSuffix(tr(" GiB"));
  setSpecialValueText(QStringLiteral("–"));  // of 0: not known yet
  setKeyboardTracking(true);
  setGroupSeparatorShown(true);
  setFixedWidth(124);
}

void GibBox::setBytes(uint64_t bytes) { setValue(double(bytes) / gib); }

uint64_t GibBox::bytes() const { return uint64_t(std::llround(value() * gib)); }

uint64_t GibBox::rounded(uint64_t bytes) { return uint64_t(std::llround(std::round(double(bytes) / gib * 100) / 100 * gib)); }

QString GibBox::textFromValue(double value) const {
  QString text = locale().toString(value, 'f', decimals());
  while (text.endsWith(locale().zeroDigit())) text.chop(1);
  if (text.endsWith(locale().decimalPoint())) text.chop(locale().decimalPoint().size());
  return text;
}

}  // namespace quarry
