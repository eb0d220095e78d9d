// SPDX-License-Identifier: GPL-3.0-or-later
// Proves that hosts can mount: the store is writable, the vstorage, if one is named, is listed, and the NFS port answers a real call. Changes nothing.
// GUI thread only; the engine must outlive it.
#pragma once

#include <QString>
#include <functional>
#include <string>

#include "app/operations/step.h"
#include "engine/protocol/messages.h"

namespace quarry {

// Calls the NFS server at host:port and gives a sentence.
using NfsProbeFunction = std::function<Reply<QString>(const QString& host, int port)>;

class CheckServingStep : public Step {
 public:
  // probe empty: probeNfs() of app/client/nfs_probe.h.
  CheckServingStep(EngineApi& engine, std::string vstorage, NfsProbeFunction probe);

  QString title() const override;
  Reply<QString> run() override;

 private:
  Reply<QString> checkListed(const protocol::EngineStatus& status);
  Reply<QString> probe(const protocol::EngineStatus& status);

  EngineApi& m_engine;
  std::string m_vstorage;
  NfsProbeFunction m_probe;
};

}  // namespace quarry
