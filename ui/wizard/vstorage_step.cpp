// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/vstorage_step.h"

#include <QVBoxLayout>

#include "app/models/vstorage_model.h"
#include "ui/dialogs/vstorage_form.h"

namespace quarry {

VstorageStep::VstorageStep(const VstorageModel& vstorages, QWidget* parent)
    : WizardStep(tr("What shall your hosts mount?"),
                 tr("A vstorage is one datastore. More can be added later; all of them share what they have in common."), parent),
      m_vstorages(vstorages),
      m_form(new VstorageForm) {
  body()->addWidget(m_form);
  body()->addStretch();
  connect(m_form, &VstorageForm::changed, this, &WizardStep::completeChanged);
  setFocusProxy(m_form);
}

bool VstorageStep::isComplete() const { return m_form->isValid(); }

void VstorageStep::enter(const SetupRequest& request) {
  QStringList taken;
  if (request.attach) {
    for (const protocol::VstorageInfo& vstorage : m_vstorages.rows()) taken << QString::fromStdString(vstorage.name);
  }
  m_form->setTakenNames(taken);
  Q_EMIT completeChanged();
}

void VstorageStep::fill(SetupRequest& request) const { request.vstorage = m_form->values(); }

}  // namespace quarry
