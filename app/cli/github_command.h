#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace app::cli {

/// A workflow command of GitHub, which shows it beside the line of the file, or on the page of the
/// run where there is no file. All texts are escaped() before they come here.
struct GithubCommand {
    std::string_view level; ///< error, warning, notice
    std::string title;
    std::string message; ///< may have several lines
    std::string file {}; ///< "": none
    std::int64_t line = 0; ///< 0: the whole file
    std::int64_t column = 0; ///< in code points; 0: the whole line
};

/// The command in one line, with its end: what would end it, or one of its properties, early is
/// encoded (% CR LF, in properties : and , too).
///
/// Example: `::warning file=limits.yaml,line=8,title=search::20 requests%0Aof 3 keys`.
std::string githubCommand(const GithubCommand& command);

/// `text` with other texts in place of some characters.
std::string replacedIn(std::string_view text, const std::map<char, std::string_view>& by);

} // namespace app::cli
