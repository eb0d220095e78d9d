// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/vstorage_step.h"

#include <QButtonGroup>
#include <QVBoxLayout>

#include "app/models/vstorage_model.h"
#include "ui/dialogs/vstorage_form.h"
#include "ui/widgets/option_card.h"

namespace quarry {

VstorageStep::VstorageStep(const VstorageModel& vstorages, QWidget* parent)
    : WizardStep(tr("What shall your hosts mount?"),
                 tr("A vstorage is one datastore. More can be added later; all of them share what they have in common."), parent),
      m_vstorages(vstorages),
      m_use(new OptionCard(tr("Use the vstorages that are there"), tr("They keep their names, hosts and policies."))),
      m_create(new OptionCard(tr("Create another one"), tr("Beside those that are there; its name must differ from theirs."))),
      m_form(new VstorageForm) {
  auto* group = new QButtonGroup(this);
  for (OptionCard* card : {m_use, m_create}) {
    group->addButton(card);
    body()->addWidget(card);
    card->hide();
  }
  m_create->setChecked(true);
  m_form->hideWriteMode();
  body()->addWidget(m_form);
  body()->addStretch();
  connect(group, &QButtonGroup::buttonToggled, this, &VstorageStep::showForm);
  connect(m_form, &VstorageForm::changed, this, &WizardStep::completeChanged);
  setFocusProxy(m_form);
}

bool VstorageStep::offersChoice(const SetupRequest& request) const {
  return request.attach ? m_vstorages.rowCount() > 0 : request.hasVstorages;
}

bool VstorageStep::creates(const SetupRequest& request) const { return !offersChoice(request) || m_create->isChecked(); }

bool VstorageStep::isComplete() const { return (m_offered && m_use->isChecked()) || m_form->isValid(); }

void VstorageStep::enter(const SetupRequest& request) {
  QStringList taken;
  if (request.attach) {
    for (const protocol::VstorageInfo& vstorage : m_vstorages.rows()) taken << QString::fromStdString(vstorage.name);
  }
  m_form->setTakenNames(taken);
  m_offered = offersChoice(request);
  m_use->setVisible(m_offered);
  m_create->setVisible(m_offered);
  // A name that was typed before, in a try that failed, is still wanted.
  if (m_offered && m_form->values().name.empty()) m_use->setChecked(true);
  showForm();
}

void VstorageStep::showForm() {
  const bool uses = m_offered && m_use->isChecked();
  m_form->setVisible(!uses);
  setFocusProxy(uses ? static_cast<QWidget*>(m_use) : m_form);
  Q_EMIT completeChanged();
}

void VstorageStep::fill(SetupRequest& request) const {
  if (creates(request)) request.vstorage = m_form->values();
}

}  // namespace quarry
