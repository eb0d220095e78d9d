// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/cache_size_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/client/engine_api.h"
#include "app/client/when_done.h"
#include "app/format/cache_text.h"
#include "app/format/error_text.h"
#include "app/format/formatter.h"
#include "app/models/cache_model.h"
#include "app/models/model_feed.h"
#include "engine/protocol/cache_curve.h"
#include "ui/theme/typography.h"
#include "ui/widgets/cache_size_input.h"
#include "ui/widgets/gib_box.h"
#include "ui/widgets/hit_curve.h"

namespace quarry {

CacheSizeCard::CacheSizeCard(const ConsoleContext& context, QWidget* parent)
    : Card(tr("How much RAM is worth it"), parent),
      m_context(context),
      m_input(new CacheSizeInput(this)),
      m_curve(new HitCurve(m_input->slider())),
      m_measured(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_words(makeLabel({}, TextStyle::Body)),
      m_take(new QPushButton),
      m_set(new QPushButton(tr("&Set size"))) {
  makeContent();
  connect(m_input, &CacheSizeInput::changed, this, [this] {
    m_refusal.clear();
    showAll();
  });
  connect(&context.cache, &CacheModel::infoChanged, this, &CacheSizeCard::showAll);
  connect(&context.cache, &CacheModel::adviceChanged, this, &CacheSizeCard::showAll);
  connect(&context.engine, &EngineApi::connectionChanged, this, &CacheSizeCard::showAll);
  connect(m_set, &QPushButton::clicked, this, &CacheSizeCard::setSize);
  connect(m_take, &QPushButton::clicked, this, [this] {
    const auto& info = m_context.cache.info();
    if (const auto advised = info ? advisedSize(*info, m_context.cache.curve()) : std::nullopt) m_input->choose(*advised);
  });
  showAll();
}

void CacheSizeCard::makeContent() {
  addToHeader(m_measured);
  body()->addWidget(m_curve, 1);
  m_words->setWordWrap(true);
  m_words->setMinimumHeight(34);
  m_words->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_set->setProperty("primary", true);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(m_input->box());
  row->addWidget(m_words, 1);
  row->addWidget(m_take);
  row->addWidget(m_set);
  body()->addLayout(row);
}

QString CacheSizeCard::words() const { return m_words->text(); }

void CacheSizeCard::showAll() {
  const auto& info = m_context.cache.info();
  const bool connected = m_context.engine.connection() == EngineApi::Connection::Connected;
  if (info) m_input->setRoom(roomOf(*info));
  const bool usable = info && connected && !m_waiting;
  m_input->slider()->setEnabled(usable);
  m_input->box()->setEnabled(usable);
  m_set->setEnabled(usable && m_input->isChosen() && m_input->problem().isEmpty());
  m_set->setText(m_waiting ? tr("Setting…") : tr("&Set size"));
  const auto advised = info ? advisedSize(*info, m_context.cache.curve()) : std::nullopt;
  m_take->setVisible(advised.has_value());
  m_take->setEnabled(usable && advised != m_input->bytes());
  if (advised) m_take->setText(tr("Take &advice: %1").arg(formatter::bytes(*advised)));
  showCurve();
  showWords();
}

void CacheSizeCard::showCurve() {
  const auto& info = m_context.cache.info();
  const protocol::CacheCurve* curve = m_context.cache.curve();
  const bool meaningful = curve != nullptr && protocol::isMeaningful(*curve);
  m_measured->setText(meaningful ? tr("measured on %1 reads").arg(formatter::count(curve->accessCount)) : QString());
  m_curve->setCurve(meaningful ? *curve : protocol::CacheCurve{}, info ? info->budgetBytesMax : 0,
                    info ? tr("The curve appears once enough reads were measured.") : tr("Loading…"));
  QList<CurveMark> marks;
  if (info) marks.append({info->budgetBytes, tr("now"), ColorRole::Text});
  const auto advised = info ? advisedSize(*info, curve) : std::nullopt;
  if (advised) marks.append({*advised, tr("advised"), ColorRole::Good});
  const bool other = info && m_input->isChosen() && m_input->problem().isEmpty() && m_input->bytes() != advised;
  if (other) marks.append({m_input->bytes(), tr("chosen"), ColorRole::Accent});
  m_curve->setMarks(marks);
}

void CacheSizeCard::showWords() {
  const auto& info = m_context.cache.info();
  const QString problem = m_refusal.isEmpty() ? m_input->problem() : m_refusal;
  setTone(m_words, problem.isEmpty() ? Tone::Normal : Tone::Bad);
  if (!info) return m_words->setText({});
  m_words->setText(problem.isEmpty() ? machineText(m_input->room()) + u' ' + cacheWorthText(*info, m_context.cache.curve(), m_input->bytes())
                                     : problem);
}

void CacheSizeCard::setSize() {
  const uint64_t bytes = m_input->bytes();
  m_waiting = true;
  showAll();
  whenDone(m_context.engine.setCacheSize(bytes), this, [this, bytes](const Result<protocol::CacheInfo>& info) {
    m_waiting = false;
    if (!info) return onRefused(info.error());
    m_context.cache.replace(*info);
    m_input->forget();
    showAll();
    Q_EMIT sizeSet(bytes);
  });
}

void CacheSizeCard::onRefused(const Error& error) {
  m_refusal = errorText(error);
  showAll();
  m_input->box()->setFocus();
}

}  // namespace quarry
