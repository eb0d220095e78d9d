// SPDX-License-Identifier: GPL-3.0-or-later
// A size in GiB, typed or stepped, without needless zeros. GUI thread only.
#pragma once

#include <QDoubleSpinBox>
#include <cstdint>

namespace quarry {

class GibBox : public QDoubleSpinBox {
  Q_OBJECT

 public:
  explicit GibBox(QWidget* parent = nullptr);

  void setBytes(uint64_t bytes);  // shown rounded to 1/100 GiB
  uint64_t bytes() const;
  static uint64_t rounded(uint64_t bytes);  // as bytes() gives back what setBytes() was given

 protected:
  QString textFromValue(double value) const override;
};

}  // namespace quarry
