#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// The word that differs from `word` in at most a third of its letters, the nearest one; else
/// empty.
std::string nearestWord(std::string_view word, const std::vector<std::string>& words);

} // namespace storage::logs
