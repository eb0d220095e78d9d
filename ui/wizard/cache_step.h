// SPDX-License-Identifier: GPL-3.0-or-later
// How much RAM the cache may take, and when writes of the first vstorage are acknowledged. GUI thread only; the model outlives it.
#pragma once

#include "ui/wizard/wizard_step.h"

class QLabel;

namespace quarry {

class CacheModel;
class CacheSizeInput;
class WriteModeForm;

class CacheStep : public WizardStep {
  Q_OBJECT

 public:
  explicit CacheStep(const CacheModel& cache, QWidget* parent = nullptr);

  bool isComplete() const override;
  void enter(const SetupRequest& request) override;
  void fill(SetupRequest& request) const override;
  CacheSizeInput& input() { return *m_input; }

 private:
  QWidget* makeSize();
  void showSize();

  const CacheModel& m_cache;
  CacheSizeInput* m_input;
  QWidget* m_size;
  QLabel* m_least;
  QLabel* m_most;
  QLabel* m_words;
  QLabel* m_unknown;
  WriteModeForm* m_mode;
};

}  // namespace quarry
