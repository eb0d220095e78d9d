// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/remember_setup_step.h"

#include <QCoreApplication>
#include <utility>

#include "app/settings/settings.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(RememberSetupStep)
};

}  // namespace

RememberSetupStep::RememberSetupStep(Settings& settings, Target target, EngineOptions options)
    : m_settings(settings), m_target(target), m_options(std::move(options)) {}

QString RememberSetupStep::title() const { return Words::tr("Remember the setup"); }

Reply<QString> RememberSetupStep::run() {
  if (m_target == Target::Socket) {
    m_settings.set(Setting::EngineTarget, m_options.controlSocket);
    return QtFuture::makeReadyFuture(Result<QString>(Words::tr("The console connects to this engine from now on.")));
  }
  m_settings.set(Setting::EngineTarget, QStringLiteral("local"));
  m_settings.set(Setting::StorePath, m_options.storePath);
  m_settings.set(Setting::ListenAddress, m_options.listenAddress);
  m_settings.set(Setting::NfsPort, m_options.nfsPort);
  return QtFuture::makeReadyFuture(Result<QString>(Words::tr("The console starts this engine from now on.")));
}

}  // namespace quarry
