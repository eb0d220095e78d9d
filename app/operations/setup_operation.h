// SPDX-License-Identifier: GPL-3.0-or-later
// The setup wizard's work: start (or attach to) the engine with the store, give the RAM cache its size, create the vstorage and set its
// policy when one is wanted, check over a real NFS call that it serves, remember the choice in the settings. When a later step fails, the
// vstorage made in this run is removed again (it is empty), the cache gets its former size, an engine started in this run is stopped and
// one stopped in this run is started; a store folder, once made, is kept. GUI thread only; references must outlive it.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>

#include "app/client/engine_api.h"
#include "app/client/engine_process.h"
#include "app/format/cache_text.h"
#include "app/operations/check_serving_step.h"
#include "app/operations/operation.h"
#include "engine/protocol/messages.h"

namespace quarry {

class Settings;

struct SetupRequest {
  bool attach = false;         // an engine is connected already: use it instead of starting one
  bool stopFirst = false;      // this console runs another engine
  bool hasVstorages = false;   // the store or the engine may hold some already
  EngineOptions engine;        // of the engine to start
  CacheRoom cacheRoom;         // what its machine has
  std::optional<uint64_t> cacheBytes;  // none: as it is, or as the engine decides
  std::optional<protocol::VstorageCreate> vstorage;  // none: those that are there are used
  protocol::PolicySet policy;  // its name is taken from the vstorage
};

class SetupOperation : public Operation {
 public:
  using Probe = NfsProbeFunction;

  struct Parts {
    EngineApi& engine;
    EngineProcess& process;
    Settings& settings;
    Probe probe;  // empty: a real NFS call
  };

  SetupOperation(Parts parts, SetupRequest request);

  QString title() const override;
  QStringList preview() const override;

 private:
  SetupRequest m_request;
};

}  // namespace quarry
