// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/report.h"

#include <QCoreApplication>
#include <QStringList>

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Report)
};

}  // namespace

QString stepStateText(StepState state) {
  switch (state) {
    case StepState::Waiting: return Words::tr("waiting");
    case StepState::Running: return Words::tr("running");
    case StepState::Done: return Words::tr("done");
    case StepState::Failed: return Words::tr("failed");
    case StepState::Undone: return Words::tr("taken back");
    case StepState::UndoFailed: return Words::tr("could not be taken back");
    case StepState::Skipped: return Words::tr("not started");
  }
  return {};
}

QString Report::toText() const {
  QStringList text{title};
  for (const ReportLine& line : lines) {
    const QString state = stepStateText(line.state);
    text << (line.text.isEmpty() ? QStringLiteral("  %1: %2").arg(line.title, state) : QStringLiteral("  %1: %2. %3").arg(line.title, state, line.text));
  }
  return text.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace quarry
