// SPDX-License-Identifier: GPL-3.0-or-later
// errno → Error, in one table, and an owned descriptor. For the sources of engine/os only.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.h"

namespace quarry::os {

ErrorCode codeOfErrno(int errnoValue);
// "cannot VERB PATH: reason".
Error errnoError(int errnoValue, std::string_view verb, const std::string& path);

// Closes its descriptor when destroyed. Move only.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : m_value(value) {}
  Descriptor(Descriptor&& other) noexcept : m_value(std::exchange(other.m_value, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(m_value, other.m_value);
    return *this;
  }
  ~Descriptor();

  int get() const { return m_value; }
  bool isOpen() const { return m_value >= 0; }

 private:
  int m_value = -1;
};

}  // namespace quarry::os
