// SPDX-License-Identifier: GPL-3.0-or-later
// What the user asks for: a title, a preview in sentences, and the steps in order. Owns its steps; constructing it changes nothing.
// Run by an OperationRunner, once. GUI thread only.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <utility>
#include <vector>

#include "app/operations/step.h"

namespace quarry {

class Operation {
 public:
  virtual ~Operation() = default;
  virtual QString title() const = 0;
  virtual QStringList preview() const = 0;

  const std::vector<std::unique_ptr<Step>>& steps() const { return m_steps; }

 protected:
  template <class StepType, class... Args>
  StepType& addStep(Args&&... args) {
    auto step = std::make_unique<StepType>(std::forward<Args>(args)...);
    StepType& added = *step;
    m_steps.push_back(std::move(step));
    return added;
  }

 private:
  std::vector<std::unique_ptr<Step>> m_steps;
};

}  // namespace quarry
