// SPDX-License-Identifier: GPL-3.0-or-later
// How the console looks, which engine it uses, and where things are on disk. Changes take effect at once. GUI thread only.
#pragma once

#include <string>
#include <vector>

#include "ui/pages/page.h"

class QComboBox;
class QGridLayout;
class QLabel;

namespace quarry {

class Card;
class ElidedLabel;
class SegmentedControl;
class Theme;

class SettingsPage : public Page {
  Q_OBJECT

 public:
  SettingsPage(const ConsoleContext& context, Theme& theme, QWidget* parent = nullptr);

  QString engineText() const;

 private:
  Card* makeLook();
  Card* makeEngine();
  Card* makeHosts();
  Card* makeAbout();
  Card* makeNumbers();
  void showStatus();
  void showAddresses();

  Theme& m_theme;
  SegmentedControl* m_scheme;
  QComboBox* m_address;
  std::vector<std::string> m_addresses;  // its items
  QGridLayout* m_engineFacts;
};

}  // namespace quarry
