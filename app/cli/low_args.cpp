#include "app/cli/low_args.h"

#include "app/cli/usage.h"
#include "app/workbench/near_miss.h"

#include <algorithm>
#include <array>
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <utility>

namespace app::cli {
namespace {

/// Words of the specification that this version does not know yet: a near miss would mislead.
bool comesLater(std::string_view word)
{
    constexpr std::array kLater {"import", "merge",       "completion",
                                 "--as",   "--partition", "--verify"};
    return std::find(kLater.begin(), kLater.end(), word) != kLater.end();
}

std::string helpOf(Verb verb)
{
    return fmt::format("`weir {} --help` lists what it takes", verbInfo(verb).name);
}

std::vector<std::string> optionNames(Verb verb)
{
    std::vector<std::string> names;
    for (const OptionInfo& option : allOptions()) {
        if (option.verbs.has(verb)) {
            names.emplace_back(option.name);
        }
    }
    return names;
}

/// The name of the option in `--name=value`.
std::string_view nameIn(std::string_view word)
{
    return word.substr(0, word.find('='));
}

const OptionInfo* optionWritten(std::string_view word)
{
    const auto options = allOptions();
    const auto found = std::find_if(options.begin(), options.end(), [word](const OptionInfo& o) {
        return nameIn(word) == o.name || (!o.brief.empty() && word.starts_with(o.brief));
    });
    return found == options.end() ? nullptr : &*found;
}

engine::Failure unknownOption(Verb verb, const std::string& word)
{
    const std::string_view name = nameIn(word);
    if (optionWritten(word) != nullptr) {
        std::vector<std::string> takers; // of all options of that name
        for (const VerbInfo& info : allVerbs()) {
            const auto names = optionNames(info.verb);
            if (std::find(names.begin(), names.end(), optionWritten(word)->name) != names.end()) {
                takers.emplace_back(info.name);
            }
        }
        return usage(fmt::format("`{}` has no option `{}`", verbInfo(verb).name, name),
                     takers.empty()
                         ? helpOf(verb)
                         : fmt::format("it goes with {}; {}", choices(takers), helpOf(verb)));
    }
    if (comesLater(name)) {
        return usage(fmt::format("`{}` comes in a later version", name), helpOf(verb));
    }
    return usage(fmt::format("there is no option `{}`", name),
                 suggest(name, optionNames(verb), helpOf(verb)));
}

engine::Status checkCount(const LowArgs& args)
{
    const VerbInfo& info = verbInfo(args.verb);
    const std::string form = fmt::format("write `weir {} {}`", info.name, info.arguments);
    if (args.arguments.size() < info.fewest) {
        return usage(args.arguments.empty() ? fmt::format("`weir {}` needs an argument", info.name)
                                            : fmt::format("`weir {}` needs {} arguments or more",
                                                          info.name, info.fewest),
                     form);
    }
    if (args.arguments.size() > info.most) {
        return usage(info.most == 0
                         ? fmt::format("`weir {}` takes no argument, and `{}` is one", info.name,
                                       args.arguments.front())
                         : fmt::format("`{}` is one argument too many", args.arguments[info.most]),
                     info.most == 0 ? helpOf(args.verb) : form);
    }
    return engine::Done {};
}

/// One CLI11 program for one verb, made from the table. CLI11's own messages are never shown.
class Parser {
public:
    explicit Parser(Verb verb)
        : m_verb(verb)
    {
        m_program.set_help_flag();
        m_program.allow_extras(); // arguments; as a CLI11 option `[a,b]` would become two
        for (const OptionInfo& option : allOptions()) {
            if (option.verbs.has(verb)) {
                add(option);
            }
        }
    }

    engine::Result<LowArgs> parse(std::vector<std::string> words)
    {
        if (const engine::Status sound = checkForms(words); !sound) {
            return engine::fail(sound.error());
        }
        std::reverse(words.begin(), words.end()); // as CLI11 takes them
        try {
            m_program.parse(std::move(words));
        } catch (const CLI::ParseError& error) {
            return explain(error);
        }
        LowArgs args;
        args.verb = m_verb;
        bool onlyArguments = false; // after `--`
        for (std::string& word : m_program.remaining()) {
            if (!onlyArguments && word == "--") {
                onlyArguments = true;
            } else if (!onlyArguments && word.size() > 1 && word.starts_with('-')) {
                return unknownOption(m_verb, word);
            } else {
                args.arguments.push_back(std::move(word));
            }
        }
        for (const auto& [info, option] : m_options) {
            for (const std::string& value :
                 option->count() > 0 ? option->results() : std::vector<std::string> {}) {
                args.add(info->id, value);
            }
        }
        return args;
    }

private:
    void add(const OptionInfo& info)
    {
        const std::string names = info.brief.empty() ? std::string(info.name)
                                                     : fmt::format("{},{}", info.brief, info.name);
        CLI::Option* option = info.value.empty()
            ? m_program.add_flag(names)
            : m_program.add_option(names, [](const CLI::results_t&) { return true; });
        if (!info.value.empty()) {
            // "ATTR SHARE" is two words.
            const auto words = std::count(info.value.begin(), info.value.end(), ' ') + 1;
            option->expected(static_cast<int>(words))->allow_extra_args(false);
            option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        }
        m_options.emplace_back(&info, option);
    }

    /// What CLI11 would pass over in silence: `--json=x`, `--db=` and `++`.
    [[nodiscard]] engine::Status checkForms(const std::vector<std::string>& words) const
    {
        for (const std::string& word : words) {
            if (word == "--") {
                break;
            }
            if (word == "++") {
                return unknownOption(m_verb, word);
            }
            const std::size_t equals = word.find('=');
            const OptionInfo* info = equals == word.npos ? nullptr : named(nameIn(word));
            if (info != nullptr && info->value.empty()) {
                return usage(fmt::format("`{}` takes no value", info->name),
                             fmt::format("write `{}` alone", info->name));
            }
            if (info != nullptr && equals + 1 == word.size()) {
                return valueMissing(*info);
            }
        }
        return engine::Done {};
    }

    [[nodiscard]] const OptionInfo* named(std::string_view name) const
    {
        const auto found = std::find_if(m_options.begin(), m_options.end(),
                                        [name](const auto& o) { return o.first->name == name; });
        return found == m_options.end() ? nullptr : found->first;
    }

    static engine::Failure valueMissing(const OptionInfo& info)
    {
        return usage(fmt::format("`{}` needs a value", info.name),
                     fmt::format("write `{}={}`", info.name, info.value));
    }

    /// The only failure left to CLI11 is an option at the end whose value is missing.
    [[nodiscard]] engine::Failure explain(const CLI::ParseError& error) const
    {
        const std::string_view said = error.what();
        const OptionInfo* info = named(said.substr(0, said.find(':')));
        return info != nullptr ? valueMissing(*info)
                               : usage("the command line cannot be read", helpOf(m_verb));
    }

    Verb m_verb;
    CLI::App m_program;
    std::vector<std::pair<const OptionInfo*, CLI::Option*>> m_options;
};

} // namespace

std::optional<std::string> LowArgs::firstOf(std::initializer_list<Category> kinds,
                                            std::initializer_list<OptionId> taken) const
{
    const auto isIn = [](const auto& list, auto one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    for (const OptionInfo& option : allOptions()) {
        if (has(option.id) && isIn(kinds, option.category) && !isIn(taken, option.id)) {
            return std::string(option.name);
        }
    }
    return std::nullopt;
}

std::optional<std::string> LowArgs::text(OptionId id) const
{
    const auto found = m_values.find(id);
    return found == m_values.end() ? std::nullopt : std::optional(found->second.back());
}

std::vector<std::string> LowArgs::all(OptionId id) const
{
    const auto found = m_values.find(id);
    return found == m_values.end() ? std::vector<std::string> {} : found->second;
}

engine::Result<LowArgs> parseLowArgs(const std::vector<std::string>& words)
{
    LowArgs args;
    if (words.empty()) {
        return usage("what to do is missing", "write `weir VERB ...`; `weir help` lists the verbs");
    }
    const std::string& first = words.front();
    if (first == "--version" || first == "-V" || first == "--help" || first == "-h") {
        args.verb = first == "--version" || first == "-V" ? Verb::Version : Verb::Help;
        return args;
    }
    const VerbInfo* info = verbNamed(first);
    if (info == nullptr && first.starts_with('-')) {
        return usage(fmt::format("the verb stands before `{}`", first),
                     "write `weir VERB ...`; `weir help` lists the verbs");
    }
    if (info == nullptr && comesLater(first)) {
        return usage(fmt::format("`weir {}` comes in a later version", first),
                     "`weir help` lists the verbs of this one");
    }
    if (info == nullptr) {
        return usage(fmt::format("there is no verb `{}`", first),
                     suggest(first, verbNames(), "`weir help` lists the verbs"));
    }
    engine::Result<LowArgs> parsed = Parser(info->verb).parse({words.begin() + 1, words.end()});
    if (!parsed || parsed->has(OptionId::Help)) {
        return parsed;
    }
    if (const engine::Status counted = checkCount(*parsed); !counted) {
        return engine::fail(counted.error());
    }
    return parsed;
}

} // namespace app::cli
