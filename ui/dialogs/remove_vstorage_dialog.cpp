// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/remove_vstorage_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/format/formatter.h"
#include "ui/theme/typography.h"

namespace quarry {

namespace {

QString lossOf(const protocol::VstorageInfo& vstorage) {
  if (vstorage.fileCount == 0) return RemoveVstorageDialog::tr("It holds no files; nothing is lost.");
  QString text = RemoveVstorageDialog::tr("%1 virtual machines and %2 files with %3 of data are deleted. This cannot be undone.")
                     .arg(formatter::count(uint64_t(vstorage.vmCount)), formatter::count(vstorage.fileCount),
                          formatter::bytes(vstorage.savings.logicalBytes));
  if (vstorage.mountCount > 0) {
    text += u' ' + RemoveVstorageDialog::tr("%1 hosts have it mounted: unmount it there first, or their VMs lose their disks.")
                       .arg(formatter::count(vstorage.mountCount));
  }
  return text;
}

}  // namespace

RemoveVstorageDialog::RemoveVstorageDialog(const protocol::VstorageInfo& vstorage, QWidget* parent)
    : RequestDialog(parent),
      m_name(QString::fromStdString(vstorage.name)),
      m_holds(vstorage.fileCount > 0),
      m_loss(makeLabel(lossOf(vstorage), TextStyle::Body)),
      m_ask(makeLabel(tr("Type the name of the vstorage to confirm:"), TextStyle::Body)),
      m_typed(new QLineEdit),
      m_remove(new QPushButton(tr("Remove %1").arg(m_name))) {
  setWindowTitle(tr("Remove vstorage"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 20);
  column->setSpacing(10);
  column->addWidget(makeLabel(tr("Remove %1?").arg(m_name), TextStyle::SectionTitle));
  m_loss->setWordWrap(true);
  m_loss->setMinimumWidth(420);
  m_typed->setAccessibleName(tr("Name of the vstorage"));
  for (QWidget* widget : std::initializer_list<QWidget*>{m_loss, m_ask, m_typed, problemLabel()}) column->addWidget(widget);
  auto* row = new QHBoxLayout;
  row->addStretch();
  auto* keep = new QPushButton(tr("&Keep it"));
  m_remove->setProperty("danger", true);
  row->addWidget(keep);
  row->addWidget(m_remove);
  column->addSpacing(8);
  column->addLayout(row);
  keep->setDefault(true);
  connect(keep, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_remove, &QPushButton::clicked, this, &RemoveVstorageDialog::accept);
  connect(m_typed, &QLineEdit::textChanged, this, &RemoveVstorageDialog::showQuestion);
  showQuestion();
}

void RemoveVstorageDialog::showQuestion() {
  setTone(m_loss, m_holds ? Tone::Bad : Tone::Dim);
  m_ask->setVisible(m_holds);
  m_typed->setVisible(m_holds);
  m_remove->setEnabled(!m_holds || m_typed->text() == m_name);
}

QString RemoveVstorageDialog::lossText() const { return m_loss->text(); }

void RemoveVstorageDialog::onRefused(const Error& error) {
  RequestDialog::onRefused(error);
  if (error.code != ErrorCode::NotEmpty || m_holds) return;
  m_holds = true;
  m_loss->setText(tr("It holds no virtual machines, but something remains in it, such as the folders that ESXi leaves behind. All of it is "
                     "deleted. This cannot be undone."));
  problemLabel()->hide();
  showQuestion();
  m_typed->setFocus();
}

protocol::VstorageRemove RemoveVstorageDialog::request() const { return {.name = m_name.toStdString(), .force = m_holds}; }

}  // namespace quarry
