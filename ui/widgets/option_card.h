// SPDX-License-Identifier: GPL-3.0-or-later
// One of a few choices as a bordered card with a round mark, a title and a sentence. Put several into a QButtonGroup. GUI thread only.
#pragma once

#include <QAbstractButton>
#include <QString>

#include "ui/theme/colors.h"

namespace quarry {

class OptionCard : public QAbstractButton {
  Q_OBJECT

 public:
  OptionCard(const QString& title, const QString& sentence, QWidget* parent = nullptr);

  void setSentenceRole(ColorRole role);  // of a warning

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_sentence;
  ColorRole m_sentenceRole = ColorRole::Dim;
};

}  // namespace quarry
