// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what was typed for a vstorage can be sent, by the engine's own rule (engine/protocol/vstorage_rules.h). Pure functions: an empty
// text means nothing is wrong, else a sentence with the field's reason and remedy.
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

namespace quarry {

QString vstorageNameProblem(const QString& name, const QStringList& taken);
QString vstorageNameWarning(const QString& name, const QStringList& taken);  // it can be sent, but not every host is content with it
QStringList splitClients(const QString& text);  // by comma, space or line
QString clientsProblem(const QString& text);
std::vector<std::string> clientList(const QString& text);

}  // namespace quarry
