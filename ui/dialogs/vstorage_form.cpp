// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/vstorage_form.h"

#include <QLabel>
#include <QStyle>

#include "app/format/write_mode_text.h"
#include "ui/dialogs/vstorage_check.h"
#include "ui/theme/typography.h"
#include "ui_vstorage_form.h"

namespace quarry {

namespace {

constexpr uint64_t gib = uint64_t(1) << 30;

// A problem is shown as one only after something was typed; an empty field shows what belongs there.
void showHint(QLabel& hint, QLineEdit& field, const QString& problem, const QString& fine, Tone fineTone = Tone::Dim) {
  const bool wrong = !problem.isEmpty() && !field.text().isEmpty();
  hint.setText(problem.isEmpty() ? fine : problem);
  setTone(&hint, wrong ? Tone::Bad : problem.isEmpty() ? fineTone : Tone::Dim);
  if (field.property("invalid").toBool() != wrong) {
    field.setProperty("invalid", wrong);
    field.style()->unpolish(&field);
    field.style()->polish(&field);
  }
}

}  // namespace

VstorageForm::VstorageForm(QWidget* parent) : QWidget(parent), m_ui(std::make_unique<Ui::VstorageForm>()) {
  m_ui->setupUi(this);
  for (QLabel* hint : {m_ui->nameHint, m_ui->clientsHint, m_ui->modeHint}) {
    hint->setFont(fontFor(TextStyle::Caption));
    hint->setMinimumHeight(36);
    hint->setAlignment(Qt::AlignTop);
  }
  for (const auto mode : {protocol::WriteMode::Safe, protocol::WriteMode::Through, protocol::WriteMode::Ram})
    m_ui->modeBox->addItem(writeModeTitle(mode), int(mode));
  m_ui->nameEdit->setAccessibleName(tr("Name"));
  m_ui->clientsEdit->setAccessibleName(tr("Hosts that may mount it"));
  m_ui->squashBox->addItem(tr("Nobody (VM hosts need this)"), int(protocol::Squash::None));
  m_ui->squashBox->addItem(tr("Root becomes nobody"), int(protocol::Squash::Root));
  m_ui->squashBox->addItem(tr("Every user becomes nobody"), int(protocol::Squash::All));
  connect(m_ui->nameEdit, &QLineEdit::textChanged, this, &VstorageForm::check);
  connect(m_ui->clientsEdit, &QLineEdit::textChanged, this, &VstorageForm::check);
  connect(m_ui->modeBox, &QComboBox::currentIndexChanged, this, &VstorageForm::check);
  setFocusProxy(m_ui->nameEdit);
  check();
}

VstorageForm::~VstorageForm() = default;

void VstorageForm::setTakenNames(const QStringList& names) {
  m_taken = names;
  check();
}

void VstorageForm::hideWriteMode() {
  for (QWidget* widget : std::initializer_list<QWidget*>{m_ui->modeLabel, m_ui->modeBox, m_ui->modeHint}) widget->hide();
}

void VstorageForm::load(const protocol::VstorageInfo& vstorage) {
  m_nameFixed = true;
  m_ui->nameEdit->setText(QString::fromStdString(vstorage.name));
  m_ui->nameEdit->setEnabled(false);
  QStringList clients;
  for (const std::string& client : vstorage.clients) clients << QString::fromStdString(client);
  m_ui->clientsEdit->setText(clients.join(QStringLiteral(", ")));
  m_ui->modeBox->setCurrentIndex(m_ui->modeBox->findData(int(vstorage.writeMode)));
  m_ui->squashBox->setCurrentIndex(m_ui->squashBox->findData(int(vstorage.squash)));
  m_ui->quotaBox->setValue(int((vstorage.quotaBytes + gib - 1) / gib));
  m_loadedQuotaBytes = vstorage.quotaBytes;
  m_shownQuota = m_ui->quotaBox->value();
  m_ui->readOnlyBox->setChecked(vstorage.readOnly);
  setFocusProxy(m_ui->clientsEdit);
  check();
}

QString VstorageForm::problem() const {
  const QString name = m_nameFixed ? QString() : vstorageNameProblem(m_ui->nameEdit->text(), m_taken);
  return name.isEmpty() ? clientsProblem(m_ui->clientsEdit->text()) : name;
}

bool VstorageForm::isValid() const { return problem().isEmpty(); }

protocol::VstorageCreate VstorageForm::values() const {
  protocol::VstorageCreate request;
  request.name = m_ui->nameEdit->text().toStdString();
  request.writeMode = protocol::WriteMode(m_ui->modeBox->currentData().toInt());
  request.clients = clientList(m_ui->clientsEdit->text());
  request.squash = protocol::Squash(m_ui->squashBox->currentData().toInt());
  request.readOnly = m_ui->readOnlyBox->isChecked();
  const int quota = m_ui->quotaBox->value();
  request.quotaBytes = quota == m_shownQuota ? m_loadedQuotaBytes : uint64_t(quota) * gib;
  return request;
}

void VstorageForm::check() {
  const QString name = m_ui->nameEdit->text();
  const QString warning = m_nameFixed ? QString() : vstorageNameWarning(name, m_taken);
  showHint(*m_ui->nameHint, *m_ui->nameEdit, m_nameFixed ? QString() : vstorageNameProblem(name, m_taken),
           m_nameFixed         ? tr("Hosts mount it under this name: it stays.")
           : warning.isEmpty() ? tr("Hosts mount it as SERVER:/%1.").arg(name)
                               : warning,
           warning.isEmpty() ? Tone::Dim : Tone::Warning);
  const bool none = splitClients(m_ui->clientsEdit->text()).isEmpty();
  showHint(*m_ui->clientsHint, *m_ui->clientsEdit, clientsProblem(m_ui->clientsEdit->text()),
           none ? tr("Empty: only this machine. Addresses or ranges, separated by commas.") : tr("Other addresses are refused."));
  const auto mode = protocol::WriteMode(m_ui->modeBox->currentData().toInt());
  m_ui->modeHint->setText(writeModeSentence(mode));
  setTone(m_ui->modeHint, isUnprotected(mode) ? Tone::Bad : Tone::Dim);
  Q_EMIT changed();
}

}  // namespace quarry
