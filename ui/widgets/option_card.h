// SPDX-License-Identifier: GPL-3.0-or-later
// One of a few choices as a bordered card with a round mark, a title and a sentence. Put several into a QButtonGroup. GUI thread only.
#pragma once

#include <QAbstractButton>
#include <QString>

namespace quarry {

class OptionCard : public QAbstractButton {
  Q_OBJECT

 public:
  OptionCard(const QString& title, const QString& sentence, QWidget* parent = nullptr);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_sentence;
};

}  // namespace quarry
