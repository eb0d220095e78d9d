// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what was typed for a vstorage can be sent. The engine checks again; these say it while typing. Pure functions: an empty
// text means nothing is wrong, else a sentence with the field's reason and remedy.
#pragma once

#include <QString>
#include <QStringList>
#include <string>
#include <vector>

namespace quarry {

inline constexpr int vstorageNameLengthMax = 42;  // what ESXi allows for a datastore's name

QString vstorageNameProblem(const QString& name, const QStringList& taken);
QStringList splitClients(const QString& text);  // by comma, space or line
QString clientsProblem(const QString& text);
std::vector<std::string> clientList(const QString& text);

}  // namespace quarry
