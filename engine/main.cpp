// SPDX-License-Identifier: GPL-3.0-or-later
// quarryd: options → Engine → run until a signal. Exit status 0 done, 1 failed with one line of reason, 2 wrong usage.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>

#include "engine/base/log.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "engine/os/descriptor_limit.h"
#include "engine/os/heap.h"
#include "engine/protocol/version.h"
#include "engine/store_check.h"

namespace {

int failed(const quarry::Error& error) {
  std::cerr << "quarryd: " << error.message << std::endl;
  return 1;
}

// Empty: go on. Otherwise the exit status.
std::optional<int> parseArguments(int argc, char** argv, quarry::Options& options) {
  CLI::App app{"Quarry's storage engine: serves the vstorages of one store over NFS"};
  app.set_version_flag("--version", std::string("quarryd ") + quarry::protocol::productVersion);
  std::string portmap = "off";
  app.add_option("--store", options.storePath, "Folder of the store; made if it does not exist")->required();
  app.add_option("--control", options.controlSocket, "Control socket");
  app.add_option("--listen", options.listenAddress, "Address to serve NFS on")->capture_default_str();
  app.add_option("--nfs-port", options.nfsPort, "Port for NFS and MOUNT; 0: any free one")->capture_default_str();
  app.add_option("--portmap", portmap, "Portmapper: this version knows only 'off'; clients name the port")
      ->check(CLI::IsMember({"off"}))
      ->capture_default_str();
  app.add_option("--cache-size", options.cacheBytes, "RAM for the read and write cache, such as 4GiB; default: what was chosen last, or a share of the memory")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--journal", options.journalFolder, "Folder of the journal, on another disk if you like; default: in the store");
  app.add_option("--journal-size", options.journalBytes, "Size of a journal that is made now; default: as large as the cache, at most 2GiB")
      ->transform(CLI::AsSizeValue(false));
  app.add_flag("--new-journal", options.makeNewJournal, "Go on without a journal that is gone, and without the writes in it");
  app.add_option("--threads", options.loopThreads, "Network and disk threads; 0: one for each core")->capture_default_str();
  app.add_option("--log-level", options.logLevel, "trace, debug, info, warning, error")
      ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error"}))
      ->capture_default_str();
  app.add_flag("--check", options.checkOnly, "Report whether the folder can be a store, as JSON, and end");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

// A disk that hangs holds up the stop; whoever asks twice wants the end. What was acknowledged is durable.
void endAtNextSignal(asio::signal_set& signals) {
  asio::error_code ignored;
  signals.clear(ignored);
  for (const int signal : {SIGINT, SIGTERM}) {
    std::signal(signal, [](int) {
      constexpr std::string_view text = "quarryd: second signal, ending at once\n";
      [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
      std::_Exit(1);
    });
  }
}

int serve(const quarry::Options& options) {
  asio::io_context context;
  asio::signal_set signals(context, SIGINT, SIGTERM);
  std::signal(SIGPIPE, SIG_IGN);

  auto engine = quarry::Engine::start(options);
  if (!engine) return failed(engine.error());
  std::cout << "ready nfs=" << (*engine)->nfsAddress() << " control=" << options.controlSocket << std::endl;

  signals.async_wait([](const asio::error_code&, int signal) { quarry::log("engine").info("stopping on signal {}", signal); });
  context.run();
  endAtNextSignal(signals);
  (*engine)->stop();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  quarry::Options options;
  if (const auto status = parseArguments(argc, argv, options)) return *status;
  quarry::setUpLog(options.logLevel);
  quarry::os::setUpHeap();
  auto complete = quarry::resolved(options);
  if (!complete) {
    failed(complete.error());
    return 2;
  }
  // Half of the descriptors: connections, containers, databases and folders need theirs.
  complete->landingFilesMax = std::min(complete->landingFilesMax, quarry::os::raiseDescriptorLimit() / 2);
  if (complete->checkOnly) return quarry::checkStore(complete->storePath, std::cout);
  return serve(*complete);
}
