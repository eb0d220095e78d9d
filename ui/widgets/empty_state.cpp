// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/theme/typography.h"
#include "ui/widgets/icon_label.h"

namespace quarry {

namespace {
constexpr int textWidth = 440;
}

EmptyState::EmptyState(Icon icon, const QString& title, const QString& text, const QString& action, QWidget* parent)
    : QWidget(parent),
      m_title(makeLabel(title, TextStyle::SectionTitle)),
      m_text(makeLabel(text, TextStyle::Body, Tone::Dim)),
      m_button(new QPushButton(action)) {
  auto* column = new QVBoxLayout(this);
  column->setSpacing(8);
  column->addStretch(2);
  column->addWidget(new IconLabel(icon, ColorRole::Dim, 40), 0, Qt::AlignHCenter);
  column->addSpacing(4);
  m_title->setAlignment(Qt::AlignHCenter);
  column->addWidget(m_title);
  m_text->setAlignment(Qt::AlignHCenter);
  m_text->setWordWrap(true);
  m_text->setFixedWidth(textWidth);
  m_text->setFixedHeight(m_text->heightForWidth(textWidth));
  column->addWidget(m_text, 0, Qt::AlignHCenter);
  column->addSpacing(8);
  m_button->setProperty("primary", true);
  m_button->setVisible(!action.isEmpty());
  if (action.isEmpty()) m_button->setFocusPolicy(Qt::NoFocus);
  column->addWidget(m_button, 0, Qt::AlignHCenter);
  column->addStretch(3);
  connect(m_button, &QPushButton::clicked, this, &EmptyState::actionTriggered);
}

}  // namespace quarry
