// SPDX-License-Identifier: GPL-3.0-or-later
// Creates a vstorage. Undo removes it, unless somebody has put files into it meanwhile. GUI thread only; the engine must outlive it.
#pragma once

#include <QString>

#include "app/operations/step.h"
#include "engine/protocol/messages.h"

namespace quarry {

class CreateVstorageStep : public Step {
 public:
  CreateVstorageStep(EngineApi& engine, protocol::VstorageCreate request);

  QString title() const override;
  Reply<QString> run() override;
  bool canUndo() const override { return m_created; }
  Reply<QString> undo() override;

 private:
  EngineApi& m_engine;
  protocol::VstorageCreate m_request;
  bool m_created = false;
};

}  // namespace quarry
