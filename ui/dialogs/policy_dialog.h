// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the dedup policy of one vstorage. It sends nothing; whoever opened it takes the request. GUI thread only.
#pragma once

#include <QDialog>
#include <string>

#include "engine/protocol/messages.h"

namespace quarry {

class PolicyForm;

class PolicyDialog : public QDialog {
  Q_OBJECT

 public:
  PolicyDialog(const protocol::VstorageInfo& vstorage, QWidget* parent);

  protocol::PolicySet request() const;

 private:
  std::string m_name;
  PolicyForm* m_form;
};

}  // namespace quarry
