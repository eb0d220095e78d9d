// SPDX-License-Identifier: GPL-3.0-or-later
// A RecordHandler for tests of connections. A record is "DELAY_MS REPLY_BYTES TEXT": after the delay comes TEXT, filled up with 'x' as an attached
// body of REPLY_BYTES bytes. "bad" is answered with an Error.
#pragma once

#include <algorithm>
#include <asio/steady_timer.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <atomic>
#include <sstream>
#include <string>

#include "engine/net/connection.h"

namespace quarry::test {

class EchoHandler : public net::RecordHandler {
 public:
  Task<Result<net::OutgoingRecord>> handle(const net::Peer&, net::Record record) override {
    ++handledCount;
    std::istringstream words{std::string(asText(record.bytes()))};
    int delayMs = 0;
    size_t bodyBytes = 0;
    std::string text;
    if (!(words >> delayMs >> bodyBytes >> text)) co_return fail(ErrorCode::Protocol, "bad record");
    if (delayMs > 0) {
      asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::milliseconds(delayMs));
      co_await timer.async_wait(asio::use_awaitable);
    }
    net::OutgoingRecord reply;
    reply.head.resize(net::recordMarkBytes);
    const Bytes bytes = asBytes(text);
    reply.head.insert(reply.head.end(), bytes.begin(), bytes.end());
    const auto body = std::make_shared<std::string>(bodyBytes, 'x');
    reply.body = {asBytes(*body)};
    reply.bodyBytes = body->size();
    reply.bodyOwner = body;
    co_return reply;
  }

  size_t replyBytes(Bytes record) const override {
    std::istringstream words{std::string(asText(record.first(std::min<size_t>(record.size(), 64))))};
    int delayMs = 0;
    size_t bodyBytes = 0;
    words >> delayMs >> bodyBytes;
    return bodyBytes;
  }

  std::atomic<int> handledCount = 0;
};

}  // namespace quarry::test
