// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/formatter.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

namespace quarry::formatter {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Formatter)
};

constexpr double wholeFrom = 1000;
constexpr int decimalsMax = 4;
constexpr std::array byteUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

QString dash() { return QString(QChar(0x2013)); }

QString withoutTrailingZeros(QString text, const QLocale& locale) {
  if (!text.contains(locale.decimalPoint())) return text;
  while (text.endsWith(locale.zeroDigit())) text.chop(1);
  if (text.endsWith(locale.decimalPoint())) text.chop(locale.decimalPoint().size());
  return text;
}

// To three significant figures: 12345 → 12300.
double rounded(double value) {
  if (value == 0) return 0;
  const double step = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2);
  return std::round(value / step) * step;
}

Figure bytesFigure(double value, const QString& suffix) {
  size_t unit = 0;
  double scaled = value;
  // One unit up as soon as three figures would not hold it: 1,023 KiB reads 1 MiB.
  while (unit + 1 < byteUnits.size() && std::fabs(rounded(scaled)) >= wholeFrom) {
    scaled /= 1024;
    ++unit;
  }
  return {number(unit == 0 ? std::round(scaled) : scaled), QString::fromLatin1(byteUnits[unit]) + suffix};
}

Figure latencyFigure(double microseconds) {
  const double ms = microseconds / 1000;
  if (std::fabs(rounded(ms)) >= wholeFrom) return {number(ms / 1000), Words::tr("s", "seconds")};
  return {number(ms), Words::tr("ms", "milliseconds")};
}

QDateTime parsed(const QString& at) { return QDateTime::fromString(at, Qt::ISODate); }

}  // namespace

QString number(double value) {
  if (std::isnan(value)) return dash();
  const QLocale locale;
  const double shown = rounded(value);
  if (std::fabs(shown) >= wholeFrom) return locale.toString(shown, 'f', 0);
  if (shown == 0) return locale.toString(0);
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(std::fabs(shown)))), 0, decimalsMax);
  return withoutTrailingZeros(locale.toString(shown, 'f', decimals), locale);
}

Figure figure(double value, protocol::Unit unit) {
  if (std::isnan(value)) return {dash(), {}};
  switch (unit) {
    case protocol::Unit::Count: return {std::fabs(value) >= wholeFrom ? QLocale().toString(value, 'f', 0) : number(value), {}};
    case protocol::Unit::PerSecond: return {number(value), Words::tr("/s", "per second")};
    case protocol::Unit::Bytes: return bytesFigure(value, {});
    case protocol::Unit::BytesPerSecond: return bytesFigure(value, Words::tr("/s", "per second"));
    case protocol::Unit::Microseconds: return latencyFigure(value);
    case protocol::Unit::Seconds: return {duration(static_cast<uint64_t>(std::max(0.0, std::round(value)))), {}};
    case protocol::Unit::Ratio: return {number(value * 100), QStringLiteral("%")};
  }
  return {number(value), {}};
}

QString text(double value, protocol::Unit unit) {
  const Figure shown = figure(value, unit);
  if (shown.unit.isEmpty()) return shown.number;
  if (unit == protocol::Unit::PerSecond) return shown.number + shown.unit;
  return shown.number + QLatin1Char(' ') + shown.unit;
}

QString bytes(uint64_t value) { return text(static_cast<double>(value), protocol::Unit::Bytes); }

QString count(uint64_t value) { return QLocale().toString(static_cast<qulonglong>(value)); }

QString percent(double ratio) { return text(ratio, protocol::Unit::Ratio); }

QString factor(double value) { return number(value) + QStringLiteral(" ") + QChar(0x00d7); }

QString duration(uint64_t seconds) {
  constexpr uint64_t minute = 60, hour = 60 * minute, day = 24 * hour;
  const auto say = [](uint64_t value) { return QLocale().toString(static_cast<qulonglong>(value)); };
  if (seconds < minute) return Words::tr("%1 s", "seconds").arg(say(seconds));
  if (seconds < hour) return Words::tr("%1 min", "minutes").arg(say(seconds / minute));
  if (seconds < day) {
    const QString hours = Words::tr("%1 h", "hours").arg(say(seconds / hour));
    const uint64_t minutes = seconds % hour / minute;
    return minutes == 0 ? hours : hours + QLatin1Char(' ') + Words::tr("%1 min", "minutes").arg(say(minutes));
  }
  const QString days = Words::tr("%1 d", "days").arg(say(seconds / day));
  const uint64_t hours = seconds % day / hour;
  return hours == 0 ? days : days + QLatin1Char(' ') + Words::tr("%1 h", "hours").arg(say(hours));
}

QString age(const QString& at, const QDateTime& now) {
  if (at.isEmpty()) return Words::tr("never");
  const QDateTime then = parsed(at);
  if (!then.isValid()) return dash();
  const qint64 seconds = then.secsTo(now);
  if (seconds < 5) return Words::tr("just now");
  constexpr qint64 twoDays = 48 * 3600, twoMonths = 60 * 86400;
  if (seconds >= twoMonths) return QLocale().toString(then.toLocalTime().date(), QLocale::ShortFormat);
  const auto whole = static_cast<uint64_t>(seconds);
  if (seconds >= twoDays) return Words::tr("%1 d ago", "days").arg(whole / 86400);
  if (seconds >= 3600) return Words::tr("%1 h ago", "hours").arg(whole / 3600);
  if (seconds >= 60) return Words::tr("%1 min ago", "minutes").arg(whole / 60);
  return Words::tr("%1 s ago", "seconds").arg(whole);
}

QString time(const QString& at) {
  const QDateTime then = parsed(at);
  return then.isValid() ? QLocale().toString(then.toLocalTime(), QLocale::ShortFormat) : QString();
}

}  // namespace quarry::formatter
