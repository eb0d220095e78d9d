// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/write_mode_form.h"

#include <QButtonGroup>
#include <QVBoxLayout>

#include "app/format/write_mode_text.h"
#include "ui/widgets/option_card.h"

namespace quarry {

WriteModeForm::WriteModeForm(QWidget* parent) : QWidget(parent) {
  using protocol::WriteMode;
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(10);
  auto* group = new QButtonGroup(this);
  for (const WriteMode mode : {WriteMode::Safe, WriteMode::Through, WriteMode::Ram}) {
    auto* card = new OptionCard(writeModeTitle(mode), writeModeSentence(mode));
    if (isUnprotected(mode)) card->setSentenceRole(ColorRole::Bad);
    group->addButton(card);
    column->addWidget(card);
    m_cards << card;
  }
  setMode(WriteMode::Safe);
  connect(group, &QButtonGroup::buttonToggled, this, [this](QAbstractButton*, bool checked) {
    if (checked) Q_EMIT changed();
  });
}

void WriteModeForm::setMode(protocol::WriteMode mode) {
  m_cards[int(mode)]->setChecked(true);
  setFocusProxy(m_cards[int(mode)]);
}

protocol::WriteMode WriteModeForm::mode() const {
  for (qsizetype i = 0; i < m_cards.size(); ++i) {
    if (m_cards[i]->isChecked()) return protocol::WriteMode(i);
  }
  return protocol::WriteMode::Safe;
}

}  // namespace quarry
