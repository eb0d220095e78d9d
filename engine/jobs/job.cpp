// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/job.h"

#include <utility>

namespace quarry {

void JobContext::setCurrentFile(std::string path) {
  Lock lock(m_mutex);
  m_currentFile = std::move(path);
}

void JobContext::note(std::string line) {
  Lock lock(m_mutex);
  if (m_notes.size() + 1 < notesMax)
    m_notes.push_back(std::move(line));
  else
    ++m_notesDropped;
}

void JobContext::fill(protocol::JobInfo& info) const {
  info.bytesTotal = progress.bytesTotal;
  info.bytesDone = progress.bytesDone;
  info.filesSeen = progress.filesSeen;
  info.filesSkipped = progress.filesSkipped;
  info.segmentsSkipped = progress.segmentsSkipped;
  info.zeroBytes = progress.zeroBytes;
  info.duplicateBytes = progress.duplicateBytes;
  info.newBytes = progress.newBytes;
  info.storedBytes = progress.storedBytes;
  info.freedBytes = progress.freedBytes;
  Lock lock(m_mutex);
  info.currentFile = m_currentFile;
  info.notes = m_notes;
  if (m_notesDropped > 0) info.notes.push_back("and " + std::to_string(m_notesDropped) + " more");
}

}  // namespace quarry
