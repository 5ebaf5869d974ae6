#include "app/cli/context.h"

#include "app/cli/usage.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/store_path.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace app::cli {
namespace {

std::optional<std::string> environment(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): before any thread
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

} // namespace

Surroundings lookAround()
{
    Surroundings seen;
    seen.outIsTerminal = ::isatty(STDOUT_FILENO) == 1;
    seen.errIsTerminal = ::isatty(STDERR_FILENO) == 1;
    seen.noColour = environment("NO_COLOR").has_value() || environment("TERM") == "dumb";
    seen.dataHome = environment("XDG_DATA_HOME");
    seen.home = environment("HOME");
    return seen;
}

engine::Result<Common> commonOf(const LowArgs& args, const Surroundings& surroundings)
{
    Common common;
    const std::optional<std::string> db = args.text(OptionId::Db);
    common.db = db ? db : defaultStorePath(surroundings.dataHome, surroundings.home);
    common.json = args.has(OptionId::Json);
    common.quiet = args.has(OptionId::Quiet);
    common.colour
        = surroundings.outIsTerminal && !surroundings.noColour && !args.has(OptionId::NoColor);
    if (const std::optional<std::string> seed = args.text(OptionId::Seed)) {
        const std::optional<std::int64_t> number = parseWhole(*seed);
        if (!number) {
            return engine::fail("cli.usage", fmt::format("`--seed {}` is no whole number", *seed),
                                "write a number from 0 to 9223372036854775807");
        }
        common.seed = static_cast<std::uint64_t>(*number);
    }
    return common;
}

Messages::Options messageOptions(const LowArgs& args, const Surroundings& surroundings)
{
    Messages::Options options;
    options.colour
        = surroundings.errIsTerminal && !surroundings.noColour && !args.has(OptionId::NoColor);
    options.quiet = args.has(OptionId::Quiet);
    options.transient
        = surroundings.errIsTerminal && !options.quiet && !args.has(OptionId::NoProgress);
    return options;
}

ExitCode Context::fail(const engine::Diagnostic& diagnostic, ExitCode code)
{
    messages.show(diagnostic);
    return diagnostic.code.ends_with(".stopped") ? ExitCode::Interrupted : code;
}

ExitCode Context::usage(std::string message, std::string help)
{
    messages.error("cli.usage", std::move(message), std::move(help));
    return ExitCode::Usage;
}

ExitCode Context::fail(const engine::Diagnostic& diagnostic)
{
    return fail(diagnostic, exitCodeOf(diagnostic));
}

engine::Result<std::string> Context::formatOf(const std::vector<std::string>& formats) const
{
    const std::optional<std::string> asked = args.text(OptionId::Format);
    if (asked && std::find(formats.begin(), formats.end(), *asked) == formats.end()) {
        return cli::usage(fmt::format("there is no format `{}`", *asked),
                          suggest(*asked, formats, "write " + choices(formats)));
    }
    if (common.json && asked && *asked != "json") {
        return cli::usage(fmt::format("`--json` and `--format {}` exclude each other", *asked),
                          "keep one of them");
    }
    return common.json ? std::string("json") : asked.value_or(formats.front());
}

} // namespace app::cli
