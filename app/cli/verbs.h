#pragma once
#include "app/cli/exit_code.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

class Context;

enum class Verb : std::uint8_t {
    New,
    Check,
    Test,
    Diff,
    Set,
    Export,
    Schema,
    Inspect,
    Convert,
    Generate,
    Replay,
    Runs,
    Show,
    Rm,
    Compare,
    Explain,
    Report,
    Suggest,
    Sweep,
    Lab,
    Version,
    Help
};

/// A set of verbs, one bit each.
class VerbSet {
public:
    template <class... Verbs> static constexpr VerbSet of(Verbs... verbs)
    {
        VerbSet set;
        set.m_bits = ((std::uint32_t {1} << static_cast<unsigned>(verbs)) | ... | 0U);
        return set;
    }

    static constexpr VerbSet all()
    {
        VerbSet set;
        set.m_bits = ~std::uint32_t {0};
        return set;
    }

    [[nodiscard]] constexpr bool has(Verb verb) const
    {
        return (m_bits >> static_cast<unsigned>(verb) & 1U) != 0;
    }

private:
    std::uint32_t m_bits = 0;
};

inline constexpr std::size_t kAnyNumber = static_cast<std::size_t>(-1);

/// One verb: how it is written, what it does, who does it.
struct VerbInfo {
    Verb verb;
    std::string_view name;
    std::string_view group; ///< heading in `weir help`
    std::string_view arguments; ///< "POLICY CASES..."
    std::string_view brief; ///< one line for `weir help`
    std::string_view details; ///< paragraphs for --help, lines at most 90 columns
    std::string_view example; ///< what to type, and below it what comes of it
    std::size_t fewest = 0; ///< arguments
    std::size_t most = kAnyNumber;
    ExitCode (*run)(Context&) = nullptr;
    std::string (*more)() = nullptr; ///< behind the details: what another table knows
};

/// In the order in which `weir help` shows them.
std::span<const VerbInfo> allVerbs();
const VerbInfo& verbInfo(Verb verb);
const VerbInfo* verbNamed(std::string_view name); ///< nullptr: there is none
std::vector<std::string> verbNames();

// One file per verb: app/cli/verb_<name>.cpp.
ExitCode runNew(Context& context);
ExitCode runCheck(Context& context);
ExitCode runTest(Context& context);
ExitCode runDiff(Context& context);
ExitCode runSet(Context& context);
ExitCode runExport(Context& context);
ExitCode runSchema(Context& context);
ExitCode runInspect(Context& context);
ExitCode runConvert(Context& context);
ExitCode runGenerate(Context& context);
ExitCode runReplay(Context& context);
ExitCode runRuns(Context& context);
ExitCode runShow(Context& context);
ExitCode runRm(Context& context);
ExitCode runCompare(Context& context);
ExitCode runExplain(Context& context);
ExitCode runReport(Context& context);
ExitCode runSuggest(Context& context);
ExitCode runSweep(Context& context);
ExitCode runLab(Context& context);
ExitCode runVersion(Context& context);
ExitCode runHelp(Context& context);

} // namespace app::cli
