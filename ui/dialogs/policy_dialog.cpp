// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/policy_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/dialogs/policy_form.h"

namespace quarry {

PolicyDialog::PolicyDialog(const protocol::VstorageInfo& vstorage, QWidget* parent)
    : RequestDialog(parent), m_name(vstorage.name), m_before(vstorage.policy), m_form(new PolicyForm) {
  setWindowTitle(tr("Dedup policy of %1").arg(QString::fromStdString(m_name)));
  resize(560, 400);
  m_form->load(vstorage.policy);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel | QDialogButtonBox::Ok);
  QPushButton* accept = buttons->button(QDialogButtonBox::Ok);
  accept->setText(tr("Save policy"));
  accept->setProperty("primary", true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 20);
  column->setSpacing(16);
  column->addWidget(m_form);
  column->addStretch();
  column->addWidget(problemLabel());
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  m_form->setFocus();
}

protocol::PolicySet PolicyDialog::request() const {
  const protocol::Policy now = m_form->values();
  protocol::PolicySet request;
  request.name = m_name;
  if (now.minAgeSeconds != m_before.minAgeSeconds) request.minAgeSeconds = now.minAgeSeconds;
  if (now.minSizeBytes != m_before.minSizeBytes) request.minSizeBytes = now.minSizeBytes;
  if (now.exclude != m_before.exclude) request.exclude = now.exclude;
  if (now.level != m_before.level) request.level = now.level;
  return request;
}

}  // namespace quarry
