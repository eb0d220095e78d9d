// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/write_mode_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "app/format/write_mode_text.h"
#include "engine/protocol/vstorage_rules.h"
#include "ui/dialogs/write_mode_form.h"
#include "ui/theme/typography.h"
#include "ui/widgets/elided_label.h"

namespace quarry {

WriteModeDialog::WriteModeDialog(const std::string& vstorage, protocol::WriteMode mode, QWidget* parent)
    : RequestDialog(parent),
      m_name(vstorage),
      m_before(mode),
      m_form(new WriteModeForm),
      m_consequence(makeLabel({}, TextStyle::Body)),
      m_accept(new QPushButton) {
  const QString name = QString::fromStdString(vstorage);
  setWindowTitle(tr("Writes of %1").arg(name));
  resize(600, 0);
  auto* title = new ElidedLabel(TextStyle::SectionTitle);
  title->setElideMode(Qt::ElideMiddle);
  title->setText(tr("When may a write of %1 be acknowledged?").arg(name));
  m_consequence->setWordWrap(true);
  m_consequence->setMinimumHeight(40);
  m_consequence->setAlignment(Qt::AlignTop);
  m_form->setMode(mode);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 20);
  column->setSpacing(12);
  for (QWidget* widget : std::initializer_list<QWidget*>{title, m_form, m_consequence, problemLabel()}) column->addWidget(widget);
  column->addStretch();
  auto* buttons = new QHBoxLayout;
  auto* keep = new QPushButton(tr("&Keep it as it is"));
  buttons->addStretch();
  buttons->addWidget(keep);
  buttons->addWidget(m_accept);
  column->addLayout(buttons);
  connect(keep, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_accept, &QPushButton::clicked, this, &WriteModeDialog::accept);
  connect(m_form, &WriteModeForm::changed, this, &WriteModeDialog::showConsequence);
  showConsequence();
  m_form->setFocus();
}

// The dangerous choice is nobody's default button.
void WriteModeDialog::showConsequence() {
  const protocol::WriteMode mode = m_form->mode();
  const bool loses = isUnprotected(mode);
  setTone(m_consequence, loses ? Tone::Bad : Tone::Dim);
  m_consequence->setText(
      loses                     ? tr("At a power cut or a crash of the machine, guests lose what they wrote in the last %1 seconds although they were told "
                                     "that it is on disk. Databases and file systems can be damaged by that.").arg(protocol::unprotectedSecondsMax)
      : isUnprotected(m_before) ? tr("What is in RAM alone now goes to the disk at once; VMs go on.")
                                : tr("The change counts from the next write on; VMs go on."));
  m_accept->setText(loses ? tr("&Risk the last %1 seconds").arg(protocol::unprotectedSecondsMax) : tr("&Save"));
  m_accept->setProperty("primary", !loses);
  m_accept->setProperty("danger", loses);
  m_accept->setDefault(!loses);
  m_accept->setEnabled(mode != m_before);
  m_accept->style()->unpolish(m_accept);
  m_accept->style()->polish(m_accept);
}

protocol::VstorageSet WriteModeDialog::request() const {
  protocol::VstorageSet request;
  request.name = m_name;
  request.writeMode = m_form->mode();
  return request;
}

}  // namespace quarry
