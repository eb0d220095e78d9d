// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/cache_step.h"

#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include "app/format/formatter.h"
#include "app/models/cache_model.h"
#include "ui/dialogs/write_mode_form.h"
#include "ui/theme/typography.h"
#include "ui/widgets/cache_size_input.h"
#include "ui/widgets/gib_box.h"

namespace quarry {

CacheStep::CacheStep(const CacheModel& cache, QWidget* parent)
    : WizardStep(tr("How much RAM may Quarry use?"), tr("Reads that are in RAM never touch the disk. You can change this at any time, without a pause."),
                 parent),
      m_cache(cache),
      m_input(new CacheSizeInput(this)),
      m_size(nullptr),
      m_least(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_most(makeLabel({}, TextStyle::Caption, Tone::Dim)),
      m_words(makeLabel({}, TextStyle::Strong)),
      m_unknown(makeLabel(tr("The engine takes a share of its machine's memory to begin with."), TextStyle::Body)),
      m_mode(new WriteModeForm) {
  m_size = makeSize();
  body()->addWidget(m_size);
  m_unknown->setWordWrap(true);
  body()->addWidget(m_unknown);
  body()->addSpacing(6);
  body()->addWidget(makeLabel(tr("When may a write be acknowledged?"), TextStyle::Strong));
  body()->addWidget(m_mode);
  body()->addStretch();
  connect(m_input, &CacheSizeInput::changed, this, &CacheStep::showSize);
  connect(m_mode, &WriteModeForm::changed, this, &WizardStep::completeChanged);
  showSize();
}

QWidget* CacheStep::makeSize() {
  auto* size = new QWidget;
  auto* grid = new QGridLayout(size);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(16);
  grid->setVerticalSpacing(2);
  grid->addWidget(m_input->slider(), 0, 0, 1, 3);
  grid->addWidget(m_input->box(), 0, 3);
  m_words->setWordWrap(true);
  m_words->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
  m_words->setMinimumHeight(36);
  grid->addWidget(m_least, 1, 0, Qt::AlignTop);
  grid->addWidget(m_words, 1, 1);
  grid->addWidget(m_most, 1, 2, Qt::AlignTop);
  grid->setColumnStretch(1, 1);
  return size;
}

bool CacheStep::isComplete() const { return m_input->problem().isEmpty(); }

void CacheStep::enter(const SetupRequest& request) {
  const auto& info = m_cache.info();
  m_input->setRoom(request.attach ? (info ? roomOf(*info) : CacheRoom{}) : request.cacheRoom);
  showSize();
}

void CacheStep::showSize() {
  const CacheRoom& room = m_input->room();
  m_size->setVisible(room.isKnown());
  m_unknown->setVisible(!room.isKnown());
  setFocusProxy(room.isKnown() ? static_cast<QWidget*>(m_input->slider()) : m_mode);
  m_least->setText(formatter::bytes(room.bytesMin));
  m_most->setText(formatter::bytes(room.bytesMax));
  const QString problem = m_input->problem();
  setTone(m_words, problem.isEmpty() ? Tone::Normal : Tone::Bad);
  m_words->setText(problem.isEmpty() ? tr("%1 of %2 (%3 free)").arg(formatter::bytes(m_input->bytes()), formatter::bytes(room.machineBytes),
                                                                    formatter::bytes(room.availableBytes))
                                     : problem);
  Q_EMIT completeChanged();
}

// What was chosen for a store before stays unless it is changed here.
void CacheStep::fill(SetupRequest& request) const {
  if (!request.vstorage) return;
  request.vstorage->writeMode = m_mode->mode();
  if (request.attach) request.cacheRoom = m_input->room();
  const bool isNew = !request.attach && !request.hasVstorages;
  if (m_input->room().isKnown() && (isNew || m_input->isChosen())) request.cacheBytes = m_input->bytes();
}

}  // namespace quarry
