// SPDX-License-Identifier: GPL-3.0-or-later
// .vmx files come from clients: whatever they hold, values stay short and printable.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/vstorage/vmx.h"

std::vector<std::string> fuzzSeeds() {
  return {".encoding = \"UTF-8\"\nconfig.version = \"8\"\nguestOS = \"debian12-64\"\nscsi0:0.fileName = \"a.vmdk\"\n",
          "# comment\nGUESTOS=\"windows9srv-64\"\r\ndisplayName = \"x|22y|\"\n", "guestOS = rhel9-64", "guestOS = \"|41|4|zz|\""};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = quarry::vmxValue(text, "guestOS");
  if (!value) return 0;
  QUARRY_CHECK(value->size() <= 256);
  QUARRY_CHECK(std::all_of(value->begin(), value->end(), [](char c) { return c >= ' ' && c <= '~'; }));
  QUARRY_CHECK(quarry::guestName(*value).size() <= 512);
  return 0;
}
