// SPDX-License-Identifier: GPL-3.0-or-later
// Rings of all statistics the console was told of, one per time span, shared by gauges, charts and sparklines. GUI thread only.
// append() takes the live samples, fill() what the engine kept from before (request "stats.history"). Gaps stay NaN. A sample older than the
// newest by more than the shortest span means that the engine's clock was set back: all starts again. Bounded: at most idsMax ids (later
// ones are ignored), and spans above five minutes only for ids that were filled or that do not start with "vm/".
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/models/stat_ring.h"
#include "engine/protocol/stat_messages.h"

namespace quarry {

class StatHistory : public QObject {
  Q_OBJECT
 public:
  enum class Span { FiveMinutes, Hour, Day, Month };
  Q_ENUM(Span)
  static constexpr size_t spanCount = 4;
  static constexpr size_t idsMax = 20'000;

  using QObject::QObject;

  StatValues values(const QString& id, Span span) const;  // up to the newest sample of any id; empty when the id or span is unknown
  double latest(const QString& id) const;                 // NaN when unknown
  bool contains(const QString& id) const;

  void append(const protocol::StatSample& sample);
  void clear();  // forgets all, as before the first sample
  void fill(Span span, const std::vector<protocol::StatSeries>& series);

  static StatSpan shape(Span span);
  static uint64_t seconds(Span span);  // of "stats.history"
  static QString title(Span span);     // "5 min", "1 h", "24 h", "30 d"

 Q_SIGNALS:
  void appended(qint64 unixMs);                  // after each sample
  void filled(quarry::StatHistory::Span span);   // after older values came

 private:
  struct Rings {
    double latest = 0;
    std::array<std::unique_ptr<StatRing>, spanCount> rings;
  };
  Rings* ringsFor(const std::string& id);
  const Rings* find(const QString& id) const;

  std::unordered_map<std::string, Rings> m_rings;
  int64_t m_newestUnixMs = 0;
};

}  // namespace quarry
