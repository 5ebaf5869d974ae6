#include "app/cli/github_command.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

/// The value of a property; a message lacks the last two.
std::string property(std::string_view text)
{
    return replacedIn(text,
                      {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

} // namespace

std::string replacedIn(std::string_view text, const std::map<char, std::string_view>& by)
{
    std::string out;
    for (const char c : text) {
        const auto found = by.find(c);
        found == by.end() ? out += c : out += found->second;
    }
    return out;
}

std::string githubCommand(const GithubCommand& command)
{
    std::string text = fmt::format("::{} ", command.level);
    if (!command.file.empty()) {
        text += fmt::format("file={},", property(command.file));
    }
    if (command.line > 0) {
        text += fmt::format("line={},", command.line);
    }
    if (command.column > 0) {
        text += fmt::format("col={},", command.column);
    }
    return text
        + fmt::format("title={}::{}\n", property(command.title),
                      replacedIn(command.message, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}}));
}

} // namespace app::cli
