#pragma once
#include <span>
#include <string>
#include <string_view>

namespace storage::logs {

/// What lines that hold no requests are, where that can be told: "the error log of nginx or
/// Apache". Half of them must look so. Empty: it cannot be told.
std::string whatLinesAre(std::span<const std::string_view> lines);

} // namespace storage::logs
