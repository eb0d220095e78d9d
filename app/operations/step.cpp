// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/step.h"

namespace quarry {

Reply<QString> Step::undo() { return QtFuture::makeReadyFuture(Result<QString>(QString())); }

}  // namespace quarry
