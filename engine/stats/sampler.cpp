// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/sampler.h"

#include <algorithm>
#include <asio/post.hpp>
#include <asio/this_coro.hpp>
#include <limits>
#include <utility>

#include "engine/base/spawn.h"

namespace quarry {
namespace {

constexpr std::chrono::seconds period{1};
constexpr size_t historyIdsMax = 256;  // of one request

int64_t toMs(Timestamp time) { return time.unixNs / 1000000; }

bool isKept(std::string_view id) { return id.starts_with("engine/") || id.starts_with("vstorage/") || id.starts_with("cache/"); }

}  // namespace

bool matchesPrefixes(std::string_view id, const std::vector<std::string>& prefixes) {
  return prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), [id](const std::string& prefix) { return id.starts_with(prefix); });
}

Sampler::Sampler(StatRegistry& registry, const Clock& clock, Listener listener)
    : m_registry(registry), m_clock(clock), m_listener(std::move(listener)), m_lastTick(clock.steady()) {}

Task<void> Sampler::run() {
  auto timer = std::make_shared<asio::steady_timer>(co_await asio::this_coro::executor);
  {
    Lock lock(m_mutex);
    if (m_stopped) co_return;
    m_timer = timer;
  }
  auto next = std::chrono::steady_clock::now() + period;
  for (;;) {
    timer->expires_at(next);
    co_await expiry(*timer);
    {
      Lock lock(m_mutex);
      if (m_stopped) co_return;
    }
    tick();
    next = std::max(next + period, std::chrono::steady_clock::now());
  }
}

void Sampler::stop() {
  Lock lock(m_mutex);
  m_stopped = true;
  if (auto waiting = m_timer.lock()) asio::post(waiting->get_executor(), [waiting] { waiting->cancel(); });
}

void Sampler::tick() {
  const auto now = m_clock.steady();
  const double seconds = std::chrono::duration<double>(now - std::exchange(m_lastTick, now)).count();
  protocol::StatSample sample{.unixMs = toMs(m_clock.now()), .values = m_registry.sample(seconds)};
  {
    Lock lock(m_mutex);
    for (const auto& [id, value] : sample.values)
      if (isKept(id)) m_history.add(id, sample.unixMs, value);
    m_latest = sample;
  }
  if (m_listener) m_listener(sample);
}

protocol::StatSample Sampler::latest(const std::vector<std::string>& prefixes) const {
  Lock lock(m_mutex);
  protocol::StatSample sample{.unixMs = m_latest.unixMs, .values = {}};
  for (const auto& [id, value] : m_latest.values)
    if (matchesPrefixes(id, prefixes)) sample.values.emplace(id, value);
  return sample;
}

double Sampler::latestValue(const std::string& id) const {
  Lock lock(m_mutex);
  const auto found = m_latest.values.find(id);
  return found == m_latest.values.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

Result<std::vector<protocol::StatSeries>> Sampler::history(const protocol::StatHistoryRequest& request) const {
  if (request.ids.size() > historyIdsMax) return fail(ErrorCode::InvalidArgument, "more than 256 ids in one request");
  std::vector<protocol::StatSeries> series;
  Lock lock(m_mutex);
  for (const std::string& id : request.ids) {
    auto found = m_history.series(id, request.spanSeconds, toMs(m_clock.now()));
    if (!found) return fail(found.error());
    series.push_back(std::move(*found));
  }
  return series;
}

std::vector<std::byte> Sampler::exportHistory() const {
  Lock lock(m_mutex);
  return m_history.toBlob();
}

Result<void> Sampler::importHistory(Bytes blob) {
  Lock lock(m_mutex);
  return m_history.fromBlob(blob);
}

}  // namespace quarry
