// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cache_memory_card.h"

#include <QLabel>
#include <QVBoxLayout>

#include "app/format/formatter.h"
#include "app/models/cache_model.h"
#include "ui/theme/typography.h"
#include "ui/widgets/gauge_row.h"

namespace quarry {

CacheMemoryCard::CacheMemoryCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("Memory and journal"), parent),
      m_context(context),
      m_clean(new GaugeRow(tr("Clean, kept for reads"), ColorRole::Read)),
      m_dirty(new GaugeRow(tr("Dirty, not on the disk yet"), ColorRole::Write)),
      m_journal(new GaugeRow(tr("Journal"), ColorRole::Write)),
      m_taken(new GaugeRow(tr("Taken by the engine in all"), ColorRole::Accent)),
      m_reads(makeLabel({}, TextStyle::Caption, Tone::Dim)) {
  m_taken->setToolTip(tr("The whole process as the system counts it: the cache, the indexes and the buffers"));
  body()->setSpacing(10);
  for (GaugeRow* row : {m_clean, m_dirty, m_journal, m_taken}) body()->addWidget(row);
  m_reads->setWordWrap(true);
  m_reads->setMinimumHeight(34);
  m_reads->setAlignment(Qt::AlignTop);
  body()->addWidget(m_reads);
  body()->addStretch();
  connect(&context.cache, &CacheModel::infoChanged, this, &CacheMemoryCard::showInfo);
  showInfo();
}

QString CacheMemoryCard::readsText() const { return m_reads->text(); }

void CacheMemoryCard::showInfo() {
  const auto& info = m_context.cache.info();
  if (!info) return;
  m_clean->setBytes(info->readBytes, info->budgetBytes);
  m_dirty->setBytes(info->dirtyBytes, info->dirtyBytesMax);
  m_journal->setBytes(info->journalUsedBytes, info->journalBytes);
  m_taken->setBytes(info->residentBytes, info->machineBytes);
  m_reads->setText(tr("%1 of %2 blocks read a second come from the disk. %3 gave way to others since the start.")
                       .arg(formatter::number(info->diskReadsPerSecond), formatter::number(info->readsPerSecond), formatter::count(info->evictionCount)));
}

}  // namespace quarry
