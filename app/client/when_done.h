// SPDX-License-Identifier: GPL-3.0-or-later
// Calls use(Result<T>) on the context's thread, always from the event loop, when the reply is there; never after the context is gone.
// (QFuture::then() with a context asserts, in Qt 6.4, when the context died first: do not use it for objects that may go before the
// engine has answered.) A reply that was abandoned gives Cancelled.
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <utility>

#include "app/client/engine_api.h"

namespace quarry {

template <class T, class Use>
void whenDone(const QFuture<Result<T>>& reply, QObject* context, Use use) {
  auto* watcher = new QFutureWatcher<Result<T>>(context);
  QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, use = std::move(use)]() mutable {
    const QFuture<Result<T>> done = watcher->future();
    watcher->deleteLater();
    use(done.resultCount() > 0 ? done.result() : Result<T>(fail(ErrorCode::Cancelled, "the request was abandoned")));
  });
  watcher->setFuture(reply);
}

}  // namespace quarry
