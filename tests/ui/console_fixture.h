// SPDX-License-Identifier: GPL-3.0-or-later
// All that a window needs, with a fake engine behind it; settings live in a temporary folder. Build one per test.
#pragma once

#include <QTemporaryDir>

#include "app/client/console_context.h"
#include "app/models/cache_model.h"
#include "app/models/event_model.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "app/models/stat_history.h"
#include "app/models/stat_model.h"
#include "app/models/vm_model.h"
#include "app/models/vstorage_model.h"
#include "app/settings/settings.h"
#include "tests/support/fake_engine.h"
#include "tests/support/fake_engine_process.h"

namespace quarry::test {

struct ConsoleFixture {
  enum class Replies { AtOnce, Held };
  explicit ConsoleFixture(Replies replies = Replies::AtOnce) : held(hold(replies)) {}

  QTemporaryDir folder;
  FakeEngine engine;
  const bool held;  // set before the feed asks for the first time
  FakeEngineProcess process;
  Settings settings{folder.path()};
  StatHistory history;
  StatModel stats;
  VstorageModel vstorages;
  VmModel vms{history};
  JobModel jobs;
  EventModel events;
  CacheModel cache;
  ModelFeed feed{engine, {history, stats, vstorages, vms, jobs, events, cache}};

  bool hold(Replies replies) {
    if (replies == Replies::Held) engine.holdReplies();
    return replies == Replies::Held;
  }
  ConsoleContext context() { return {engine, process, settings, history, stats, vstorages, vms, jobs, events, cache, feed}; }
};

}  // namespace quarry::test
