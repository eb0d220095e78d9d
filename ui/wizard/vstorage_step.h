// SPDX-License-Identifier: GPL-3.0-or-later
// Name and hosts of a vstorage. Where the store or the engine may hold some already, using these is the first choice.
// GUI thread only; the model outlives it.
#pragma once

#include "ui/wizard/wizard_step.h"

namespace quarry {

class OptionCard;
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
  bool creates(const SetupRequest& request) const;
  bool offersChoice(const SetupRequest& request) const;
  void showForm();

  const VstorageModel& m_vstorages;
  OptionCard* m_use;
  OptionCard* m_create;
  VstorageForm* m_form;
  bool m_offered = false;  // the choice is shown
};

}  // namespace quarry
