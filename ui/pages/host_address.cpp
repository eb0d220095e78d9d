// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/host_address.h"

namespace quarry {

QString hostAddress(const protocol::EngineStatus& status, const Settings& settings) {
  const QString chosen = settings.text(Setting::HostAddress);
  if (!chosen.isEmpty()) return chosen;
  return QString::fromStdString(status.hostAddresses.empty() ? status.nfsAddress : status.hostAddresses.front());
}

}  // namespace quarry
