// SPDX-License-Identifier: GPL-3.0-or-later
// A future that finishes as soon as reached() is true, asked now and at each signal of sender, or with Timeout after the limit. For
// states that the console only hears of. GUI thread only. When sender dies first, the future is cancelled.
#pragma once

#include <QObject>
#include <QPromise>
#include <QTimer>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "app/client/engine_api.h"

namespace quarry {

struct WaitOptions {
  std::function<bool()> reached;
  QString sentence;  // the result
  std::chrono::milliseconds limit;
  std::string timeoutText;
};

template <class Sender, class Signal>
Reply<QString> waitUntil(Sender& sender, Signal signal, const WaitOptions& options) {
  auto promise = std::make_shared<QPromise<Result<QString>>>();
  promise->start();
  auto* wait = new QObject(&sender);  // ends the connections below; deleted when settled
  const auto settle = [promise, wait](Result<QString> result) {
    if (promise->future().isFinished()) return;
    wait->deleteLater();
    promise->addResult(std::move(result));
    promise->finish();
  };
  if (options.reached()) {
    settle(options.sentence);
    return promise->future();
  }
  QObject::connect(&sender, signal, wait, [settle, reached = options.reached, sentence = options.sentence] {
    if (reached()) settle(sentence);
  });
  QTimer::singleShot(options.limit, wait, [settle, text = options.timeoutText] { settle(fail(ErrorCode::Timeout, text)); });
  return promise->future();
}

}  // namespace quarry
