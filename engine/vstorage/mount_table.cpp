// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/mount_table.h"

#include <algorithm>
#include <set>

namespace quarry {

namespace {
bool isOf(std::string_view path, std::string_view vstorage) {
  if (!path.starts_with('/') || !path.substr(1).starts_with(vstorage)) return false;
  const std::string_view rest = path.substr(1 + vstorage.size());
  return rest.empty() || rest.front() == '/';
}
}  // namespace

void MountTable::see(std::string_view client, std::string_view path) {
  std::pair<std::string, std::string> key(client, path);
  if (m_lastSeen.size() >= entriesMax && !m_lastSeen.contains(key))
    m_lastSeen.erase(std::min_element(m_lastSeen.begin(), m_lastSeen.end(), [](const auto& a, const auto& b) { return a.second < b.second; }));
  m_lastSeen[std::move(key)] = m_clock.steady();
}

void MountTable::noteMount(std::string_view client, std::string_view path) {
  const Lock lock(m_mutex);
  see(client, path);
}

void MountTable::noteUse(std::string_view client, std::string_view vstorage) {
  const Lock lock(m_mutex);
  bool isKnown = false;
  for (auto entry = m_lastSeen.lower_bound({std::string(client), ""}); entry != m_lastSeen.end() && entry->first.first == client; ++entry) {
    if (!isOf(entry->first.second, vstorage)) continue;
    entry->second = m_clock.steady();
    isKnown = true;
  }
  if (!isKnown) see(client, "/" + std::string(vstorage));
}

void MountTable::noteUnmount(std::string_view client, std::string_view path) {
  const Lock lock(m_mutex);
  std::erase_if(m_lastSeen, [&](const auto& entry) { return entry.first.first == client && (path.empty() || entry.first.second == path); });
}

void MountTable::forget(std::string_view vstorage) {
  const Lock lock(m_mutex);
  std::erase_if(m_lastSeen, [&](const auto& entry) { return isOf(entry.first.second, vstorage); });
}

std::vector<std::pair<std::string, std::string>> MountTable::shown() const {
  std::vector<std::pair<std::string, std::string>> shown;
  const Lock lock(m_mutex);
  for (const auto& [mount, lastSeen] : m_lastSeen)
    if (isShown(lastSeen)) shown.push_back(mount);
  return shown;
}

uint64_t MountTable::clientCount(std::string_view vstorage) const {
  std::set<std::string_view> clients;
  const Lock lock(m_mutex);
  for (const auto& [mount, lastSeen] : m_lastSeen)
    if (isShown(lastSeen) && isOf(mount.second, vstorage)) clients.insert(mount.first);
  return clients.size();
}

}  // namespace quarry
