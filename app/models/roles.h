// SPDX-License-Identifier: GPL-3.0-or-later
// Item data roles of all models. DisplayRole is text for people; the others are raw values for sorting, painting and tests.
#pragma once

#include <Qt>

namespace quarry {

enum Role : int {
  ValueRole = Qt::UserRole + 1,  // raw number or string of the cell, in the unit of UnitRole
  SortRole,                      // what a column sorts by; the raw value unless the model says otherwise
  UnitRole,                      // int(protocol::Unit) of numeric cells
  MinRole,                       // stat_model only
  MaxRole,                       // 0: none
  IdRole,                        // key of the row: stat id, vstorage name, "VSTORAGE/NAME", job or event id
  RingRole,                      // QList<double>: last five minutes for a sparkline, NaN for gaps, oldest first
  StateRole,                     // int of the row's enum: JobState, Severity, WriteMode
  ProgressRole,                  // 0…1 of a job, negative when unknown
};

}  // namespace quarry
