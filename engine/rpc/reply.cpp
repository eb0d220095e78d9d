// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/rpc/reply.h"

#include <utility>

#include "engine/base/check.h"

namespace quarry::rpc {

namespace {
constexpr size_t usualReplyBytes = 512;
}

Reply::Reply() {
  m_writer.reserve(usualReplyBytes);
  m_writer.zeros(net::recordMarkBytes);
}

void Reply::attachOpaque(std::shared_ptr<const void> owner, std::vector<Bytes> pieces) {
  m_attachedBytes = 0;
  for (const Bytes piece : pieces) m_attachedBytes += piece.size();
  QUARRY_CHECK(m_attachedBytes <= net::payloadBytesMax);
  m_writer.u32(static_cast<uint32_t>(m_attachedBytes));
  m_owner = std::move(owner);
  m_attached = std::move(pieces);
}

void Reply::rewind(size_t size) {
  m_writer.truncate(size);
  m_owner.reset();
  m_attached = {};
  m_attachedBytes = 0;
}

net::OutgoingRecord Reply::release() { return {m_writer.release(), std::move(m_owner), std::move(m_attached), m_attachedBytes}; }

}  // namespace quarry::rpc
