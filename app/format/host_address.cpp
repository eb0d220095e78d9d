// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/host_address.h"

namespace quarry {

QString hostAddress(const protocol::EngineStatus& status, const Settings& settings) {
  const QString chosen = settings.text(Setting::HostAddress);
  if (!chosen.isEmpty()) return chosen;
  const bool everywhere = status.nfsAddress.empty() || status.nfsAddress == "0.0.0.0" || status.nfsAddress == "::";
  if (!everywhere) return QString::fromStdString(status.nfsAddress);
  return status.hostAddresses.empty() ? QString() : QString::fromStdString(status.hostAddresses.front());
}

}  // namespace quarry
