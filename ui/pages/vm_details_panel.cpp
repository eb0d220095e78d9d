// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/vm_details_panel.h"

#include <QHBoxLayout>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "app/client/engine_api.h"
#include "app/client/when_done.h"
#include "app/format/error_text.h"
#include "app/format/formatter.h"
#include "app/models/job_model.h"
#include "app/models/model_feed.h"
#include "app/models/savings.h"
#include "app/models/stat_history.h"
#include "app/models/vm_model.h"
#include "ui/pages/io_charts.h"
#include "ui/theme/icons.h"
#include "ui/theme/metrics.h"
#include "ui/widgets/data_table.h"

namespace quarry {

namespace {

enum FileColumn { FileName, FileSize, FileStored, FileSaved };

QStandardItem* cell(const QString& text, Qt::AlignmentFlag side) {
  auto* item = new QStandardItem(text);
  item->setData(int(side | Qt::AlignVCenter), Qt::TextAlignmentRole);
  return item;
}

}  // namespace

VmDetailsPanel::VmDetailsPanel(const ConsoleContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_charts(new IoCharts(context.history)),
      m_filesCard(new Card(tr("Files"))),
      m_files(new QStandardItemModel(0, 4, this)),
      m_table(new DataTable(tr("Files of the VM"))) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(metrics::cardGap);
  row->addWidget(m_charts, 30);
  row->addWidget(m_filesCard, 14);
  const QStringList titles{tr("File"), tr("Size"), tr("Stored"), tr("Saved")};
  for (int column = 0; column < 4; ++column) {
    m_files->setHeaderData(column, Qt::Horizontal, titles[column]);
    m_files->setHeaderData(column, Qt::Horizontal, int((column == FileName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter),
                           Qt::TextAlignmentRole);
  }
  m_table->showModel(m_files, {{FileName, 0, 100}, {FileSize, 80}, {FileStored, 80}, {FileSaved, 66}});
  m_filesCard->body()->addWidget(m_table);
  m_filesCard->setMinimumWidth(190);  // however long the VM's name in its title
  auto* close = new QToolButton;
  close->setIcon(icon(Icon::Close));
  close->setAccessibleName(tr("Close the details"));
  close->setToolTip(tr("Close the details"));
  m_filesCard->addToHeader(close);
  connect(&context.engine, &EngineApi::connectionChanged, this, &VmDetailsPanel::askFiles);
  connect(&context.jobs, &QAbstractItemModel::dataChanged, this, &VmDetailsPanel::onJobs);
  connect(&context.jobs, &QAbstractItemModel::rowsInserted, this, &VmDetailsPanel::onJobs);
  connect(close, &QToolButton::clicked, this, &VmDetailsPanel::closed);
  setFixedHeight(232);
  hide();
}

void VmDetailsPanel::display(const QString& vstorage, const QString& name) {
  show();
  const QString id = VmModel::id(vstorage, name);
  if (id == m_id) return;
  m_id = id;
  m_vstorage = vstorage;
  m_name = name;
  if (m_charts->setPrefix(QStringLiteral("vm/") + id)) m_context.feed.requestHistory(m_charts->ids(), StatHistory::Span::FiveMinutes);
  m_files->setRowCount(0);
  m_filesCard->setTitle(tr("Files"));
  m_table->setText(tr("Loading…"));
  askFiles();
}

void VmDetailsPanel::askFiles() {
  if (m_id.isEmpty() || isHidden() || m_context.engine.connection() != EngineApi::Connection::Connected) return;
  whenDone(m_context.engine.showVm(m_vstorage, m_name), this, [this, id = m_id](const Result<protocol::VmDetail>& detail) {
    if (id != m_id) return;
    if (!detail) return m_table->setText(errorText(detail.error()));
    showFiles(*detail);
  });
}

void VmDetailsPanel::onJobs() {
  const protocol::JobInfo* running = m_context.jobs.running();
  const qint64 job = running == nullptr ? 0 : running->id;
  if (std::exchange(m_job, job) != job) askFiles();
}

int VmDetailsPanel::fileCount() const { return m_files->rowCount(); }

void VmDetailsPanel::showFiles(const protocol::VmDetail& detail) {
  m_filesCard->setTitle(tr("Files of %1").arg(fontMetrics().elidedText(m_name, Qt::ElideMiddle, 260)));
  m_table->setText(tr("The VM has no files."));
  m_files->setRowCount(0);
  for (const protocol::VmFile& file : detail.files) {
    m_files->appendRow({cell(QString::fromStdString(file.path), Qt::AlignLeft), cell(formatter::bytes(file.savings.logicalBytes), Qt::AlignRight),
                        cell(formatter::bytes(file.savings.storedBytes), Qt::AlignRight),
                        cell(formatter::percent(savedRatio(file.savings)), Qt::AlignRight)});
  }
}

}  // namespace quarry
