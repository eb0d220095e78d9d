// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/error_text.h"

#include <QSet>
#include <QtTest>

using namespace quarry;

class ErrorTextTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyCodeHasSentenceAndRemedy() {
    QSet<QString> sentences;
    for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i) {
      const auto code = static_cast<ErrorCode>(i);
      for (const QString& text : {errorSentence(code), errorRemedy(code)}) {
        QVERIFY2(text.size() > 10, std::string(name(code)).c_str());
        QVERIFY2(text.endsWith(QLatin1Char('.')), qPrintable(text));
        QVERIFY2(text.at(0).isUpper(), qPrintable(text));
      }
      QVERIFY2(!sentences.contains(errorSentence(code)), qPrintable(errorSentence(code)));
      sentences.insert(errorSentence(code));
    }
  }

  void detailStandsBetween() {
    QCOMPARE(errorText({ErrorCode::Locked, "store /srv/vms is used by process 123"}),
             QStringLiteral("Another engine is using this store. Store /srv/vms is used by process 123. "
                            "Attach to the engine that is running, or stop it first."));
  }

  void noDetailLeavesNoGap() { QVERIFY(!errorText({ErrorCode::Timeout, " "}).contains(QStringLiteral("  "))); }
};

QTEST_GUILESS_MAIN(ErrorTextTest)
#include "error_text_test.moc"
