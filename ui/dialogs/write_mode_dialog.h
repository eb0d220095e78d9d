// SPDX-License-Identifier: GPL-3.0-or-later
// Asks when writes of one vstorage are acknowledged; the choice that can lose some has to be confirmed by a button that says so. It sends
// nothing; whoever opened it takes the request. GUI thread only.
#pragma once

#include <string>

#include "engine/protocol/messages.h"
#include "ui/dialogs/request_dialog.h"

class QPushButton;

namespace quarry {

class WriteModeForm;

class WriteModeDialog : public RequestDialog {
  Q_OBJECT

 public:
  WriteModeDialog(const std::string& vstorage, protocol::WriteMode mode, QWidget* parent);

  protocol::VstorageSet request() const;
  WriteModeForm* form() { return m_form; }
  QPushButton* acceptButton() { return m_accept; }

 private:
  void showConsequence();

  std::string m_name;
  protocol::WriteMode m_before;
  WriteModeForm* m_form;
  QLabel* m_consequence;
  QPushButton* m_accept;
};

}  // namespace quarry
