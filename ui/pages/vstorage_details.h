// SPDX-License-Identifier: GPL-3.0-or-later
// The selected vstorage: where its bytes went, its settings in words, and the commands that mount it. GUI thread only.
#pragma once

#include "app/client/console_context.h"
#include "engine/protocol/messages.h"
#include "ui/widgets/card.h"

class QGridLayout;
class QHBoxLayout;
class QLabel;

namespace quarry {

class CommandField;
class ElidedLabel;
class SavingsBar;

class VstorageDetails : public QWidget {
  Q_OBJECT

 public:
  explicit VstorageDetails(const ConsoleContext& context, QWidget* parent = nullptr);

  void display(const protocol::VstorageInfo* vstorage);  // null: nothing is selected
  QString mountCommand() const;                          // for Linux

 private:
  void showFacts(const protocol::VstorageInfo& vstorage);
  void showCommands(const protocol::VstorageInfo& vstorage);

  ConsoleContext m_context;
  Card* m_savingsCard;
  Card* m_factsCard;
  Card* m_mountCard;
  SavingsBar* m_bar;
  QGridLayout* m_facts;
  CommandField* m_esxi;
  CommandField* m_linux;
  CommandField* m_proxmox;
  ElidedLabel* m_hint;
};

QString squashText(protocol::Squash squash);

}  // namespace quarry
