// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cache_size_input.h"

#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>

#include "app/format/formatter.h"
#include "ui/widgets/gib_box.h"

namespace quarry {

namespace {

constexpr uint64_t mib = 1ULL << 20, gib = 1ULL << 30;

// Fine enough for a small machine, round numbers on a large one.
uint64_t stepBytes(uint64_t bytesMax) {
  constexpr uint64_t stepsMin = 64;
  uint64_t step = 16 * mib;
  while (step < 16 * gib && bytesMax / (step * 2) >= stepsMin) step *= 2;
  return step;
}

}  // namespace

CacheSizeInput::CacheSizeInput(QObject* parent) : QObject(parent), m_slider(new QSlider(Qt::Horizontal)), m_box(new GibBox) {
  m_slider->setAccessibleName(tr("Size of the RAM cache"));
  m_box->setAccessibleName(tr("Size of the RAM cache in GiB"));
  connect(m_slider, &QSlider::valueChanged, this, &CacheSizeInput::onSlider);
  connect(m_box, &QDoubleSpinBox::valueChanged, this, &CacheSizeInput::onBox);
}

void CacheSizeInput::setRoom(const CacheRoom& room) {
  if (room == m_room) return;
  const bool follows = !isChosen();
  m_room = room;
  const uint64_t step = stepBytes(room.bytesMax);
  {
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, int((room.bytesMax + step - 1) / step));
    m_slider->setPageStep(std::max(1, m_slider->maximum() / 16));
  }
  if (follows) m_bytes = room.bytes;
  show();
  Q_EMIT changed();
}

void CacheSizeInput::choose(uint64_t bytes) { take(bytes); }

void CacheSizeInput::forget() { take(m_room.bytes); }

void CacheSizeInput::onSlider(int steps) {
  take(std::clamp(uint64_t(steps) * stepBytes(m_room.bytesMax), m_room.bytesMin, std::max(m_room.bytesMin, m_room.bytesMax)));
}

// The size that is there may be finer than the box: as long as it shows that one, nothing was chosen.
void CacheSizeInput::onBox() {
  m_bytes = m_box->bytes() == GibBox::rounded(m_room.bytes) ? m_room.bytes : m_box->bytes();
  const QSignalBlocker quiet(m_slider);
  m_slider->setValue(int(std::min(uint64_t(m_slider->maximum()), m_bytes / stepBytes(m_room.bytesMax))));
  Q_EMIT changed();
}

void CacheSizeInput::take(uint64_t bytes) {
  m_bytes = bytes;
  show();
  Q_EMIT changed();
}

void CacheSizeInput::show() {
  const QSignalBlocker quietSlider(m_slider), quietBox(m_box);
  m_slider->setValue(int(std::min(uint64_t(m_slider->maximum()), m_bytes / stepBytes(m_room.bytesMax))));
  m_slider->setAccessibleDescription(formatter::bytes(m_bytes));
  m_box->setBytes(m_bytes);
}

}  // namespace quarry
