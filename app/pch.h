// SPDX-License-Identifier: GPL-3.0-or-later
// Headers that most sources here share and that are slow to parse; compiled once. Sources still include what they use.
#pragma once

#include <QAbstractTableModel>
#include <QFuture>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/client/engine_api.h"
#include "engine/protocol/messages.h"
