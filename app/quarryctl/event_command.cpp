// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/quarryctl/commands.h"
#include "app/quarryctl/table.h"
#include "engine/protocol/names.h"

namespace quarry::ctl {
namespace {

std::string listText(const std::vector<protocol::Event>& events) {
  Table table({{"AT"}, {"SEVERITY"}, {"SUBJECT"}, {"TEXT"}});
  for (const protocol::Event& event : events) table.add({event.at, std::string(name(event.severity)), event.subject, event.text});
  return table.text();
}

}  // namespace

void addEventCommand(CLI::App& app, Session& session) {
  CLI::App* noun = addNoun(app, "event", "What happened");
  addVerb(*noun, "list", "Newest first")->callback([&session] {
    session.show<std::vector<protocol::Event>>("event.list", "null", listText);
  });
}

}  // namespace quarry::ctl
