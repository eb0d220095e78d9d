// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/set_cache_size_step.h"

#include <QCoreApplication>
#include <utility>

#include "app/format/formatter.h"
#include "engine/protocol/messages.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(SetCacheSizeStep)
};

}  // namespace

QString SetCacheSizeStep::title() const { return Words::tr("Give the RAM cache %1").arg(formatter::bytes(m_bytes)); }

Reply<QString> SetCacheSizeStep::run() {
  return m_engine.showCache()
      .then(&m_engine,
            [this](const Result<protocol::CacheInfo>& before) -> Reply<QString> {
              if (!before) return QtFuture::makeReadyFuture(Result<QString>(fail(before.error())));
              m_before = before->budgetBytes;
              return set(m_bytes);
            })
      .unwrap();
}

Reply<QString> SetCacheSizeStep::undo() { return set(std::exchange(m_before, 0)); }

Reply<QString> SetCacheSizeStep::set(uint64_t bytes) {
  return m_engine.setCacheSize(bytes).then(&m_engine, [this](const Result<protocol::CacheInfo>& after) -> Result<QString> {
    if (!after) {
      m_before = 0;
      return fail(after.error());
    }
    return Words::tr("It may take %1 of the machine's %2.").arg(formatter::bytes(after->budgetBytes), formatter::bytes(after->machineBytes));
  });
}

}  // namespace quarry
