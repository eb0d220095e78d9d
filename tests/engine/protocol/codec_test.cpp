// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/protocol/codec.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <variant>

using namespace quarry;
using namespace quarry::protocol;

namespace {

template <class T>
std::string again(const T& value) {
  const auto decoded = fromJson<T>(toJson(value));
  return decoded ? toJson(*decoded) : decoded.error().message;
}

template <class T>
std::string refusal(std::string_view json) {
  const auto decoded = fromJson<T>(json);
  return decoded || decoded.error().code != ErrorCode::Protocol ? "accepted" : decoded.error().message;
}

VmDetail someVm() {
  VmDetail detail;
  detail.vm.vstorage = "main";
  detail.vm.name = "db \"1\"";
  detail.vm.savings.logicalBytes = std::numeric_limits<uint64_t>::max();
  detail.vm.savings.savedRatio = 0.75;
  detail.files.push_back({.path = "db/db.vmdk", .fileid = 12, .savings = {}, .modifiedAt = "2026-11-30T19:22:04Z"});
  return detail;
}

}  // namespace

class CodecTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void roundTrips() {
    QCOMPARE(again(someVm()), toJson(someVm()));
    JobInfo job;
    job.id = -1;
    job.type = JobType::GarbageCollection;
    job.state = JobState::Failed;
    job.notes = {"a", "b"};
    job.error = "disk\nfull";
    QCOMPARE(again(job), toJson(job));
    QCOMPARE(again(std::vector<JobInfo>{job, job}), toJson(std::vector<JobInfo>{job, job}));
    EngineStatus status;
    status.state = StoreState::ReadOnly;
    status.hostAddresses = {"10.0.0.1", "fe80::1"};
    QCOMPARE(again(status), toJson(status));
  }

  void cacheRoundTrips() {
    CacheInfo info;
    info.budgetBytes = uint64_t{16} << 30;
    info.hitRatio = 0.5;
    info.vstorages = {{.name = "a", .writeMode = WriteMode::Ram, .hitRatio = {}, .dirtyBytes = 4096, .absorbedRatio = 0.25}};
    const auto shown = fromJson<CacheInfo>(toJson(info));
    QVERIFY(shown.has_value() && *shown == info);
    QVERIFY(toJson(info.vstorages.front()).find("hitRatio") == std::string::npos);
    CacheAdvice advice;
    advice.curves = {{.vstorage = "", .accessCount = 20'000, .points = {{4096, 0.25}, {8192, 0.5}}}};
    const auto advised = fromJson<CacheAdvice>(toJson(advice));
    QVERIFY(advised.has_value() && *advised == advice);
    QCOMPARE(toJson(CacheSizeSet{.bytes = 5}), std::string(R"({"bytes":5})"));
    QCOMPARE(toJson(CacheFlush{.vstorage = "a"}), std::string(R"({"vstorage":"a"})"));
    QCOMPARE(refusal<CacheSizeSet>(R"({"bytes":"5 GiB"})"), std::string("member 'bytes' must be a whole number, 0 or more"));
  }

  void everyMemberIsKept() {
    const auto detail = fromJson<VmDetail>(toJson(someVm()));
    QVERIFY(detail.has_value());
    QCOMPARE(detail->vm.name, std::string("db \"1\""));
    QCOMPARE(detail->vm.savings.logicalBytes, std::numeric_limits<uint64_t>::max());
    QCOMPARE(detail->files.at(0).fileid, uint64_t{12});
    QCOMPARE(detail->files.at(0).modifiedAt, std::string("2026-11-30T19:22:04Z"));
  }

  void enumsAreNames() { QCOMPARE(toJson(JobStart{.type = JobType::GarbageCollection, .vstorage = {}, .vm = {}, .path = {}, .minAgeSeconds = {}}),
                                  std::string(R"({"path":"","type":"gc","vm":"","vstorage":""})")); }

  void optionalMembersAreAbsentOrNull() {
    VstorageSet set;
    set.name = "a";
    QCOMPARE(toJson(set), std::string(R"({"name":"a"})"));
    set.clients.emplace();
    QCOMPARE(toJson(set), std::string(R"({"clients":[],"name":"a"})"));
    const auto decoded = fromJson<VstorageSet>(R"({"name":"a","quotaBytes":null,"readOnly":false})");
    QVERIFY(decoded.has_value() && !decoded->quotaBytes && decoded->readOnly == false);
  }

  void missingAndUnknownMembers() {
    const auto policy = fromJson<Policy>(R"({"level":5,"colour":"red"})");
    QVERIFY(policy.has_value());
    QCOMPARE(policy->level, 5);
    QCOMPARE(policy->minAgeSeconds, uint64_t{3600});
    QVERIFY(fromJson<Policy>("null").has_value());
  }

  void notANumberIsNull() {
    StatSeries series{.id = "engine/read/iops", .firstUnixMs = 5, .stepMs = 1000, .values = {1.5, std::nan(""), 2}};
    const std::string json = toJson(series);
    QVERIFY(json.find("[1.5,null,2.0]") != std::string::npos);
    const auto decoded = fromJson<StatSeries>(json);
    QVERIFY(decoded.has_value() && decoded->values.size() == 3 && std::isnan(decoded->values[1]));
  }

  void samplesAreMaps() {
    const StatSample sample{.unixMs = 9, .values = {{"a/b", 1}, {"c", std::nan("")}}};
    QCOMPARE(again(sample), std::string(R"({"unixMs":9,"values":{"a/b":1.0,"c":null}})"));
  }

  void emptyResult() {
    QCOMPARE(toJson(std::monostate{}), std::string("null"));
    QVERIFY(fromJson<std::monostate>("null").has_value());
  }

  void fileNamesThatAreNotUtf8() {
    VmFile file;
    file.path = "a\xff" "b";
    QVERIFY(fromJson<VmFile>(toJson(file)).has_value());
  }

  void faultsNameTheMember() {
    QCOMPARE(refusal<VstorageCreate>(R"({"name":5})"), std::string("member 'name' must be a text"));
    QCOMPARE(refusal<VstorageCreate>(R"({"clients":["a",1]})"), std::string("member 'clients[1]' must be a text"));
    QCOMPARE(refusal<VstorageCreate>(R"({"clients":"a"})"), std::string("member 'clients' must be a list"));
    QCOMPARE(refusal<VstorageCreate>(R"({"writeMode":"fast"})"), std::string("member 'writeMode' must be one of safe, through, ram"));
    QCOMPARE(refusal<VstorageCreate>(R"({"quotaBytes":-1})"), std::string("member 'quotaBytes' must be a whole number, 0 or more"));
    QCOMPARE(refusal<VstorageCreate>(R"({"quotaBytes":1.5})"), std::string("member 'quotaBytes' must be a whole number, 0 or more"));
    QCOMPARE(refusal<Policy>(R"({"level":4294967296})"), std::string("member 'level' is out of range"));
    QCOMPARE(refusal<JobRequest>(R"({"id":18446744073709551615})"), std::string("member 'id' is out of range"));
    QCOMPARE(refusal<VstorageRemove>(R"({"force":1})"), std::string("member 'force' must be true or false"));
    QCOMPARE(refusal<VmDetail>(R"({"files":[{"savings":{"zeroBytes":""}}]})"),
             std::string("member 'files[0].savings.zeroBytes' must be a whole number, 0 or more"));
    QCOMPARE(refusal<Policy>("[]"), std::string("the value must be an object"));
    QCOMPARE(refusal<std::vector<Policy>>("{}"), std::string("the value must be a list"));
    QCOMPARE(refusal<Policy>("{"), std::string("not JSON"));
    QCOMPARE(refusal<StatSample>(R"({"values":{"a":1e999}})"), std::string("not JSON"));
  }
};

QTEST_GUILESS_MAIN(CodecTest)
#include "codec_test.moc"
