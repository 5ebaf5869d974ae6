#include "app/cli/help.h"

#include "app/cli/options.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace app::cli {
namespace {

constexpr std::array<std::pair<Category, std::string_view>, 5> kHeadings {{
    {Category::Verb, "Options:"},
    {Category::Policy, "Options for the policy:"},
    {Category::Log, "Options for the log:"},
    {Category::Replay, "Options for the replay:"},
    {Category::Everywhere, "Options of every verb:"},
}};

std::string form(const OptionInfo& option)
{
    return fmt::format("{}{}{}{}{}", option.brief, option.brief.empty() ? "" : ", ", option.name,
                       option.value.empty() ? "" : " ", option.value);
}

std::string optionsIn(Category category, Verb verb)
{
    std::vector<std::pair<std::string, std::string_view>> lines;
    std::size_t width = 0;
    for (const OptionInfo& option : allOptions()) {
        if (option.category == category && option.verbs.has(verb)) {
            lines.emplace_back(form(option), option.help);
            width = std::max(width, lines.back().first.size());
        }
    }
    std::string text;
    for (const auto& [left, right] : lines) {
        text += fmt::format("  {:<{}}  {}\n", left, width, right);
    }
    return text;
}

std::string indented(std::string_view text)
{
    std::string out = "  ";
    for (const char c : text) {
        out += c;
        out += c == '\n' ? "  " : "";
    }
    return out + '\n';
}

} // namespace

std::string helpOfAll()
{
    std::string text = "weir: a dry run for API rate limits\n\nUsage: weir VERB [OPTIONS] ...\n";
    std::size_t width = 0;
    for (const VerbInfo& info : allVerbs()) {
        width = std::max(width, info.name.size() + info.arguments.size() + 1);
    }
    std::string_view group;
    for (const VerbInfo& info : allVerbs()) {
        if (info.group != group) {
            group = info.group;
            text += fmt::format("\n{}:\n", group);
        }
        const std::string left = fmt::format("{} {}", info.name, info.arguments);
        text += fmt::format("  {:<{}}  {}\n", left, width, info.brief);
    }
    text += "\n`weir VERB --help` says more about a verb and shows an example.\n"
            "Exit status: 0 done, 1 the gate said no, 2 usage, 3 a policy is invalid, 4 a log "
            "cannot\n"
            "be read, 5 the store cannot be used, 130 interrupted.\n";
    return text;
}

std::string helpOfVerb(const VerbInfo& info)
{
    std::string text
        = fmt::format("weir {}: {}\n\nUsage: weir {} [OPTIONS]{}{}\n\n{}\n", info.name, info.brief,
                      info.name, info.arguments.empty() ? "" : " ", info.arguments, info.details);
    if (info.more != nullptr) {
        text += '\n' + info.more();
    }
    for (const auto& [category, heading] : kHeadings) {
        if (const std::string lines = optionsIn(category, info.verb); !lines.empty()) {
            text += fmt::format("\n{}\n{}", heading, lines);
        }
    }
    return text + fmt::format("\nExample:\n{}", indented(info.example));
}

} // namespace app::cli
