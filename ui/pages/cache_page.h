// SPDX-License-Identifier: GPL-3.0-or-later
// The RAM cache: how large it should be, what is in it, what waits to reach the disk, and when writes are acknowledged. Asks for its numbers
// every second while it is visible. GUI thread only.
#pragma once

#include <QTimer>

#include "ui/pages/page.h"

namespace quarry {

class CacheMemoryCard;
class CacheSizeCard;
class CacheVstoragesCard;
class ChartCard;
class WriteCacheCard;
class WriteModeDialog;

class CachePage : public Page {
  Q_OBJECT

 public:
  explicit CachePage(const ConsoleContext& context, QWidget* parent = nullptr);

  CacheSizeCard& sizeCard() { return *m_size; }
  WriteCacheCard& writeCard() { return *m_write; }
  CacheVstoragesCard& vstoragesCard() { return *m_vstorages; }
  void changeWriteMode(const QString& vstorage);

 protected:
  QStringList watchedPrefixes() const override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void makeContent();
  void poll();
  void updateEmpty();
  void sendMode(WriteModeDialog* dialog);

  CacheSizeCard* m_size;
  WriteCacheCard* m_write;
  CacheMemoryCard* m_memory;
  CacheVstoragesCard* m_vstorages;
  ChartCard* m_hits;
  QTimer m_timer;
  int m_polls = 0;
};

}  // namespace quarry
