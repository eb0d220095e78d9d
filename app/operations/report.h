// SPDX-License-Identifier: GPL-3.0-or-later
// What an operation did, step by step, as values and as text to copy. A plain value.
#pragma once

#include <QList>
#include <QString>

namespace quarry {

enum class StepState { Waiting, Running, Done, Failed, Undone, UndoFailed, Skipped };

struct ReportLine {
  QString title;
  StepState state = StepState::Waiting;
  QString text;  // result or reason; empty while waiting
};

struct Report {
  QString title;
  QList<ReportLine> lines;

  QString toText() const;
};

QString stepStateText(StepState state);

}  // namespace quarry
