// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/command_field.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/theme/icons.h"
#include "ui/theme/typography.h"

namespace quarry {

CommandField::CommandField(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(makeLabel(title, TextStyle::Caption, Tone::Dim)), m_field(new QLineEdit), m_copy(new QToolButton) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(m_title);
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  m_field->setReadOnly(true);
  m_field->setProperty("command", true);
  m_field->setAccessibleName(title);
  row->addWidget(m_field, 1);
  m_copy->setIcon(icon(Icon::Copy));
  m_copy->setToolTip(tr("Copy"));
  m_copy->setAccessibleName(tr("Copy the command for %1").arg(title));
  m_copy->setFixedSize(30, 30);
  row->addWidget(m_copy);
  column->addLayout(row);
  connect(m_copy, &QToolButton::clicked, this, &CommandField::copy);
}

void CommandField::setCommand(const QString& command, const QString& reasonIfEmpty) {
  const QString shown = command.isEmpty() ? reasonIfEmpty : command;
  m_copy->setEnabled(!command.isEmpty());
  m_field->setEnabled(!command.isEmpty());
  if (m_field->text() == shown) return;
  m_field->setText(shown);
  m_field->setCursorPosition(0);
  m_field->setToolTip(shown);
}

QString CommandField::command() const { return m_copy->isEnabled() ? m_field->text() : QString(); }

void CommandField::copy() {
  QGuiApplication::clipboard()->setText(m_field->text());
  m_copy->setIcon(icon(Icon::Check, ColorRole::Good));
  QTimer::singleShot(1500, this, [this] { m_copy->setIcon(icon(Icon::Copy)); });
}

}  // namespace quarry
