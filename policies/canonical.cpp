#include "policies/canonical.h"

#include "policies/diff.h"
#include "policies/read.h"
#include "policies/writing/policy_canon.h"
#include "policies/yaml/node.h"

#include <fmt/format.h>

namespace policies {
namespace {

constexpr std::string_view kHeader = "# Canonical form by weir ";

} // namespace

engine::Result<std::string> canonical(const Policy& policy, std::string_view fingerprint,
                                      std::string_view version)
{
    std::string text = fmt::format("{}{}, fingerprint {}\n", kHeader, version, fingerprint);
    writing::Canon root = writing::canonOf(policy);
    // Comments above the first line, wherever the text had that line, are one with the head.
    std::vector<std::string> head = policy.document->head;
    std::vector<std::string>& first = root.items.front().before;
    head.insert(head.end(), first.begin(), first.end());
    first.clear();
    for (const std::string& comment : head) {
        if (comment.substr(0, kHeader.size()) != kHeader) {
            text += comment + "\n";
        }
    }
    text += writing::write(root);
    const Checked again = read(policy.file, text);
    if (!again.policy) {
        const std::string reason
            = again.diagnostics.empty() ? "" : render(again.diagnostics.front());
        return engine::fail("policy.canonical",
                            fmt::format("the canonical text of `{}` cannot be read again: {}",
                                        policy.name.value, reason),
                            "keep the policy as it is and report this");
    }
    const std::vector<Difference> differences = diff(policy, *again.policy);
    if (!differences.empty()) {
        return engine::fail("policy.canonical",
                            fmt::format("the canonical text of `{}` does not say the same: {}",
                                        policy.name.value, differences.front().text),
                            "keep the policy as it is and report this");
    }
    return text;
}

} // namespace policies
