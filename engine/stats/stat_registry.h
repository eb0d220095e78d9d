// SPDX-License-Identifier: GPL-3.0-or-later
// Every number that can be shown: its id, unit and text are declared once, by the owner, and leave with the owner: vstorages and VMs
// come and go. Safe from any thread. add() and the end of a registration wait for a sample() underway (about a millisecond), never for
// anything else. Should two owners declare one id, the younger one is shown.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/protocol/stat_messages.h"

namespace quarry {

struct StatDeclaration {
  protocol::StatDescription description;
  // The value now, or over the `seconds` since the call before; NaN when there is none. Called by the sampler alone, with the
  // registry locked: reads atomics, does not wait and does not call the registry.
  std::function<double(double seconds)> sample;
};

class StatRegistry;

// Keeps a group of declarations in the registry while it lives. Declare it after what the declarations read, so that it ends first;
// the registry outlives it.
class StatRegistration {
 public:
  StatRegistration() = default;
  StatRegistration(StatRegistration&& other) noexcept;
  StatRegistration& operator=(StatRegistration&& other) noexcept;
  ~StatRegistration();

 private:
  friend class StatRegistry;
  StatRegistration(StatRegistry& registry, uint64_t number) : m_registry(&registry), m_number(number) {}

  StatRegistry* m_registry = nullptr;
  uint64_t m_number = 0;
};

class StatRegistry {
 public:
  [[nodiscard]] StatRegistration add(std::vector<StatDeclaration> group);
  std::vector<protocol::StatDescription> describe() const;  // by id
  std::map<std::string, double> sample(double seconds);     // one caller: the sampler

 private:
  friend class StatRegistration;
  void remove(uint64_t number);

  mutable Mutex m_mutex;
  std::map<uint64_t, std::vector<StatDeclaration>> m_groups GUARDED_BY(m_mutex);
  uint64_t m_nextNumber GUARDED_BY(m_mutex) = 1;
};

}  // namespace quarry
