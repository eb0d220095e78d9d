// SPDX-License-Identifier: GPL-3.0-or-later
// Progress and failures as entries at the lower right, over the page but never modal. Successes leave by themselves; warnings and errors
// stay until they are closed. At most entriesMax at once, the oldest goes first. GUI thread only.
#pragma once

#include <QFrame>
#include <QString>

#include "engine/protocol/messages.h"

class QVBoxLayout;

namespace quarry {

class NotificationList : public QWidget {
  Q_OBJECT

 public:
  static constexpr int entriesMax = 4;

  explicit NotificationList(QWidget* parent);

  void add(protocol::Severity severity, const QString& title, const QString& text = {});
  int count() const;
  QString lastText() const;

  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void place();

  QVBoxLayout* m_column;
  QString m_lastText;
};

}  // namespace quarry
