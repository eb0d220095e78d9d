// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of the store, checked while it is typed by asking the engine's program, one check at a time: each measures the disk and makes
// folders that it takes away again. An answer for a folder that was changed meanwhile is dropped. GUI thread only.
#pragma once

#include <QTimer>

#include "app/client/engine_process.h"
#include "ui/wizard/wizard_step.h"

class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace quarry {

class StoreStep : public WizardStep {
  Q_OBJECT

 public:
  StoreStep(EngineProcess& process, const QString& folder, QWidget* parent = nullptr);

  bool isComplete() const override { return m_ok; }
  void enter(const SetupRequest& request) override;
  void fill(SetupRequest& request) const override;
  void setFolder(const QString& folder);  // chosen, not typed: checked at once

 private:
  void browse();
  void onEdited();
  void check();
  void onChecked(const QString& path, const Result<StoreCheck>& result);
  void showChecks(const StoreCheck& check);

  EngineProcess& m_process;
  QLineEdit* m_folder;
  QLabel* m_summary;
  QVBoxLayout* m_lines;
  QTimer m_pause;
  QString m_checking;  // the folder of the check under way; empty: none
  bool m_ok = false;
  bool m_existingStore = false;
  CacheRoom m_cacheRoom;
};

}  // namespace quarry
