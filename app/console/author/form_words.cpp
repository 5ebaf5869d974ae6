#include "app/console/author/form_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace app::console {

namespace {

/// The begin of a line, from 1; npos: there is none.
std::size_t beginOf(const std::string& text, std::int64_t line)
{
    std::size_t begin = 0;
    for (std::int64_t at = 1; at < line && begin != std::string::npos; ++at) {
        const std::size_t end = text.find('\n', begin);
        begin = end == std::string::npos ? end : end + 1;
    }
    return begin;
}

/// The last name before a colon in front of the place: of `rate: 60/mon` that is rate.
std::string nameBefore(const std::string& text, const engine::Place& place)
{
    const std::size_t begin = beginOf(text, place.line);
    if (begin == std::string::npos || place.column < 1) {
        return {};
    }
    const std::string before = text.substr(begin, static_cast<std::size_t>(place.column) - 1);
    const std::size_t colon = before.find_last_of(':');
    if (colon == std::string::npos) {
        return {};
    }
    const std::size_t first = before.find_last_of(" {-,", colon);
    return before.substr(first + 1, colon - first - 1);
}

} // namespace

std::string fieldOfProblem(const std::string& text, const engine::Diagnostic& problem,
                           const std::function<bool(const std::string&)>& isShown)
{
    const std::string there = nameBefore(text, problem.place);
    if (isShown(there)) {
        return there;
    }
    const std::string& message = problem.message;
    for (std::size_t at = message.find('`'); at != std::string::npos;) {
        const std::size_t end = message.find('`', at + 1);
        if (end == std::string::npos) {
            break;
        }
        const std::string named = message.substr(at + 1, end - at - 1);
        if (isShown(named)) {
            return named;
        }
        at = message.find('`', end + 1);
    }
    return {};
}

std::vector<std::string> knownAttributes(const policies::Policy& policy)
{
    static constexpr std::array<std::string_view, 11> kUsual {
        "method", "path",       "client_ip", "api_key", "user",    "host",
        "query",  "user_agent", "status",    "bytes",   "duration"};
    std::vector<std::string> known;
    const auto add = [&known](std::string_view name) {
        if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end()) {
            known.emplace_back(name);
        }
    };
    for (const policies::Attribute& attribute : policy.attributes) {
        add(attribute.name.text);
    }
    std::for_each(kUsual.begin(), kUsual.end(), add);
    for (const std::vector<policies::Rule>& rules : policy.tiers) {
        for (const policies::Rule& rule : rules) {
            for (const policies::Word& word : rule.key.value) {
                add(word.text);
            }
        }
    }
    return known;
}

} // namespace app::console
