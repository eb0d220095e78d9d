// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/set_policy_step.h"

#include <QCoreApplication>
#include <utility>

#include "app/format/formatter.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(SetPolicyStep)
};

}  // namespace

SetPolicyStep::SetPolicyStep(EngineApi& engine, protocol::PolicySet request) : m_engine(engine), m_request(std::move(request)) {}

QString SetPolicyStep::title() const { return Words::tr("Set the optimization policy"); }

Reply<QString> SetPolicyStep::run() {
  return m_engine.setPolicy(m_request).then(&m_engine, [](const Result<protocol::Policy>& policy) -> Result<QString> {
    if (!policy) return fail(policy.error());
    return Words::tr("Data is optimized %1 after its last change.").arg(formatter::duration(policy->minAgeSeconds));
  });
}

}  // namespace quarry
