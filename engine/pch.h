// SPDX-License-Identifier: GPL-3.0-or-later
// Precompiled for all engine folders: slow to parse, seldom changed. No file relies on it: each includes what it uses.
#pragma once

#include <asio/awaitable.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/thread_pool.hpp>
#include <asio/use_awaitable.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <fmt/format.h>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "engine/base/async.h"
#include "engine/base/bytes.h"
#include "engine/base/log.h"
#include "engine/base/mutex.h"
#include "engine/base/result.h"
#include "engine/base/spawn.h"
