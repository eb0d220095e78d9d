// SPDX-License-Identifier: GPL-3.0-or-later
// One function per noun: adds its verbs and options to the command line; a verb's callback asks the engine through the session.
// Main thread only.
#pragma once

#include <CLI/App.hpp>
#include <string>

#include "app/quarryctl/session.h"

namespace quarry::ctl {

void addStatusCommand(CLI::App& app, Session& session);
void addVstorageCommand(CLI::App& app, Session& session);
void addCacheCommand(CLI::App& app, Session& session);
void addPolicyCommand(CLI::App& app, Session& session);
void addJobCommand(CLI::App& app, Session& session);
void addVmCommand(CLI::App& app, Session& session);
void addStatsCommand(CLI::App& app, Session& session);
void addEventCommand(CLI::App& app, Session& session);
void addProxyCommand(CLI::App& app, Session& session);

// A subcommand after which the options of the whole program (--json, --control) may follow too.
inline CLI::App* addVerb(CLI::App& parent, const std::string& name, const std::string& text) {
  CLI::App* verb = parent.add_subcommand(name, text);
  verb->fallthrough();
  return verb;
}

inline CLI::App* addNoun(CLI::App& app, const std::string& name, const std::string& text) {
  CLI::App* noun = addVerb(app, name, text);
  noun->require_subcommand(1);
  return noun;
}

}  // namespace quarry::ctl
