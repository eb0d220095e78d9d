// SPDX-License-Identifier: GPL-3.0-or-later
// Name and hosts of the first vstorage. GUI thread only.
#pragma once

#include "ui/wizard/wizard_step.h"

namespace quarry {

class VstorageForm;
class VstorageModel;

class VstorageStep : public WizardStep {
  Q_OBJECT

 public:
  explicit VstorageStep(const VstorageModel& vstorages, QWidget* parent = nullptr);

  bool isComplete() const override;
  void enter(const SetupRequest& request) override;
  void fill(SetupRequest& request) const override;

 private:
  const VstorageModel& m_vstorages;
  VstorageForm* m_form;
};

}  // namespace quarry
