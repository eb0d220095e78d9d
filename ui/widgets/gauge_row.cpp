// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/gauge_row.h"

#include <QGridLayout>

#include "app/format/formatter.h"
#include "ui/widgets/bar.h"
#include "ui/widgets/elided_label.h"

namespace quarry {

GaugeRow::GaugeRow(const QString& title, ColorRole role, QWidget* parent) : QWidget(parent), m_value(new ElidedLabel), m_bar(new Bar(role)) {
  setAccessibleName(title);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(4);
  auto* name = new ElidedLabel(TextStyle::Body, Tone::Dim);
  name->setText(title);
  m_value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_bar->setFixedHeight(6);
  grid->addWidget(name, 0, 0);
  grid->addWidget(m_value, 0, 1);
  grid->setColumnStretch(0, 1);
  grid->addWidget(m_bar, 1, 0, 1, 2);
  setLoading();
}

void GaugeRow::setBytes(uint64_t bytes, uint64_t bytesMax) {
  m_value->setText(bytesMax == 0 ? formatter::bytes(bytes) : tr("%1 of %2").arg(formatter::bytes(bytes), formatter::bytes(bytesMax)));
  m_bar->setShare(bytesMax == 0 ? 0 : double(bytes) / double(bytesMax));
  setAccessibleDescription(m_value->text());
}

void GaugeRow::setLoading() {
  m_value->setText(QStringLiteral("–"));
  m_bar->setShare(0);
}

QString GaugeRow::valueText() const { return m_value->text(); }

double GaugeRow::share() const { return m_bar->share(); }

}  // namespace quarry
