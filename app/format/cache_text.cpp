// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/cache_text.h"

#include <QCoreApplication>
#include <cmath>

#include "app/format/formatter.h"
#include "engine/protocol/cache_curve.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Cache)
};

constexpr double noticeable = 0.005;    // share of the disk reads
constexpr double likeTheAdvice = 0.06;  // share of the size

// ": about 120 a second now" of what is read from the disk now; empty when that is next to nothing.
QString rateText(double perSecond) {
  if (!(perSecond >= 1)) return {};
  return Words::tr(": about %1 a second now").arg(formatter::number(perSecond));
}

// An estimate does not claim a tenth of a percent.
QString aboutPercent(double ratio) { return formatter::percent(std::round(ratio * 100) / 100); }

QString comparedText(const protocol::CacheInfo& info, const protocol::CacheCurve& curve, uint64_t bytes) {
  const bool more = bytes > info.budgetBytes;
  const QString step = formatter::bytes(more ? bytes - info.budgetBytes : info.budgetBytes - bytes);
  const auto saved = protocol::savedDiskReads(curve, info.budgetBytes, bytes);
  if (!saved || (more && *saved < noticeable))
    return more ? Words::tr("%1 more would save next to no disk reads.").arg(step) : Words::tr("%1 less cannot be judged: there were no disk reads.").arg(step);
  if (std::abs(*saved) < noticeable) return Words::tr("%1 less would hardly be noticed.").arg(step);
  const QString rate = rateText(std::abs(*saved) * info.diskReadsPerSecond);
  if (more) return Words::tr("%1 more would give %2 fewer disk reads%3.").arg(step, aboutPercent(*saved), rate);
  const bool manyTimes = -*saved >= 2;
  if (manyTimes) return Words::tr("%1 less would give %2 as many disk reads%3.").arg(step, formatter::factor(1 - *saved), rate);
  return Words::tr("%1 less would give %2 more disk reads%3.").arg(step, aboutPercent(-*saved), rate);
}

QString asItIsText(const protocol::CacheInfo& info, const protocol::CacheCurve& curve) {
  const auto advised = advisedSize(info, &curve);
  if (advised && *advised > info.budgetBytes) return comparedText(info, curve, *advised);
  if (advised) return Words::tr("%1 would do nearly as well.").arg(formatter::bytes(*advised));
  const double saved = protocol::savedDiskReads(curve, info.budgetBytes, info.budgetBytesMax).value_or(0);
  if (saved < noticeable) return Words::tr("More RAM would save next to no disk reads.");
  return Words::tr("A good size: even %1 would save only %2 of the disk reads.").arg(formatter::bytes(info.budgetBytesMax), aboutPercent(saved));
}

}  // namespace

CacheRoom roomOf(const protocol::CacheInfo& info) {
  return {.machineBytes = info.machineBytes,
          .availableBytes = info.machineAvailableBytes,
          .bytesMin = info.budgetBytesMin,
          .bytesMax = info.budgetBytesMax,
          .bytes = info.budgetBytes};
}

QString machineText(const CacheRoom& room) {
  return Words::tr("This machine has %1, %2 free.").arg(formatter::bytes(room.machineBytes), formatter::bytes(room.availableBytes));
}

QString cacheSizeProblem(const CacheRoom& room, uint64_t bytes) {
  if (!room.isKnown()) return {};
  if (bytes > room.bytesMax)
    return Words::tr("%1 is too much: the machine has %2, of which the cache may take up to %3.")
        .arg(formatter::bytes(bytes), formatter::bytes(room.machineBytes), formatter::bytes(room.bytesMax));
  if (bytes < room.bytesMin) return Words::tr("%1 is too little: the cache needs at least %2.").arg(formatter::bytes(bytes), formatter::bytes(room.bytesMin));
  return {};
}

QString cacheWorthText(const protocol::CacheInfo& info, const protocol::CacheCurve* curve, uint64_t bytes) {
  if (curve == nullptr || !protocol::isMeaningful(*curve))
    return Words::tr("What another size would be worth is not known yet: %1 of the %2 reads that it takes were measured.")
        .arg(formatter::count(curve == nullptr ? 0 : curve->accessCount), formatter::count(protocol::curveAccessesMin));
  return bytes == info.budgetBytes ? asItIsText(info, *curve) : comparedText(info, *curve, bytes);
}

std::optional<uint64_t> advisedSize(const protocol::CacheInfo& info, const protocol::CacheCurve* curve) {
  if (curve == nullptr) return std::nullopt;
  const auto advised = protocol::advisedBytes(*curve, {.bytesMin = info.budgetBytesMin, .bytesMax = info.budgetBytesMax});
  if (!advised) return std::nullopt;
  const double now = static_cast<double>(info.budgetBytes);
  return std::abs(static_cast<double>(*advised) - now) > likeTheAdvice * now ? advised : std::nullopt;
}

}  // namespace quarry
