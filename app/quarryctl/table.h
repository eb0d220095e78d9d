// SPDX-License-Identifier: GPL-3.0-or-later
// Text in aligned columns for a terminal. Control characters of names (clients choose them) are shown as '?', so that no name can
// drive the terminal. Plain values.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quarry::ctl {

std::string printable(std::string_view text);

class Table {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };
  using Row = std::vector<std::string>;

  explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
  void add(Row row);           // as many cells as columns
  std::string text() const;    // title line and rows; the title line alone when there are none

 private:
  std::vector<Column> m_columns;
  std::vector<Row> m_rows;
};

// "name   value" lines with the values in one column.
std::string fieldLines(const std::vector<std::pair<std::string, std::string>>& fields);
std::string joined(const std::vector<std::string>& parts, std::string_view ifEmpty);

}  // namespace quarry::ctl
