// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fake_engine_process.h"

#include <QPromise>
#include <QTimer>
#include <memory>

namespace quarry::test {

FakeEngineProcess::FakeEngineProcess(QObject* parent) : EngineProcess(QStringLiteral("/nonexistent/quarryd"), parent) {
  check.ok = true;
  check.freeBytes = 500ull << 30;
  check.diskBytes = 1000ull << 30;
  check.writeBytesPerSecond = 400ull << 20;
  for (const char* name : {"folder", "writable", "hole-punching", "direct-io", "space", "speed"})
    check.checks << StoreCheckItem{QString::fromLatin1(name), true, QStringLiteral("%1: good").arg(QLatin1String(name))};
}

Reply<EngineReady> FakeEngineProcess::start(const EngineOptions& options) {
  auto promise = std::make_shared<QPromise<Result<EngineReady>>>();
  promise->start();
  if (state() == State::Running || state() == State::Starting) {
    promise->addResult(fail(ErrorCode::Busy, "this console runs an engine already"));
    promise->finish();
    return promise->future();
  }
  startedWith = m_options = options;
  ++startCount;
  setState(State::Starting);
  QTimer::singleShot(0, this, [this, promise] {
    if (startFailure) {
      setState(State::Failed, QString::fromStdString(startFailure->message));
      promise->addResult(fail(*startFailure));
    } else {
      setState(State::Running);
      Q_EMIT ready(readyWith);
      promise->addResult(readyWith);
    }
    promise->finish();
  });
  return promise->future();
}

void FakeEngineProcess::stop() {
  ++stopCount;
  setState(State::Stopped);
}

Reply<StoreCheck> FakeEngineProcess::checkStore(const QString& path) {
  ++checkCount;
  auto promise = std::make_shared<QPromise<Result<StoreCheck>>>();
  promise->start();
  QTimer::singleShot(checkMs, this, [this, promise, path] {
    StoreCheck answer = check;
    answer.path = path;
    promise->addResult(checkFailure ? Result<StoreCheck>(fail(*checkFailure)) : Result<StoreCheck>(answer));
    promise->finish();
  });
  return promise->future();
}

}  // namespace quarry::test
