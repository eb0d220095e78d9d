// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/step.h"

#include "app/format/error_text.h"

namespace quarry {

QString Step::failureText(const Error& error) const { return errorText(error); }

Reply<QString> Step::undo() { return QtFuture::makeReadyFuture(Result<QString>(QString())); }

}  // namespace quarry
