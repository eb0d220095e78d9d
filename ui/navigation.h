// SPDX-License-Identifier: GPL-3.0-or-later
// The column at the left: the pages with icons and, at the bottom, how the engine does; in a narrow window icons alone. GUI thread only.
#pragma once

#include <QFrame>
#include <QString>

#include "app/client/engine_api.h"
#include "ui/pages/page.h"

class QButtonGroup;
class QLabel;
class QVBoxLayout;

namespace quarry {

class ElidedLabel;
class StatusDot;

class Navigation : public QFrame {
  Q_OBJECT

 public:
  explicit Navigation(QWidget* parent = nullptr);

  void addPage(const Page& page);
  void setCurrent(PageId page);
  void setCompact(bool compact);
  void setEngine(EngineApi::Connection connection, const QString& text);

 Q_SIGNALS:
  void chosen(quarry::PageId page);

 private:
  QButtonGroup* m_buttons;
  QVBoxLayout* m_column;
  QLabel* m_brand;
  StatusDot* m_dot;
  ElidedLabel* m_engine;
};

}  // namespace quarry
