// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/jobs/job.h"

#include <utility>

namespace quarry {

void JobContext::setCurrentFile(std::string path) {
  Lock lock(m_mutex);
  m_currentFile = std::move(path);
}

void JobContext::Lines::add(std::string line) {
  if (kept.size() + 1 < linesMax)
    kept.push_back(std::move(line));
  else
    ++droppedCount;
}

void JobContext::Lines::appendTo(std::vector<std::string>& all, const std::string& prefix) const {
  for (const std::string& line : kept) all.push_back(prefix + line);
  if (droppedCount > 0) all.push_back(prefix + "and " + std::to_string(droppedCount) + " more");
}

void JobContext::note(std::string line) {
  Lock lock(m_mutex);
  m_notes.add(std::move(line));
}

void JobContext::problem(std::string line) {
  Lock lock(m_mutex);
  m_problems.add(std::move(line));
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
  info.problemCount = m_problems.count();
  info.notes.clear();
  m_problems.appendTo(info.notes, "problem: ");
  m_notes.appendTo(info.notes, "");
}

}  // namespace quarry
