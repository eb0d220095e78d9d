#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""portmap.py PORT: a port mapper on 127.0.0.1:111 (TCP) that names PORT for NFS and MOUNT.

For clients that cannot be told the ports, such as QEMU's NFS driver. Answers NULL and GETPORT of version 2 (RFC 1833); prints "ready".
Connections are served one after another, which is how libnfs asks.
"""
import socket
import struct
import sys

PORTMAP, NFS, MOUNT = 100000, 100003, 100005
SUCCESS, PROG_UNAVAIL, PROG_MISMATCH, PROC_UNAVAIL = range(4)


def arguments_of(call):
    """The bytes after credential and verifier of a call."""
    at = 24
    for _ in range(2):
        length = struct.unpack_from(">I", call, at + 4)[0]
        at += 8 + (length + 3) // 4 * 4
    return call[at:]


def reply_to(call, port):
    xid, _, _, program, version, procedure = struct.unpack_from(">6I", call)

    def accepted(status, result=b""):
        return struct.pack(">6I", xid, 1, 0, 0, 0, status) + result

    if program != PORTMAP:
        return accepted(PROG_UNAVAIL)
    if version != 2:
        return accepted(PROG_MISMATCH, struct.pack(">2I", 2, 2))
    if procedure == 0:
        return accepted(SUCCESS)
    if procedure == 3:
        wanted = struct.unpack_from(">I", arguments_of(call))[0]
        return accepted(SUCCESS, struct.pack(">I", port if wanted in (NFS, MOUNT) else 0))
    return accepted(PROC_UNAVAIL)


def serve(client, port):
    with client, client.makefile("rb") as stream:
        while len(mark := stream.read(4)) == 4:
            call = stream.read(struct.unpack(">I", mark)[0] & 0x7FFFFFFF)
            reply = reply_to(call, port)
            client.sendall(struct.pack(">I", 0x80000000 | len(reply)) + reply)


def main():
    port = int(sys.argv[1])
    with socket.create_server(("127.0.0.1", 111)) as listener:
        print("ready", flush=True)
        while True:
            client, _ = listener.accept()
            try:
                serve(client, port)
            except (OSError, struct.error) as error:
                print(f"portmap: {error}", file=sys.stderr)


main()
