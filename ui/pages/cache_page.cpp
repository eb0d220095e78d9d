// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cache_page.h"

#include <QHBoxLayout>
#include <QPointer>
#include <QVBoxLayout>
#include <chrono>

#include "app/client/when_done.h"
#include "app/format/formatter.h"
#include "app/format/write_mode_text.h"
#include "app/models/cache_model.h"
#include "app/models/model_feed.h"
#include "app/models/vstorage_model.h"
#include "ui/dialogs/write_mode_dialog.h"
#include "ui/pages/cache_memory_card.h"
#include "ui/pages/cache_size_card.h"
#include "ui/pages/cache_vstorages_card.h"
#include "ui/pages/write_cache_card.h"
#include "ui/theme/metrics.h"
#include "ui/widgets/chart_card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/scroll.h"

namespace quarry {

namespace {
constexpr std::chrono::milliseconds pollInterval{1'000};
constexpr int pollsPerAdvice = 30;
}  // namespace

CachePage::CachePage(const ConsoleContext& context, QWidget* parent)
    : Page(PageId::Cache, tr("Cache"), context, parent),
      m_size(new CacheSizeCard(context)),
      m_write(new WriteCacheCard(context)),
      m_memory(new CacheMemoryCard(context)),
      m_vstorages(new CacheVstoragesCard(context)),
      m_hits(new ChartCard(tr("Reads answered from RAM"), protocol::Unit::Ratio, context.history)) {
  makeContent();
  setEmptyState(new EmptyState(
      Icon::Cache, tr("Nothing to cache yet"),
      tr("Create a vstorage and let hosts write VM disks into it. Then this page shows what the RAM cache is worth, and what size would be better."),
      tr("Ne&w vstorage…")));
  connect(emptyState(), &EmptyState::actionTriggered, this, &Page::vstorageWanted);
  connect(m_size, &CacheSizeCard::sizeSet, this, [this](quint64 bytes) {
    Q_EMIT notified(protocol::Severity::Info, tr("The RAM cache may take %1 from now on").arg(formatter::bytes(bytes)), {});
  });
  connect(m_write, &WriteCacheCard::flushFailed, this, [this](const Error& error) { reportFailure(tr("Not everything was written to the disk"), error); });
  connect(m_vstorages, &CacheVstoragesCard::changeWanted, this, &CachePage::changeWriteMode);
  connect(&context.history, &StatHistory::filled, m_hits, &ChartCard::refresh);
  connect(&context.history, &StatHistory::appended, this, [this] {
    if (isVisible()) m_hits->refresh();
  });
  connect(&context.feed, &ModelFeed::loaded, this, &CachePage::updateEmpty);
  connect(&context.vstorages, &QAbstractItemModel::rowsInserted, this, &CachePage::updateEmpty);
  connect(&context.vstorages, &QAbstractItemModel::rowsRemoved, this, &CachePage::updateEmpty);
  connect(&m_timer, &QTimer::timeout, this, &CachePage::poll);
  m_timer.setInterval(pollInterval);
  updateEmpty();
}

void CachePage::makeContent() {
  m_hits->setSources({{QStringLiteral("cache/hit_ratio"), tr("hits"), ColorRole::Read}});
  m_hits->setMinimumHeight(190);
  m_hits->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);  // the left side says how high
  m_size->setMinimumHeight(286);
  auto* left = new QVBoxLayout;
  left->setSpacing(metrics::cardGap);
  left->addWidget(m_write);
  left->addWidget(m_memory, 1);
  auto* right = new QVBoxLayout;
  right->setSpacing(metrics::cardGap);
  right->addWidget(m_vstorages);
  right->addWidget(m_hits, 1);
  auto* lower = new QHBoxLayout;
  lower->setSpacing(metrics::cardGap);
  lower->addLayout(left, 11);
  lower->addLayout(right, 21);
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(metrics::pageMargin, 20, metrics::pageMargin, 20);
  column->setSpacing(metrics::cardGap);
  column->addWidget(m_size, 1);
  column->addLayout(lower);
  auto* whole = new QVBoxLayout(content());
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(makeScroll(inside));
}

QStringList CachePage::watchedPrefixes() const { return {QStringLiteral("cache/")}; }

void CachePage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  m_polls = 0;
  poll();
  m_timer.start();
  m_context.feed.requestHistory(m_hits->ids(), StatHistory::Span::FiveMinutes);
  m_hits->refresh();
}

void CachePage::hideEvent(QHideEvent* event) {
  Page::hideEvent(event);
  m_timer.stop();
}

void CachePage::poll() {
  m_context.feed.refreshCache();
  if (m_polls++ % pollsPerAdvice == 0) m_context.feed.refreshAdvice();
}

void CachePage::updateEmpty() { showEmpty(m_context.feed.isLoaded() && m_context.vstorages.rowCount() == 0); }

void CachePage::changeWriteMode(const QString& vstorage) {
  const protocol::CacheVstorage* row = m_context.cache.find(vstorage);
  if (row == nullptr || m_context.engine.connection() != EngineApi::Connection::Connected) return;
  auto* dialog = new WriteModeDialog(row->name, row->writeMode, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &RequestDialog::submitted, this, [this, dialog] { sendMode(dialog); });
  dialog->open();
}

void CachePage::sendMode(WriteModeDialog* dialog) {
  const protocol::VstorageSet request = dialog->request();
  const auto reply = m_context.engine.setVstorage(request);
  dialog->await(reply);
  whenDone(reply, this, [this, name = QString::fromStdString(request.name), dialog = QPointer(dialog)](const Result<protocol::VstorageInfo>& result) {
    if (!result) return reportUnseen(dialog, tr("The write mode of %1 was not changed").arg(name), result.error());
    m_context.feed.refresh();
  });
}

}  // namespace quarry
