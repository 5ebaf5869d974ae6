#include "app/cli/options.h"

#include <array>
#include <cstdlib>

namespace app::cli {
namespace {

constexpr VerbSet kAll = VerbSet::all();
constexpr VerbSet kReading = VerbSet::of(Verb::Check, Verb::Test, Verb::Diff, Verb::Version);
constexpr VerbSet kPolicyVerbs = VerbSet::of(Verb::Check, Verb::Test, Verb::Diff, Verb::Export);

// clang-format off
constexpr std::array kOptions {
    OptionInfo {OptionId::Format, "--format", "", "FORMAT", "text (default) or json", VerbSet::of(Verb::Check), Category::Verb},
    OptionInfo {OptionId::Strict, "--strict", "", "", "advice counts as an error", VerbSet::of(Verb::Check), Category::Verb},
    OptionInfo {OptionId::Output, "--output", "-o", "FILE", "write to FILE instead of stdout", VerbSet::of(Verb::Export), Category::Verb},
    OptionInfo {OptionId::To, "--to", "", "TARGET", "the form to write: yaml (default)", VerbSet::of(Verb::Export), Category::Verb},
    OptionInfo {OptionId::NewFrom, "--from", "", "LOG", "start from what a log shows (comes in a later version)", VerbSet::of(Verb::New), Category::Verb},

    OptionInfo {OptionId::LookupDir, "--lookup-dir", "", "DIR", "where lookup files are, beside the policy's own folder", kPolicyVerbs, Category::Policy},
    OptionInfo {OptionId::Set, "--set", "", "RULE.FIELD=V", "as if the policy said so; may be repeated", VerbSet::of(Verb::Check, Verb::Test, Verb::Export), Category::Policy, true},
    OptionInfo {OptionId::Mode, "--mode", "", "RULE=MODE", "enforce, shadow or off, for a rule or `all`; may be repeated", VerbSet::of(Verb::Check, Verb::Test, Verb::Export), Category::Policy, true},

    OptionInfo {OptionId::Db, "--db", "", "FILE", "store of runs (default $XDG_DATA_HOME/weir/runs.db)", kAll, Category::Everywhere},
    OptionInfo {OptionId::Json, "--json", "", "", "results as one JSON document", kReading, Category::Everywhere},
    OptionInfo {OptionId::Quiet, "--quiet", "-q", "", "no progress and no warnings; errors and results stay", kAll, Category::Everywhere},
    OptionInfo {OptionId::NoColor, "--no-color", "", "", "no colours (so does NO_COLOR in the environment)", kAll, Category::Everywhere},
    OptionInfo {OptionId::NoProgress, "--no-progress", "", "", "no progress line", kAll, Category::Everywhere},
    OptionInfo {OptionId::Seed, "--seed", "", "N", "start of everything drawn at random (default 1)", kAll, Category::Everywhere},
    OptionInfo {OptionId::Help, "--help", "-h", "", "this text", kAll, Category::Everywhere},
};
// clang-format on

} // namespace

std::span<const OptionInfo> allOptions()
{
    return kOptions;
}

const OptionInfo& optionInfo(OptionId id)
{
    for (const OptionInfo& option : kOptions) {
        if (option.id == id) {
            return option;
        }
    }
    std::abort(); // an id without a row is a bug; a test walks the table
}

} // namespace app::cli
