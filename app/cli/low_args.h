#pragma once
#include "app/cli/options.h"
#include "engine/result.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

/// What was typed: the verb, its arguments, its options. What it means is the business of high
/// args (Common and the verbs).
class LowArgs {
public:
    Verb verb = Verb::Help;
    std::vector<std::string> arguments;

    [[nodiscard]] bool has(OptionId id) const { return m_values.contains(id); }

    /// The value that holds: the last one given.
    [[nodiscard]] std::optional<std::string> text(OptionId id) const;
    [[nodiscard]] std::vector<std::string> all(OptionId id) const;

    /// The name of the first option of these kinds that was typed, but for `taken`: in the order of
    /// the table. Example: with `--tz UTC --jobs 2`, {Log} and {Jobs}: "--tz".
    [[nodiscard]] std::optional<std::string> firstOf(std::initializer_list<Category> kinds,
                                                     std::initializer_list<OptionId> taken) const;

    void add(OptionId id, std::string value) { m_values[id].push_back(std::move(value)); }

private:
    std::map<OptionId, std::vector<std::string>> m_values;
};

/// Reads the command line (without the program's name). Option and value may be written in one
/// (`--db=x`); after `--` everything is an argument; `-` is an argument.
///
/// Errors: cli.usage, with a near miss for an unknown verb or option.
engine::Result<LowArgs> parseLowArgs(const std::vector<std::string>& words);

} // namespace app::cli
