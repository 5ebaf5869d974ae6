#include "storage/logs/words.h"

#include <algorithm>
#include <numeric>

namespace storage::logs {
namespace {

std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t {0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& words)
{
    std::string nearest;
    std::size_t least = word.size() / 3 + 1;
    for (const auto& candidate : words) {
        const std::size_t far = word.size() > 64 ? least : distance(word, candidate);
        if (far < least
            || (nearest.empty() && !word.empty() && candidate.ends_with("-" + std::string(word)))) {
            least = std::min(far, least);
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace storage::logs
