// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/io_stats.h"

#include <deque>
#include <limits>
#include <memory>
#include <utility>

namespace quarry {
namespace {

constexpr size_t minuteSamples = 61;  // the sampler asks once a second

using protocol::StatDescription;
using protocol::Unit;

// Per second since the sample before.
std::function<double(double)> rateOf(const Counter& counter) {
  return [&counter, before = counter.value()](double seconds) mutable {
    const uint64_t now = counter.value();
    const uint64_t grown = now - std::exchange(before, now);
    return seconds > 0 ? static_cast<double>(grown) / seconds : std::numeric_limits<double>::quiet_NaN();
  };
}

// Growth of one counter for each step of the other; NaN when the other stood still.
std::function<double(double)> quotientOf(const Counter& amount, const Counter& count) {
  return [&amount, &count, amountBefore = amount.value(), countBefore = count.value()](double) mutable {
    const uint64_t amountNow = amount.value();
    const uint64_t countNow = count.value();
    const uint64_t amountGrown = amountNow - std::exchange(amountBefore, amountNow);
    const uint64_t countGrown = countNow - std::exchange(countBefore, countNow);
    return countGrown == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(amountGrown) / static_cast<double>(countGrown);
  };
}

// Share of the first in both over the last minute; NaN when both stood still.
std::function<double(double)> minuteShareOf(const Counter& part, const Counter& rest) {
  using Sample = std::pair<uint64_t, uint64_t>;
  return [&part, &rest, samples = std::deque<Sample>()](double) mutable {
    samples.emplace_back(part.value(), rest.value());
    if (samples.size() > minuteSamples) samples.pop_front();
    const uint64_t partGrown = samples.back().first - samples.front().first, restGrown = samples.back().second - samples.front().second;
    return partGrown + restGrown == 0 ? std::numeric_limits<double>::quiet_NaN()
                                      : static_cast<double>(partGrown) / static_cast<double>(partGrown + restGrown);
  };
}

constexpr double nsPerUs = 1000;

}  // namespace

void IoStats::declareDirection(std::vector<StatDeclaration>& group, const std::string& prefix, const char* verb, const Direction& direction) {
  const std::string path = prefix + "/" + verb + "/";
  const std::string what = std::string(verb) + "s";
  // The mean is declared first and moves the window on; the percentile then looks at the same second.
  auto window = std::make_shared<HistogramWindow>(direction.latencyNs);
  const auto mean = [window](double) {
    window->advance();
    return window->mean() / nsPerUs;
  };
  const auto percentile = [window](double) { return window->quantile(0.99) / nsPerUs; };
  group.push_back({{path + "iops", Unit::PerSecond, "Number of " + what + " per second.", 0}, rateOf(direction.operations)});
  group.push_back({{path + "bytes", Unit::BytesPerSecond, "Bytes moved by " + what + " per second.", 0}, rateOf(direction.bytes)});
  group.push_back({{path + "latency", Unit::Microseconds, "Mean time to answer " + what + " over the last second.", 0}, mean});
  group.push_back(
      {{path + "latency-p99", Unit::Microseconds, "99 of 100 " + what + " were answered within this time in the last second.", 0}, percentile});
  group.push_back({{path + "io-size", Unit::Bytes, "Mean size of " + what + " over the last second.", 0},
                   quotientOf(direction.bytes, direction.operations)});
}

std::vector<StatDeclaration> IoStats::declare(const std::string& prefix) const {
  std::vector<StatDeclaration> group;
  declareDirection(group, prefix, "read", m_read);
  declareDirection(group, prefix, "write", m_write);
  group.push_back({{prefix + "/read/hit-ratio", Unit::Ratio, "Share of the blocks read over the last minute that were in RAM.", 1},
                   minuteShareOf(m_ramBlocks, m_diskBlocks)});
  return group;
}

}  // namespace quarry
