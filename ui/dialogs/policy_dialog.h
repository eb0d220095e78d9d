// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the dedup policy of one vstorage. It sends nothing; whoever opened it takes the request. GUI thread only.
#pragma once

#include <string>

#include "engine/protocol/messages.h"
#include "ui/dialogs/request_dialog.h"

namespace quarry {

class PolicyForm;

class PolicyDialog : public RequestDialog {
  Q_OBJECT

 public:
  PolicyDialog(const protocol::VstorageInfo& vstorage, QWidget* parent);

  protocol::PolicySet request() const;  // only what differs

 private:
  std::string m_name;
  protocol::Policy m_before;
  PolicyForm* m_form;
};

}  // namespace quarry
