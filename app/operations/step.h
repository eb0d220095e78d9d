// SPDX-License-Identifier: GPL-3.0-or-later
// One all-or-nothing part of an operation. Constructors change nothing. run() starts the work on the GUI thread and returns at once;
// a step that failed has left nothing behind. undo() is called only after a run() that succeeded, and takes back what this run made.
#pragma once

#include <QFuture>
#include <QString>

#include "app/client/engine_api.h"

namespace quarry {

class Step {
 public:
  virtual ~Step() = default;
  virtual QString title() const = 0;
  virtual Reply<QString> run() = 0;    // the result as one sentence
  virtual bool canUndo() const { return false; }
  virtual Reply<QString> undo();       // does nothing unless canUndo()
  virtual QString failureText(const Error& error) const;  // of a run() that failed, for a person
};

}  // namespace quarry
