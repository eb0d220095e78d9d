// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stats/stat_registry.h"

#include <utility>

namespace quarry {

StatRegistration::StatRegistration(StatRegistration&& other) noexcept
    : m_registry(std::exchange(other.m_registry, nullptr)), m_number(other.m_number) {}

StatRegistration& StatRegistration::operator=(StatRegistration&& other) noexcept {
  std::swap(m_registry, other.m_registry);
  std::swap(m_number, other.m_number);
  return *this;
}

StatRegistration::~StatRegistration() {
  if (m_registry) m_registry->remove(m_number);
}

StatRegistration StatRegistry::add(std::vector<StatDeclaration> group) {
  Lock lock(m_mutex);
  const uint64_t number = m_nextNumber++;
  m_groups.emplace(number, std::move(group));
  return StatRegistration(*this, number);
}

void StatRegistry::remove(uint64_t number) {
  Lock lock(m_mutex);
  m_groups.erase(number);
}

std::vector<protocol::StatDescription> StatRegistry::describe() const {
  std::map<std::string, protocol::StatDescription> byId;
  {
    Lock lock(m_mutex);
    for (const auto& [number, group] : m_groups)
      for (const StatDeclaration& stat : group) byId.insert_or_assign(stat.description.id, stat.description);
  }
  std::vector<protocol::StatDescription> descriptions;
  for (auto& [id, description] : byId) descriptions.push_back(std::move(description));
  return descriptions;
}

std::map<std::string, double> StatRegistry::sample(double seconds) {
  std::map<std::string, double> values;
  Lock lock(m_mutex);
  for (const auto& [number, group] : m_groups)
    for (const StatDeclaration& stat : group) values.insert_or_assign(stat.description.id, stat.sample(seconds));
  return values;
}

}  // namespace quarry
