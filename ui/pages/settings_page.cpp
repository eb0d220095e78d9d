// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/settings_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

#include "app/format/formatter.h"
#include "app/models/model_feed.h"
#include "app/models/roles.h"
#include "app/models/stat_model.h"
#include "app/settings/settings.h"
#include "engine/protocol/version.h"
#include "ui/delegates/cell_delegate.h"
#include "ui/theme/metrics.h"
#include "ui/theme/theme.h"
#include "ui/theme/typography.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/scroll.h"
#include "ui/widgets/segmented_control.h"

namespace quarry {

namespace {

void setFact(QGridLayout& grid, int row, const QString& name, const QString& value) {
  if (grid.itemAtPosition(row, 0) == nullptr) {
    QLabel* title = makeLabel(name, TextStyle::Body, Tone::Dim);
    title->setFixedWidth(150);
    grid.addWidget(title, row, 0);
    auto* label = new ElidedLabel;
    label->setElideMode(Qt::ElideMiddle);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    grid.addWidget(label, row, 1);
  }
  static_cast<ElidedLabel*>(grid.itemAtPosition(row, 1)->widget())->setText(value);
}

QLabel* note(const QString& text) {
  QLabel* label = makeLabel(text, TextStyle::Caption, Tone::Dim);
  label->setWordWrap(true);
  return label;
}

}  // namespace

SettingsPage::SettingsPage(const ConsoleContext& context, Theme& theme, QWidget* parent)
    : Page(PageId::Settings, tr("Settings"), context, parent),
      m_theme(theme),
      m_scheme(new SegmentedControl(tr("Colours"))),
      m_address(new QComboBox),
      m_engineFacts(new QGridLayout) {
  auto* inside = new QWidget;
  auto* grid = new QGridLayout(inside);
  grid->setContentsMargins(metrics::pageMargin, 20, metrics::pageMargin, 20);
  grid->setSpacing(metrics::cardGap);
  auto* right = new QVBoxLayout;
  right->setSpacing(metrics::cardGap);
  for (Card* card : {makeLook(), makeHosts(), makeAbout()}) right->addWidget(card);
  right->addStretch(1);
  grid->addWidget(makeEngine(), 0, 0);
  grid->addLayout(right, 0, 1);
  grid->addWidget(makeNumbers(), 1, 0, 1, 2);
  grid->setColumnStretch(0, 3);
  grid->setColumnStretch(1, 2);
  grid->setRowStretch(1, 1);
  auto* whole = new QVBoxLayout(content());
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(makeScroll(inside));
  connect(&context.feed, &ModelFeed::statusChanged, this, &SettingsPage::showStatus);
  connect(&context.engine, &EngineApi::connectionChanged, this, &SettingsPage::showStatus);
  showStatus();
}

Card* SettingsPage::makeLook() {
  auto* card = new Card(tr("Look"));
  m_scheme->setSegments({tr("As the system"), tr("Light"), tr("Dark")});
  m_scheme->setCurrent(int(themeFromName(m_context.settings.text(Setting::ColorScheme))));
  card->body()->addWidget(m_scheme);
  card->body()->addStretch();
  connect(m_scheme, &SegmentedControl::currentChanged, this, [this](int index) {
    m_context.settings.set(Setting::ColorScheme, themeName(ThemeChoice(index)));
    m_theme.choose(ThemeChoice(index));
  });
  return card;
}

Card* SettingsPage::makeEngine() {
  auto* card = new Card(tr("Engine and store"));
  m_engineFacts->setColumnStretch(1, 1);
  m_engineFacts->setHorizontalSpacing(12);
  m_engineFacts->setVerticalSpacing(9);
  card->body()->addSpacing(4);
  card->body()->addLayout(m_engineFacts);
  card->body()->addSpacing(8);
  auto* stop = new QCheckBox(tr("Stop the engine when the console is closed"));
  stop->setChecked(m_context.settings.flag(Setting::StopEngineOnQuit));
  connect(stop, &QCheckBox::toggled, this, [this](bool checked) { m_context.settings.set(Setting::StopEngineOnQuit, checked); });
  card->body()->addWidget(stop, 0, Qt::AlignLeft);
  card->body()->addWidget(
      note(tr("Hosts lose their datastores while the engine is stopped. This concerns only an engine that the console started.")));
  auto* row = new QHBoxLayout;
  auto* setup = new QPushButton(tr("&Set up another engine…"));
  row->addWidget(setup);
  row->addStretch();
  card->body()->addSpacing(8);
  card->body()->addLayout(row);
  card->body()->addStretch();
  connect(setup, &QPushButton::clicked, this, &Page::setupWanted);
  return card;
}

Card* SettingsPage::makeHosts() {
  auto* card = new Card(tr("Mount commands"));
  m_address->setEditable(true);
  m_address->setAccessibleName(tr("Address under which hosts reach this machine"));
  card->body()->addWidget(makeLabel(tr("Hosts reach this machine at"), TextStyle::Body));
  card->body()->addWidget(m_address);
  card->body()->addWidget(note(tr("Give every host the same address: ESXi takes another one for another datastore.")));
  card->body()->addStretch();
  connect(m_address, &QComboBox::currentTextChanged, this,
          [this](const QString& text) { m_context.settings.set(Setting::HostAddress, text.trimmed()); });
  return card;
}

Card* SettingsPage::makeAbout() {
  auto* card = new Card(tr("About"));
  card->body()->addWidget(makeLabel(tr("Quarry %1").arg(QLatin1String(protocol::productVersion)), TextStyle::Strong));
  card->body()->addWidget(note(tr("Control protocol %1.%2 · GNU General Public License, version 3 or later")
                                   .arg(protocol::versionMajor)
                                   .arg(protocol::versionMinor)));
  card->body()->addStretch();
  return card;
}

Card* SettingsPage::makeNumbers() {
  using Column = StatModel::Column;
  auto* card = new Card(tr("All numbers of the engine"));
  auto* sorted = new QSortFilterProxyModel(this);
  sorted->setSortRole(SortRole);
  sorted->setSourceModel(&m_context.stats);
  auto* table = new DataTable(tr("All numbers of the engine"));
  table->showModel(sorted, {{int(Column::Id), 250}, {int(Column::Value), 110}, {int(Column::Text), 0, 200}});
  table->setItemDelegateForColumn(int(Column::Text), new DimDelegate(table));
  table->setSortingEnabled(true);
  table->sortByColumn(int(Column::Id), Qt::AscendingOrder);
  table->setText(tr("The engine has not told its numbers yet."));
  table->setMinimumHeight(table->heightForRows(6));
  card->body()->addWidget(table);
  return card;
}

void SettingsPage::showStatus() {
  const auto& status = m_context.feed.status();
  auto fact = [this, row = 0](const QString& name, const QString& value) mutable { setFact(*m_engineFacts, row++, name, value); };
  const bool connected = m_context.engine.connection() == EngineApi::Connection::Connected;
  fact(tr("Connection"), connected ? m_context.engine.connectionText() : tr("not connected"));
  if (!status) return;
  fact(tr("Engine version"), QString::fromStdString(status->engineVersion));
  fact(tr("State"),
       status->state == protocol::StoreState::Serving ? tr("serving") : tr("read-only: %1").arg(QString::fromStdString(status->reason)));
  fact(tr("Running for"), formatter::duration(status->uptimeSeconds));
  fact(tr("NFS"), QStringLiteral("%1:%2").arg(QString::fromStdString(status->nfsAddress)).arg(status->nfsPort));
  fact(tr("NFS connections"), formatter::count(status->connectionCount));
  fact(tr("Store folder"), QString::fromStdString(status->storePath));
  fact(tr("Store takes"), formatter::bytes(status->space.storeBytes));
  fact(tr("Free on the disk"), tr("%1 of %2").arg(formatter::bytes(status->space.freeBytes), formatter::bytes(status->space.diskBytes)));
  fact(tr("Kept in reserve"), formatter::bytes(status->space.reserveBytes));
  fact(tr("Control socket"), QString::fromStdString(status->controlSocket));
  fact(tr("Store id"), QString::fromStdString(status->storeId));
  showAddresses();
}

void SettingsPage::showAddresses() {
  const std::vector<std::string>& addresses = m_context.feed.status()->hostAddresses;
  if (m_addresses == addresses || m_address->hasFocus() || m_address->lineEdit()->hasFocus()) return;
  m_addresses = addresses;
  const QSignalBlocker blocker(m_address);
  m_address->clear();
  for (const std::string& address : addresses) m_address->addItem(QString::fromStdString(address));
  const QString chosen = m_context.settings.text(Setting::HostAddress);
  if (!chosen.isEmpty()) m_address->setCurrentText(chosen);
}

QString SettingsPage::engineText() const {
  QStringList values;
  for (int row = 0; row < m_engineFacts->rowCount(); ++row) {
    if (QLayoutItem* item = m_engineFacts->itemAtPosition(row, 1)) values << static_cast<QLabel*>(item->widget())->text();
  }
  return values.join(u'\n');
}

}  // namespace quarry
