// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/settings.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace quarry;

class SettingsTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void defaults() {
    const QTemporaryDir folder;
    const Settings settings(folder.path());
    QCOMPARE(settings.text(Setting::EngineTarget), QStringLiteral("local"));
    QVERIFY(settings.text(Setting::StorePath).isEmpty());
    QCOMPARE(settings.number(Setting::NfsPort), 2049);
    QCOMPARE(settings.number(Setting::ChartSpanSeconds), 300);
    QVERIFY(!settings.flag(Setting::StopEngineOnQuit));
  }

  void valuesSurviveARestart() {
    const QTemporaryDir folder;
    {
      Settings settings(folder.path());
      settings.set(Setting::StorePath, QStringLiteral("/srv/vms"));
      settings.set(Setting::NfsPort, 2050);
      settings.set(Setting::StopEngineOnQuit, true);
      settings.set(Setting::WindowGeometry, QByteArray("\0\1\2", 3));
    }
    const Settings settings(folder.path());
    QCOMPARE(settings.text(Setting::StorePath), QStringLiteral("/srv/vms"));
    QCOMPARE(settings.number(Setting::NfsPort), 2050);
    QVERIFY(settings.flag(Setting::StopEngineOnQuit));
    QCOMPARE(settings.value(Setting::WindowGeometry).toByteArray(), QByteArray("\0\1\2", 3));
  }

  void changedIsEmittedOncePerChange() {
    const QTemporaryDir folder;
    Settings settings(folder.path());
    QSignalSpy changes(&settings, &Settings::changed);
    settings.set(Setting::NfsPort, 2050);
    settings.set(Setting::NfsPort, 2050);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(changes.at(0).at(0).value<Setting>(), Setting::NfsPort);
    settings.reset(Setting::NfsPort);
    QCOMPARE(changes.count(), 2);
    QCOMPARE(settings.number(Setting::NfsPort), 2049);
    settings.reset(Setting::NfsPort);
    QCOMPARE(changes.count(), 2);
  }

  void unfittingValuesAreIgnored() {
    const QTemporaryDir folder;
    Settings settings(folder.path());
    settings.set(Setting::NfsPort, 70'000);
    settings.set(Setting::NfsPort, QStringLiteral("many"));
    settings.set(Setting::ColorScheme, QStringLiteral("pink"));
    QCOMPARE(settings.number(Setting::NfsPort), 2049);
    QCOMPARE(settings.text(Setting::ColorScheme), QStringLiteral("system"));
  }

  void damagedFileFallsBackToDefaults() {
    const QTemporaryDir folder;
    {
      QSettings file(folder.filePath(QStringLiteral("machine.ini")), QSettings::IniFormat);
      file.setValue(QStringLiteral("engine/nfsPort"), QStringLiteral("-7"));
    }
    const Settings settings(folder.path());
    QCOMPARE(settings.number(Setting::NfsPort), 2049);
  }
};

QTEST_GUILESS_MAIN(SettingsTest)
#include "settings_test.moc"
