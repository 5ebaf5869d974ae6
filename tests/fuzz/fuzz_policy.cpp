// Any bytes as a policy: reading ends and says something of whatever it refuses; what it takes has
// a canonical form that means the same and is its own canonical form.
#include "policies/canonical.h"
#include "policies/compile.h"
#include "policies/read.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

engine::Result<std::string> onePlan(const std::string& /*file*/)
{
    return std::string("api_key,plan\nk1,pro\n");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const policies::Checked checked = policies::read("p.yaml", text);
    if (!checked.policy) {
        require(!checked.diagnostics.empty());
        for (const engine::Diagnostic& diagnostic : checked.diagnostics) {
            require(!diagnostic.code.empty() && !diagnostic.message.empty()
                    && diagnostic.place.line >= 0);
        }
        return 0;
    }
    const policies::Compiled compiled = policies::compile(*checked.policy, onePlan);
    require(compiled.plan.has_value() || !compiled.diagnostics.empty());

    const auto first = policies::canonical(*checked.policy, "0", "0.0.0");
    require(bool(first));
    const policies::Checked again = policies::read("p.yaml", first.value());
    require(again.policy.has_value());
    const auto second = policies::canonical(*again.policy, "0", "0.0.0");
    require(second && second.value() == first.value());
    return 0;
}
