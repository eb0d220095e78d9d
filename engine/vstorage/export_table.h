// SPDX-License-Identifier: GPL-3.0-or-later
// All vstorages of the store, by id and by name. Safe from any thread; a Vstorage found here stays usable while it is held, also after its
// removal (calls then answer Stale).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/vstorage/vstorage.h"

namespace quarry {

class ExportTable {
 public:
  virtual ~ExportTable() = default;
  virtual std::shared_ptr<Vstorage> find(metadata::VstorageId id) const = 0;       // null: none
  virtual std::shared_ptr<Vstorage> find(std::string_view name) const = 0;
  virtual std::vector<std::shared_ptr<Vstorage>> all() const = 0;                  // by name
  // MOUNT's book-keeping, for DUMP and the console: mount_table.h. Paths are "/NAME" or "/NAME/folder/…".
  virtual void noteMount(std::string_view client, std::string_view path) = 0;
  virtual void noteUse(std::string_view client, std::string_view name) = 0;        // it works in this vstorage
  virtual void noteUnmount(std::string_view client, std::string_view path) = 0;    // empty path: all of the client
  virtual std::vector<std::pair<std::string, std::string>> mounts() const = 0;     // client, path
};

}  // namespace quarry
