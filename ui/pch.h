// SPDX-License-Identifier: GPL-3.0-or-later
// Headers that most sources here share and that are slow to parse; compiled once. Sources still include what they use.
#pragma once

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFrame>
#include <QFuture>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/client/engine_api.h"
#include "engine/protocol/messages.h"
