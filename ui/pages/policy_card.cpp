// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/policy_card.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/client/engine_api.h"
#include "app/models/vstorage_model.h"
#include "ui/dialogs/policy_form.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/scroll.h"

namespace quarry {

PolicyCard::PolicyCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("Policy per vstorage"), parent), m_context(context), m_rows(new QVBoxLayout) {
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 0, 0);
  m_rows->setSpacing(0);
  column->addLayout(m_rows);
  column->addStretch();
  QScrollArea* scroll = makeScroll(inside);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  body()->addWidget(scroll);
  for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
    connect(&context.vstorages, signal, this, &PolicyCard::rebuild);
  connect(&context.vstorages, &QAbstractItemModel::dataChanged, this, &PolicyCard::rebuild);
  connect(&context.engine, &EngineApi::connectionChanged, this, &PolicyCard::onConnection);
  rebuild();
}

// A button that has the keyboard must not vanish under the user, so the rows are rebuilt only when a text differs.
void PolicyCard::rebuild() {
  QStringList wanted;
  for (const protocol::VstorageInfo& vstorage : m_context.vstorages.rows())
    wanted << QString::fromStdString(vstorage.name) + u'\n' + policyText(vstorage.policy);
  if (m_shown == wanted) return;
  m_shown = wanted;
  clearLayout(*m_rows);
  for (const protocol::VstorageInfo& vstorage : m_context.vstorages.rows()) {
    if (m_rows->count() > 0) m_rows->addWidget(makeSeparator());
    m_rows->addWidget(makeRow(vstorage));
  }
  onConnection();
}

void PolicyCard::onConnection() {
  const bool connected = m_context.engine.connection() == EngineApi::Connection::Connected;
  for (QPushButton* button : findChildren<QPushButton*>()) button->setEnabled(connected);
}

QWidget* PolicyCard::makeRow(const protocol::VstorageInfo& vstorage) {
  const QString name = QString::fromStdString(vstorage.name);
  auto* widget = new QWidget;
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 8, 0, 8);
  auto* words = new QVBoxLayout;
  words->setSpacing(2);
  auto* title = new ElidedLabel(TextStyle::Strong);
  title->setText(name);
  auto* policy = new ElidedLabel(TextStyle::Caption, Tone::Dim);
  policy->setText(policyText(vstorage.policy));
  words->addWidget(title);
  words->addWidget(policy);
  row->addLayout(words, 1);
  auto* change = new QPushButton(tr("Change…"));
  change->setAccessibleName(tr("Change the policy of %1").arg(name));
  row->addWidget(change);
  connect(change, &QPushButton::clicked, this, [this, name] { Q_EMIT changeWanted(name); });
  return widget;
}

}  // namespace quarry
