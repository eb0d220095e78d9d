// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/control/control_connection.h"

#include <algorithm>
#include <asio/buffer.hpp>
#include <asio/co_spawn.hpp>
#include <asio/redirect_error.hpp>
#include <asio/write.hpp>
#include <exception>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/spawn.h"
#include "engine/control/control_methods.h"
#include "engine/protocol/json_text.h"
#include "engine/protocol/version.h"

namespace quarry {
namespace {

constexpr size_t readBufferBytes = 64 * 1024;

std::string helloLine() {
  return protocol::encodeNotification(
      "hello", protocol::toJson(protocol::Hello{protocol::versionMajor, protocol::versionMinor, protocol::productVersion}));
}

}  // namespace

ControlConnection::ControlConnection(asio::local::stream_protocol::socket socket, ControlApi& api, const ControlLimits& limits)
    : m_socket(std::move(socket)),
      m_api(api),
      m_limits(limits),
      m_splitter(limits.requestBytesMax),
      m_readBuffer(readBufferBytes),
      m_wakeWriter(m_socket.get_executor(), asio::steady_timer::time_point::max()) {}

void ControlConnection::start(std::function<void()> onClosed) {
  m_onClosed = std::move(onClosed);
  reply(helloLine());
  spawn(writeLoop(shared_from_this()));
  spawn(readLoop(shared_from_this()));
}

void ControlConnection::spawn(Task<void> task) {
  asio::co_spawn(m_socket.get_executor(), std::move(task), [self = shared_from_this()](std::exception_ptr exception) {
    if (!exception) return;
    log("control").error("a request ended by an exception; its connection is closed");
    self->close();
  });
}

void ControlConnection::close() {
  if (std::exchange(m_closed, true)) return;
  asio::error_code ignored;
  m_socket.close(ignored);
  m_wakeWriter.cancel();
  if (m_onClosed) std::exchange(m_onClosed, nullptr)();
}

void ControlConnection::closeWhenDone() {
  if (m_readEnded && m_requestCount == 0 && m_sendQueue.empty()) close();
}

void ControlConnection::endReading() {
  m_readEnded = true;
  closeWhenDone();
}

void ControlConnection::send(Line line) {
  if (m_closed) return;
  if (m_sendBytes + line->size() > m_limits.sendBytesMax) {
    log("control").warn("a peer does not read: {} bytes wait for it; it is disconnected", m_sendBytes);
    close();
    return;
  }
  m_sendBytes += line->size();
  m_sendQueue.push_back(std::move(line));
  m_wakeWriter.cancel();
}

void ControlConnection::reply(std::string line) { send(std::make_shared<const std::string>(std::move(line))); }

void ControlConnection::sendSample(const protocol::StatSample& sample) {
  if (m_prefixes.empty()) return;
  protocol::StatSample part{.unixMs = sample.unixMs, .values = {}};
  for (const auto& [id, value] : sample.values) {
    const bool wanted = std::any_of(m_prefixes.begin(), m_prefixes.end(), [&id = id](const std::string& prefix) { return id.starts_with(prefix); });
    if (wanted) part.values.emplace(id, value);
  }
  reply(protocol::encodeNotification("stats.sample", protocol::toJson(part)));
}

Task<void> ControlConnection::writeLoop(Self self) {
  while (!self->m_closed) {
    if (self->m_sendQueue.empty()) {
      co_await expiry(self->m_wakeWriter);
      continue;
    }
    asio::error_code error;
    const Line line = self->m_sendQueue.front();
    co_await asio::async_write(self->m_socket, asio::buffer(*line), asio::redirect_error(asio::use_awaitable, error));
    self->m_sendQueue.pop_front();
    self->m_sendBytes -= line->size();
    if (error) self->close();
    self->closeWhenDone();
  }
}

Task<void> ControlConnection::readLoop(Self self) {
  for (;;) {
    asio::error_code error;
    const size_t size = co_await self->m_socket.async_read_some(asio::buffer(self->m_readBuffer), asio::redirect_error(asio::use_awaitable, error));
    if (error) break;
    self->m_splitter.feed({self->m_readBuffer.data(), size});
    if (!self->takeLines()) break;
  }
  self->endReading();
}

bool ControlConnection::takeLines() {
  while (!m_closed) {
    const Result<std::optional<std::string>> line = m_splitter.next();
    if (!line) {
      reply(protocol::encodeError(std::nullopt, line.error(), protocol::rpcParseError));
      return false;
    }
    if (!*line) return true;
    handleLine(**line);
  }
  return false;
}

void ControlConnection::handleLine(const std::string& line) {
  Result<protocol::RpcMessage> message = protocol::decodeLine(line);
  if (!message) {
    const int rpcCode = protocol::parseJson(line) ? protocol::rpcInvalidRequest : protocol::rpcParseError;
    return reply(protocol::encodeError(std::nullopt, message.error(), rpcCode));
  }
  if (message->method.empty())
    return reply(protocol::encodeError(message->id, {ErrorCode::Protocol, "a request needs member 'method'"}, protocol::rpcInvalidRequest));
  if (!message->id) return;  // JSON-RPC: a notification is never answered, and none is known from this side
  handleRequest(std::move(*message));
}

void ControlConnection::handleRequest(protocol::RpcMessage request) {
  if (request.method == "stats.subscribe") return subscribe(request);
  if (!findControlMethod(request.method)) {
    const Error error{ErrorCode::NotSupported, "there is no method '" + request.method + "'"};
    return reply(protocol::encodeError(request.id, error, protocol::rpcMethodNotFound));
  }
  if (m_requestCount >= m_limits.requestsMax)
    return reply(protocol::encodeError(request.id, {ErrorCode::Busy, "too many requests wait for an answer on this connection"}));
  ++m_requestCount;
  spawn(answer(shared_from_this(), std::move(request)));
}

Task<void> ControlConnection::answer(Self self, protocol::RpcMessage request) {
  const ControlMethod* method = findControlMethod(request.method);
  const ControlAnswer answer = co_await method->call(self->m_api, std::move(request.params));
  --self->m_requestCount;
  std::string line = answer.error ? protocol::encodeError(request.id, *answer.error, answer.rpcCode) : protocol::encodeResult(*request.id, answer.result);
  if (line.size() > protocol::lineBytesMax)
    line = protocol::encodeError(request.id, {ErrorCode::TooSmall, "the answer to '" + request.method + "' is longer than a line may be"});
  self->reply(std::move(line));
  self->closeWhenDone();
}

void ControlConnection::subscribe(const protocol::RpcMessage& request) {
  auto wanted = protocol::fromJson<protocol::StatSubscribe>(request.params);
  if (!wanted) return reply(protocol::encodeError(request.id, wanted.error(), protocol::rpcInvalidParams));
  m_prefixes = std::move(wanted->prefixes);
  reply(protocol::encodeResult(*request.id, "null"));
}

}  // namespace quarry
