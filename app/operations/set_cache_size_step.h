// SPDX-License-Identifier: GPL-3.0-or-later
// Gives the engine's RAM cache another size. Undo gives it the former one. GUI thread only; the engine must outlive it.
#pragma once

#include <QString>
#include <cstdint>

#include "app/operations/step.h"

namespace quarry {

class SetCacheSizeStep : public Step {
 public:
  SetCacheSizeStep(EngineApi& engine, uint64_t bytes) : m_engine(engine), m_bytes(bytes) {}

  QString title() const override;
  Reply<QString> run() override;
  bool canUndo() const override { return m_before != 0; }
  Reply<QString> undo() override;

 private:
  Reply<QString> set(uint64_t bytes);

  EngineApi& m_engine;
  const uint64_t m_bytes;
  uint64_t m_before = 0;  // once it was changed
};

}  // namespace quarry
