// SPDX-License-Identifier: GPL-3.0-or-later
// The dedup policy of the first vstorage. GUI thread only.
#pragma once

#include "ui/wizard/wizard_step.h"

namespace quarry {

class PolicyForm;

class DedupStep : public WizardStep {
  Q_OBJECT

 public:
  explicit DedupStep(QWidget* parent = nullptr);

  void fill(SetupRequest& request) const override;

 private:
  PolicyForm* m_form;
};

}  // namespace quarry
