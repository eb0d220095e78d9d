// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <variant>

#include "app/quarryctl/amount.h"
#include "app/quarryctl/commands.h"
#include "app/quarryctl/option_checks.h"
#include "app/quarryctl/savings_text.h"
#include "app/quarryctl/table.h"
#include "engine/protocol/vstorage_rules.h"

namespace quarry::ctl {
namespace {

using protocol::Squash;
using protocol::VstorageInfo;
using protocol::WriteMode;

// What create and set have in common, as typed; empty: not given.
struct VstorageOptions {
  std::string name;
  std::string writeMode;
  std::vector<std::string> clients;
  std::string squash;
  std::string quota;
  bool readOnly = false;
  bool readWrite = false;
};

// "loopback" alone is the empty list.
std::optional<std::vector<std::string>> clientsOf(const VstorageOptions& options) {
  if (options.clients.empty()) return std::nullopt;
  if (options.clients == std::vector<std::string>{"loopback"}) return std::vector<std::string>();
  return options.clients;
}

std::shared_ptr<VstorageOptions> addOptions(CLI::App& verb) {
  auto options = std::make_shared<VstorageOptions>();
  verb.add_option("NAME", options->name, "Name of the vstorage")->required();
  verb.add_option("--write-mode", options->writeMode, "When a write is acknowledged: safe (the default), through or ram")->check(checkName<WriteMode>);
  verb.add_option("--clients", options->clients, "Addresses or CIDR ranges that may mount it, separated by commas; 'loopback' for this machine only")
      ->delimiter(',');
  verb.add_option("--squash", options->squash, "Users mapped to nobody: none, root or all; hosts that run VMs need none")->check(checkName<Squash>);
  verb.add_option("--quota", options->quota, "Most bytes it may hold, such as 500g; 0 for no limit")->check(checkSize);
  return options;
}

// Said whenever it is chosen; it is the user's decision all the same.
void warnOf(const Session& session, const VstorageOptions& options) {
  if (session.exitStatus != 0 || valueOf<WriteMode>(options.writeMode) != WriteMode::Ram) return;
  Session::warn("write mode ram: a power cut loses up to " + std::to_string(protocol::unprotectedSecondsMax) +
                " seconds of writes that the guests were told are on disk");
}

std::string quotaText(uint64_t bytes) { return bytes == 0 ? "none" : sizeText(bytes); }

std::string infoText(const VstorageInfo& info) {
  std::vector<std::pair<std::string, std::string>> fields{
      {"name", info.name},
      {"write mode", std::string(name(info.writeMode))},
      {"unprotected", info.unprotectedBytes == 0 ? "none" : sizeText(info.unprotectedBytes) + ": lost at a power cut"},
      {"clients", joined(info.clients, "loopback only")},
      {"squash", std::string(name(info.squash))},
      {"access", info.readOnly ? "read-only" : "read-write"},
      {"quota", quotaText(info.quotaBytes)},
      {"created", info.createdAt},
      {"files", std::to_string(info.fileCount)},
      {"VMs", std::to_string(info.vmCount)},
      {"mounts", std::to_string(info.mountCount)},
      {"optimized after", ageText(info.policy.minAgeSeconds)},
  };
  appendSavings(fields, info.savings);
  return fieldLines(fields);
}

std::string listText(const std::vector<VstorageInfo>& list) {
  using enum Table::Align;
  Table table({{"NAME"}, {"MODE"}, {"CLIENTS"}, {"FILES", Right}, {"VMS", Right}, {"LOGICAL", Right}, {"STORED", Right}, {"SAVED", Right}});
  for (const VstorageInfo& info : list)
    table.add({info.name, std::string(name(info.writeMode)), joined(info.clients, "loopback"), std::to_string(info.fileCount), std::to_string(info.vmCount),
               sizeText(info.savings.logicalBytes), sizeText(info.savings.storedBytes), percentText(info.savings.savedRatio)});
  return table.text();
}

void addCreate(CLI::App& noun, Session& session) {
  CLI::App* verb = addVerb(noun, "create", "Make a vstorage");
  const auto options = addOptions(*verb);
  verb->add_flag("--read-only", options->readOnly, "Clients may only read");
  verb->callback([options, &session] {
    protocol::VstorageCreate request;
    request.name = options->name;
    request.writeMode = valueOf<WriteMode>(options->writeMode).value_or(request.writeMode);
    request.clients = clientsOf(*options).value_or(request.clients);
    request.squash = valueOf<Squash>(options->squash).value_or(request.squash);
    request.readOnly = options->readOnly;
    request.quotaBytes = sizeOf(options->quota).value_or(0);
    session.show<VstorageInfo>("vstorage.create", toJson(request), infoText);
    warnOf(session, *options);
  });
}

void addSet(CLI::App& noun, Session& session) {
  CLI::App* verb = addVerb(noun, "set", "Change what is given, keep the rest");
  const auto options = addOptions(*verb);
  CLI::Option* readOnly = verb->add_flag("--read-only", options->readOnly, "Clients may only read");
  verb->add_flag("--read-write", options->readWrite, "Clients may write again")->excludes(readOnly);
  verb->callback([options, &session] {
    protocol::VstorageSet request;
    request.name = options->name;
    request.writeMode = valueOf<WriteMode>(options->writeMode);
    request.clients = clientsOf(*options);
    request.squash = valueOf<Squash>(options->squash);
    if (options->readOnly || options->readWrite) request.readOnly = options->readOnly;
    request.quotaBytes = sizeOf(options->quota);
    session.show<VstorageInfo>("vstorage.set", toJson(request), infoText);
    warnOf(session, *options);
  });
}

void addRemove(CLI::App& noun, Session& session) {
  CLI::App* verb = addVerb(noun, "remove", "Remove a vstorage");
  const auto request = std::make_shared<protocol::VstorageRemove>();
  verb->add_option("NAME", request->name, "Name of the vstorage")->required();
  verb->add_flag("--force", request->force, "Even if it holds files: they are gone for good");
  verb->callback([request, &session] {
    session.show<std::monostate>("vstorage.remove", toJson(*request), [&](std::monostate) { return "vstorage " + printable(request->name) + " removed\n"; });
  });
}

}  // namespace

void addVstorageCommand(CLI::App& app, Session& session) {
  CLI::App* noun = addNoun(app, "vstorage", "Datastores that hosts mount");
  addCreate(*noun, session);
  addVerb(*noun, "list", "All vstorages")->callback([&session] {
    session.show<std::vector<VstorageInfo>>("vstorage.list", "null", listText);
  });
  CLI::App* show = addVerb(*noun, "show", "Everything about one");
  const auto request = std::make_shared<protocol::VstorageRequest>();
  show->add_option("NAME", request->name, "Name of the vstorage")->required();
  show->callback([request, &session] { session.show<VstorageInfo>("vstorage.show", toJson(*request), infoText); });
  addSet(*noun, session);
  addRemove(*noun, session);
}

}  // namespace quarry::ctl
