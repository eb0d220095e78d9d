// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/recipe_cache.h"

namespace quarry::metadata {

namespace {
constexpr uint64_t entryBytes = 160;  // list node, hash node, control block
}

std::optional<RecipeCache::Value> RecipeCache::find(Key key) {
  const Lock lock(m_mutex);
  const auto found = m_byKey.find(key);
  if (found == m_byKey.end()) return std::nullopt;
  m_entries.splice(m_entries.begin(), m_entries, found->second);
  return found->second->recipe;
}

uint64_t RecipeCache::epoch() const {
  const Lock lock(m_mutex);
  return m_epoch;
}

void RecipeCache::put(Key key, Value recipe, uint64_t epoch) {
  const Lock lock(m_mutex);
  if (epoch != m_epoch || m_byKey.contains(key)) return;
  const uint64_t charge = entryBytes + (recipe ? recipe->capacity() * sizeof(Extent) : 0);
  m_entries.push_front({key, std::move(recipe), charge});
  m_byKey.emplace(key, m_entries.begin());
  m_chargeBytes += charge;
  while (m_chargeBytes > m_budgetBytes) erase(std::prev(m_entries.end()));
}

void RecipeCache::drop(const std::vector<Key>& keys) {
  const Lock lock(m_mutex);
  ++m_epoch;
  for (const Key& key : keys) {
    if (const auto found = m_byKey.find(key); found != m_byKey.end()) erase(found->second);
  }
}

void RecipeCache::dropFrom(FileId fileid, uint32_t segment) {
  const Lock lock(m_mutex);
  ++m_epoch;
  for (auto entry = m_entries.begin(); entry != m_entries.end();) {
    const auto next = std::next(entry);
    if (entry->key.first == fileid && entry->key.second >= segment) erase(entry);
    entry = next;
  }
}

void RecipeCache::erase(std::list<Entry>::iterator entry) {
  m_chargeBytes -= entry->charge;
  m_byKey.erase(entry->key);
  m_entries.erase(entry);
}

}  // namespace quarry::metadata
