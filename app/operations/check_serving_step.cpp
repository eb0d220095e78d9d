// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/check_serving_step.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>
#include <vector>

#include "app/client/nfs_probe.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(CheckServingStep)
};

Reply<QString> failed(Error error) { return QtFuture::makeReadyFuture(Result<QString>(fail(std::move(error)))); }

// An engine that listens on every address is called on the loopback one.
QString callableAddress(const std::string& listenAddress) {
  if (listenAddress.empty() || listenAddress == "0.0.0.0") return QStringLiteral("127.0.0.1");
  if (listenAddress == "::") return QStringLiteral("::1");
  return QString::fromStdString(listenAddress);
}

}  // namespace

CheckServingStep::CheckServingStep(EngineApi& engine, std::string vstorage, NfsProbeFunction probe)
    : m_engine(engine), m_vstorage(std::move(vstorage)), m_probe(std::move(probe)) {
  if (!m_probe) m_probe = [](const QString& host, int port) { return probeNfs(host, port); };
}

QString CheckServingStep::title() const { return Words::tr("Check that it serves"); }

Reply<QString> CheckServingStep::run() {
  const auto next = [this](const Result<protocol::EngineStatus>& status) {
    if (!status) return failed(status.error());
    if (status->state == protocol::StoreState::ReadOnly) return failed({ErrorCode::ReadOnly, status->reason});
    return m_vstorage.empty() ? probe(*status) : checkListed(*status);
  };
  return m_engine.status().then(&m_engine, next).unwrap();
}

Reply<QString> CheckServingStep::checkListed(const protocol::EngineStatus& status) {
  const auto next = [this, status](const Result<std::vector<protocol::VstorageInfo>>& listed) {
    if (!listed) return failed(listed.error());
    const bool found = std::any_of(listed->begin(), listed->end(), [this](const auto& vstorage) { return vstorage.name == m_vstorage; });
    return found ? probe(status) : failed({ErrorCode::NotFound, "the engine does not list vstorage " + m_vstorage});
  };
  return m_engine.listVstorages().then(&m_engine, next).unwrap();
}

Reply<QString> CheckServingStep::probe(const protocol::EngineStatus& status) {
  return m_probe(callableAddress(status.nfsAddress), status.nfsPort);
}

}  // namespace quarry
