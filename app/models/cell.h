// SPDX-License-Identifier: GPL-3.0-or-later
// What table cells of all models have in common: numbers stand to the right. Pure functions.
#pragma once

#include <QVariant>
#include <Qt>
#include <cstdint>

#include "engine/protocol/unit.h"

namespace quarry::cell {

inline QVariant textAlignment() { return QVariant(static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter)); }
inline QVariant numberAlignment() { return QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter)); }
inline QVariant number(uint64_t value) { return QVariant(static_cast<qulonglong>(value)); }
inline QVariant unit(protocol::Unit unit) { return QVariant(static_cast<int>(unit)); }

}  // namespace quarry::cell
