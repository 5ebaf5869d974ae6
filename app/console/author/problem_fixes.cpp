#include "app/console/author/problem_fixes.h"

namespace app::console {

namespace {

/// What stands between the first pair of backticks.
std::string_view inBackticks(std::string_view text)
{
    const std::size_t begin = text.find('`');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
    return end == std::string_view::npos ? std::string_view()
                                         : text.substr(begin + 1, end - begin - 1);
}

/// Where line and column (in bytes, from 1) lie; npos: not in the text.
std::size_t byteAt(std::string_view text, const engine::Place& place)
{
    std::size_t begin = 0;
    for (std::int64_t line = 1; line < place.line; ++line) {
        begin = text.find('\n', begin);
        if (begin == std::string_view::npos) {
            return begin;
        }
        ++begin;
    }
    return place.column < 1 ? std::string_view::npos
                            : begin + static_cast<std::size_t>(place.column - 1);
}

} // namespace

std::optional<policies::Edits> fixOf(std::string_view text, const engine::Diagnostic& problem)
{
    const std::string_view help = problem.help;
    const std::string_view wrong = inBackticks(problem.message);
    const std::string_view right = inBackticks(help);
    if (!help.starts_with("did you mean `") || wrong.empty() || right.empty()) {
        return std::nullopt;
    }
    const std::size_t at = byteAt(text, problem.place);
    if (at == std::string_view::npos || at > text.size() || !text.substr(at).starts_with(wrong)) {
        return std::nullopt;
    }
    return policies::Edits {{at, std::string(wrong), std::string(right)}};
}

} // namespace app::console
