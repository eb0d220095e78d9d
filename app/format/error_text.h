// SPDX-License-Identifier: GPL-3.0-or-later
// ErrorCode → a sentence for a person and the remedy. One switch each, without default. Pure functions, safe from any thread.
#pragma once

#include <QString>

#include "engine/base/result.h"

namespace quarry {

QString errorSentence(ErrorCode code);  // "The store is full."
QString errorRemedy(ErrorCode code);    // "Free space on its disk or …"
QString errorText(const Error& error);  // sentence, the engine's own detail, remedy

}  // namespace quarry
