// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/state_delegate.h"

#include <QPainter>

#include "app/models/roles.h"
#include "engine/protocol/messages.h"
#include "ui/widgets/badge.h"

namespace quarry {

void StateDelegate::paintContent(QPainter& painter, const QRectF& rect, const QModelIndex& index) const {
  drawBadge(painter, rect, index.data().toString(), m_roleOf(index.data(StateRole).toInt()));
}

ColorRole jobStateRole(int state) {
  switch (protocol::JobState(state)) {
    case protocol::JobState::Done: return ColorRole::Good;
    case protocol::JobState::Failed: return ColorRole::Bad;
    case protocol::JobState::Paused: return ColorRole::Warning;
    case protocol::JobState::Running: return ColorRole::Accent;
    case protocol::JobState::Queued:
    case protocol::JobState::Cancelled: return ColorRole::Dim;
  }
  return ColorRole::Dim;
}

ColorRole severityRole(int severity) {
  switch (protocol::Severity(severity)) {
    case protocol::Severity::Info: return ColorRole::Dim;
    case protocol::Severity::Warning: return ColorRole::Warning;
    case protocol::Severity::Error: return ColorRole::Bad;
  }
  return ColorRole::Dim;
}

}  // namespace quarry
