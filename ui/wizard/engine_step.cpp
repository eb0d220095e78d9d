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
#include "app/models/model_feed.h"
#include "app/settings/settings.h"
#include "ui/theme/typography.h"
#include "ui/widgets/option_card.h"

namespace quarry {

namespace {

// Of the engine that the console is connected to; empty when it is not, or before it said so.
QString connectedSocket(const ConsoleContext& context) {
  const auto& status = context.feed.status();
  if (context.engine.connection() != EngineApi::Connection::Connected || !status) return {};
  return QString::fromStdString(status->controlSocket);
}

}  // namespace

EngineStep::EngineStep(const ConsoleContext& context, QWidget* parent)
    : WizardStep(tr("Where does the engine run?"),
                 tr("The engine keeps the data and serves your hosts; this console only watches and steers it."), parent),
      m_context(context),
      m_former(connectedSocket(context)),
      m_asked(m_former),
      m_local(new OptionCard(tr("On this machine"), tr("The console starts it and restarts it after a failure. Recommended."))),
      m_attach(new OptionCard(tr("Use an engine that runs already"), tr("For example one that the system starts as a service."))),
      m_port(new QSpinBox),
      m_socket(new QLineEdit),
      m_connect(new QPushButton(tr("&Connect"))),
      m_connection(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_localNote(makeLocalNote()),
      m_localFields(makeLocalFields(context.settings.number(Setting::NfsPort))),
      m_attachFields(makeAttachFields()) {
  auto* group = new QButtonGroup(this);
  group->addButton(m_local);
  group->addButton(m_attach);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_local, m_localNote, m_localFields, m_attach, m_attachFields}) body()->addWidget(widget);
  body()->addStretch();
  (m_local->isEnabled() ? m_local : m_attach)->setChecked(true);
  connect(group, &QButtonGroup::buttonToggled, this, &EngineStep::onChoice);
  connect(m_connect, &QPushButton::clicked, this, &EngineStep::askFor);
  connect(m_socket, &QLineEdit::textChanged, this, &EngineStep::showConnection);
  connect(&context.engine, &EngineApi::connectionChanged, this, &EngineStep::showConnection);
  setFocusProxy(m_local->isEnabled() ? m_local : m_attach);
  onChoice();
}

bool EngineStep::runsOwnEngine() const {
  using State = EngineProcess::State;
  const State state = m_context.process.state();
  return state == State::Running || state == State::Starting || state == State::Restarting;
}

// One engine at a time runs on a machine: one that this console started can be stopped by it, another one cannot.
QLabel* EngineStep::makeLocalNote() {
  const bool isForeign = !runsOwnEngine() && m_former == EngineProcess::defaultControlSocket();
  m_local->setEnabled(!isForeign);
  QLabel* note = makeLabel(isForeign         ? tr("An engine that this console did not start runs on this machine: stop it first, or use it.")
                           : runsOwnEngine() ? tr("The engine that runs now is stopped first: its hosts lose their datastores.")
                                             : QString(),
                           TextStyle::Caption, Tone::Warning);
  note->setWordWrap(true);
  note->setContentsMargins(42, 0, 0, 0);
  note->setVisible(!note->text().isEmpty());
  return note;
}

QWidget* EngineStep::makeLocalFields(int nfsPort) {
  auto* fields = new QWidget;
  auto* row = new QHBoxLayout(fields);
  row->setContentsMargins(42, 0, 0, 8);
  m_port->setRange(1, 65535);
  m_port->setValue(nfsPort);
  m_port->setFixedWidth(96);
  m_port->setAccessibleName(tr("NFS port"));
  QLabel* title = makeLabel(tr("NFS &port"), TextStyle::Body);
  title->setBuddy(m_port);
  row->addWidget(title);
  row->addWidget(m_port);
  row->addWidget(makeLabel(tr("ESXi mounts from 2049 only"), TextStyle::Caption, Tone::Dim), 1);
  return fields;
}

QWidget* EngineStep::makeAttachFields() {
  auto* fields = new QWidget;
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(42, 0, 0, 0);
  auto* row = new QHBoxLayout;
  m_socket->setText(m_former.isEmpty() ? EngineProcess::defaultControlSocket() : m_former);
  m_socket->setAccessibleName(tr("Control socket of the engine"));
  QLabel* title = makeLabel(tr("Control soc&ket"), TextStyle::Body);
  title->setBuddy(m_socket);
  row->addWidget(title);
  row->addWidget(m_socket, 1);
  row->addWidget(m_connect);
  column->addLayout(row);
  m_connection->setWordWrap(true);
  column->addWidget(m_connection);
  return fields;
}

void EngineStep::askFor() {
  m_asked = m_socket->text().trimmed();
  Q_EMIT attachRequested(m_asked);
  showConnection();
}

void EngineStep::onChoice() {
  m_localFields->setEnabled(m_local->isChecked());
  m_attachFields->setEnabled(m_attach->isChecked());
  showConnection();
}

bool EngineStep::isAsked() const { return !m_asked.isEmpty() && m_socket->text().trimmed() == m_asked; }

void EngineStep::showConnection() {
  const bool attach = m_attach->isChecked();
  const bool connected = isAsked() && m_context.engine.connection() == EngineApi::Connection::Connected;
  const QString why = m_context.engine.connectionText();
  m_connection->setText(!attach      ? QString()
                        : !isAsked() ? tr("Press Connect to try it. The console then shows that engine; Cancel goes back to the former one.")
                        : connected  ? tr("Connected: %1").arg(why)
                                     : tr("Not connected yet. %1").arg(why));
  setTone(m_connection, attach && connected ? Tone::Good : Tone::Dim);
  m_connect->setEnabled(!m_socket->text().trimmed().isEmpty());
  Q_EMIT completeChanged();
}

bool EngineStep::isComplete() const {
  return m_local->isChecked() || (isAsked() && m_context.engine.connection() == EngineApi::Connection::Connected);
}

void EngineStep::fill(SetupRequest& request) const {
  request.attach = m_attach->isChecked();
  request.stopFirst = !request.attach && runsOwnEngine();
  request.engine.nfsPort = m_port->value();
  request.engine.controlSocket = request.attach ? m_socket->text().trimmed() : QString();
}

}  // namespace quarry
