// SPDX-License-Identifier: GPL-3.0-or-later
// quarry, the console: command line → settings → engine process → client → history and models → window, as locals in that order.
// Exit status 0 done, 1 failed with one line of reason, 2 wrong usage.
#include <QApplication>
#include <QCommandLineParser>
#include <QCoreApplication>
#include <cstdio>
#include <optional>

#include "app/client/console_context.h"
#include "app/client/engine_client.h"
#include "app/client/engine_process.h"
#include "app/client/engine_target.h"
#include "app/client/local_engine.h"
#include "app/models/cache_model.h"
#include "app/models/event_model.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "app/models/stat_history.h"
#include "app/models/stat_model.h"
#include "app/models/vm_model.h"
#include "app/models/vstorage_model.h"
#include "app/settings/settings.h"
#include "engine/protocol/version.h"
#include "ui/main_window.h"
#include "ui/theme/theme.h"
#include "ui/widgets/notification_list.h"

namespace {

using namespace quarry;

struct Arguments {
  std::optional<int> exitStatus;  // set: the program ends here
  std::optional<QString> engine;
};

Arguments ended(int status, const QString& line) {
  std::fputs(qPrintable(line), status == 0 ? stdout : stderr);
  return {.exitStatus = status, .engine = {}};
}

// Needs no display, so that --help and a wrong option are answered on a headless machine, too.
Arguments parseArguments(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  QCommandLineParser parser;
  parser.setApplicationDescription(QCoreApplication::translate("main", "Quarry: console of the deduplicating datastore for virtual machines"));
  const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QCoreApplication::translate("main", "Show this help."));
  const QCommandLineOption version(QStringLiteral("version"), QCoreApplication::translate("main", "Show the version."));
  const QCommandLineOption engine(QStringLiteral("engine"), QCoreApplication::translate("main", "Engine: local, or the path of a control socket."),
                                  QStringLiteral("local|SOCKET"));
  parser.addOptions({help, version, engine});
  if (!parser.parse(QCoreApplication::arguments())) return ended(2, QStringLiteral("quarry: %1\n").arg(parser.errorText()));
  if (parser.isSet(help)) return ended(0, parser.helpText());
  if (parser.isSet(version)) return ended(0, QStringLiteral("quarry %1\n").arg(QLatin1String(protocol::productVersion)));
  if (!parser.positionalArguments().isEmpty())
    return ended(2, QStringLiteral("quarry: unexpected argument '%1'\n").arg(parser.positionalArguments().constFirst()));
  return {.exitStatus = {}, .engine = parser.isSet(engine) ? std::optional(parser.value(engine)) : std::nullopt};
}

int run(QApplication& application, const EngineTarget& target, const QString& targetProblem, Settings& settings) {
  EngineProcess process;
  EngineClient engine;
  StatHistory history;
  StatModel stats;
  VstorageModel vstorages;
  VmModel vms(history);
  JobModel jobs;
  EventModel events;
  CacheModel cache;
  ModelFeed feed(engine, {history, stats, vstorages, vms, jobs, events, cache});
  LocalEngine local(engine, process, settings);
  Theme theme(application);
  theme.choose(themeFromName(settings.text(Setting::ColorScheme)));

  MainWindow window({engine, process, settings, history, stats, vstorages, vms, jobs, events, cache, feed}, theme);
  QObject::connect(&local, &LocalEngine::setupNeeded, &window, &MainWindow::requireSetup);
  QObject::connect(&window, &MainWindow::retryRequested, &local, &LocalEngine::retry);
  QObject::connect(&window, &MainWindow::attachRequested, &local, &LocalEngine::attach);

  window.show();
  if (!targetProblem.isEmpty()) {
    window.notifications().add(protocol::Severity::Warning, QCoreApplication::translate("main", "The stored engine is not used"),
                               QCoreApplication::translate("main", "%1. The engine of this machine is used instead.").arg(targetProblem));
  }
  if (target.kind == EngineTarget::Kind::Local)
    local.begin();
  else
    local.attach(target.socketPath);
  const int status = application.exec();
  engine.disconnectFromEngine();  // what is still asked is settled while everybody who asked is alive
  // Hosts go on using their datastore when the administrator closes the console.
  if (!settings.flag(Setting::StopEngineOnQuit)) process.leaveRunning();
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parseArguments(argc, argv);
  if (arguments.exitStatus) return *arguments.exitStatus;

  Settings settings;
  Result<EngineTarget> target = parseEngineTarget(arguments.engine.value_or(settings.text(Setting::EngineTarget)));
  if (!target && arguments.engine) {
    std::fprintf(stderr, "quarry: %s\n", target.error().message.c_str());
    return target.error().code == ErrorCode::InvalidArgument ? 2 : 1;
  }
  // A console started from a menu has no terminal for a complaint about a stored target.
  const QString targetProblem = target ? QString() : QString::fromStdString(target.error().message);
  if (!target) target = EngineTarget{};

  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("quarry"));
  QApplication::setApplicationDisplayName(QStringLiteral("Quarry"));
  QApplication::setApplicationVersion(QLatin1String(protocol::productVersion));
  return run(application, *target, targetProblem, settings);
}
