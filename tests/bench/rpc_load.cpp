// SPDX-License-Identifier: GPL-3.0-or-later
// rpc_load: a steady load of READs or WRITEs on one file of an NFSv3 export, and what it achieved. One thread, several connections with
// several requests under way on each.
//   rpc_load VERB --port P --export /NAME [OPTION…]      VERB: fill, scan, read, write, seqread, seqwrite
// fill and scan go once through the file; write and seqwrite are stable unless --unstable, and then committed at the end, inside the time.
// Prints one line: operations per second, MiB/s, mean, 50th and 99th percentile latency in µs, CPU time of the server (--server-pid) and of
// the generator in µs per operation. Exit status: 0 done, 1 failed or a wrong reply, 2 wrong usage.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>

#include "tests/bench/load_connection.h"

using namespace quarry;
using namespace quarry::bench;

namespace {
constexpr std::chrono::seconds silenceMax{60};
constexpr size_t handleBytesMax = 64;

struct Options {
  std::string verb, host = "127.0.0.1", exportPath, file = "load.img";
  uint16_t port = 0, mountPort = 0;
  uint64_t mib = 256;
  uint32_t block = 4096, connections = 1, depth = 1, seconds = 3;
  int serverPid = 0;
  bool unstable = false, anyData = false;
};

double cpuSecondsOf(const rusage& usage) {
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}
double ownCpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return cpuSecondsOf(usage);
}

// User and system time of a process: fields 14 and 15 of /proc/PID/stat; the name before them may hold blanks.
double cpuSecondsOf(int pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(in, line);
  const size_t nameEnd = line.rfind(')');
  if (nameEnd == std::string::npos) return 0;
  std::istringstream fields(line.substr(nameEnd + 1));
  std::string skipped;
  for (int field = 3; field < 14; ++field) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::vector<std::byte> handleIn(rpc::XdrReader& in) {
  const Bytes handle = in.opaque(handleBytesMax);
  return {handle.begin(), handle.end()};
}

Result<std::vector<std::byte>> mount(const Options& options) {
  auto socket = RpcSocket::connect({options.host, options.mountPort == 0 ? options.port : options.mountPort});
  if (!socket) return fail(socket.error());
  rpc::XdrWriter mount = beginCall(1, mountProgram, 1);
  mount.string(options.exportPath);
  const auto results = socket->call(std::move(mount), "MOUNT");
  if (!results) return results;
  rpc::XdrReader in(*results);
  return handleIn(in);
}

// CREATE when it is to be filled, LOOKUP otherwise.
Result<std::vector<std::byte>> openFile(const Options& options, RpcSocket& socket, Bytes folder) {
  const bool creates = options.verb == "fill";
  rpc::XdrWriter open = beginCall(2, nfsProgram, creates ? NfsProcedure::Create : NfsProcedure::Lookup);
  open.opaque(folder);
  open.string(options.file);
  if (creates)
    for (const uint32_t word : {0u, 1u, 0644u, 0u, 0u, 0u, 0u, 0u}) open.u32(word);  // UNCHECKED; mode, and nothing else set
  const auto results = socket.call(std::move(open), creates ? "CREATE" : "LOOKUP");
  if (!results) return results;
  rpc::XdrReader in(*results);
  if (creates && !in.boolean()) return fail(ErrorCode::IoError, "CREATE gave no handle");
  return handleIn(in);
}

Result<void> commit(RpcSocket& socket, Bytes file) {
  rpc::XdrWriter commit = beginCall(3, nfsProgram, NfsProcedure::Commit);
  commit.opaque(file);
  commit.u64(0);
  commit.u32(0);
  const auto results = socket.call(std::move(commit), "COMMIT");
  return results ? Result<void>() : fail(results.error());
}

class Generator {
 public:
  explicit Generator(const Load& load) : m_load(load), m_offsets(load) {}

  Result<void> connect(const Options& options) {
    for (uint32_t i = 0; i < options.connections; ++i) {
      auto socket = RpcSocket::connect({options.host, options.port});
      if (!socket) return fail(socket.error());
      m_connections.push_back(std::make_unique<LoadConnection>(std::move(*socket), m_load, m_offsets));
    }
    return {};
  }

  Result<void> run(SteadyTime end) { return m_connections.size() == 1 ? runBlocking(*m_connections.front(), end) : runPolled(end); }

  std::vector<uint32_t> latenciesUs() const {
    std::vector<uint32_t> all;
    for (const auto& connection : m_connections) all.insert(all.end(), connection->latenciesUs().begin(), connection->latenciesUs().end());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  bool startRequests(LoadConnection& connection, SteadyTime end) {
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now < end) connection.startRequests(now);
    return !connection.isIdle();
  }

  // One connection needs no poll: it sends, then sleeps in recv, as a thread that waits for its disk would.
  Result<void> runBlocking(LoadConnection& connection, SteadyTime end) {
    while (startRequests(connection, end)) {
      if (auto sent = connection.send(); !sent) return sent;
      if (auto received = connection.receive(m_space.bytes()); !received) return received;
    }
    return {};
  }

  Result<void> runPolled(SteadyTime end) {
    const int poll = epoll_create1(EPOLL_CLOEXEC);
    auto done = poll < 0 ? fail(ErrorCode::IoError, "no epoll") : Result<void>();
    for (uint32_t i = 0; done && i < m_connections.size(); ++i) {
      fcntl(m_connections[i]->descriptor(), F_SETFL, O_NONBLOCK);
      done = serve(poll, EPOLL_CTL_ADD, i, end);
    }
    while (done && !std::all_of(m_connections.begin(), m_connections.end(), [](const auto& connection) { return connection->isIdle(); })) {
      std::array<epoll_event, 64> events;
      const int count = epoll_wait(poll, events.data(), static_cast<int>(events.size()), static_cast<int>(std::chrono::milliseconds(silenceMax).count()));
      if (count == 0) done = fail(ErrorCode::IoError, "the server has not answered for a minute");
      for (int i = 0; done && i < count; ++i) {
        const uint32_t index = events[static_cast<size_t>(i)].data.u32;
        if (events[static_cast<size_t>(i)].events & ~static_cast<uint32_t>(EPOLLOUT)) done = m_connections[index]->receive(m_space.bytes());
        if (done) done = serve(poll, EPOLL_CTL_MOD, index, end);
      }
    }
    if (poll >= 0) ::close(poll);
    return done;
  }

  // Sends what can be sent, and asks to hear of room only when there was none.
  Result<void> serve(int poll, int operation, uint32_t index, SteadyTime end) {
    LoadConnection& connection = *m_connections[index];
    const bool waited = connection.hasUnsent();
    startRequests(connection, end);
    if (auto sent = connection.send(); !sent) return sent;
    if (operation == EPOLL_CTL_MOD && connection.hasUnsent() == waited) return {};
    epoll_event event{};
    event.events = connection.hasUnsent() ? EPOLLIN | EPOLLOUT : EPOLLIN;
    event.data.u32 = index;
    return epoll_ctl(poll, operation, connection.descriptor(), &event) == 0 ? Result<void>() : fail(ErrorCode::IoError, "epoll_ctl failed");
  }

  const Load& m_load;
  OffsetSource m_offsets;
  std::vector<std::unique_ptr<LoadConnection>> m_connections;
  AlignedBuffer m_space{1 << 20};
};

void report(const std::vector<uint32_t>& latenciesUs, const Load& load, double seconds, double serverCpu, double ownCpu) {
  double sum = 0;
  for (const uint32_t latency : latenciesUs) sum += latency;
  const double count = static_cast<double>(latenciesUs.size());
  const auto percentile = [&](double part) { return latenciesUs[static_cast<size_t>((count - 1) * part)]; };
  std::printf("%.0f %.1f %.0f %u %u %.1f %.1f\n", count / seconds, count * load.requestBytes / 1048576 / seconds, sum / count, percentile(0.5),
              percentile(0.99), serverCpu * 1e6 / count, ownCpu * 1e6 / count);
}

Result<void> run(const Options& options) {
  const auto folder = mount(options);
  if (!folder) return fail(folder.error());
  auto control = RpcSocket::connect({options.host, options.port});
  if (!control) return fail(control.error());
  const auto file = openFile(options, *control, *folder);
  if (!file) return fail(file.error());

  const bool isOnce = options.verb == "fill" || options.verb == "scan", isSequential = options.verb.starts_with("seq");
  const Load load{.writes = options.verb == "fill" || options.verb.ends_with("write"),
                  .checksData = !options.anyData,
                  .order = isOnce ? Order::Once : isSequential ? Order::Sequential : Order::Random,
                  .stability = options.unstable ? Stability::Unstable : Stability::FileSync,
                  .fileBytes = options.mib << 20,
                  .requestBytes = options.block,
                  .depth = options.depth,
                  .fileHandle = *file};
  Generator generator(load);
  if (auto connected = generator.connect(options); !connected) return connected;
  const double serverCpu = cpuSecondsOf(options.serverPid), ownCpu = ownCpuSeconds();
  const SteadyTime started = std::chrono::steady_clock::now();
  auto done = generator.run(isOnce ? SteadyTime::max() : started + std::chrono::seconds(options.seconds));
  if (done && load.writes && options.unstable) done = commit(*control, *file);
  if (!done) return done;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  const std::vector<uint32_t> latencies = generator.latenciesUs();
  if (latencies.empty()) return fail(ErrorCode::IoError, "no operation was done");
  report(latencies, load, seconds, cpuSecondsOf(options.serverPid) - serverCpu, ownCpuSeconds() - ownCpu);
  return {};
}
}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"A steady load on one file of an NFSv3 export"};
  app.add_option("verb", options.verb)->required()->check(CLI::IsMember({"fill", "scan", "read", "write", "seqread", "seqwrite"}));
  app.add_option("--host", options.host, "IPv4 address")->capture_default_str();
  app.add_option("--port", options.port, "Port of NFS")->required();
  app.add_option("--mount-port", options.mountPort, "Port of MOUNT; default: that of NFS");
  app.add_option("--export", options.exportPath, "Path to mount")->required();
  app.add_option("--file", options.file, "Name of the file in the export's root")->capture_default_str();
  app.add_option("--mib", options.mib, "Size of the file in MiB")->capture_default_str()->check(CLI::Range(1, 1 << 20));
  app.add_option("--block", options.block, "Bytes of one request")->capture_default_str()->check(CLI::Range(4096, 1 << 20));
  app.add_option("--connections", options.connections, "Connections")->capture_default_str()->check(CLI::Range(1, 64));
  app.add_option("--depth", options.depth, "Requests under way on each")->capture_default_str()->check(CLI::Range(1u, LoadConnection::depthMax));
  app.add_option("--seconds", options.seconds, "How long")->capture_default_str()->check(CLI::Range(1, 3600));
  app.add_option("--server-pid", options.serverPid, "Process whose CPU time is shown");
  app.add_flag("--unstable", options.unstable, "Writes are unstable, with one COMMIT at the end");
  app.add_flag("--any-data", options.anyData, "Do not check what is read");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (options.block % blockBytes != 0 || (options.mib << 20) % options.block != 0) {
    std::fprintf(stderr, "rpc_load: requests are whole blocks of 4096 bytes, and the file is whole requests\n");
    return 2;
  }
  const auto done = run(options);
  if (done) return 0;
  std::fprintf(stderr, "rpc_load: %s\n", done.error().message.c_str());
  return 1;
}
