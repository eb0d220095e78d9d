// SPDX-License-Identifier: GPL-3.0-or-later
// The reply to one call while it is written: words go to results(), and at most one large opaque at the very end (READ's data) is attached
// without a copy.
//
// Threads: one at a time. Ownership: the attached bytes live as long as their owner, which the reply shares.
#pragma once

#include <memory>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/net/connection.h"
#include "engine/rpc/xdr.h"

namespace quarry::rpc {

class Reply {
 public:
  Reply();

  XdrWriter& results() { return m_writer; }
  size_t headBytes() const { return m_writer.size(); }
  // Appends an opaque (length, the bytes of all pieces, padding). Nothing may be written after it.
  void attachOpaque(std::shared_ptr<const void> owner, std::vector<Bytes> pieces);
  // Forgets everything written and attached after `size`.
  void rewind(size_t size);

  net::OutgoingRecord release();

 private:
  XdrWriter m_writer;  // begins with room for the record mark
  std::shared_ptr<const void> m_owner;
  std::vector<Bytes> m_attached;
  size_t m_attachedBytes = 0;
};

}  // namespace quarry::rpc
