// SPDX-License-Identifier: GPL-3.0-or-later
// An EngineProcess that starts nothing: succeeds or fails as the test says, one event-loop turn later. GUI thread only.
#pragma once

#include <QString>
#include <optional>

#include "app/client/engine_process.h"

namespace quarry::test {

class FakeEngineProcess : public EngineProcess {
  Q_OBJECT
 public:
  explicit FakeEngineProcess(QObject* parent = nullptr);

  StoreCheck check;                    // what checkStore() answers, with the path asked for
  std::optional<Error> checkFailure;
  std::optional<Error> startFailure;
  EngineReady readyWith{QStringLiteral("127.0.0.1"), 2049, QStringLiteral("/run/quarry-test.sock")};
  EngineOptions startedWith;
  int startCount = 0;
  int stopCount = 0;
  int checkCount = 0;
  int checkMs = 0;  // how long a check takes

  Reply<EngineReady> start(const EngineOptions& options) override;
  void stop() override;
  Reply<StoreCheck> checkStore(const QString& path) override;
};

}  // namespace quarry::test
