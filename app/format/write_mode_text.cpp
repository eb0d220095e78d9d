// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/format/write_mode_text.h"

#include <QCoreApplication>

#include "app/format/formatter.h"
#include "engine/protocol/vstorage_rules.h"

namespace quarry {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(WriteMode)
};

}  // namespace

QString writeModeText(protocol::WriteMode mode) {
  switch (mode) {
    case protocol::WriteMode::Safe: return Words::tr("safe");
    case protocol::WriteMode::Through: return Words::tr("through");
    case protocol::WriteMode::Ram: return Words::tr("RAM, unprotected");
  }
  return {};
}

QString writeModeTitle(protocol::WriteMode mode) {
  switch (mode) {
    case protocol::WriteMode::Safe: return Words::tr("Safe: when the journal has it");
    case protocol::WriteMode::Through: return Words::tr("Through: when the disk has it");
    case protocol::WriteMode::Ram: return Words::tr("RAM: at once");
  }
  return {};
}

QString writeModeSentence(protocol::WriteMode mode) {
  switch (mode) {
    case protocol::WriteMode::Safe: return Words::tr("Fast, and nothing acknowledged is lost at a power cut. Recommended.");
    case protocol::WriteMode::Through: return Words::tr("Slowest: every write waits for the disk. Nothing is lost.");
    case protocol::WriteMode::Ram:
      return Words::tr("Fastest; a power cut loses up to %1 seconds of writes. Only for data you can lose.").arg(protocol::unprotectedSecondsMax);
  }
  return {};
}

QString powerCutText(protocol::WriteMode mode) {
  return isUnprotected(mode) ? Words::tr("up to %1 s of writes are lost").arg(protocol::unprotectedSecondsMax) : Words::tr("nothing is lost");
}

bool isUnprotected(protocol::WriteMode mode) { return mode == protocol::WriteMode::Ram; }

QString unprotectedText(const Unprotected& unprotected) {
  const QString size = formatter::bytes(unprotected.bytes);
  return unprotected.bytes == 0 ? size : Words::tr("%1, %2", "bytes, age").arg(size, formatter::duration(unprotected.oldestSeconds));
}

}  // namespace quarry
