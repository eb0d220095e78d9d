// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/write_cache_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/client/engine_api.h"
#include "app/client/when_done.h"
#include "app/format/error_text.h"
#include "app/format/formatter.h"
#include "app/format/write_mode_text.h"
#include "app/models/cache_model.h"
#include "app/models/model_feed.h"
#include "ui/theme/typography.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/figure_card.h"

namespace quarry {

namespace {

QString absorbedText(const protocol::CacheInfo& info) {
  if (!info.absorbedRatio || *info.absorbedRatio <= 0) return {};
  return u' ' + WriteCacheCard::tr("%1 of all writes were replaced in RAM before they had to go to the disk.").arg(formatter::percent(*info.absorbedRatio));
}

QString safetyText(const protocol::CacheInfo& info) {
  if (info.dirtyBytes == 0) return WriteCacheCard::tr("Everything that was written is on the disk.") + absorbedText(info);
  if (info.unprotectedBytes > 0)
    return WriteCacheCard::tr("%1 are in RAM alone, the oldest for %2: a power cut loses them.")
        .arg(formatter::bytes(info.unprotectedBytes), formatter::duration(info.oldestUnprotectedSeconds));
  return WriteCacheCard::tr("Safe at a power cut. The oldest has waited %1.").arg(formatter::duration(info.oldestDirtySeconds)) + absorbedText(info);
}

}  // namespace

WriteCacheCard::WriteCacheCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("Waiting to reach the disk"), parent),
      m_context(context),
      m_figure(new FigureLabel),
      m_bar(new Bar),
      m_words(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_flush(new QPushButton(tr("&Flush now"))),
      m_result(makeLabel({}, TextStyle::Caption, Tone::Dim)) {
  m_words->setWordWrap(true);
  m_words->setMinimumHeight(52);
  m_words->setAlignment(Qt::AlignTop);
  m_result->setWordWrap(true);
  m_flush->setToolTip(tr("Write everything that waits to the disk now; VMs go on"));
  body()->setSpacing(6);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_figure, m_bar, m_words}) body()->addWidget(widget);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(m_flush);
  row->addWidget(m_result, 1);
  body()->addLayout(row);
  body()->addStretch();
  connect(m_flush, &QPushButton::clicked, this, &WriteCacheCard::flush);
  connect(&context.cache, &CacheModel::infoChanged, this, &WriteCacheCard::showInfo);
  connect(&context.engine, &EngineApi::connectionChanged, this, &WriteCacheCard::showFlush);
  showInfo();
}

QString WriteCacheCard::words() const { return m_words->text(); }

QString WriteCacheCard::flushWords() const { return m_result->text(); }

void WriteCacheCard::showInfo() {
  const auto& info = m_context.cache.info();
  if (!info) {
    m_figure->setFigure({QStringLiteral("–"), {}});
    showFlush();
    return;
  }
  formatter::Figure figure = formatter::figure(double(info->dirtyBytes), protocol::Unit::Bytes);
  figure.unit = tr("%1 of at most %2", "unit, size").arg(figure.unit, formatter::bytes(info->dirtyBytesMax));
  m_figure->setFigure(figure);
  const bool loses = info->unprotectedBytes > 0;
  m_bar->setRole(loses ? ColorRole::Bad : ColorRole::Good);
  m_bar->setShare(info->dirtyBytesMax == 0 ? 0 : double(info->dirtyBytes) / double(info->dirtyBytesMax));
  setTone(m_words, loses ? Tone::Bad : Tone::Dim);
  m_words->setText(safetyText(*info));
  showFlush();
}

void WriteCacheCard::showFlush() {
  const auto& info = m_context.cache.info();
  const bool connected = m_context.engine.connection() == EngineApi::Connection::Connected;
  m_flush->setEnabled(connected && info && !m_flushing);
  m_flush->setText(m_flushing ? tr("Flushing…") : tr("&Flush now"));
  if (!m_flushing || !info || m_bytesBefore == 0) return;
  // Writers go on meanwhile: what is left may be more than there was.
  const double left = std::min(1.0, double(info->dirtyBytes) / double(m_bytesBefore));
  m_result->setText(tr("%1 written").arg(formatter::percent(1 - left)));
}

void WriteCacheCard::flush() {
  const auto& info = m_context.cache.info();
  m_flushing = true;
  m_bytesBefore = info ? info->dirtyBytes : 0;
  m_taken.start();
  setTone(m_result, Tone::Dim);
  m_result->clear();
  showFlush();
  whenDone(m_context.engine.flushCache({}), this, [this](const Result<protocol::CacheFlushed>& flushed) { onFlushed(flushed); });
}

void WriteCacheCard::onFlushed(const Result<protocol::CacheFlushed>& flushed) {
  m_flushing = false;
  showFlush();
  setTone(m_result, flushed ? Tone::Dim : Tone::Bad);
  if (!flushed) {
    m_result->setText(errorText(flushed.error()));
    if (!isVisible()) Q_EMIT flushFailed(flushed.error());
    return;
  }
  const auto seconds = uint64_t(m_taken.elapsed() / 1000);
  m_result->setText(flushed->bytes == 0 ? tr("Nothing had to be written.")
                                        : tr("%1 written in %2.").arg(formatter::bytes(flushed->bytes),
                                                                      seconds == 0 ? tr("less than 1 s") : formatter::duration(seconds)));
  m_context.feed.refreshCache();
}

}  // namespace quarry
