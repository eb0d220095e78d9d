// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/vstorage/vstorage_settings.h"

#include <QtTest>

namespace quarry {

class VstorageSettingsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void survivesItsJson();
  void damagedJsonIsCorrupt();
  void names_data();
  void names();
  void refusesWhatNoStoreTakes();
};

void VstorageSettingsTest::survivesItsJson() {
  VstorageSettings settings;
  QCOMPARE(settings.writeMode, protocol::WriteMode::Safe);  // of a new one
  settings.writeMode = protocol::WriteMode::Ram;
  settings.clients = {"10.0.0.0/8", "::1"};
  settings.squash = protocol::Squash::Root;
  settings.readOnly = true;
  settings.quotaBytes = 1ull << 45;
  settings.createdAt = "2026-11-30T19:22:04Z";
  settings.policy = {60, 4096, {"*.iso", "tmp/*"}, 7};
  const auto back = decodeSettings(encodeSettings(settings));
  QVERIFY(back);
  QCOMPARE(back->clients, settings.clients);
  QCOMPARE(back->squash, settings.squash);
  QCOMPARE(back->writeMode, protocol::WriteMode::Ram);
  QCOMPARE(back->readOnly, true);
  QCOMPARE(back->quotaBytes, settings.quotaBytes);
  QCOMPARE(back->createdAt, settings.createdAt);
  QVERIFY(back->policy == settings.policy);
}

void VstorageSettingsTest::damagedJsonIsCorrupt() {
  for (const char* json : {"", "{", "[]", "{\"clients\": 5}", "{\"writeMode\": \"fast\"}"})
    QCOMPARE(decodeSettings(json).error().code, ErrorCode::Corrupt);
}

void VstorageSettingsTest::names_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<bool>("isGood");
  for (const char* good : {"a", "vms", "VMs-01_b.c", "0"}) QTest::newRow(good) << QString::fromLatin1(good) << true;
  for (const char* bad : {"", ".", "..", ".hidden", "-x", "a/b", "/", "a b", "a:b", "caf\xe9"}) QTest::newRow(bad) << QString::fromLatin1(bad) << false;
  QTest::newRow("64") << QString(64, QLatin1Char('x')) << true;
  QTest::newRow("65") << QString(65, QLatin1Char('x')) << false;
}

void VstorageSettingsTest::names() {
  QFETCH(QString, name);
  QTEST(checkVstorageName(name.toStdString()).has_value(), "isGood");
}

void VstorageSettingsTest::refusesWhatNoStoreTakes() {
  VstorageSettings settings;
  QVERIFY(checkSettings(settings));
  for (const auto mode : {protocol::WriteMode::Safe, protocol::WriteMode::Through, protocol::WriteMode::Ram}) {
    settings.writeMode = mode;
    QVERIFY(checkSettings(settings));
  }
  settings.policy.level = 20;
  QCOMPARE(checkSettings(settings).error().code, ErrorCode::InvalidArgument);
  settings.policy.level = 1;
  settings.clients = {"10.0.0.1/8"};
  QCOMPARE(checkSettings(settings).error().code, ErrorCode::InvalidArgument);
}

}  // namespace quarry

QTEST_GUILESS_MAIN(quarry::VstorageSettingsTest)
#include "vstorage_settings_test.moc"
