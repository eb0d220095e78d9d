// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/theme/metrics.h"
#include "ui/theme/typography.h"

namespace quarry {

Card::Card(const QString& title, QWidget* parent)
    : QFrame(parent), m_title(makeLabel(title, TextStyle::CardTitle, Tone::Dim)), m_header(new QHBoxLayout), m_body(new QVBoxLayout) {
  setProperty("card", true);
  setAccessibleName(title);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(metrics::cardPadding, 14, metrics::cardPadding, 14);
  column->setSpacing(metrics::step);
  m_header->setSpacing(12);
  m_header->addWidget(m_title);
  m_header->addStretch();
  m_title->setVisible(!title.isEmpty());
  column->addLayout(m_header);
  m_body->setSpacing(metrics::step);
  column->addLayout(m_body, 1);
}

void Card::setTitle(const QString& title) {
  m_title->setText(title);
  m_title->setVisible(!title.isEmpty());
  setAccessibleName(title);
}

void Card::addToHeader(QWidget* widget) { m_header->addWidget(widget); }

QFrame* makeSeparator(QWidget* parent) {
  auto* line = new QFrame(parent);
  line->setProperty("separator", true);
  line->setFixedHeight(1);
  return line;
}

}  // namespace quarry
