// SPDX-License-Identifier: GPL-3.0-or-later
// A size of the RAM cache as a slider and a box in GiB that follow each other, within what the machine has. More can be typed, and is
// then a problem in words. The slider begins at 0, so that it can stand below a chart's axis; it stops at the least size. Whoever makes it
// places the two widgets and the words. GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>

#include "app/format/cache_text.h"

class QSlider;

namespace quarry {

class GibBox;

class CacheSizeInput : public QObject {
  Q_OBJECT

 public:
  explicit CacheSizeInput(QObject* parent = nullptr);

  QSlider* slider() { return m_slider; }
  GibBox* box() { return m_box; }

  void setRoom(const CacheRoom& room);  // follows its size until the user has chosen another
  const CacheRoom& room() const { return m_room; }
  void choose(uint64_t bytes);  // as if the user had
  void forget();                // back to the size of the room
  uint64_t bytes() const { return m_bytes; }
  bool isChosen() const { return m_bytes != m_room.bytes; }
  QString problem() const { return cacheSizeProblem(m_room, m_bytes); }

 Q_SIGNALS:
  void changed();

 private:
  void onSlider(int steps);
  void onBox();
  void take(uint64_t bytes);
  void show();

  CacheRoom m_room;
  uint64_t m_bytes = 0;
  QSlider* m_slider;
  GibBox* m_box;
};

}  // namespace quarry
