// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/operation_runner.h"

#include <QPromise>
#include <QSignalSpy>
#include <QtTest>

using namespace quarry;
using State = OperationRunner::State;

namespace {

struct Script {
  QStringList log;
  Result<QString> second = QStringLiteral("two done");
  Result<QString> undo = QStringLiteral("taken back");
  std::shared_ptr<QPromise<Result<QString>>> slow;  // set: the first step waits for it
};

class ScriptedStep : public Step {
 public:
  ScriptedStep(Script& script, QString name, bool undoable) : m_script(script), m_name(std::move(name)), m_undoable(undoable) {}
  QString title() const override { return m_name; }
  Reply<QString> run() override {
    m_script.log << QStringLiteral("run ") + m_name;
    if (m_name == QLatin1String("one") && m_script.slow) return m_script.slow->future();
    return QtFuture::makeReadyFuture(m_name == QLatin1String("two") ? m_script.second : Result<QString>(m_name + QStringLiteral(" done")));
  }
  bool canUndo() const override { return m_undoable; }
  Reply<QString> undo() override {
    m_script.log << QStringLiteral("undo ") + m_name;
    return QtFuture::makeReadyFuture(m_script.undo);
  }

 private:
  Script& m_script;
  QString m_name;
  bool m_undoable;
};

class ScriptedOperation : public Operation {
 public:
  explicit ScriptedOperation(Script& script) {
    addStep<ScriptedStep>(script, QStringLiteral("zero"), true);
    addStep<ScriptedStep>(script, QStringLiteral("one"), false);
    addStep<ScriptedStep>(script, QStringLiteral("two"), true);
    addStep<ScriptedStep>(script, QStringLiteral("three"), true);
  }
  QString title() const override { return QStringLiteral("Scripted"); }
  QStringList preview() const override { return {}; }
};

}  // namespace

class OperationRunnerTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void constructingChangesNothing() {
    Script script;
    const OperationRunner runner(std::make_unique<ScriptedOperation>(script));
    QVERIFY(script.log.isEmpty());
    QCOMPARE(runner.report().lines.size(), 4);
    QVERIFY(runner.report().lines[0].state == StepState::Waiting);
  }

  void runsInOrder() {
    Script script;
    OperationRunner runner(std::make_unique<ScriptedOperation>(script));
    QSignalSpy finished(&runner, &OperationRunner::finished);
    runner.start();
    runner.start();
    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(runner.state(), State::Succeeded);
    QCOMPARE(script.log.join(QLatin1Char(',')), QStringLiteral("run zero,run one,run two,run three"));
    QVERIFY(runner.report().toText().contains(QStringLiteral("two: done. two done")));
  }

  void failureTakesBackWhatWasMade() {
    Script script;
    script.second = fail(ErrorCode::NoSpace, "no room");
    OperationRunner runner(std::make_unique<ScriptedOperation>(script));
    runner.start();
    QTRY_COMPARE(runner.state(), State::Failed);
    QCOMPARE(script.log.join(QLatin1Char(',')), QStringLiteral("run zero,run one,run two,undo zero"));
    const auto& lines = runner.report().lines;
    QVERIFY(lines[0].state == StepState::Undone);
    QVERIFY(lines[1].state == StepState::Done);
    QVERIFY(lines[2].state == StepState::Failed);
    QVERIFY(lines[2].text.contains(QStringLiteral("The store is full.")));
    QVERIFY(lines[3].state == StepState::Skipped);
  }

  void failedUndoIsSaid() {
    Script script;
    script.second = fail(ErrorCode::NoSpace, "no room");
    script.undo = fail(ErrorCode::NotEmpty, "files in it");
    OperationRunner runner(std::make_unique<ScriptedOperation>(script));
    runner.start();
    QTRY_COMPARE(runner.state(), State::Failed);
    QVERIFY(runner.report().lines[0].state == StepState::UndoFailed);
    QVERIFY(runner.report().lines[0].text.contains(QStringLiteral("Files in it.")));
  }

  void cancelWaitsForTheStep() {
    Script script;
    script.slow = std::make_shared<QPromise<Result<QString>>>();
    script.slow->start();
    OperationRunner runner(std::make_unique<ScriptedOperation>(script));
    runner.start();
    QTRY_COMPARE(script.log.size(), 2);
    runner.cancel();
    QCOMPARE(runner.state(), State::Running);
    script.slow->addResult(QStringLiteral("late"));
    script.slow->finish();
    QTRY_COMPARE(runner.state(), State::Cancelled);
    QCOMPARE(script.log.join(QLatin1Char(',')), QStringLiteral("run zero,run one,undo zero"));
  }

  void cancelBeforeTheStart() {
    Script script;
    OperationRunner runner(std::make_unique<ScriptedOperation>(script));
    runner.cancel();
    runner.start();
    QCOMPARE(runner.state(), State::Cancelled);
    QVERIFY(script.log.isEmpty());
  }

  void aStepThatNeverAnswersFails() {
    Script script;
    script.slow = std::make_shared<QPromise<Result<QString>>>();
    script.slow->start();
    OperationRunner runner(std::make_unique<ScriptedOperation>(script));
    runner.start();
    QTRY_COMPARE(script.log.size(), 2);
    script.slow.reset();
    QTRY_COMPARE(runner.state(), State::Failed);
  }

  void theRunnerMayGoBeforeItsStepEnds() {
    Script script;
    script.slow = std::make_shared<QPromise<Result<QString>>>();
    script.slow->start();
    {
      OperationRunner runner(std::make_unique<ScriptedOperation>(script));
      runner.start();
      QTRY_COMPARE(script.log.size(), 2);
    }
    script.slow->addResult(QStringLiteral("nobody listens"));
    script.slow->finish();
    QCoreApplication::processEvents();
    QCOMPARE(script.log.size(), 2);
  }
};

QTEST_GUILESS_MAIN(OperationRunnerTest)
#include "operation_runner_test.moc"
