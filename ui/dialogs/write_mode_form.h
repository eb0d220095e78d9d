// SPDX-License-Identifier: GPL-3.0-or-later
// When a write is acknowledged, as three choices in plain words, the one that can lose writes in red. GUI thread only.
#pragma once

#include <QList>
#include <QWidget>

#include "engine/protocol/messages.h"

namespace quarry {

class OptionCard;

class WriteModeForm : public QWidget {
  Q_OBJECT

 public:
  explicit WriteModeForm(QWidget* parent = nullptr);

  void setMode(protocol::WriteMode mode);
  protocol::WriteMode mode() const;

 Q_SIGNALS:
  void changed();

 private:
  QList<OptionCard*> m_cards;  // by WriteMode
};

}  // namespace quarry
