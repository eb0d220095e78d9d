// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/vstorage_check.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "app/format/mount_command.h"
#include "engine/protocol/vstorage_rules.h"

namespace quarry {

namespace {

QString words(const char* text) { return QCoreApplication::translate("VstorageCheck", text); }

QString sentence(const Error& error) {
  QString text = QString::fromStdString(error.message);
  if (!text.isEmpty()) text[0] = text.at(0).toUpper();
  return text.endsWith(u'.') ? text : text + u'.';
}

}  // namespace

QString vstorageNameProblem(const QString& name, const QStringList& taken) {
  if (name.isEmpty()) return words("Give it a name; hosts mount it as SERVER:/NAME.");
  if (auto checked = protocol::checkVstorageName(name.toStdString()); !checked) return sentence(checked.error());
  if (taken.contains(name)) return words("There is a vstorage “%1” already: choose another name.").arg(name);
  return {};
}

QString vstorageNameWarning(const QString& name, const QStringList& taken) {
  if (name.size() > esxiNameLengthMax) return words("ESXi takes at most %1 characters; Linux and Proxmox do not mind.").arg(esxiNameLengthMax);
  if (!taken.contains(name) && taken.contains(name, Qt::CaseInsensitive)) return words("There is one already that differs in capitals only.");
  return {};
}

QStringList splitClients(const QString& text) {
  static const QRegularExpression separators(QStringLiteral("[,;\\s]+"));
  return text.split(separators, Qt::SkipEmptyParts);
}

QString clientsProblem(const QString& text) {
  const auto checked = protocol::checkClients(clientList(text));
  return checked ? QString() : sentence(checked.error());
}

std::vector<std::string> clientList(const QString& text) {
  std::vector<std::string> clients;
  for (const QString& client : splitClients(text)) clients.push_back(client.toStdString());
  return clients;
}

}  // namespace quarry
