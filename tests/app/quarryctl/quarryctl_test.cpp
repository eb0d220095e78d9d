// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself, against a control server over a real socket.
#include <sys/types.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "engine/control/control_server.h"
#include "tests/support/fake_control_api.h"

using namespace quarry;
using namespace std::chrono_literals;

namespace {

struct Run {
  int status = -1;
  QByteArray out;
  QByteArray err;
  QJsonObject object() const { return QJsonDocument::fromJson(out).object(); }
};

protocol::CacheInfo someCache() {
  constexpr uint64_t mib = 1ull << 20;
  protocol::CacheInfo info;
  info.budgetBytes = 16'384 * mib;
  info.budgetBytesMin = 256 * mib;
  info.budgetBytesMax = 49'152 * mib;
  info.machineBytes = 65'536 * mib;
  info.dirtyBytes = 412 * mib;
  info.dirtyBytesMax = 4'096 * mib;
  info.unprotectedBytes = 38 * mib;
  info.oldestUnprotectedSeconds = 4;
  protocol::CacheVstorage scratch;
  scratch.name = "scratch";
  scratch.writeMode = protocol::WriteMode::Ram;
  scratch.unprotectedBytes = 38 * mib;
  info.vstorages = {scratch};
  return info;
}

}  // namespace

class QuarryctlTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_api = std::make_unique<FakeControlApi>();
    m_server = std::make_unique<ControlServer>(*m_api);
    QVERIFY(m_server->start(m_path).has_value());
  }
  void cleanup() {
    m_server.reset();
    m_api.reset();
  }

  void engineThatDoesNotRun() {
    m_server->stop();
    const Run r = run(words("status"));
    QCOMPARE(r.status, 1);
    QVERIFY(r.err.contains("quarryd --store") && r.err.count('\n') == 1 && r.out.isEmpty());
  }

  void wrongUsage_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("nothing") << QStringList{};
    QTest::newRow("noun") << words("volume list");
    QTest::newRow("verb") << words("vstorage destroy a");
    QTest::newRow("no name") << words("vstorage create");
    QTest::newRow("write mode") << words("vstorage create a --write-mode fast");
    QTest::newRow("size") << words("vstorage create a --quota 4MB");
    QTest::newRow("age") << words("policy set a --min-age 90");
    QTest::newRow("level") << words("policy set a --level 20");
    QTest::newRow("both") << words("vstorage set a --read-only --read-write");
    QTest::newRow("no cache size") << words("cache size");
    QTest::newRow("cache size") << words("cache size 20GB");
    QTest::newRow("job type") << words("job start polish");
    QTest::newRow("id") << words("job show x");
  }
  void wrongUsage() {
    QFETCH(QStringList, arguments);
    const Run r = run(arguments);
    QCOMPARE(r.status, 2);
    QVERIFY(!r.err.isEmpty() && r.out.isEmpty());
  }

  void status() {
    QVERIFY(run(words("status")).out.contains("75.0 % of the non-zero bytes"));
    const Run r = run(words("status --json"));
    QCOMPARE(r.status, 0);
    QCOMPARE(r.object()[QLatin1String("nfsPort")].toInt(), 2049);
    QCOMPARE(r.out.count('\n'), 1);
  }

  void lostOutputIsAFailure() {
    QProcess process;
    process.setStandardOutputFile(QStringLiteral("/dev/full"));
    begin(process, words("status --json"));
    QVERIFY(process.waitForFinished(20'000));
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("could not be written"));
  }

  void vstorageFromCreateToRemove() {
    Run r = run(words("vstorage create main --write-mode through --clients 10.0.0.0/8,192.168.1.5 --squash root --quota 4g"));
    QCOMPARE(r.status, 0);
    const auto created = m_api->lastCreate();
    QVERIFY(created.clients == (std::vector<std::string>{"10.0.0.0/8", "192.168.1.5"}));
    QVERIFY(created.squash == protocol::Squash::Root && created.quotaBytes == uint64_t{4} << 30);
    r = run(words("vstorage create main"));
    QCOMPARE(r.status, 1);
    QCOMPARE(r.err, QByteArray("quarryctl: vstorage 'main' exists\n"));
    QVERIFY(run(words("vstorage list")).out.contains("10.0.0.0/8, 192.168.1.5"));
    r = run(words("--json vstorage set main --clients loopback --quota 0 --read-only"));
    QVERIFY(r.object()[QLatin1String("clients")].toArray().isEmpty());
    QCOMPARE(r.object()[QLatin1String("squash")].toString(), QStringLiteral("root"));
    QVERIFY(r.object()[QLatin1String("readOnly")].toBool());
    QVERIFY(run(words("vstorage show main")).out.contains("loopback only"));
    QCOMPARE(run(words("vstorage remove main --json")).out, QByteArray("null\n"));
    QCOMPARE(run(words("vstorage show main")).status, 1);
    QCOMPARE(run(words("vstorage list --json")).out, QByteArray("[]\n"));
  }

  void theModeThatLosesWritesIsWarnedOf() {
    Run r = run(words("vstorage create main"));
    QCOMPARE(r.status, 0);
    QVERIFY2(r.err.isEmpty(), r.err.constData());
    r = run(words("vstorage set main --write-mode ram --json"));
    QCOMPARE(r.status, 0);
    QCOMPARE(r.object()[QLatin1String("writeMode")].toString(), QStringLiteral("ram"));
    QVERIFY2(r.err.startsWith("quarryctl: warning: ") && r.err.contains("10 seconds") && r.err.count('\n') == 1, r.err.constData());
    QVERIFY(run(words("vstorage set main --write-mode safe")).err.isEmpty());
    r = run(words("vstorage set other --write-mode ram"));
    QCOMPARE(r.status, 1);
    QVERIFY2(!r.err.contains("warning"), r.err.constData());
  }

  void cacheShow() {
    m_api->setCache(someCache(), {});
    Run r = run(words("cache show"));
    QCOMPARE(r.status, 0);
    QVERIFY2(r.out.contains("16.0 GiB") && r.out.contains("256.0 MiB to 48.0 GiB"), r.out.constData());
    QVERIFY2(r.out.contains("38.0 MiB, the oldest for 4 s: lost at a power cut") && r.out.contains("scratch"), r.out.constData());
    r = run(words("cache show --json"));
    QCOMPARE(r.object()[QLatin1String("unprotectedBytes")].toInt(), 38 << 20);
    QCOMPARE(r.object()[QLatin1String("vstorages")].toArray().size(), 1);
  }

  void cacheSize() {
    m_api->setCache(someCache(), {});
    QCOMPARE(run(words("cache size 20g")).out, QByteArray("the cache may take 20.0 GiB from now on\n"));
    QCOMPARE(run(words("cache size 20g --json")).object()[QLatin1String("budgetBytes")].toInteger(), 20LL << 30);
    const Run r = run(words("cache size 60g"));
    QCOMPARE(r.status, 1);
    QCOMPARE(r.err, QByteArray("quarryctl: this machine has not that much memory\n"));
  }

  void cacheAdvice() {
    protocol::CacheAdvice advice;
    advice.budgetBytes = uint64_t{16} << 30;
    advice.diskReadsPerSecond = 400;
    advice.curves = {{.vstorage = "", .accessCount = 20'000, .points = {{uint64_t{16} << 30, 0.8}, {uint64_t{32} << 30, 0.9}}}};
    m_api->setCache(someCache(), advice);
    Run r = run(words("cache advice"));
    QCOMPARE(r.status, 0);
    QVERIFY2(r.out.contains("80.0 % read hits by the curve") && r.out.contains("of today's 400/s"), r.out.constData());
    QVERIFY2(r.out.contains("32.0 GiB") && r.out.contains("50.0 %"), r.out.constData());
    QCOMPARE(run(words("cache advice --json")).object()[QLatin1String("curves")].toArray().size(), 1);
    advice.curves.front().accessCount = 9;
    m_api->setCache(someCache(), advice);
    QCOMPARE(run(words("cache advice")).out, QByteArray("not enough reads yet: 9 of the 10000 that an advice takes\n"));
  }

  void cacheFlush() {
    m_api->setCache(someCache(), {});
    run(words("vstorage create main"));
    QCOMPARE(run(words("cache flush --vstorage main --json")).out, QByteArray("{\"bytes\":432013312}\n"));
    QCOMPARE(m_api->lastFlush(), std::string("main"));
    QCOMPARE(run(words("cache flush")).out, QByteArray("nothing had to be written\n"));
    QCOMPARE(run(words("cache flush --vstorage other")).status, 1);
    m_api->failNext({ErrorCode::IoError, "the disk does not answer"});
    QCOMPARE(run(words("cache flush")).err, QByteArray("quarryctl: the disk does not answer\n"));
  }

  void policy() {
    run(words("vstorage create main"));
    Run r = run(words("policy set main --min-age 2h --min-size 64k --exclude *.iso --exclude tmp/* --level 3 --json"));
    QCOMPARE(r.status, 0);
    QCOMPARE(r.object()[QLatin1String("minAgeSeconds")].toInt(), 7200);
    QCOMPARE(r.object()[QLatin1String("minSizeBytes")].toInt(), 65536);
    QCOMPARE(r.object()[QLatin1String("exclude")].toArray().size(), 2);
    r = run(words("policy set main --no-exclude --json"));
    QVERIFY(r.object()[QLatin1String("exclude")].toArray().isEmpty());
    QCOMPARE(r.object()[QLatin1String("level")].toInt(), 3);
    QVERIFY(run(words("policy show main")).out.contains("2 h since the last write"));
  }

  void jobWithoutWait() {
    const Run r = run(words("job start optimize --vstorage main --min-age 0"));
    QCOMPARE(r.status, 0);
    QVERIFY(r.out.contains("quarryctl job show 1"));
    QVERIFY(m_api->lastJobStart().minAgeSeconds == uint64_t{0} && m_api->lastJobStart().vstorage == "main");
    QVERIFY(run(words("job list")).out.contains("optimize"));
    QCOMPARE(run(words("job cancel 1 --json")).object()[QLatin1String("state")].toString(), QStringLiteral("cancelled"));
    QCOMPARE(run(words("job show 9")).status, 1);
  }

  void jobThatIsNotInThisVersion() {
    const Run r = run(words("job start scrub"));
    QCOMPARE(r.status, 1);
    QVERIFY(r.err.contains("not in this version"));
  }

  void jobWithWait() {
    Run r = run(words("job start optimize --wait --json"));
    QCOMPARE(r.status, 0);
    QCOMPARE(r.object()[QLatin1String("state")].toString(), QStringLiteral("done"));
    QVERIFY(r.err.contains("job 1 running: 10.0 %, 50 B/s") && r.err.contains("10 s left") && !r.err.contains('\r'));
    m_api->planJob(protocol::JobState::Failed, "the disk is full", 1);
    r = run(words("job start optimize --wait"));
    QCOMPARE(r.status, 1);
    QVERIFY(r.err.endsWith("quarryctl: job 2 failed: the disk is full\n"));
  }

  void interruptLeavesTheJobRunning() {
    m_api->planJob(protocol::JobState::Done, "", 100'000);
    QProcess process;
    begin(process, words("job start optimize --wait"));
    QByteArray err;
    while (!err.contains("running") && process.waitForReadyRead(10'000)) err += process.readAllStandardError();
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    QVERIFY(process.waitForFinished(10'000));
    err += process.readAllStandardError();
    QCOMPARE(process.exitCode(), 1);
    QVERIFY2(err.contains("job 1 goes on"), err.constData());
    QCOMPARE(m_api->cancelCount(), 0);
  }

  void vms() {
    protocol::VmDetail vm;
    vm.vm.vstorage = "main";
    vm.vm.name = "web\x1b[31m-1";
    vm.vm.savings.logicalBytes = uint64_t{3} << 30;
    vm.files.push_back({.path = "web/web.vmdk", .fileid = 1, .savings = {}, .modifiedAt = "2026-11-30T19:22:04Z"});
    m_api->addVm(vm);
    const Run list = run(words("vm list --vstorage main"));
    QVERIFY(list.out.contains("web?[31m-1") && list.out.contains("3.0 GiB"));
    QCOMPARE(run(words("vm list --vstorage other --json")).out, QByteArray("[]\n"));
    const Run shown = run({QStringLiteral("vm"), QStringLiteral("show"), QString::fromStdString(vm.vm.name)});
    QVERIFY(shown.out.contains("web/web.vmdk"));
  }

  void stats() {
    m_api->setStats({{"engine/read/iops", 400}, {"engine/read/bytes", 2048}, {"vm/a/b/read/iops", 1}});
    const Run shown = run(words("stats show engine/"));
    QVERIFY(shown.out.contains("2.0 KiB/s") && shown.out.contains("400") && !shown.out.contains("vm/"));
    const Run json = run(words("stats show --json"));
    QCOMPARE(json.object()[QLatin1String("values")].toObject().size(), 3);
  }

  void statsWatch() {
    QProcess process;
    begin(process, words("stats watch engine/ --count 2 --json"));
    const protocol::StatSample sample{.unixMs = 5, .values = {{"engine/read/iops", 1}, {"vm/a/b/read/iops", 2}}};
    while (process.state() != QProcess::NotRunning) {
      m_server->publishSample(sample);
      process.waitForFinished(20);
    }
    QCOMPARE(process.exitCode(), 0);
    const QByteArray line = "{\"unixMs\":5,\"values\":{\"engine/read/iops\":1.0}}\n";
    QCOMPARE(process.readAllStandardOutput(), line + line);
  }

  void events() {
    m_api->addEvent({.id = 1, .at = "2026-11-30T19:22:04Z", .severity = protocol::Severity::Warning, .subject = "vm web", .text = "a frame is damaged"});
    QVERIFY(run(words("event list")).out.contains("warning   vm web   a frame is damaged"));
  }

  void proxyCarriesTheProtocol() {
    QProcess process;
    begin(process, words("proxy"));
    process.write(QByteArray::fromStdString(protocol::encodeRequest(7, "vstorage.list", "null")));
    process.closeWriteChannel();
    QVERIFY(process.waitForFinished(10'000));
    const QByteArray out = process.readAllStandardOutput();
    QVERIFY(out.startsWith("{\"jsonrpc\":\"2.0\",\"method\":\"hello\""));
    QVERIFY(out.endsWith("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":[]}\n"));
    QCOMPARE(process.exitCode(), 0);
  }

 private:
  static QStringList words(const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); }

  void begin(QProcess& process, const QStringList& arguments) const {
    process.start(QStringLiteral(QUARRYCTL), QStringList{QStringLiteral("--control"), QString::fromStdString(m_path)} + arguments);
  }

  Run run(const QStringList& arguments) const {
    QProcess process;
    begin(process, arguments);
    if (!process.waitForFinished(20'000)) return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
  }

  QTemporaryDir m_folder;
  const std::string m_path = m_folder.path().toStdString() + "/control.sock";
  std::unique_ptr<FakeControlApi> m_api;
  std::unique_ptr<ControlServer> m_server;
};

QTEST_GUILESS_MAIN(QuarryctlTest)
#include "quarryctl_test.moc"
