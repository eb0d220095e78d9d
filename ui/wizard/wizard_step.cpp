// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/wizard_step.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/theme/typography.h"

namespace quarry {

WizardStep::WizardStep(const QString& title, const QString& sentence, QWidget* parent) : QWidget(parent), m_body(new QVBoxLayout) {
  setAccessibleName(title);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(36, 30, 36, 20);
  column->setSpacing(4);
  column->addWidget(makeLabel(title, TextStyle::PageTitle));
  QLabel* below = makeLabel(sentence, TextStyle::Body, Tone::Dim);
  below->setWordWrap(true);
  column->addWidget(below);
  column->addSpacing(14);
  m_body->setSpacing(10);
  column->addLayout(m_body, 1);
}

}  // namespace quarry
