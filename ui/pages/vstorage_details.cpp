// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/vstorage_details.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "app/format/clients_text.h"
#include "app/format/formatter.h"
#include "app/format/host_address.h"
#include "app/format/mount_command.h"
#include "app/format/write_mode_text.h"
#include "app/models/model_feed.h"
#include "app/models/vstorage_model.h"
#include "ui/dialogs/policy_form.h"
#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"
#include "ui/widgets/command_field.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/savings_bar.h"

namespace quarry {

QString squashText(protocol::Squash squash) {
  switch (squash) {
    case protocol::Squash::None: return VstorageDetails::tr("nobody (VM hosts need this)");
    case protocol::Squash::Root: return VstorageDetails::tr("root becomes nobody");
    case protocol::Squash::All: return VstorageDetails::tr("every user becomes nobody");
  }
  return {};
}

QString writesText(const protocol::VstorageInfo& vstorage) {
  if (vstorage.unprotectedBytes > 0)
    return VstorageDetails::tr("%1: a power cut loses %2 now").arg(writeModeText(vstorage.writeMode), formatter::bytes(vstorage.unprotectedBytes));
  return VstorageDetails::tr("%1: %2 at a power cut", "write mode, what happens").arg(writeModeText(vstorage.writeMode), powerCutText(vstorage.writeMode));
}

VstorageDetails::VstorageDetails(const ConsoleContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_savingsCard(new Card(tr("Where the bytes went"))),
      m_factsCard(new Card(tr("Settings"))),
      m_mountCard(new Card(tr("Mount it on a host"))),
      m_bar(new SavingsBar),
      m_facts(new QGridLayout),
      m_esxi(new CommandField(tr("ESXi"))),
      m_linux(new CommandField(tr("Linux (KVM, XCP-ng)"))),
      m_proxmox(new CommandField(tr("Proxmox VE"))),
      m_hint(new ElidedLabel(TextStyle::Caption, Tone::Dim)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(metrics::cardGap);
  row->addWidget(m_savingsCard, 9);
  row->addWidget(m_factsCard, 10);
  row->addWidget(m_mountCard, 15);
  m_savingsCard->body()->addSpacing(4);
  m_savingsCard->body()->addWidget(m_bar);
  m_savingsCard->body()->addStretch();
  m_facts->setColumnStretch(1, 1);
  m_facts->setHorizontalSpacing(12);
  m_facts->setVerticalSpacing(8);
  m_factsCard->body()->addSpacing(4);
  m_factsCard->body()->addLayout(m_facts);
  m_factsCard->body()->addStretch();
  for (CommandField* field : {m_esxi, m_linux, m_proxmox}) m_mountCard->body()->addWidget(field);
  m_mountCard->body()->addWidget(m_hint);
  auto* mapper = new ElidedLabel(TextStyle::Caption, Tone::Warning);
  mapper->setText(portMapperHint());
  m_mountCard->body()->addWidget(mapper);
  m_mountCard->body()->addStretch();
  setFixedHeight(268);
}

void VstorageDetails::display(const protocol::VstorageInfo* vstorage) {
  setVisible(vstorage != nullptr);
  if (vstorage == nullptr) return;
  m_bar->setSavings(vstorage->savings);
  m_savingsCard->setTitle(vstorage->savings.logicalBytes == 0 ? tr("Nothing written yet")
                                                              : tr("Where %1 went").arg(formatter::bytes(vstorage->savings.logicalBytes)));
  showFacts(*vstorage);
  showCommands(*vstorage);
}

void VstorageDetails::showFacts(const protocol::VstorageInfo& vstorage) {
  const QList<std::pair<QString, QString>> facts{
      {tr("May mount"), clientsText(vstorage.clients)},
      {tr("Squashed"), squashText(vstorage.squash)},
      {tr("Access"), vstorage.readOnly ? tr("read only") : tr("read and write")},
      {tr("Limit"), vstorage.quotaBytes == 0 ? tr("none") : formatter::bytes(vstorage.quotaBytes)},
      {tr("Writes"), writesText(vstorage)},
      {tr("Optimized"), ageText(vstorage.policy)},
      {tr("Created"), formatter::time(QString::fromStdString(vstorage.createdAt))},
  };
  for (int row = 0; row < int(facts.size()); ++row) {
    if (m_facts->itemAtPosition(row, 0) == nullptr) {
      m_facts->addWidget(makeLabel(facts[row].first, TextStyle::Caption, Tone::Dim), row, 0);
      m_facts->addWidget(new ElidedLabel(TextStyle::Body), row, 1);
    }
    static_cast<ElidedLabel*>(m_facts->itemAtPosition(row, 1)->widget())->setText(facts[row].second);
  }
  constexpr int writesRow = 4;
  setTone(m_facts->itemAtPosition(writesRow, 1)->widget(), isUnprotected(vstorage.writeMode) ? Tone::Bad : Tone::Normal);
}

void VstorageDetails::showCommands(const protocol::VstorageInfo& vstorage) {
  const auto& status = m_context.feed.status();
  if (!status) return;
  const MountTarget target{hostAddress(*status, m_context.settings), status->nfsPort, QString::fromStdString(vstorage.name)};
  const auto fill = [](CommandField& field, const MountCommand& command) { field.setCommand(command.text, command.problem); };
  fill(*m_esxi, esxiMountCommand(target));
  fill(*m_linux, linuxMountCommand(target));
  fill(*m_proxmox, proxmoxMountCommand(target));
  m_hint->setText(vstorage.clients.empty() ? tr("Only this machine may mount it so far: Edit… adds hosts.")
                                           : tr("Hosts mounted now: %1").arg(formatter::count(vstorage.mountCount)));
}

QString VstorageDetails::mountCommand() const { return m_linux->command(); }

}  // namespace quarry
