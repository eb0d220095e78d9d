// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "app/quarryctl/amount.h"
#include "app/quarryctl/commands.h"
#include "app/quarryctl/option_checks.h"
#include "app/quarryctl/table.h"

namespace quarry::ctl {
namespace {

using protocol::Policy;

constexpr int levelMin = 1, levelMax = 19;  // of zstd

struct PolicyOptions {
  std::string name;
  std::string minAge;
  std::string minSize;
  std::vector<std::string> exclude;
  bool noExclude = false;
  std::optional<int> level;
};

std::string policyText(const Policy& policy) {
  return fieldLines({{"minimum age", ageText(policy.minAgeSeconds) + " since the last write"},
                     {"minimum file size", sizeText(policy.minSizeBytes)},
                     {"excluded", joined(policy.exclude, "nothing") + " (and always .lck* and *.vswp)"},
                     {"compression level", std::to_string(policy.level)}});
}

void addSet(CLI::App& noun, Session& session) {
  CLI::App* verb = addVerb(noun, "set", "Change what is given, keep the rest");
  const auto options = std::make_shared<PolicyOptions>();
  verb->add_option("NAME", options->name, "Name of the vstorage")->required();
  verb->add_option("--min-age", options->minAge, "Optimize what was not written for so long: 0, 90s, 2h, 7d")->check(checkAge);
  verb->add_option("--min-size", options->minSize, "Leave smaller files alone, such as 64k")->check(checkSize);
  CLI::Option* exclude = verb->add_option("--exclude", options->exclude, "Files never to optimize, as a pattern; may be repeated; replaces the list");
  exclude->allow_extra_args(false);
  verb->add_flag("--no-exclude", options->noExclude, "Empty that list")->excludes(exclude);
  verb->add_option("--level", options->level, "zstd compression level, 1 to 19")->check(CLI::Range(levelMin, levelMax));
  verb->callback([options, &session] {
    protocol::PolicySet request;
    request.name = options->name;
    request.minAgeSeconds = ageOf(options->minAge);
    request.minSizeBytes = sizeOf(options->minSize);
    if (options->noExclude || !options->exclude.empty()) request.exclude = options->exclude;
    request.level = options->level;
    session.show<Policy>("policy.set", toJson(request), policyText);
  });
}

}  // namespace

void addPolicyCommand(CLI::App& app, Session& session) {
  CLI::App* noun = addNoun(app, "policy", "What is optimized, and when");
  CLI::App* show = addVerb(*noun, "show", "The policy of a vstorage");
  const auto request = std::make_shared<protocol::VstorageRequest>();
  show->add_option("NAME", request->name, "Name of the vstorage")->required();
  show->callback([request, &session] { session.show<Policy>("policy.show", toJson(*request), policyText); });
  addSet(*noun, session);
}

}  // namespace quarry::ctl
