// SPDX-License-Identifier: GPL-3.0-or-later
// The question before a vstorage is removed: names what is lost, and wants the name typed when it holds anything, be it only the folders
// that hosts leave behind: these the engine tells by refusing. GUI thread only.
#pragma once

#include <QString>

#include "engine/protocol/messages.h"
#include "ui/dialogs/request_dialog.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace quarry {

class RemoveVstorageDialog : public RequestDialog {
  Q_OBJECT

 public:
  RemoveVstorageDialog(const protocol::VstorageInfo& vstorage, QWidget* parent);

  protocol::VstorageRemove request() const;
  QString lossText() const;

 protected:
  void onRefused(const Error& error) override;

 private:
  void showQuestion();

  QString m_name;
  bool m_holds;  // something is lost: the name must be typed
  QLabel* m_loss;
  QLabel* m_ask;
  QLineEdit* m_typed;
  QPushButton* m_remove;
};

}  // namespace quarry
