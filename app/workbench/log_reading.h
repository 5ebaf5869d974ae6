#pragma once
#include "app/workbench/log_choice.h"
#include "engine/result.h"
#include "storage/run_records.h"

#include <string>
#include <string_view>
#include <vector>

namespace app {

/// "10.0.0.0/8, 2001:db8::/32" (commas, blanks around them) as blocks. Errors: attribute.network,
/// cli.usage (nothing between two commas).
engine::Result<std::vector<engine::Network>> parseNetworks(std::string_view text);

/// How LOGs are read beside their formats, as runs keep it: the options `map`, `tz`, `proxies`
/// and `clock`, the last three where they are not as by default. Where the LOGs differ a value has
/// one part for each, in their order, set apart by a line end (`map`: an empty line).
std::vector<storage::Option> readingOf(const std::vector<LogChoice>& logs);

/// The other way: sets mappings, zone, trusted proxies and clock of `logs`.
/// Errors: log.map, log.zone, attribute.network, store.damaged (no clock).
engine::Status readAs(const std::vector<storage::Option>& reading, std::vector<LogChoice>& logs);

} // namespace app
