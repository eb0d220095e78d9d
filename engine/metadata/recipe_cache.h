// SPDX-License-Identifier: GPL-3.0-or-later
// The recently used recipes, decoded, least recently used ones dropped beyond a budget. Safe from any thread. Remembers absence too (a
// null recipe). A reader that loaded a row before a change became durable cannot put it in after: put() wants the epoch it began with.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/mutex.h"
#include "engine/metadata/recipe_table.h"

namespace quarry::metadata {

class RecipeCache {
 public:
  using Value = std::shared_ptr<const Recipe>;
  using Key = std::pair<FileId, uint32_t>;

  explicit RecipeCache(uint64_t budgetBytes) : m_budgetBytes(budgetBytes) {}

  std::optional<Value> find(Key key);
  uint64_t epoch() const;
  void put(Key key, Value recipe, uint64_t epoch);
  void drop(const std::vector<Key>& keys);
  void dropFrom(FileId fileid, uint32_t segment);  // this segment and all behind

 private:
  struct Entry {
    Key key;
    Value recipe;
    uint64_t charge = 0;
  };
  using Segments = std::map<uint32_t, std::list<Entry>::iterator>;
  void erase(std::list<Entry>::iterator entry) REQUIRES(m_mutex);

  const uint64_t m_budgetBytes;
  mutable Mutex m_mutex;
  std::list<Entry> m_entries GUARDED_BY(m_mutex);  // newest use first
  std::unordered_map<FileId, Segments> m_files GUARDED_BY(m_mutex);  // none is empty
  uint64_t m_chargeBytes GUARDED_BY(m_mutex) = 0;
  uint64_t m_epoch GUARDED_BY(m_mutex) = 0;  // grows with each drop
};

}  // namespace quarry::metadata
