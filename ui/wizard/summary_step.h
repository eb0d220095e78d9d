// SPDX-License-Identifier: GPL-3.0-or-later
// All that was chosen and all that will be done, before anything is done. GUI thread only.
#pragma once

#include <QStringList>

#include "ui/wizard/wizard_step.h"

class QGridLayout;

namespace quarry {

class SummaryStep : public WizardStep {
  Q_OBJECT

 public:
  explicit SummaryStep(QWidget* parent = nullptr);

  void enter(const SetupRequest& request) override;
  void setPreview(const QStringList& sentences);

 private:
  QGridLayout* m_choices;
  QVBoxLayout* m_sentences;
};

}  // namespace quarry
