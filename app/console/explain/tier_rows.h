#pragma once

#include "app/workbench/explain.h"

#include <string>
#include <vector>

namespace app::console {

/// A line of the way of a request through the tiers. Texts are raw bytes.
struct TierRow {
    enum class Kind { Tier, Rule, Note };
    enum class Verdict { None, Admitted, Rejected, Shadow };

    Kind kind = Kind::Rule;
    engine::Tier tier = engine::Tier::Edge;
    bool isInRejecting = false; ///< of the tier that rejected
    Verdict verdict = Verdict::None;
    std::string name;
    std::string what; ///< "passed", "rejected by search", "admits", "not judged"
    std::string before; ///< what the rule found; the reason where it was not judged
    std::string after; ///< what it left; of a tier: what was counted
};

/// The tiers that have rules, in their order, each with its rules in the order of the policy: those
/// that judged, then those that had no part, with the reason. Behind the tier that rejected nothing
/// was judged: "never reached".
std::vector<TierRow> tierRows(const Explanation& explanation);

} // namespace app::console
