// SPDX-License-Identifier: GPL-3.0-or-later
// The composite types of NFSv3, RFC 1813 section 2.5 and 2.6: how they are read from arguments and written to results.
//
// Threads: pure functions. Failure: a reader that meets a value the type does not allow makes its XdrReader fail; the handler answers
// GARBAGE_ARGS. The fail…() functions write the failure arm of a result and return Success, which is what RPC says of an NFS error.
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/clock.h"
#include "engine/metadata/inode_table.h"
#include "engine/nfs/nfs_service.h"
#include "engine/nfs/nfs_status.h"
#include "engine/rpc/rpc_message.h"
#include "engine/rpc/xdr.h"

namespace quarry::nfs {

using rpc::AcceptStat;
using rpc::XdrReader;
using rpc::XdrWriter;

inline constexpr size_t attributesBytes = 84;                         // fattr3
inline constexpr size_t postOpAttributesBytes = 4 + attributesBytes;  // post_op_attr with attributes

// --- arguments
inline Bytes readHandle(XdrReader& in) { return in.opaque(handleBytesMax); }
std::string_view readName(XdrReader& in);  // of any length, so that a long one gets NAMETOOLONG
Timestamp readTime(XdrReader& in);
metadata::AttributeChange readSetAttributes(XdrReader& in, const Clock& clock);  // sattr3

// --- results
void writeStatus(XdrWriter& out, Nfsstat3 status);
void writeAttributes(XdrWriter& out, const Inode& inode);                                // fattr3
void writePostOp(XdrWriter& out, const std::optional<Inode>& inode);                     // post_op_attr
void writePostOpHandle(XdrWriter& out, const EncodedHandle& handle);                     // post_op_fh3
void writeWcc(XdrWriter& out, const Change& change);                                     // wcc_data
void writeWccAfterFailure(XdrWriter& out, const std::optional<Inode>& after);            // wcc_data without attributes from before

AcceptStat failPlain(XdrWriter& out, const Error& error);
AcceptStat failPostOp(XdrWriter& out, const Error& error, const Result<Target>& target);
AcceptStat failWcc(XdrWriter& out, const Error& error, const Result<Target>& target);

}  // namespace quarry::nfs
