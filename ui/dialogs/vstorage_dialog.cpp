// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/vstorage_dialog.h"

#include <QPushButton>
#include <QStyle>

#include "app/models/vstorage_model.h"
#include "ui/dialogs/vstorage_form.h"
#include "ui_vstorage_dialog.h"

namespace quarry {

VstorageDialog::VstorageDialog(const VstorageModel& vstorages, QWidget* parent)
    : RequestDialog(parent), m_ui(std::make_unique<Ui::VstorageDialog>()) {
  m_ui->setupUi(this);
  setWindowTitle(tr("New vstorage"));
  QStringList taken;
  for (const protocol::VstorageInfo& vstorage : vstorages.rows()) taken << QString::fromStdString(vstorage.name);
  m_ui->form->setTakenNames(taken);
  m_ui->column->insertWidget(m_ui->column->count() - 1, problemLabel());
  QPushButton* accept = m_ui->buttons->button(QDialogButtonBox::Ok);
  accept->setText(tr("Create vstorage"));
  accept->setProperty("primary", true);
  accept->style()->unpolish(accept);  // the form has shown it to the style already
  accept->style()->polish(accept);
  connect(m_ui->buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(m_ui->buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_ui->form, &VstorageForm::changed, this, [this, accept] { accept->setEnabled(m_ui->form->isValid()); });
  accept->setEnabled(m_ui->form->isValid());
  m_ui->form->setFocus();
}

VstorageDialog::VstorageDialog(const VstorageModel& vstorages, const protocol::VstorageInfo& changed, QWidget* parent)
    : VstorageDialog(vstorages, parent) {
  m_before = changed;
  setWindowTitle(tr("Change %1").arg(QString::fromStdString(changed.name)));
  m_ui->buttons->button(QDialogButtonBox::Ok)->setText(tr("Save changes"));
  m_ui->form->load(changed);
}

VstorageDialog::~VstorageDialog() = default;

protocol::VstorageCreate VstorageDialog::createRequest() const { return m_ui->form->values(); }

protocol::VstorageSet VstorageDialog::setRequest() const {
  const protocol::VstorageCreate now = m_ui->form->values();
  protocol::VstorageSet request;
  request.name = now.name;
  if (!m_before) return request;
  if (now.clients != m_before->clients) request.clients = now.clients;
  if (now.writeMode != m_before->writeMode) request.writeMode = now.writeMode;
  if (now.squash != m_before->squash) request.squash = now.squash;
  if (now.readOnly != m_before->readOnly) request.readOnly = now.readOnly;
  if (now.quotaBytes != m_before->quotaBytes) request.quotaBytes = now.quotaBytes;
  return request;
}

}  // namespace quarry
