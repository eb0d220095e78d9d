// SPDX-License-Identifier: GPL-3.0-or-later
// Title of the page shown and the actions it brings. The actions stay alive while another page is shown. GUI thread only.
#pragma once

#include <QFrame>
#include <QHash>

#include "ui/pages/page.h"

class QLabel;
class QStackedWidget;

namespace quarry {

class PageHeader : public QFrame {
  Q_OBJECT

 public:
  explicit PageHeader(QWidget* parent = nullptr);

  void addPage(const Page& page);
  void display(const Page& page);
  void showActions(bool shown);

 private:
  QLabel* m_title;
  QStackedWidget* m_actions;
  QHash<int, QWidget*> m_byPage;
};

}  // namespace quarry
