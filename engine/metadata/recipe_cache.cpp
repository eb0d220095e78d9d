// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metadata/recipe_cache.h"

namespace quarry::metadata {

namespace {
constexpr uint64_t entryBytes = 200;  // list node, map node, control block, a share of the file's node
}

std::optional<RecipeCache::Value> RecipeCache::find(Key key) {
  const Lock lock(m_mutex);
  const auto file = m_files.find(key.first);
  if (file == m_files.end()) return std::nullopt;
  const auto found = file->second.find(key.second);
  if (found == file->second.end()) return std::nullopt;
  m_entries.splice(m_entries.begin(), m_entries, found->second);
  return found->second->recipe;
}

uint64_t RecipeCache::epoch() const {
  const Lock lock(m_mutex);
  return m_epoch;
}

void RecipeCache::put(Key key, Value recipe, uint64_t epoch) {
  const Lock lock(m_mutex);
  if (epoch != m_epoch) return;
  const auto [place, isNew] = m_files[key.first].try_emplace(key.second);
  if (!isNew) return;
  const uint64_t charge = entryBytes + (recipe ? recipe->capacity() * sizeof(Extent) : 0);
  m_entries.push_front({key, std::move(recipe), charge});
  place->second = m_entries.begin();
  m_chargeBytes += charge;
  while (m_chargeBytes > m_budgetBytes) erase(std::prev(m_entries.end()));
}

void RecipeCache::drop(const std::vector<Key>& keys) {
  const Lock lock(m_mutex);
  ++m_epoch;
  for (const Key& key : keys) {
    const auto file = m_files.find(key.first);
    if (file == m_files.end()) continue;
    if (const auto found = file->second.find(key.second); found != file->second.end()) erase(found->second);
  }
}

void RecipeCache::dropFrom(FileId fileid, uint32_t segment) {
  const Lock lock(m_mutex);
  ++m_epoch;
  const auto file = m_files.find(fileid);
  if (file == m_files.end()) return;
  Segments& segments = file->second;
  const auto first = segments.lower_bound(segment);
  for (auto gone = first; gone != segments.end(); ++gone) {
    m_chargeBytes -= gone->second->charge;
    m_entries.erase(gone->second);
  }
  segments.erase(first, segments.end());
  if (segments.empty()) m_files.erase(file);
}

void RecipeCache::erase(std::list<Entry>::iterator entry) {
  m_chargeBytes -= entry->charge;
  const auto file = m_files.find(entry->key.first);
  file->second.erase(entry->key.second);
  if (file->second.empty()) m_files.erase(file);
  m_entries.erase(entry);
}

}  // namespace quarry::metadata
