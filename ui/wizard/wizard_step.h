// SPDX-License-Identifier: GPL-3.0-or-later
// Base of the wizard's steps: a question as title, a sentence, and fields below. A step changes nothing outside of itself; it fills
// its part of the request. GUI thread only.
#pragma once

#include <QString>
#include <QWidget>

#include "app/operations/setup_operation.h"

class QVBoxLayout;

namespace quarry {

class WizardStep : public QWidget {
  Q_OBJECT

 public:
  WizardStep(const QString& title, const QString& sentence, QWidget* parent = nullptr);

  virtual bool isComplete() const { return true; }
  virtual void enter(const SetupRequest& request) { Q_UNUSED(request) }  // became the current step
  virtual void fill(SetupRequest& request) const { Q_UNUSED(request) }

 Q_SIGNALS:
  void completeChanged();

 protected:
  QVBoxLayout* body() { return m_body; }

 private:
  QVBoxLayout* m_body;
};

}  // namespace quarry
