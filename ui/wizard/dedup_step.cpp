// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/dedup_step.h"

#include <QVBoxLayout>

#include "ui/dialogs/policy_form.h"

namespace quarry {

DedupStep::DedupStep(QWidget* parent)
    : WizardStep(tr("What shall be deduplicated?"),
                 tr("Data is deduplicated after it was written. These values suit most sites and can be changed later."), parent),
      m_form(new PolicyForm) {
  body()->addWidget(m_form);
  body()->addStretch();
  setFocusProxy(m_form);
}

void DedupStep::fill(SetupRequest& request) const {
  if (request.vstorage) request.policy = policyRequest(request.vstorage->name, m_form->values());
}

}  // namespace quarry
