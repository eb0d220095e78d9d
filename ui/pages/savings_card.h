// SPDX-License-Identifier: GPL-3.0-or-later
// Where the logical bytes went, and the two factors that led there. GUI thread only.
#pragma once

#include "engine/protocol/messages.h"
#include "ui/widgets/card.h"

class QLabel;

namespace quarry {

class ElidedLabel;
class SavingsBar;

class SavingsCard : public Card {
  Q_OBJECT

 public:
  explicit SavingsCard(QWidget* parent = nullptr);

  void setSavings(const protocol::Savings& savings, const protocol::Space& space);

 private:
  SavingsBar* m_bar;
  ElidedLabel* m_factors;
  ElidedLabel* m_landing;
  ElidedLabel* m_disk;
};

}  // namespace quarry
