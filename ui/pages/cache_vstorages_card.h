// SPDX-License-Identifier: GPL-3.0-or-later
// When writes of each vstorage are acknowledged, what a power cut does to them, and what is unprotected right now. GUI thread only.
#pragma once

#include "app/client/console_context.h"
#include "ui/widgets/card.h"

class QPushButton;
class QSortFilterProxyModel;

namespace quarry {

class DataTable;

class CacheVstoragesCard : public Card {
  Q_OBJECT

 public:
  explicit CacheVstoragesCard(const ConsoleContext& context, QWidget* parent = nullptr);

  void select(const QString& vstorage);
  QPushButton* changeButton() { return m_change; }

 Q_SIGNALS:
  void changeWanted(const QString& vstorage);

 private:
  QString selected() const;
  void onRowsChanged();
  void askForChange();

  ConsoleContext m_context;
  QSortFilterProxyModel* m_sorted;
  DataTable* m_table;
  QPushButton* m_change;
};

}  // namespace quarry
