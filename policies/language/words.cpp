#include "policies/language/words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace policies::language {
namespace {

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// What people of other systems write.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kSynonyms {{
    {"limit", "rate"},     {"rate_limit", "rate"},
    {"limits", "rate"},    {"window", "rate"},
    {"period", "rate"},    {"requests", "rate"},
    {"keys", "key"},       {"by", "key"},
    {"when", "match"},     {"if", "match"},
    {"type", "algorithm"}, {"kind", "algorithm"},
    {"size", "burst"},     {"max_in_flight", "in_flight"},
    {"weight", "cost"},    {"dry_run", "mode"},
    {"enabled", "mode"},   {"comment", "note"},
    {"version", "weir"},   {"rules", "tiers"},
    {"regex", "pattern"},  {"file", "lookup"},
}};

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (gap >= limit) {
        return limit;
    }
    std::vector<std::size_t> beforeLast(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        last[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool isSame = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({row[j - 1] + 1, last[j] + 1, last[j - 1] + (isSame ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2])
                && lower(a[i - 2]) == lower(b[j - 1])) {
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
            }
        }
        std::swap(beforeLast, last);
        std::swap(last, row);
    }
    return std::min(last[b.size()], limit);
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> words)
{
    const std::size_t limit = word.size() <= 3 ? 2 : word.size() <= 6 ? 3 : 4;
    std::string_view best;
    std::size_t least = std::min(limit, word.size());
    for (const std::string_view candidate : words) {
        const std::size_t distance = editDistance(word, candidate, limit);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    for (const auto& [other, ours] : kSynonyms) {
        if (best.empty() && other == word
            && std::find(words.begin(), words.end(), ours) != words.end()) {
            return ours;
        }
    }
    return best;
}

std::string listOf(std::span<const std::string_view> words, std::string_view joint)
{
    std::string list;
    const std::string last = fmt::format(" {} ", joint);
    for (std::size_t i = 0; i < words.size(); ++i) {
        list += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == words.size() ? last : ", ", words[i]);
    }
    return list;
}

std::string suggest(std::string_view word, std::span<const std::string_view> words,
                    std::string_view otherwise)
{
    const std::string_view near = nearest(word, words);
    return near.empty() ? fmt::format("{} {}", otherwise, listOf(words))
                        : fmt::format("did you mean `{}`?", near);
}

std::string shown(std::string_view text)
{
    constexpr std::size_t kMost = 60;
    std::size_t end = text.size();
    if (end > kMost) {
        end = kMost - 3;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            --end;
        }
    }
    const std::string out(text.substr(0, end)); // raw: whoever prints it escapes it
    return end < text.size() ? out + "..." : out;
}

} // namespace policies::language
