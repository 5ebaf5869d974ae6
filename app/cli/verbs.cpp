#include "app/cli/verbs.h"

#include <array>
#include <cstdlib>

namespace app::cli {
namespace {

constexpr std::string_view kPolicies = "Policies";
constexpr std::string_view kItself = "weir itself";

// clang-format off
constexpr std::array kVerbs {
    VerbInfo {Verb::New, "new", kPolicies, "[FILE]", "a commented policy to start from",
R"(Writes a small policy with a comment on every part, to FILE or to stdout. A FILE that is there
already stays as it is.)",
R"(weir new limits.yaml
weir check limits.yaml)",
        0, 1, runNew},
    VerbInfo {Verb::Version, "version", kItself, "", "which weir this is",
R"(Prints the version of the program.)",
R"(weir version --json)",
        0, 0, runVersion},
    VerbInfo {Verb::Help, "help", kItself, "[VERB]", "this list, or the help of one verb",
R"(Without VERB: all verbs, by group. With VERB: the same as `weir VERB --help`.)",
R"(weir help check)",
        0, 1, runHelp},
};
// clang-format on

} // namespace

std::span<const VerbInfo> allVerbs()
{
    return kVerbs;
}

const VerbInfo& verbInfo(Verb verb)
{
    for (const VerbInfo& info : kVerbs) {
        if (info.verb == verb) {
            return info;
        }
    }
    std::abort(); // a verb without a row is a bug; a test walks the table
}

const VerbInfo* verbNamed(std::string_view name)
{
    for (const VerbInfo& info : kVerbs) {
        if (info.name == name) {
            return &info;
        }
    }
    return nullptr;
}

std::vector<std::string> verbNames()
{
    std::vector<std::string> names;
    for (const VerbInfo& info : kVerbs) {
        names.emplace_back(info.name);
    }
    return names;
}

} // namespace app::cli
