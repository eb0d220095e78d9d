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
    : QDialog(parent),
      m_name(QString::fromStdString(vstorage.name)),
      m_files(vstorage.fileCount),
      m_loss(lossOf(vstorage)),
      m_typed(new QLineEdit(this)),
      m_remove(new QPushButton(tr("Remove %1").arg(m_name))) {
  setWindowTitle(tr("Remove vstorage"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 20);
  column->setSpacing(10);
  column->addWidget(makeLabel(tr("Remove %1?").arg(m_name), TextStyle::SectionTitle));
  QLabel* loss = makeLabel(m_loss, TextStyle::Body, holdsFiles() ? Tone::Bad : Tone::Dim);
  loss->setWordWrap(true);
  loss->setMinimumWidth(420);
  column->addWidget(loss);
  if (holdsFiles()) {
    column->addWidget(makeLabel(tr("Type the name of the vstorage to confirm:"), TextStyle::Body));
    m_typed->setAccessibleName(tr("Name of the vstorage"));
    column->addWidget(m_typed);
  }
  m_typed->setVisible(holdsFiles());
  auto* row = new QHBoxLayout;
  row->addStretch();
  auto* keep = new QPushButton(tr("Keep it"));
  m_remove->setProperty("danger", true);
  m_remove->setEnabled(!holdsFiles());
  row->addWidget(keep);
  row->addWidget(m_remove);
  column->addSpacing(8);
  column->addLayout(row);
  keep->setDefault(true);
  connect(keep, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_remove, &QPushButton::clicked, this, &QDialog::accept);
  connect(m_typed, &QLineEdit::textChanged, this, [this](const QString& text) { m_remove->setEnabled(text == m_name); });
}

protocol::VstorageRemove RemoveVstorageDialog::request() const { return {.name = m_name.toStdString(), .force = holdsFiles()}; }

}  // namespace quarry
