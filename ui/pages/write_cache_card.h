// SPDX-License-Identifier: GPL-3.0-or-later
// What is in RAM and not yet on the disk: how much, what a power cut would do to it, and the button that writes it out now.
// GUI thread only.
#pragma once

#include <QElapsedTimer>

#include "app/client/console_context.h"
#include "engine/base/result.h"
#include "engine/protocol/messages.h"
#include "ui/widgets/card.h"

class QPushButton;

namespace quarry {

class Bar;
class FigureLabel;

class WriteCacheCard : public Card {
  Q_OBJECT

 public:
  explicit WriteCacheCard(const ConsoleContext& context, QWidget* parent = nullptr);

  QPushButton* flushButton() { return m_flush; }
  QString words() const;       // below the bar
  QString flushWords() const;  // beside the button

 Q_SIGNALS:
  void flushFailed(const quarry::Error& error);

 private:
  void showInfo();
  void showFlush();
  void flush();
  void onFlushed(const Result<protocol::CacheFlushed>& flushed);

  ConsoleContext m_context;
  FigureLabel* m_figure;
  Bar* m_bar;
  QLabel* m_words;
  QPushButton* m_flush;
  QLabel* m_result;
  bool m_flushing = false;
  uint64_t m_bytesBefore = 0;  // dirty when the flush began
  QElapsedTimer m_taken;
};

}  // namespace quarry
