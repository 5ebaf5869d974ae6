#pragma once
#include "engine/decision.h"
#include "engine/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A decision as clients are told of it: what each rule allows and has left.
namespace engine::answering {

/// What a limit allows, whatever is used of it.
///
/// Example: token_bucket 12/min, burst 2: quota 2, windowNs 10 s, since 2 come back in 10 s.
struct Quota {
    std::int64_t quota = 0; ///< capacityOf()
    bool isInFlight = false; ///< it counts requests in flight, not requests
    std::optional<std::int64_t> windowNs; ///< in which the quota comes back; 1 or more, rounded up

    [[nodiscard]] std::optional<std::int64_t> windowSeconds() const;
};

Quota quotaOf(const Limit& limit);

/// Is there a count of what remains? A load_shedder of strategy utilisation has none: while nothing
/// is shed it admits beyond its capacity, and what it sheds is drawn.
bool hasQuota(const Limit& limit);

/// An enforcing rule that was judged.
struct ToldRule {
    const PlanRule* rule = nullptr;
    const RuleDecision* decision = nullptr;
    std::string name;
    Quota quota;

    /// Until there is more than now; nothing where no wait brings more: all is there already, or
    /// nothing ever is.
    [[nodiscard]] std::optional<std::int64_t> nextNs() const;

    /// What older forms call the reset: the wait that Retry-After tells where it denied, else
    /// nextNs().
    [[nodiscard]] std::optional<std::int64_t> resetNs() const;
};

/// In policy order.
std::vector<ToldRule> toldRules(const Plan& plan, const Decision& decision);

/// Is `a` nearer to be exhausted than `b`? One that denied is nearer than one that admits, the
/// longer wait nearer than the shorter one, and of two that admit the one with less left.
bool isNearer(const ToldRule& a, const ToldRule& b);

} // namespace engine::answering
