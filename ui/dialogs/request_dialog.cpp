// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/request_dialog.h"

#include <QLabel>

#include "app/format/error_text.h"
#include "ui/theme/typography.h"

namespace quarry {

void RequestDialog::accept() {
  m_focused = focusWidget();
  problemLabel()->hide();
  setEnabled(false);
  Q_EMIT submitted();
}

void RequestDialog::onRefused(const Error& error) {
  problemLabel()->setText(errorText(error));
  problemLabel()->show();
  setEnabled(true);
  if (m_focused) m_focused->setFocus();
}

QString RequestDialog::problemText() const { return m_problem == nullptr || m_problem->isHidden() ? QString() : m_problem->text(); }

QLabel* RequestDialog::problemLabel() {
  if (m_problem != nullptr) return m_problem;
  m_problem = makeLabel({}, TextStyle::Body, Tone::Bad, this);
  m_problem->setWordWrap(true);
  m_problem->hide();
  return m_problem;
}

}  // namespace quarry
