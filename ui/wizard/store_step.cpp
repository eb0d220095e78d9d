// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/store_step.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <chrono>

#include "app/client/when_done.h"
#include "app/format/error_text.h"
#include "app/format/formatter.h"
#include "ui/theme/typography.h"
#include "ui/widgets/icon_label.h"

namespace quarry {

namespace {

constexpr std::chrono::milliseconds typingPause{350};

QWidget* makeLine(const StoreCheckItem& item) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  row->addWidget(item.ok ? new IconLabel(Icon::Check, ColorRole::Good, 16) : new IconLabel(Icon::Error, ColorRole::Bad, 16), 0,
                 Qt::AlignTop);
  QLabel* words = makeLabel(item.text, TextStyle::Body, item.ok ? Tone::Normal : Tone::Bad);
  words->setWordWrap(true);
  row->addWidget(words, 1);
  return line;
}

}  // namespace

StoreStep::StoreStep(EngineProcess& process, const QString& folder, QWidget* parent)
    : WizardStep(tr("Where shall the data be kept?"),
                 tr("One folder on one disk holds everything: all vstorages, what was deduplicated, and the databases."), parent),
      m_process(process),
      m_folder(new QLineEdit(folder)),
      m_summary(makeLabel({}, TextStyle::Strong)),
      m_lines(new QVBoxLayout) {
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  m_folder->setAccessibleName(tr("Store folder"));
  m_folder->setPlaceholderText(QStringLiteral("/srv/quarry"));
  row->addWidget(m_folder, 1);
  auto* choose = new QPushButton(tr("Choose…"));
  row->addWidget(choose);
  body()->addLayout(row);
  m_summary->setWordWrap(true);
  body()->addSpacing(4);
  body()->addWidget(m_summary);
  m_lines->setSpacing(8);
  body()->addLayout(m_lines);
  body()->addStretch();
  m_pause.setSingleShot(true);
  m_pause.setInterval(typingPause);
  connect(&m_pause, &QTimer::timeout, this, &StoreStep::check);
  connect(m_folder, &QLineEdit::textChanged, this, &StoreStep::onEdited);
  connect(choose, &QPushButton::clicked, this, &StoreStep::browse);
  setFocusProxy(m_folder);
}

void StoreStep::enter(const SetupRequest&) {
  if (!m_ok) onEdited();
}

void StoreStep::fill(SetupRequest& request) const { request.engine.storePath = m_folder->text().trimmed(); }

void StoreStep::setFolder(const QString& folder) { m_folder->setText(folder); }

void StoreStep::browse() {
  auto* dialog = new QFileDialog(this, tr("Store folder"), m_folder->text());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
  dialog->open();
}

void StoreStep::onEdited() {
  m_ok = false;
  clearLines();
  m_pause.stop();
  const QString path = m_folder->text().trimmed();
  if (path.isEmpty()) {
    m_summary->setText(tr("Choose a folder on a local disk with room for your VMs."));
    setTone(m_summary, Tone::Dim);
  } else if (!QDir::isAbsolutePath(path)) {
    m_summary->setText(tr("Write the whole path, starting with “/”."));
    setTone(m_summary, Tone::Bad);
  } else {
    m_summary->setText(tr("Checking…"));
    setTone(m_summary, Tone::Dim);
    m_pause.start();
  }
  Q_EMIT completeChanged();
}

void StoreStep::check() {
  const QString path = m_folder->text().trimmed();
  whenDone(m_process.checkStore(path), this, [this, path](const Result<StoreCheck>& result) { onChecked(path, result); });
}

void StoreStep::onChecked(const QString& path, const Result<StoreCheck>& result) {
  if (path != m_folder->text().trimmed()) return;
  clearLines();
  m_ok = result && result->ok;
  if (result) {
    showChecks(*result);
  } else {
    m_summary->setText(tr("The folder could not be checked: %1").arg(errorText(result.error())));
    setTone(m_summary, Tone::Bad);
  }
  Q_EMIT completeChanged();
}

void StoreStep::showChecks(const StoreCheck& check) {
  if (!check.ok) {
    m_summary->setText(tr("This folder cannot hold a store:"));
  } else if (check.existingStore) {
    m_summary->setText(tr("A store is here already: it is used with all it holds."));
  } else {
    m_summary->setText(tr("Good: %1 of %2 are free.").arg(formatter::bytes(check.freeBytes), formatter::bytes(check.diskBytes)));
  }
  setTone(m_summary, check.ok ? Tone::Good : Tone::Bad);
  for (const StoreCheckItem& item : check.checks) m_lines->addWidget(makeLine(item));
}

void StoreStep::clearLines() {
  while (QLayoutItem* item = m_lines->takeAt(0)) {
    delete item->widget();
    delete item;
  }
}

}  // namespace quarry
