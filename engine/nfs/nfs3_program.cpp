// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nfs/nfs3_program.h"

#include <array>

#include "engine/nfs/nfs3_procedures.h"

namespace quarry::nfs {

namespace {
using enum rpc::ProcedureTrait;
using Row = rpc::Procedure<NfsService>;

// WRITE is left out of the reply cache: running it twice stores the same bytes, and its rate would push out the calls that need the cache.
constexpr std::array<Row, 22> table{{
    {{0, "NULL", NoTrait}, &nfs3Null},
    {{1, "GETATTR", NoTrait}, &nfs3GetAttr},
    {{2, "SETATTR", ReplyCached}, &nfs3SetAttr},
    {{3, "LOOKUP", NoTrait}, &nfs3Lookup},
    {{4, "ACCESS", NoTrait}, &nfs3Access},
    {{5, "READLINK", NoTrait}, &nfs3ReadLink},
    {{6, "READ", NoTrait, &nfs3ReadReplyBytes}, &nfs3Read},
    {{7, "WRITE", NoTrait}, &nfs3Write},
    {{8, "CREATE", ReplyCached}, &nfs3Create},
    {{9, "MKDIR", ReplyCached}, &nfs3MkDir},
    {{10, "SYMLINK", ReplyCached}, &nfs3Symlink},
    {{11, "MKNOD", ReplyCached}, &nfs3MkNod},
    {{12, "REMOVE", ReplyCached}, &nfs3Remove},
    {{13, "RMDIR", ReplyCached}, &nfs3RmDir},
    {{14, "RENAME", ReplyCached}, &nfs3Rename},
    {{15, "LINK", ReplyCached}, &nfs3Link},
    {{16, "READDIR", NoTrait}, &nfs3ReadDir},
    {{17, "READDIRPLUS", NoTrait}, &nfs3ReadDirPlus},
    {{18, "FSSTAT", NoTrait}, &nfs3FsStat},
    {{19, "FSINFO", NoTrait}, &nfs3FsInfo},
    {{20, "PATHCONF", NoTrait}, &nfs3PathConf},
    {{21, "COMMIT", NoTrait}, &nfs3Commit},
}};
}  // namespace

Nfs3Program::Nfs3Program(NfsService& service) : TableProgram(nfsProgramNumber, 3, table, service) {}

}  // namespace quarry::nfs
