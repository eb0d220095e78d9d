// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/setup_operation.h"

#include <QCoreApplication>
#include <utility>

#include "app/format/clients_text.h"
#include "app/format/formatter.h"
#include "app/format/write_mode_text.h"
#include "app/operations/create_vstorage_step.h"
#include "app/operations/remember_setup_step.h"
#include "app/operations/set_cache_size_step.h"
#include "app/operations/set_policy_step.h"
#include "app/operations/start_engine_step.h"
#include "app/operations/stop_engine_step.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(SetupOperation)
};

}  // namespace

SetupOperation::SetupOperation(Parts parts, SetupRequest request) : m_request(std::move(request)) {
  const auto mode = m_request.attach ? StartEngineStep::Mode::Attach : StartEngineStep::Mode::Start;
  if (m_request.stopFirst) addStep<StopEngineStep>(parts.process);
  addStep<StartEngineStep>(parts.engine, parts.process, mode, m_request.engine);
  if (m_request.cacheBytes) addStep<SetCacheSizeStep>(parts.engine, *m_request.cacheBytes);
  if (m_request.vstorage) {
    m_request.policy.name = m_request.vstorage->name;
    addStep<CreateVstorageStep>(parts.engine, *m_request.vstorage);
    addStep<SetPolicyStep>(parts.engine, m_request.policy);
  }
  addStep<CheckServingStep>(parts.engine, m_request.vstorage ? m_request.vstorage->name : std::string(), std::move(parts.probe));
  const auto target = m_request.attach ? RememberSetupStep::Target::Socket : RememberSetupStep::Target::ThisMachine;
  addStep<RememberSetupStep>(parts.settings, target, m_request.engine);
}

QString SetupOperation::title() const {
  return m_request.vstorage ? Words::tr("Set up vstorage %1").arg(QString::fromStdString(m_request.vstorage->name)) : Words::tr("Set up Quarry");
}

QStringList SetupOperation::preview() const {
  QStringList sentences;
  if (m_request.stopFirst) sentences << Words::tr("Stop the engine that runs now: its hosts lose their datastores.");
  if (m_request.attach)
    sentences << Words::tr("Use the engine that is running.");
  else
    sentences << Words::tr("Start the engine on %1, port %2, with the store in %3.")
                     .arg(m_request.engine.listenAddress)
                     .arg(m_request.engine.nfsPort)
                     .arg(m_request.engine.storePath);
  if (m_request.cacheBytes) sentences << Words::tr("Let the RAM cache take %1.").arg(formatter::bytes(*m_request.cacheBytes));
  if (m_request.vstorage) {
    sentences << Words::tr("Create vstorage %1 for %2.")
                     .arg(QString::fromStdString(m_request.vstorage->name), clientsText(m_request.vstorage->clients));
    sentences << Words::tr("Acknowledge its writes: %1. At a power cut %2.")
                     .arg(writeModeTitle(m_request.vstorage->writeMode), powerCutText(m_request.vstorage->writeMode));
    const uint64_t age = m_request.policy.minAgeSeconds.value_or(protocol::Policy{}.minAgeSeconds);
    sentences << Words::tr("Optimize data %1 after its last change.").arg(formatter::duration(age));
  } else {
    sentences << Words::tr("Use the vstorages that are there, as they are.");
  }
  sentences << Words::tr("Check over NFS that hosts can mount from it.");
  sentences << Words::tr("Remember this for the next start of the console.");
  return sentences;
}

}  // namespace quarry
