// SPDX-License-Identifier: GPL-3.0-or-later
// The whole engine: owns every subsystem, builds bottom-up, stops top-down.
//
// Threads: start(), stop() and destruction from one thread, which is none of the engine's own. Between them everything runs on its own
// threads (README.md has the table). Failure of start(): an Error with one line for the administrator; nothing of the engine is left.
#pragma once

#include <memory>
#include <string>

#include "engine/base/result.h"
#include "engine/options.h"

namespace quarry {

class Engine {
 public:
  // REQUIRES: options went through resolved().
  static Result<std::unique_ptr<Engine>> start(const Options& options);
  ~Engine();  // stop()

  // Answers what was asked for, makes everything durable, ends all threads. Idempotent.
  void stop();

  std::string nfsAddress() const;  // "0.0.0.0:2049", "[::]:2049"

 private:
  struct Parts;
  explicit Engine(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> m_parts;
};

}  // namespace quarry
