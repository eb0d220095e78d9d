// SPDX-License-Identifier: GPL-3.0-or-later
// Value + unit → text for people, in the user's locale; the only place that knows "GiB". At most three significant figures with thousands
// separators; counts whole and exact above a thousand. Bytes in binary units, ratios as percent, latencies given in µs shown in ms.
// NaN is an en dash. Pure functions, safe from any thread.
#pragma once

#include <QDateTime>
#include <QString>
#include <cstdint>

#include "engine/protocol/unit.h"

namespace quarry::formatter {

// For big cards: the number and, apart, its unit.
struct Figure {
  QString number;
  QString unit;  // empty for counts
};

Figure figure(double value, protocol::Unit unit);
QString text(double value, protocol::Unit unit);   // "1.23 GiB/s", "0.42 ms", "74.3 %", "397/s"
QString number(double value);                      // "0.042", "12.3", "12,300"

QString bytes(uint64_t value);
QString count(uint64_t value);
QString percent(double ratio);
QString factor(double value);                      // "4.1 ×"
QString duration(uint64_t seconds);                // "45 s", "4 min", "2 h 5 min", "3 d 4 h"
QString age(const QString& at, const QDateTime& now);  // "3 min ago" of an ISO 8601 time; "never" when empty
QString time(const QString& at);                   // local date and time of an ISO 8601 time; empty when it is none

}  // namespace quarry::formatter
