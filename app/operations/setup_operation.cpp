// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/setup_operation.h"

#include <QCoreApplication>
#include <utility>

#include "app/format/formatter.h"
#include "app/operations/create_vstorage_step.h"
#include "app/operations/remember_setup_step.h"
#include "app/operations/set_policy_step.h"
#include "app/operations/start_engine_step.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(SetupOperation)
};

}  // namespace

SetupOperation::SetupOperation(Parts parts, SetupRequest request) : m_request(std::move(request)) {
  m_request.policy.name = m_request.vstorage.name;
  const auto mode = m_request.attach ? StartEngineStep::Mode::Attach : StartEngineStep::Mode::Start;
  addStep<StartEngineStep>(parts.engine, parts.process, mode, m_request.engine);
  addStep<CreateVstorageStep>(parts.engine, m_request.vstorage);
  addStep<SetPolicyStep>(parts.engine, m_request.policy);
  addStep<CheckServingStep>(parts.engine, m_request.vstorage.name, std::move(parts.probe));
  if (!m_request.attach) addStep<RememberSetupStep>(parts.settings, m_request.engine);
}

QString SetupOperation::title() const { return Words::tr("Set up vStorage %1").arg(QString::fromStdString(m_request.vstorage.name)); }

QStringList SetupOperation::preview() const {
  const QString name = QString::fromStdString(m_request.vstorage.name);
  QStringList sentences;
  if (m_request.attach)
    sentences << Words::tr("Use the engine that is running.");
  else
    sentences << Words::tr("Start the engine on %1, port %2, with the store in %3.")
                     .arg(m_request.engine.listenAddress)
                     .arg(m_request.engine.nfsPort)
                     .arg(m_request.engine.storePath);
  QStringList clients;
  for (const std::string& client : m_request.vstorage.clients) clients << QString::fromStdString(client);
  sentences << (clients.isEmpty() ? Words::tr("Create vStorage %1; only this machine may mount it.").arg(name)
                                  : Words::tr("Create vStorage %1; %2 may mount it.").arg(name, clients.join(QStringLiteral(", "))));
  const uint64_t age = m_request.policy.minAgeSeconds.value_or(protocol::Policy{}.minAgeSeconds);
  sentences << Words::tr("Optimize data %1 after its last change.").arg(formatter::duration(age));
  sentences << Words::tr("Check over NFS that hosts can mount it.");
  return sentences;
}

}  // namespace quarry
