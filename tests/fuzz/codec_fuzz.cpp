// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a protocol line: decoding ends with a value or an Error, and what was decoded survives encoding again.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/check.h"
#include "engine/protocol/codec.h"

using namespace quarry::protocol;

namespace {

template <class T>
void decodeTwice(std::string_view json) {
  const auto once = fromJson<T>(json);
  if (!once) return;
  const std::string text = toJson(*once);
  const auto twice = fromJson<T>(text);
  QUARRY_CHECK(twice.has_value());
  QUARRY_CHECK(toJson(*twice) == text);
}

void decodeAll(std::string_view json) {
  decodeTwice<EngineStatus>(json);
  decodeTwice<VstorageInfo>(json);
  decodeTwice<VstorageSet>(json);
  decodeTwice<PolicySet>(json);
  decodeTwice<JobStart>(json);
  decodeTwice<JobInfo>(json);
  decodeTwice<VmDetail>(json);
  decodeTwice<CacheInfo>(json);
  decodeTwice<CacheAdvice>(json);
  decodeTwice<Event>(json);
  decodeTwice<StatSample>(json);
  decodeTwice<std::vector<StatSeries>>(json);
}

}  // namespace

std::vector<std::string> fuzzSeeds() {
  JobInfo job;
  job.notes = {"skipped a", "skipped b"};
  VmDetail detail;
  detail.files.resize(2);
  CacheInfo cache;
  cache.vstorages.resize(2);
  CacheAdvice advice;
  advice.curves.push_back({.vstorage = "a", .accessCount = 9, .points = {{1, 0.5}, {2, 0.75}}});
  return {encodeRequest(1, "job.start", toJson(JobStart{})),
          encodeNotification("job.changed", toJson(job)),
          encodeResult(2, toJson(EngineStatus{})),
          encodeResult(3, toJson(detail)),
          encodeError(4, {quarry::ErrorCode::NoSpace, "full"}),
          toJson(job),
          toJson(detail),
          toJson(VstorageInfo{}),
          toJson(cache),
          toJson(advice),
          toJson(std::vector<StatSeries>(2)),
          toJson(StatSample{.unixMs = 1, .values = {{"engine/read/iops", 2.5}}})};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto message = decodeLine(input);
  if (message) {
    const std::string line = message->error            ? encodeError(message->id, *message->error)
                             : message->method.empty() ? encodeResult(*message->id, message->params)
                             : message->id             ? encodeRequest(*message->id, message->method, message->params)
                                                       : encodeNotification(message->method, message->params);
    const auto reread = decodeLine(line);
    QUARRY_CHECK(reread.has_value());
    QUARRY_CHECK(reread->method == message->method && reread->params == message->params && reread->id == message->id);
    decodeAll(message->params);
  }
  decodeAll(input);
  return 0;
}
