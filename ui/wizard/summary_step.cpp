// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/summary_step.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "app/format/clients_text.h"
#include "app/format/formatter.h"
#include "app/format/write_mode_text.h"
#include "ui/dialogs/policy_form.h"
#include "ui/theme/typography.h"
#include "ui/widgets/card.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/icon_label.h"
#include "ui/widgets/layouts.h"

namespace quarry {

namespace {

protocol::Policy policyOf(const protocol::PolicySet& set) {
  protocol::Policy policy;
  policy.minAgeSeconds = set.minAgeSeconds.value_or(policy.minAgeSeconds);
  policy.minSizeBytes = set.minSizeBytes.value_or(policy.minSizeBytes);
  policy.exclude = set.exclude.value_or(policy.exclude);
  policy.level = set.level.value_or(policy.level);
  return policy;
}

QString cacheText(const SetupRequest& request) {
  if (!request.cacheBytes) return request.attach || request.hasVstorages ? SummaryStep::tr("as it is") : SummaryStep::tr("a share of the machine's memory");
  return SummaryStep::tr("%1 of the machine's %2").arg(formatter::bytes(*request.cacheBytes), formatter::bytes(request.cacheRoom.machineBytes));
}

}  // namespace

SummaryStep::SummaryStep(QWidget* parent)
    : WizardStep(tr("Is this right?"), tr("Nothing has been changed so far. “Set up” does what is listed below, in this order."), parent),
      m_choices(new QGridLayout),
      m_sentences(new QVBoxLayout) {
  m_choices->setColumnMinimumWidth(0, 130);
  m_choices->setColumnStretch(1, 1);
  m_choices->setVerticalSpacing(8);
  body()->addLayout(m_choices);
  body()->addSpacing(6);
  body()->addWidget(makeSeparator());
  body()->addSpacing(6);
  m_sentences->setSpacing(8);
  body()->addLayout(m_sentences);
  body()->addStretch();
}

void SummaryStep::enter(const SetupRequest& request) {
  clearLayout(*m_choices);
  QList<std::pair<QString, QString>> choices{
      {tr("Engine"), request.attach ? tr("the one behind %1").arg(request.engine.controlSocket)
                                    : tr("on this machine, NFS port %1").arg(request.engine.nfsPort)},
      {tr("Store"), request.attach ? tr("the engine's own") : request.engine.storePath},
      {tr("vStorage"), request.vstorage ? QString::fromStdString(request.vstorage->name) : tr("those that are there")},
  };
  if (request.vstorage) {
    choices << std::pair(tr("May mount it"), clientsText(request.vstorage->clients)) << std::pair(tr("RAM cache"), cacheText(request))
            << std::pair(tr("Writes"), writeModeTitle(request.vstorage->writeMode)) << std::pair(tr("Dedup"), policyText(policyOf(request.policy)));
  }
  for (int row = 0; row < int(choices.size()); ++row) {
    m_choices->addWidget(makeLabel(choices[row].first, TextStyle::Body, Tone::Dim), row, 0);
    auto* value = new ElidedLabel(TextStyle::Strong);
    value->setElideMode(Qt::ElideMiddle);
    value->setText(choices[row].second);
    m_choices->addWidget(value, row, 1);
  }
}

void SummaryStep::setPreview(const QStringList& sentences) {
  clearLayout(*m_sentences);
  for (const QString& sentence : sentences) {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(new IconLabel(Icon::Chevron, ColorRole::Accent, 14), 0, Qt::AlignTop);
    QLabel* words = makeLabel(sentence, TextStyle::Body);
    words->setWordWrap(true);
    row->addWidget(words, 1);
    m_sentences->addWidget(line);
  }
}

}  // namespace quarry
