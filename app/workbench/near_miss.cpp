#include "app/workbench/near_miss.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <vector>

namespace app {
namespace {

constexpr std::size_t kLongestWord = 64;

std::string folded(std::string_view word)
{
    std::string out(word);
    for (char& c : out) {
        c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    }
    return out;
}

/// Damerau-Levenshtein distance: insert, delete, replace, swap neighbours.
std::size_t slips(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            const std::size_t replace = a[i - 1] == b[j - 1] ? 0 : 1;
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
            }
        }
    }
    return d[a.size()][b.size()];
}

} // namespace

std::optional<std::string> nearMiss(std::string_view word, std::span<const std::string> candidates)
{
    if (word.empty() || word.size() > kLongestWord) {
        return std::nullopt;
    }
    const std::string wanted = folded(word);
    const std::string* best = nullptr;
    std::size_t bestSlips = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t count
            = candidate.size() > kLongestWord ? bestSlips : slips(wanted, folded(candidate));
        if (count < bestSlips && count < std::max(word.size(), candidate.size())) {
            best = &candidate;
            bestSlips = count;
        }
    }
    return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string suggest(std::string_view word, std::span<const std::string> candidates,
                    std::string_view otherwise)
{
    const std::optional<std::string> near = nearMiss(word, candidates);
    return near ? fmt::format("did you mean `{}`?", *near) : std::string(otherwise);
}

std::string choices(std::span<const std::string> names)
{
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        out += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
        out += '`' + names[i] + '`';
    }
    return out;
}

} // namespace app
