// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/vstorage_check.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QRegularExpression>

namespace quarry {

namespace {

QString words(const char* text) { return QCoreApplication::translate("VstorageCheck", text); }

bool isNameCharacter(QChar character) {
  return (character >= u'a' && character <= u'z') || (character >= u'A' && character <= u'Z') || (character >= u'0' && character <= u'9') ||
         character == u'-' || character == u'_' || character == u'.';
}

bool isClient(const QString& text) {
  if (text.contains(u'/')) return QHostAddress::parseSubnet(text).second >= 0;
  return !QHostAddress(text).isNull();
}

}  // namespace

QString vstorageNameProblem(const QString& name, const QStringList& taken) {
  if (name.isEmpty()) return words("Give it a name; hosts mount it as SERVER:/NAME.");
  for (const QChar character : name) {
    if (!isNameCharacter(character)) return words("“%1” cannot be in the name: use letters, digits, “-”, “_” and “.”.").arg(character);
  }
  if (!name.front().isLetterOrNumber()) return words("The name must start with a letter or a digit.");
  if (name.size() > vstorageNameLengthMax) return words("The name is too long: ESXi allows %1 characters.").arg(vstorageNameLengthMax);
  if (taken.contains(name, Qt::CaseInsensitive)) return words("There is a vstorage “%1” already: choose another name.").arg(name);
  return {};
}

QStringList splitClients(const QString& text) {
  static const QRegularExpression separators(QStringLiteral("[,;\\s]+"));
  return text.split(separators, Qt::SkipEmptyParts);
}

QString clientsProblem(const QString& text) {
  for (const QString& client : splitClients(text)) {
    if (!isClient(client)) return words("“%1” is not an address: write one as 192.0.2.7 or a range as 192.0.2.0/24.").arg(client);
  }
  return {};
}

std::vector<std::string> clientList(const QString& text) {
  std::vector<std::string> clients;
  for (const QString& client : splitClients(text)) clients.push_back(client.toStdString());
  return clients;
}

}  // namespace quarry
