// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/powercut/power_check.h"

#include <fmt/core.h>

#include "tests/powercut/power_recording.h"
#include "tests/powercut/power_site.h"

namespace quarry::test {

namespace {

using Fault = std::optional<std::string>;

class Checker {
 public:
  Checker(PowerSite& site, PowerModel model, bool isSwept) : m_site(site), m_model(std::move(model)), m_isSwept(isSwept) {}

  // In either order: a job must not make recipes of what a growth would show.
  Fault run(std::mt19937_64& random) {
    const bool growsFirst = random() % 2;
    const uint64_t growth = 1 + random() % (3 * blockBytes);
    if (growsFirst)
      if (auto wrong = grow(growth)) return wrong;
    if (auto wrong = optimize()) return wrong;
    if (!growsFirst)
      if (auto wrong = grow(growth)) return wrong;
    if (auto wrong = createAnother()) return wrong;
    m_site.settle();
    if (auto wrong = look("in the end")) return wrong;
    if (const auto strays = m_site.strays(); m_isSwept && !strays.empty()) return "left lying about: " + strays.front();
    return std::nullopt;
  }

 private:
  Fault look(const std::string& when) {
    const auto observed = m_site.observe();
    if (!observed) return when + ": " + observed.error().message;
    if (auto wrong = m_model.mismatch(*observed)) return when + ": " + *wrong;
    if (!m_site.complaints().empty()) return when + ": " + m_site.complaints().front();
    return std::nullopt;
  }
  Fault doIt(PowerOp op) {
    const auto done = m_site.run(perform(m_site, op));
    if (!done) return "after the cut, " + describe(op) + ": " + done.error().message;
    if (op.kind == OpKind::Create && m_model.wasGiven(op.fileid)) return fmt::format("a new file got the old fileid {}", op.fileid);
    m_model.apply(op, PowerModel::Outcome::Answered);
    return std::nullopt;
  }
  Fault grow(uint64_t growth) {
    for (const auto& [name, fileid] : m_model.names()) {
      PowerOp op{.kind = OpKind::SetSize, .fileid = fileid};
      op.size = std::min(fileEndMax, m_model.size(fileid) + growth);
      if (auto wrong = doIt(op)) return wrong;
    }
    return look("after growth");
  }
  Fault optimize() {
    if (auto wrong = doIt({.kind = OpKind::Optimize})) return wrong;
    return look("after optimize");
  }
  Fault createAnother() { return doIt({.kind = OpKind::Create, .name = "another"}); }

  PowerSite& m_site;
  PowerModel m_model;
  const bool m_isSwept;
};

}  // namespace

Survivor checkSurvivor(const SimMedium& medium, int startNumber, const std::vector<PowerModel>& alternatives, std::mt19937_64& random) {
  SimLogDisk disk(medium);
  const bool isSwept = random() % 4 == 0;
  auto site = PowerSite::open(disk, {.startNumber = startNumber, .isSwept = isSwept});
  if (!site) return {"the store does not open: " + site.error().message, {}};
  const auto observed = (*site)->observe();
  if (!observed) return {"after the cut: " + observed.error().message, {}};
  if (!(*site)->complaints().empty()) return {"after the cut: " + (*site)->complaints().front(), {}};
  Survivor survivor;
  std::string mismatches;
  for (const PowerModel& model : alternatives) {
    if (const auto wrong = model.mismatch(*observed)) {
      mismatches += (mismatches.empty() ? "" : "; or, had it happened, ") + *wrong;
      continue;
    }
    survivor.model = model;
    survivor.model.adopt(*observed);
    survivor.model.setMode((*site)->writeMode());
    survivor.fault = Checker(**site, survivor.model, isSwept).run(random);
    return survivor;
  }
  survivor.fault = "after the cut: " + mismatches;
  return survivor;
}

}  // namespace quarry::test
