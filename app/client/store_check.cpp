// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/client/store_check.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QPromise>
#include <QTimer>

namespace quarry {
namespace {

constexpr qsizetype outputBytesMax = 1024 * 1024;

// One run of the program; deletes itself after it has settled.
class StoreCheckRun : public QObject {
 public:
  StoreCheckRun(const QString& program, const QString& path) {
    m_promise.start();
    m_process->setProgram(program);
    m_process->setArguments({QStringLiteral("--store"), path, QStringLiteral("--check")});
    connect(m_process, &QProcess::finished, this, [this] { settle(outcome()); });
    connect(m_process, &QProcess::errorOccurred, this, &StoreCheckRun::onError, Qt::QueuedConnection);
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] { settle(fail(ErrorCode::Timeout, "the check of the folder took too long")); });
  }

  ~StoreCheckRun() override {
    m_process->disconnect(this);
    // The disk may hang: nobody waits for the program here, so its QProcess goes when it has ended.
    connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    if (m_process->state() == QProcess::NotRunning)
      m_process->deleteLater();
    else
      m_process->kill();
  }

  Reply<StoreCheck> start(std::chrono::milliseconds limit) {
    Reply<StoreCheck> reply = m_promise.future();
    m_limit.start(limit);
    m_process->start(QIODevice::ReadOnly);
    return reply;
  }

 private:
  Result<StoreCheck> outcome() {
    const QByteArray output = m_process->read(outputBytesMax);
    Result<StoreCheck> check = parseStoreCheck(output);
    if (check) return check;
    const QString words = QString::fromUtf8(m_process->readAllStandardError()).trimmed().section(QLatin1Char('\n'), -1);
    return words.isEmpty() ? check : fail(ErrorCode::Protocol, words.toStdString());
  }

  void onError(QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart)
      settle(fail(ErrorCode::NotFound, (m_process->program() + tr(" cannot be started: ") + m_process->errorString()).toStdString()));
  }

  void settle(Result<StoreCheck> result) {
    if (m_settled) return;
    m_settled = true;
    m_promise.addResult(std::move(result));
    m_promise.finish();
    deleteLater();
  }

  QProcess* m_process = new QProcess;  // outlives this object until it has ended
  QTimer m_limit;
  QPromise<Result<StoreCheck>> m_promise;
  bool m_settled = false;
};

quint64 bytesOf(const QJsonObject& object, const char* member) {
  const QJsonValue value = object.value(QLatin1String(member));
  return value.isDouble() && value.toDouble() > 0 ? static_cast<quint64>(value.toInteger()) : 0;
}

}  // namespace

Result<StoreCheck> parseStoreCheck(const QByteArray& json) {
  const QJsonObject object = QJsonDocument::fromJson(json).object();
  if (!object.value(QLatin1String("ok")).isBool() || !object.value(QLatin1String("checks")).isArray())
    return fail(ErrorCode::Protocol, "the check of the folder gave no result");
  StoreCheck check;
  check.path = object.value(QLatin1String("path")).toString();
  check.ok = object.value(QLatin1String("ok")).toBool();
  const QJsonArray items = object.value(QLatin1String("checks")).toArray();
  for (const QJsonValue& item : items)
    check.checks << StoreCheckItem{.name = item[QLatin1String("name")].toString(),
                                   .ok = item[QLatin1String("ok")].toBool(),
                                   .text = item[QLatin1String("text")].toString(),
                                   .warning = item[QLatin1String("warning")].toBool()};
  check.freeBytes = bytesOf(object, "freeBytes");
  check.diskBytes = bytesOf(object, "diskBytes");
  check.writeBytesPerSecond = bytesOf(object, "writeBytesPerSecond");
  check.existingStore = object.value(QLatin1String("existingStore")).toBool();
  const QJsonObject memory = object.value(QLatin1String("memory")).toObject();
  check.cacheRoom = {.machineBytes = bytesOf(memory, "machineBytes"),
                     .availableBytes = bytesOf(memory, "availableBytes"),
                     .bytesMin = bytesOf(memory, "cacheBytesMin"),
                     .bytesMax = bytesOf(memory, "cacheBytesMax"),
                     .bytes = bytesOf(memory, "cacheBytes")};
  return check;
}

Reply<StoreCheck> runStoreCheck(const QString& program, const QString& path, std::chrono::milliseconds limit) {
  auto* run = new StoreCheckRun(program, path);  // owns itself until it has settled
  return run->start(limit);
}

}  // namespace quarry
