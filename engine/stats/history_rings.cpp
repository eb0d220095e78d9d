// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/history_rings.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "engine/base/checksum.h"

namespace quarry {
namespace {

void append(std::vector<std::byte>& blob, Bytes bytes) { blob.insert(blob.end(), bytes.begin(), bytes.end()); }

template <class T>
void appendValue(std::vector<std::byte>& blob, const T& value) {
  append(blob, std::as_bytes(std::span(&value, 1)));
}

// Takes values off the front of the blob; false once it is too short.
struct Cursor {
  Bytes rest;

  bool take(void* into, size_t size) {
    if (rest.size() < size) return false;
    std::memcpy(into, rest.data(), size);
    rest = rest.subspan(size);
    return true;
  }
};

Error corrupt(const char* what) { return {ErrorCode::Corrupt, std::string("the statistics history ") + what}; }

bool readRing(Cursor& cursor, HistorySpan span, HistoryRing& ring) {
  int64_t lastSlot = 0;
  std::vector<float> values(span.capacity());
  if (!cursor.take(&lastSlot, sizeof lastSlot) || !cursor.take(values.data(), values.size() * sizeof(float))) return false;
  if (lastSlot < -1 || lastSlot > (int64_t{1} << 50)) return false;
  ring.restore(lastSlot, std::move(values));
  return true;
}

bool readId(Cursor& cursor, std::string& id) {
  uint16_t size = 0;
  if (!cursor.take(&size, sizeof size) || size == 0 || size > historyIdBytesMax) return false;
  id.resize(size);
  return cursor.take(id.data(), size);
}

}  // namespace

HistoryRings::Rings HistoryRings::emptyRings() { return Rings(historySpans.begin(), historySpans.end()); }

void HistoryRings::makeRoom() {
  if (m_series.size() < historySeriesMax) return;
  const auto stalest = std::min_element(m_series.begin(), m_series.end(),
                                        [](const auto& a, const auto& b) { return a.second[0].lastSlot() < b.second[0].lastSlot(); });
  m_series.erase(stalest);
}

void HistoryRings::add(const std::string& id, int64_t unixMs, double value) {
  if (id.empty() || id.size() > historyIdBytesMax) return;
  auto found = m_series.find(id);
  if (found == m_series.end()) {
    makeRoom();
    found = m_series.emplace(id, emptyRings()).first;
  }
  for (HistoryRing& ring : found->second) ring.add(unixMs, value);
}

Result<protocol::StatSeries> HistoryRings::series(const std::string& id, uint64_t spanSeconds, int64_t unixMs) const {
  const auto span = std::find_if(historySpans.begin(), historySpans.end(), [&](HistorySpan s) { return s.spanSeconds == spanSeconds; });
  if (span == historySpans.end()) return fail(ErrorCode::InvalidArgument, "history is kept for spans of 300, 3600, 86400 and 2592000 seconds");
  const auto found = m_series.find(id);
  const HistoryRing nothing(*span);
  const HistoryRing& ring = found == m_series.end() ? nothing : found->second[static_cast<size_t>(span - historySpans.begin())];
  return protocol::StatSeries{.id = id, .firstUnixMs = ring.firstMs(unixMs), .stepMs = span->stepSeconds * 1000, .values = ring.until(unixMs)};
}

std::vector<std::byte> HistoryRings::toBlob() const {
  std::vector<std::byte> blob(sizeof(HistoryHeader));
  for (const auto& [id, rings] : m_series) {
    appendValue(blob, static_cast<uint16_t>(id.size()));
    append(blob, asBytes(id));
    for (const HistoryRing& ring : rings) {
      appendValue(blob, ring.lastSlot());
      append(blob, std::as_bytes(std::span(ring.values())));
    }
  }
  const HistoryHeader header{.magic = historyMagic,
                             .checksum = checksum(Bytes(blob).subspan(sizeof(HistoryHeader))),
                             .version = historyVersion,
                             .seriesCount = static_cast<uint32_t>(m_series.size())};
  std::memcpy(blob.data(), &header, sizeof header);
  return blob;
}

Result<void> HistoryRings::fromBlob(Bytes blob) {
  HistoryHeader header;
  Cursor cursor{blob};
  if (!cursor.take(&header, sizeof header) || header.magic != historyMagic) return fail(corrupt("is not one"));
  if (header.version > historyVersion) return fail(ErrorCode::VersionTooNew, "the statistics history was written by a newer Quarry");
  if (header.checksum != checksum(cursor.rest)) return fail(corrupt("does not match its checksum"));
  if (header.seriesCount > historySeriesMax) return fail(corrupt("has too many series"));
  std::map<std::string, Rings> read;
  for (uint32_t i = 0; i < header.seriesCount; ++i) {
    std::string id;
    if (!readId(cursor, id)) return fail(corrupt("has a bad id"));
    Rings rings = emptyRings();
    for (size_t span = 0; span < rings.size(); ++span)
      if (!readRing(cursor, historySpans[span], rings[span])) return fail(corrupt("has a bad ring"));
    read.insert_or_assign(std::move(id), std::move(rings));
  }
  if (!cursor.rest.empty()) return fail(corrupt("is longer than it says"));
  m_series = std::move(read);
  return {};
}

}  // namespace quarry
