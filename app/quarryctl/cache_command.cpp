// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/quarryctl/amount.h"
#include "app/quarryctl/commands.h"
#include "app/quarryctl/option_checks.h"
#include "app/quarryctl/table.h"
#include "engine/protocol/cache_curve.h"

namespace quarry::ctl {
namespace {

using protocol::CacheAdvice;
using protocol::CacheCurve;
using protocol::CacheInfo;

// Within a sentence: without the blanks that line sizes up in columns.
std::string inWords(uint64_t bytes) {
  std::string text = sizeText(bytes);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string ratioText(const std::optional<double>& ratio) { return ratio ? percentText(*ratio) : "-"; }

std::string unprotectedText(uint64_t bytes, uint64_t oldestSeconds) {
  return bytes == 0 ? "none" : inWords(bytes) + ", the oldest for " + ageText(oldestSeconds) + ": lost at a power cut";
}

std::string vstoragesText(const CacheInfo& info) {
  using enum Table::Align;
  Table table({{"VSTORAGE"}, {"MODE"}, {"HITS", Right}, {"ABSORBED", Right}, {"DIRTY", Right}, {"UNPROTECTED", Right}, {"OLDEST", Right}});
  for (const protocol::CacheVstorage& row : info.vstorages)
    table.add({row.name, std::string(name(row.writeMode)), ratioText(row.hitRatio), ratioText(row.absorbedRatio), sizeText(row.dirtyBytes),
               sizeText(row.unprotectedBytes), row.unprotectedBytes == 0 ? "-" : ageText(row.oldestUnprotectedSeconds)});
  return table.text();
}

std::string infoText(const CacheInfo& info) {
  const std::string limits = " (" + inWords(info.budgetBytesMin) + " to " + inWords(info.budgetBytesMax) + " on this machine)";
  const std::string dirty = inWords(info.dirtyBytes) + " of at most " + inWords(info.dirtyBytesMax);
  return fieldLines({
             {"size", inWords(info.budgetBytes) + limits},
             {"clean, for reads", inWords(info.readBytes)},
             {"dirty", info.dirtyBytes == 0 ? dirty : dirty + ", the oldest for " + ageText(info.oldestDirtySeconds)},
             {"unprotected", unprotectedText(info.unprotectedBytes, info.oldestUnprotectedSeconds)},
             {"journal", inWords(info.journalUsedBytes) + " of " + inWords(info.journalBytes) + " used"},
             {"engine takes", inWords(info.residentBytes) + " of the machine's " + inWords(info.machineBytes) + " (" +
                                  inWords(info.machineAvailableBytes) + " free)"},
             {"read hits", ratioText(info.hitRatio) + " in the last minute"},
             {"reads", countText(std::round(info.readsPerSecond)) + " blocks/s, from the disk " + countText(std::round(info.diskReadsPerSecond)) + "/s"},
             {"writes absorbed", ratioText(info.absorbedRatio)},
             {"evictions", std::to_string(info.evictionCount)},
         }) +
         "\n" + vstoragesText(info);
}

std::string curveText(const CacheCurve& curve, uint64_t budgetBytes) {
  using enum Table::Align;
  Table table({{"SIZE", Right}, {"HITS", Right}, {"DISK READS", Right}});
  // The sizes that a person thinks in; the curve has many more points.
  for (uint64_t bytes = uint64_t{64} << 20; bytes <= curve.points.back().bytes; bytes *= 2) {
    const auto saved = savedDiskReads(curve, budgetBytes, bytes);
    table.add({sizeText(bytes), percentText(hitRatioAt(curve, bytes)), saved ? percentText(1 - *saved) : "-"});
  }
  return table.text();
}

std::string adviceText(const CacheAdvice& advice, const CacheInfo& info) {
  const CacheCurve* curve = engineCurve(advice);
  if (curve == nullptr || !isMeaningful(*curve))
    return "not enough reads yet: " + std::to_string(curve == nullptr ? 0 : curve->accessCount) + " of the " +
           std::to_string(protocol::curveAccessesMin) + " that an advice takes\n";
  const uint64_t advised = advisedBytes(*curve, {.bytesMin = info.budgetBytesMin, .bytesMax = info.budgetBytesMax}).value_or(info.budgetBytes);
  const auto saved = savedDiskReads(*curve, advice.budgetBytes, advised);
  std::string text = fieldLines({
      {"size now", inWords(advice.budgetBytes) + ", " + percentText(hitRatioAt(*curve, advice.budgetBytes)) + " read hits by the curve"},
      {"advised", inWords(advised) + ", " + percentText(hitRatioAt(*curve, advised)) + " read hits"},
      {"disk reads then", saved ? percentText(1 - *saved) + " of today's " + countText(std::round(advice.diskReadsPerSecond)) + "/s" : "-"},
      {"measured on", std::to_string(curve->accessCount) + " reads"},
  });
  return text + "\n" + curveText(*curve, advice.budgetBytes);
}

// Two questions: what the sizes are worth, and which of them this machine can have.
void advise(Session& session) {
  const auto advised = session.call("cache.advice", "null");
  if (!advised) return session.refuse(advised.error());
  if (session.json) return session.printJson(*advised);
  const auto advice = protocol::fromJson<CacheAdvice>(*advised);
  if (!advice) return session.refuse(advice.error());
  session.show<CacheInfo>("cache.show", "null", [&advice](const CacheInfo& info) { return adviceText(*advice, info); });
}

void addSize(CLI::App& noun, Session& session) {
  CLI::App* verb = addVerb(noun, "size", "Give it another size, without a pause");
  const auto size = std::make_shared<std::string>();
  verb->add_option("SIZE", *size, "RAM for reads and writes together, such as 16g")->required()->check(checkSize);
  verb->callback([size, &session] {
    session.show<CacheInfo>("cache.size", toJson(protocol::CacheSizeSet{.bytes = sizeOf(*size).value_or(0)}),
                            [](const CacheInfo& info) { return "the cache may take " + inWords(info.budgetBytes) + " from now on\n"; });
  });
}

void addFlush(CLI::App& noun, Session& session) {
  CLI::App* verb = addVerb(noun, "flush", "Write everything that waits to the disk now, and wait for it");
  const auto request = std::make_shared<protocol::CacheFlush>();
  verb->add_option("--vstorage", request->vstorage, "Of this vstorage alone");
  verb->callback([request, &session] {
    session.client().waitLong();
    session.show<protocol::CacheFlushed>("cache.flush", toJson(*request), [](const protocol::CacheFlushed& flushed) {
      return flushed.bytes == 0 ? std::string("nothing had to be written\n") : inWords(flushed.bytes) + " written\n";
    });
  });
}

}  // namespace

void addCacheCommand(CLI::App& app, Session& session) {
  CLI::App* noun = addNoun(app, "cache", "The RAM cache");
  addVerb(*noun, "show", "Its size, what is in it, and what a power cut would lose")->callback([&session] {
    session.show<CacheInfo>("cache.show", "null", infoText);
  });
  addSize(*noun, session);
  addVerb(*noun, "advice", "Which size would be worth it, by the reads measured")->callback([&session] { advise(session); });
  addFlush(*noun, session);
}

}  // namespace quarry::ctl
