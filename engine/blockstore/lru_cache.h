// SPDX-License-Identifier: GPL-3.0-or-later
// The newest `capacity` values by key; the one unused for longest goes first. The owner locks. Values are small handles (shared_ptr):
// what a caller copied out stays alive after eviction.
#pragma once

#include <cstddef>
#include <list>
#include <unordered_map>
#include <utility>

namespace quarry::blockstore {

template <class Key, class Value>
class LruCache {
 public:
  explicit LruCache(size_t capacity) : m_capacity(capacity) {}

  // Null when missing. The pointer is good until the next put().
  Value* find(const Key& key) {
    const auto found = m_byKey.find(key);
    if (found == m_byKey.end()) return nullptr;
    m_byUse.splice(m_byUse.begin(), m_byUse, found->second);
    return &found->second->second;
  }

  void put(const Key& key, Value value) {
    erase(key);
    m_byUse.emplace_front(key, std::move(value));
    m_byKey[key] = m_byUse.begin();
    if (m_byKey.size() > m_capacity) erase(Key(m_byUse.back().first));
  }

  void erase(const Key& key) {
    const auto found = m_byKey.find(key);
    if (found == m_byKey.end()) return;
    m_byUse.erase(found->second);
    m_byKey.erase(found);
  }

  size_t size() const { return m_byKey.size(); }

 private:
  using List = std::list<std::pair<Key, Value>>;
  size_t m_capacity;
  List m_byUse;  // newest first
  std::unordered_map<Key, typename List::iterator> m_byKey;
};

}  // namespace quarry::blockstore
