// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>

#include "app/quarryctl/commands.h"
#include "engine/protocol/socket_path.h"
#include "engine/protocol/version.h"

using namespace quarry;

namespace {
constexpr int wrongUsage = 2;
}

int main(int argc, char** argv) {
  CLI::App app("Runs a Quarry engine from the command line.", "quarryctl");
  ctl::Session session;
  session.socketPath = protocol::findControlSocket();
  app.add_option("--control", session.socketPath, "Control socket of the engine")->capture_default_str();
  app.add_flag("--json", session.json, "Print the engine's answer as one JSON document");
  app.set_version_flag("--version", protocol::productVersion);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  ctl::addStatusCommand(app, session);
  ctl::addVstorageCommand(app, session);
  ctl::addCacheCommand(app, session);
  ctl::addPolicyCommand(app, session);
  ctl::addJobCommand(app, session);
  ctl::addVmCommand(app, session);
  ctl::addStatsCommand(app, session);
  ctl::addEventCommand(app, session);
  ctl::addProxyCommand(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : wrongUsage;
  }
  session.finishOutput();
  return session.exitStatus;
}
