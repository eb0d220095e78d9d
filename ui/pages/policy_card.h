// SPDX-License-Identifier: GPL-3.0-or-later
// The dedup policy of each vstorage in words, and a way to change it. GUI thread only.
#pragma once

#include <QStringList>

#include "app/client/console_context.h"
#include "engine/protocol/messages.h"
#include "ui/widgets/card.h"

class QVBoxLayout;

namespace quarry {

class PolicyCard : public Card {
  Q_OBJECT

 public:
  explicit PolicyCard(const ConsoleContext& context, QWidget* parent = nullptr);

 Q_SIGNALS:
  void changeWanted(const QString& vstorage);

 private:
  void rebuild();
  void onConnection();
  QWidget* makeRow(const protocol::VstorageInfo& vstorage);

  ConsoleContext m_context;
  QVBoxLayout* m_rows;
  QStringList m_shown;  // texts of the rows
};

}  // namespace quarry
