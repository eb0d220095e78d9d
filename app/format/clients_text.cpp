// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/clients_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace quarry {

QString clientsText(const std::vector<std::string>& clients) {
  if (clients.empty()) return QCoreApplication::translate("ClientsText", "this machine only");
  QStringList names;
  for (const std::string& client : clients) names << QString::fromStdString(client);
  return names.join(QStringLiteral(", "));
}

}  // namespace quarry
