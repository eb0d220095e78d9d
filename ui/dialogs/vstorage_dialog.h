// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for a new vstorage, or for changes to one. It sends nothing; whoever opened it takes the request. GUI thread only.
#pragma once

#include <memory>
#include <optional>

#include "engine/protocol/messages.h"
#include "ui/dialogs/request_dialog.h"

namespace Ui {
class VstorageDialog;
}

namespace quarry {

class VstorageForm;
class VstorageModel;

class VstorageDialog : public RequestDialog {
  Q_OBJECT

 public:
  VstorageDialog(const VstorageModel& vstorages, QWidget* parent);
  VstorageDialog(const VstorageModel& vstorages, const protocol::VstorageInfo& changed, QWidget* parent);
  ~VstorageDialog() override;

  protocol::VstorageCreate createRequest() const;
  protocol::VstorageSet setRequest() const;  // only what differs

 private:
  std::unique_ptr<Ui::VstorageDialog> m_ui;
  std::optional<protocol::VstorageInfo> m_before;
};

}  // namespace quarry
