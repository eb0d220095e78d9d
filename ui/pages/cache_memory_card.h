// SPDX-License-Identifier: GPL-3.0-or-later
// Where the memory goes: clean and dirty blocks, the journal's fill, what the engine really takes; and how often the disk is asked.
// GUI thread only.
#pragma once

#include "app/client/console_context.h"
#include "ui/widgets/card.h"

namespace quarry {

class GaugeRow;

class CacheMemoryCard : public Card {
  Q_OBJECT

 public:
  explicit CacheMemoryCard(const ConsoleContext& context, QWidget* parent = nullptr);

  QString readsText() const;

 private:
  void showInfo();

  ConsoleContext m_context;
  GaugeRow* m_clean;
  GaugeRow* m_dirty;
  GaugeRow* m_journal;
  GaugeRow* m_taken;
  QLabel* m_reads;
};

}  // namespace quarry
