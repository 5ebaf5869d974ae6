#pragma once
#include "app/cli/low_args.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "app/workbench/policy_files.h"

#include <cstdint>
#include <optional>
#include <string>

namespace app::cli {

/// What the options that every verb knows mean, with the environment looked at.
struct Common {
    std::optional<std::string>
        db; ///< nothing: neither --db nor a home folder; an error when needed
    bool json = false;
    bool quiet = false;
    bool colour = false; ///< of results on stdout
    std::uint64_t seed = 1;
};

/// What stdout and stderr are, and what the environment says.
struct Surroundings {
    bool outIsTerminal = false;
    bool errIsTerminal = false;
    bool noColour = false; ///< NO_COLOR is set and not empty, or TERM is dumb
    std::optional<std::string> dataHome;
    std::optional<std::string> home;
};

Surroundings lookAround();

/// Errors: cli.usage (--seed).
engine::Result<Common> commonOf(const LowArgs& args, const Surroundings& surroundings);
Messages::Options messageOptions(const LowArgs& args, const Surroundings& surroundings);

/// All that a verb works with. Lives as long as the verb runs.
class Context {
public:
    const LowArgs& args;
    const Common& common;
    Output& out;
    Messages& messages;

    /// Shows what is wrong and returns `code`: `return context.fail(result.error(), ...)`. What was
    /// stopped (`file.stopped`, `log.stopped`) is Interrupted, whatever failed by it.
    ExitCode fail(const engine::Diagnostic& diagnostic, ExitCode code);
    /// The same with the code that the failure stands for; see exitCodeOf().
    ExitCode fail(const engine::Diagnostic& diagnostic);
    /// A mistake on the command line that only the verb could see: code cli.usage.
    ExitCode usage(std::string message, std::string help = {});

    /// --format, one of `formats`, the first of them if it is not given; --json is json. Errors:
    /// cli.usage (also for --json beside another one).
    [[nodiscard]] engine::Result<std::string>
    formatOf(const std::vector<std::string>& formats) const;

    /// --lookup-dir, --set and --mode.
    [[nodiscard]] PolicyOptions policyOptions() const;

    /// The policy of `file` with these options, or the exit code after everything was shown:
    /// 2 for a --set or --mode that names no rule, 3 for a policy with errors.
    struct Loaded {
        std::optional<LoadedPolicy> policy;
        ExitCode code = ExitCode::Done;
    };

    Loaded load(const std::string& file);
};

} // namespace app::cli
