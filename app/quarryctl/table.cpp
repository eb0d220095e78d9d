// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/table.h"

#include <algorithm>

#include "engine/base/check.h"

namespace quarry::ctl {
namespace {

// Characters, not bytes: UTF-8 continuation bytes take no column.
size_t width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, size_t columns, Table::Align align) {
  const std::string blanks(columns - width(text), ' ');
  return align == Table::Align::Left ? text + blanks : blanks + text;
}

std::string withoutTrailingBlanks(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe(text);
  std::replace_if(safe.begin(), safe.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  // C1 controls, two bytes in UTF-8, can start an escape sequence as well.
  for (size_t i = 0; i + 1 < safe.size(); ++i)
    if (safe[i] == '\xc2' && static_cast<unsigned char>(safe[i + 1]) < 0xa0) safe.replace(i, 2, "?");
  return safe;
}

void Table::add(Row row) {
  QUARRY_CHECK(row.size() == m_columns.size());
  for (std::string& cell : row) cell = printable(cell);
  m_rows.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < m_columns.size(); ++i) {
    size_t widest = width(m_columns[i].title);
    for (const Row& row : m_rows) widest = std::max(widest, width(row[i]));
    widths.push_back(widest);
  }
  const auto line = [&](const auto& cellAt) {
    std::string text;
    for (size_t i = 0; i < m_columns.size(); ++i) text += (i == 0 ? "" : "  ") + padded(cellAt(i), widths[i], m_columns[i].align);
    return withoutTrailingBlanks(std::move(text));
  };
  std::string text = line([this](size_t i) { return m_columns[i].title; });
  for (const Row& row : m_rows) text += line([&row](size_t i) { return row[i]; });
  return text;
}

std::string fieldLines(const std::vector<std::pair<std::string, std::string>>& fields) {
  size_t widest = 0;
  for (const auto& [name, value] : fields) widest = std::max(widest, width(name));
  std::string text;
  for (const auto& [name, value] : fields) text += withoutTrailingBlanks(padded(name, widest, Table::Align::Left) + "  " + printable(value));
  return text;
}

std::string joined(const std::vector<std::string>& parts, std::string_view ifEmpty) {
  if (parts.empty()) return std::string(ifEmpty);
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace quarry::ctl
