// SPDX-License-Identifier: GPL-3.0-or-later
// A whole engine in the test's own process, on a store in a temporary folder, with its control socket and a free NFS port.
#pragma once

#include <QTemporaryDir>
#include <memory>
#include <string>

#include "engine/engine.h"
#include "engine/protocol/codec.h"
#include "tests/support/line_client.h"
#include "tests/support/nfs_fixture.h"

namespace quarry::test {

class EngineSite {
 public:
  EngineSite() { start(); }

  // Starts the engine on the same store again; empty error when it serves.
  void start() {
    Options options;
    options.storePath = storePath();
    options.controlSocket = m_folder.filePath(QStringLiteral("control.sock")).toStdString();
    options.listenAddress = "127.0.0.1";
    options.nfsPort = 0;
    options.cacheBytes = 64 << 20;
    options.journalBytes = 1;  // the smallest
    const auto complete = resolved(options);
    if (!complete) {
      error = complete.error().message;
      return;
    }
    auto started = Engine::start(*complete);
    error = started ? std::string() : started.error().message;
    if (started) m_engine = std::move(*started);
    controlSocket = options.controlSocket;
  }
  void stop() { m_engine.reset(); }
  void restart() {
    stop();
    start();
  }

  std::string storePath() const { return m_folder.filePath(QStringLiteral("store")).toStdString(); }
  uint16_t nfsPort() const {
    const std::string address = m_engine->nfsAddress();
    return static_cast<uint16_t>(std::stoi(address.substr(address.rfind(':') + 1)));
  }

  // One request over the control socket; an empty error message means success, then `result` is its JSON.
  Result<std::string> request(const std::string& method, const std::string& params = "null") {
    LineClient client(controlSocket);
    client.readLine();  // the greeting
    client.send(protocol::encodeRequest(1, method, params));
    for (std::string line = client.readLine(); !line.empty(); line = client.readLine()) {
      const auto message = protocol::decodeLine(line);
      if (!message || !message->id) continue;
      if (message->error) return fail(*message->error);
      return message->params;
    }
    return fail(ErrorCode::Disconnected, "no answer to " + method);
  }
  template <class Reply>
  Result<Reply> ask(const std::string& method, const std::string& params = "null") {
    auto json = request(method, params);
    if (!json) return fail(json.error());
    return protocol::fromJson<Reply>(*json);
  }

  // Runs an optimize job over everything and waits for its end.
  protocol::JobInfo optimize() {
    protocol::JobStart start;
    start.minAgeSeconds = 0;
    auto job = ask<protocol::JobInfo>("job.start", protocol::toJson(start));
    while (job && (job->state == protocol::JobState::Queued || job->state == protocol::JobState::Running)) {
      QTest::qWait(20);
      job = ask<protocol::JobInfo>("job.show", protocol::toJson(protocol::JobRequest{job->id}));
    }
    if (job) return *job;
    protocol::JobInfo failed;
    failed.state = protocol::JobState::Failed;
    failed.error = job.error().message;
    return failed;
  }

  std::string error = "not started";
  std::string controlSocket;

 private:
  QTemporaryDir m_folder;
  std::unique_ptr<Engine> m_engine;
};

// Bytes that compress and repeat like a guest's: `seed` chooses them, equal seeds give equal bytes.
inline std::string guestData(size_t size, uint32_t seed) {
  std::string data(size, '\0');
  for (size_t at = 0; at < size; at += 16) {
    const uint64_t word = (at / 16 + 1) * 0x9e3779b97f4a7c15ull * (seed + 1);
    data.replace(at, std::min<size_t>(8, size - at), reinterpret_cast<const char*>(&word), std::min<size_t>(8, size - at));
  }
  return data;
}

}  // namespace quarry::test
