// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/models/stat_history.h"

#include <algorithm>
#include <limits>

namespace quarry {
namespace {

constexpr std::array spans = {StatHistory::Span::FiveMinutes, StatHistory::Span::Hour, StatHistory::Span::Day, StatHistory::Span::Month};
static_assert(spans.size() == StatHistory::spanCount);

bool keepsAllSpans(const std::string& id) { return !id.starts_with("vm/"); }

}  // namespace

StatSpan StatHistory::shape(Span span) {
  switch (span) {
    case Span::FiveMinutes: return {.stepMs = 1'000, .sampleCount = 300};
    case Span::Hour: return {.stepMs = 12'000, .sampleCount = 300};
    case Span::Day: return {.stepMs = 300'000, .sampleCount = 288};
    case Span::Month: return {.stepMs = 7'200'000, .sampleCount = 360};
  }
  return {};
}

uint64_t StatHistory::seconds(Span span) {
  const StatSpan is = shape(span);
  return static_cast<uint64_t>(is.stepMs) / 1000 * is.sampleCount;
}

QString StatHistory::title(Span span) {
  switch (span) {
    case Span::FiveMinutes: return tr("5 min");
    case Span::Hour: return tr("1 h");
    case Span::Day: return tr("24 h");
    case Span::Month: return tr("30 d");
  }
  return {};
}

StatValues StatHistory::values(const QString& id, Span span) const {
  const Rings* rings = find(id);
  const StatRing* ring = rings == nullptr ? nullptr : rings->rings[static_cast<size_t>(span)].get();
  return ring == nullptr ? StatValues{} : ring->values(m_newestUnixMs);
}

double StatHistory::latest(const QString& id) const {
  const Rings* rings = find(id);
  return rings == nullptr ? std::numeric_limits<double>::quiet_NaN() : rings->latest;
}

bool StatHistory::contains(const QString& id) const { return find(id) != nullptr; }

void StatHistory::append(const protocol::StatSample& sample) {
  const auto setBackMs = static_cast<int64_t>(seconds(Span::FiveMinutes)) * 1000;
  if (sample.unixMs < m_newestUnixMs - setBackMs) clear();
  m_newestUnixMs = std::max(m_newestUnixMs, sample.unixMs);
  for (const auto& [id, value] : sample.values) {
    Rings* rings = ringsFor(id);
    if (rings == nullptr) continue;
    rings->latest = value;
    for (const auto& ring : rings->rings)
      if (ring) ring->put(sample.unixMs, value);
  }
  Q_EMIT appended(sample.unixMs);
}

void StatHistory::clear() {
  m_rings.clear();
  m_newestUnixMs = 0;
}

void StatHistory::fill(Span span, const std::vector<protocol::StatSeries>& series) {
  for (const protocol::StatSeries& one : series) {
    Rings* rings = ringsFor(one.id);
    if (rings == nullptr) continue;
    auto& ring = rings->rings[static_cast<size_t>(span)];
    if (!ring) ring = std::make_unique<StatRing>(shape(span));
    ring->fill({.firstUnixMs = one.firstUnixMs, .stepMs = static_cast<int64_t>(one.stepMs), .values = one.values});
  }
  Q_EMIT filled(span);
}

StatHistory::Rings* StatHistory::ringsFor(const std::string& id) {
  if (const auto known = m_rings.find(id); known != m_rings.end()) return &known->second;
  if (m_rings.size() >= idsMax) return nullptr;
  Rings& added = m_rings[id];
  added.latest = std::numeric_limits<double>::quiet_NaN();
  for (const Span span : spans)
    if (span == Span::FiveMinutes || keepsAllSpans(id)) added.rings[static_cast<size_t>(span)] = std::make_unique<StatRing>(shape(span));
  return &added;
}

const StatHistory::Rings* StatHistory::find(const QString& id) const {
  const auto known = m_rings.find(id.toStdString());
  return known == m_rings.end() ? nullptr : &known->second;
}

}  // namespace quarry
