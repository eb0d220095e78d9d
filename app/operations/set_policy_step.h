// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the optimization policy of a vstorage. No undo: the policy goes with its vstorage. GUI thread only; the engine must outlive it.
#pragma once

#include <QString>

#include "app/operations/step.h"
#include "engine/protocol/messages.h"

namespace quarry {

class SetPolicyStep : public Step {
 public:
  SetPolicyStep(EngineApi& engine, protocol::PolicySet request);

  QString title() const override;
  Reply<QString> run() override;

 private:
  EngineApi& m_engine;
  protocol::PolicySet m_request;
};

}  // namespace quarry
