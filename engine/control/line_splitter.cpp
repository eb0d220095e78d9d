// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/line_splitter.h"

namespace quarry {

void LineSplitter::feed(std::string_view bytes) {
  if (m_failed) return;
  m_buffer.erase(0, m_start);
  m_scanned -= m_start;
  m_start = 0;
  m_buffer.append(bytes);
}

Result<std::optional<std::string>> LineSplitter::next() {
  while (!m_failed) {
    const size_t end = m_buffer.find('\n', m_scanned);
    const size_t size = (end == std::string::npos ? m_buffer.size() : end) - m_start;
    if (size > m_lineBytesMax) break;
    if (end == std::string::npos) {
      m_scanned = m_buffer.size();
      return std::nullopt;
    }
    std::string line = m_buffer.substr(m_start, size);
    m_start = m_scanned = end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) return line;
  }
  m_failed = true;
  m_buffer = std::string();
  m_start = m_scanned = 0;
  return fail(ErrorCode::Protocol, "a line is longer than " + std::to_string(m_lineBytesMax) + " bytes");
}

}  // namespace quarry
