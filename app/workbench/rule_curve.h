#pragma once
#include "app/workbench/pass.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/suggest.h"
#include "engine/plan.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What one rule of a policy would do, by itself, for one value of its limit after another.
struct RuleCurveRequest {
    PolicySource policy; ///< its text and lookups
    std::string rule;
    std::vector<std::int64_t> limits; ///< tried beside those that are found; each above 0
    PassOptions pass; ///< `who` and `mark` are the curve's own
    std::optional<engine::Match> stop; ///< requests that a limit is to reject
    std::optional<engine::Match> protect; ///< requests that it must not
};

/// One limit: N of the rate N/period, or the most in flight.
struct CurvePoint {
    std::int64_t limit = 0;
    std::string value; ///< as a policy has it: "960/min", "50"
    std::uint64_t requests = 0; ///< denied by it
    std::uint64_t keys = 0; ///< with at least one of them; of `RuleCurve::countedBy`
    bool isNow = false; ///< the policy has it
};

/// Peaks of the rule's keys in windows of one length, wherever they begin.
struct KeyPeaks {
    std::int64_t windowNs = 0;
    NeedShares keys;
};

/// Example: pro-plan at 600/min of 263,905 requests of 473 api_key: {960, "960/min", 1399, 2}.
struct RuleCurve {
    std::string rule;
    std::string field; ///< "rate", "in_flight"
    std::string tightenedBy; ///< the rule that does; "" for none
    std::int64_t periodNs = 0; ///< of the rate
    std::uint64_t requests = 0; ///< that the rule would judge
    /// The attribute whose values are counted as keys hit: the rule's own key where that is one.
    std::string countedBy;
    /// Different values of `countedBy` that the rule would judge; nothing where they are not the
    /// rule's own keys.
    std::optional<std::uint64_t> keys;
    std::vector<CurvePoint> points; ///< by limit, ascending; at most kMostPoints
    std::vector<KeyPeaks> peaks; ///< 1 s, 10 s, and the rule's period
    std::uint64_t without = 0; ///< requests that match but lack the key: it touches none of them
    /// The suggested limit, and what it does to those to stop and to protect; nothing: none fits.
    std::optional<LimitEffect> suggested;
    std::uint64_t toStop = 0;
    std::uint64_t toProtect = 0;
    /// The algorithm is a window that nothing tightens, of which needs say it exactly.
    bool isSuggestedKnown = false;
};

inline constexpr std::size_t kMostPoints = 60;

/// Reads the logs twice: what keys need, then what each of about 30 limits would do. The rule is
/// judged alone, all others being off, but for the one that tightens it, which holds its slots and
/// rejects nobody; nothing is stored.
///
/// Errors: curve.rule (no such rule), curve.limit (its algorithm has neither rate nor in_flight),
/// policy.* (errors of the policy), run.interrupted, and those of suggest() and sweep().
engine::Result<RuleCurve> ruleCurve(RuleCurveRequest request);

/// Limits to try between the least and the greatest that matter: 1, 2, 3, 5, 8, 12 ... in steps
/// that people would write, with `most` of them at most. Sorted, each once.
std::vector<std::int64_t> niceLimits(std::int64_t least, std::int64_t greatest, std::size_t most);

} // namespace app
