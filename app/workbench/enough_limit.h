#pragma once
#include "engine/key_history.h"
#include "engine/plan.h"
#include "engine/result.h"
#include "policies/policy.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// One number of a rule that decides how much it admits, and may be raised.
///
/// Example: of `rate: 60/min, burst: 60` these are rate (60 per min) and burst (60).
class LimitField {
public:
    /// Those that the rule, or its override, has: rate and burst, tolerance (in ms) or queue; of
    /// concurrency in_flight. `part` is the plan's rule that `policy` compiles to.
    static std::vector<LimitField> of(const policies::Policy& policy, const engine::PlanRule& part);

    [[nodiscard]] std::string_view name() const { return m_name; }

    [[nodiscard]] std::int64_t current() const { return m_current; }

    /// The limit with another number here, as the policy would have it: a burst that is left out
    /// follows the rate. Nothing if that cannot be counted exactly.
    [[nodiscard]] std::optional<engine::Limit> limitWith(std::int64_t number) const;

    /// The same in a whole plan of the policy, as `--set` does it: overrides that take the value
    /// from their rule follow. False if it cannot be counted exactly.
    [[nodiscard]] bool apply(std::int64_t number, engine::Plan& plan) const;

    /// The next number to look at above one that can be counted: twice as large, or the greatest
    /// that can be counted, or `number` itself where it is that.
    [[nodiscard]] std::int64_t above(std::int64_t number) const;

    /// As a policy has it: "25/min", "12", "250ms".
    [[nodiscard]] std::string textOf(std::int64_t number) const;

private:
    LimitField(std::string_view name, policies::Policy policy, const engine::PlanRule& part,
               std::int64_t current);
    /// The rule's parts in their order; none if it cannot be.
    [[nodiscard]] std::vector<engine::PlanRule> partsWith(std::int64_t number) const;

    std::string_view m_name;
    policies::Policy m_policy; ///< of this rule alone
    std::string m_rule;
    std::optional<std::string> m_override;
    engine::Rate m_rate;
    std::int64_t m_current;
};

/// The least number of the field above the current one with which `requests` are all admitted;
/// nothing if none is enough.
std::optional<std::int64_t> leastEnough(const LimitField& field,
                                        std::span<const engine::KeyRequest> requests);

} // namespace app
