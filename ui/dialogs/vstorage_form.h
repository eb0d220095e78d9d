// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a vstorage, checked while typing; used by the dialog and by the setup wizard. GUI thread only.
#pragma once

#include <QStringList>
#include <QWidget>
#include <memory>

#include "engine/protocol/messages.h"

namespace Ui {
class VstorageForm;
}

namespace quarry {

class VstorageForm : public QWidget {
  Q_OBJECT

 public:
  explicit VstorageForm(QWidget* parent = nullptr);
  ~VstorageForm() override;

  void setTakenNames(const QStringList& names);
  void hideWriteMode();  // it is asked elsewhere
  void load(const protocol::VstorageInfo& vstorage);  // to be changed: its name stays
  bool isValid() const;
  QString problem() const;  // of the first field that has one
  protocol::VstorageCreate values() const;

 Q_SIGNALS:
  void changed();

 private:
  void check();

  std::unique_ptr<Ui::VstorageForm> m_ui;
  QStringList m_taken;
  bool m_nameFixed = false;
  uint64_t m_loadedQuotaBytes = 0;  // given back while the box, which may be too coarse for it, is left alone
  int m_shownQuota = 0;
};

}  // namespace quarry
