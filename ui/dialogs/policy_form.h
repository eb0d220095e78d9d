// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a dedup policy, with what each value means in words; used by the dialog and by the setup wizard. GUI thread only.
#pragma once

#include <QWidget>
#include <memory>

#include "engine/protocol/messages.h"

namespace Ui {
class PolicyForm;
}

namespace quarry {

class PolicyForm : public QWidget {
  Q_OBJECT

 public:
  explicit PolicyForm(QWidget* parent = nullptr);
  ~PolicyForm() override;

  void load(const protocol::Policy& policy);
  protocol::Policy values() const;

 private:
  uint64_t ageSeconds() const;  // as the boxes say
  uint64_t sizeBytes() const;
  void explain();

  std::unique_ptr<Ui::PolicyForm> m_ui;
  // What was loaded and how the boxes show it: a box left alone gives back the value itself, which it may be too coarse for.
  protocol::Policy m_loaded;
  uint64_t m_shownAgeSeconds = 0;
  uint64_t m_shownSizeBytes = 0;
};

// All of a policy as the request that sets it.
protocol::PolicySet policyRequest(const std::string& vstorage, const protocol::Policy& policy);
QString ageText(const protocol::Policy& policy);     // "after 1 h without a write"
QString policyText(const protocol::Policy& policy);  // "after 1 h, level 1, except scratch/*"

}  // namespace quarry
