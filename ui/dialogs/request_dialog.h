// SPDX-License-Identifier: GPL-3.0-or-later
// A dialog whose accepting asks the engine for something: it stays open and disabled until the reply, closes when that is good, and shows
// what was refused otherwise, with all that was typed still there. Whoever opened it sends the request. GUI thread only.
#pragma once

#include <QDialog>
#include <QPointer>

#include "app/client/when_done.h"

class QLabel;

namespace quarry {

class RequestDialog : public QDialog {
  Q_OBJECT

 public:
  using QDialog::QDialog;

  void accept() override;  // emits submitted(); the reply closes the dialog
  template <class T>
  void await(const Reply<T>& reply) {
    whenDone(reply, this, [this](const Result<T>& result) {
      if (result)
        QDialog::accept();
      else
        onRefused(result.error());
    });
  }
  QString problemText() const;

 Q_SIGNALS:
  void submitted();

 protected:
  QLabel* problemLabel();  // made at the first call; the derived class places it
  virtual void onRefused(const Error& error);

 private:
  QLabel* m_problem = nullptr;
  QPointer<QWidget> m_focused;  // has the keyboard again after a refusal
};

}  // namespace quarry
