// SPDX-License-Identifier: GPL-3.0-or-later
// The question before a vstorage is removed: names what is lost, and wants the name typed when it holds anything. GUI thread only.
#pragma once

#include <QDialog>
#include <QString>

#include "engine/protocol/messages.h"

class QLineEdit;
class QPushButton;

namespace quarry {

class RemoveVstorageDialog : public QDialog {
  Q_OBJECT

 public:
  RemoveVstorageDialog(const protocol::VstorageInfo& vstorage, QWidget* parent);

  protocol::VstorageRemove request() const;
  QString lossText() const { return m_loss; }

 private:
  bool holdsFiles() const { return m_files > 0; }

  QString m_name;
  uint64_t m_files;
  QString m_loss;
  QLineEdit* m_typed;
  QPushButton* m_remove;
};

}  // namespace quarry
