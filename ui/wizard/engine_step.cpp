// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/engine_step.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "app/client/engine_process.h"
#include "app/settings/settings.h"
#include "ui/theme/typography.h"
#include "ui/widgets/option_card.h"

namespace quarry {

EngineStep::EngineStep(EngineApi& engine, const Settings& settings, QWidget* parent)
    : WizardStep(tr("Where does the engine run?"),
                 tr("The engine keeps the data and serves your hosts; this console only watches and steers it."), parent),
      m_engine(engine),
      m_local(new OptionCard(tr("On this machine"), tr("The console starts it and restarts it after a failure. Recommended."))),
      m_attach(new OptionCard(tr("Use an engine that runs already"), tr("For example one that the system starts as a service."))),
      m_port(new QSpinBox),
      m_socket(new QLineEdit),
      m_connect(new QPushButton(tr("Connect"))),
      m_connection(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_localFields(makeLocalFields(settings.number(Setting::NfsPort))),
      m_attachFields(makeAttachFields()) {
  auto* group = new QButtonGroup(this);
  group->addButton(m_local);
  group->addButton(m_attach);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_local, m_localFields, m_attach, m_attachFields}) body()->addWidget(widget);
  body()->addStretch();
  m_local->setChecked(true);
  connect(group, &QButtonGroup::buttonToggled, this, &EngineStep::onChoice);
  connect(m_connect, &QPushButton::clicked, this, [this] { Q_EMIT attachRequested(m_socket->text().trimmed()); });
  connect(&engine, &EngineApi::connectionChanged, this, &EngineStep::showConnection);
  setFocusProxy(m_local);
  onChoice();
}

QWidget* EngineStep::makeLocalFields(int nfsPort) {
  auto* fields = new QWidget;
  auto* row = new QHBoxLayout(fields);
  row->setContentsMargins(42, 0, 0, 8);
  m_port->setRange(1, 65535);
  m_port->setValue(nfsPort);
  m_port->setFixedWidth(96);
  m_port->setAccessibleName(tr("NFS port"));
  row->addWidget(makeLabel(tr("NFS port"), TextStyle::Body));
  row->addWidget(m_port);
  row->addWidget(makeLabel(tr("ESXi and Proxmox need 2049"), TextStyle::Caption, Tone::Dim), 1);
  return fields;
}

QWidget* EngineStep::makeAttachFields() {
  auto* fields = new QWidget;
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(42, 0, 0, 0);
  auto* row = new QHBoxLayout;
  m_socket->setText(EngineProcess::defaultControlSocket());
  m_socket->setAccessibleName(tr("Control socket of the engine"));
  row->addWidget(makeLabel(tr("Control socket"), TextStyle::Body));
  row->addWidget(m_socket, 1);
  row->addWidget(m_connect);
  column->addLayout(row);
  m_connection->setWordWrap(true);
  column->addWidget(m_connection);
  return fields;
}

void EngineStep::onChoice() {
  m_localFields->setEnabled(m_local->isChecked());
  m_attachFields->setEnabled(m_attach->isChecked());
  showConnection();
}

void EngineStep::showConnection() {
  const bool attach = m_attach->isChecked();
  const bool connected = m_engine.connection() == EngineApi::Connection::Connected;
  const QString why = m_engine.connectionText();
  m_connection->setText(!attach ? QString() : connected ? tr("Connected: %1").arg(why) : tr("Not connected yet. %1").arg(why));
  setTone(m_connection, attach && connected ? Tone::Good : Tone::Dim);
  Q_EMIT completeChanged();
}

bool EngineStep::isComplete() const { return m_local->isChecked() || m_engine.connection() == EngineApi::Connection::Connected; }

void EngineStep::fill(SetupRequest& request) const {
  request.attach = m_attach->isChecked();
  request.engine.nfsPort = m_port->value();
  request.engine.controlSocket = request.attach ? m_socket->text().trimmed() : QString();
}

}  // namespace quarry
