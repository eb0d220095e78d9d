// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/wizard/store_step.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "app/client/when_done.h"
#include "app/format/error_text.h"
#include "app/format/formatter.h"
#include "ui/theme/typography.h"
#include "ui/widgets/icon_label.h"
#include "ui/widgets/layouts.h"

namespace quarry {

namespace {

constexpr std::chrono::milliseconds typingPause{700};

IconLabel* markOf(const StoreCheckItem& item) {
  if (!item.ok) return new IconLabel(Icon::Error, ColorRole::Bad, 16);
  return item.warning ? new IconLabel(Icon::Warning, ColorRole::Warning, 16) : new IconLabel(Icon::Check, ColorRole::Good, 16);
}

QWidget* makeLine(const StoreCheckItem& item) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(10);
  row->addWidget(markOf(item), 0, Qt::AlignTop);
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
  auto* choose = new QPushButton(tr("C&hoose…"));
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

void StoreStep::fill(SetupRequest& request) const {
  request.engine.storePath = m_folder->text().trimmed();
  request.hasVstorages = !request.attach && m_ok && m_existingStore;
  request.cacheRoom = m_cacheRoom;
}

void StoreStep::setFolder(const QString& folder) {
  m_folder->setText(folder);
  if (m_pause.isActive()) m_pause.start(std::chrono::milliseconds(0));
}

void StoreStep::browse() {
  auto* dialog = new QFileDialog(this, tr("Store folder"), m_folder->text());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, &StoreStep::setFolder);
  dialog->open();
}

void StoreStep::onEdited() {
  m_ok = false;
  clearLayout(*m_lines);
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
    m_pause.start(typingPause);
  }
  Q_EMIT completeChanged();
}

void StoreStep::check() {
  if (!m_checking.isEmpty()) return;  // its end asks again
  const QString path = m_checking = m_folder->text().trimmed();
  whenDone(m_process.checkStore(path), this, [this, path](const Result<StoreCheck>& result) { onChecked(path, result); });
}

void StoreStep::onChecked(const QString& path, const Result<StoreCheck>& result) {
  m_checking.clear();
  if (path != m_folder->text().trimmed()) {
    if (QDir::isAbsolutePath(m_folder->text().trimmed()) && !m_pause.isActive()) check();
    return;
  }
  clearLayout(*m_lines);
  m_ok = result && result->ok;
  m_existingStore = result && result->existingStore;
  m_cacheRoom = result ? result->cacheRoom : CacheRoom{};
  if (result) {
    showChecks(*result);
  } else {
    m_summary->setText(tr("The folder could not be checked: %1").arg(errorText(result.error())));
    setTone(m_summary, Tone::Bad);
  }
  Q_EMIT completeChanged();
}

void StoreStep::showChecks(const StoreCheck& check) {
  const bool warned = std::any_of(check.checks.begin(), check.checks.end(), [](const StoreCheckItem& item) { return item.ok && item.warning; });
  if (!check.ok) {
    m_summary->setText(tr("This folder cannot hold a store:"));
  } else if (check.existingStore) {
    m_summary->setText(tr("A store is here already: it is used with all it holds."));
  } else if (warned) {
    m_summary->setText(tr("It will do, but read the warning. %1 of %2 are free.")
                           .arg(formatter::bytes(check.freeBytes), formatter::bytes(check.diskBytes)));
  } else {
    m_summary->setText(tr("Good: %1 of %2 are free.").arg(formatter::bytes(check.freeBytes), formatter::bytes(check.diskBytes)));
  }
  setTone(m_summary, !check.ok ? Tone::Bad : warned ? Tone::Warning : Tone::Good);
  for (const StoreCheckItem& item : check.checks) m_lines->addWidget(makeLine(item));
}

}  // namespace quarry
