#pragma once
#include "app/workbench/explain.h"
#include "app/workbench/explain_key.h"
#include "storage/zone.h"

#include <cstddef>
#include <optional>
#include <string>

/// One decision in plain words: for who owns the limits, and for who met one. Texts are raw bytes:
/// whoever shows them escapes them.
namespace app {

/// The rule that an explanation is about: the one that rejected, else the first in shadow that
/// would have, else the enforcing one with the least remaining. Nothing where none was judged. Its
/// place in Explanation::rules.
std::optional<std::size_t> tellingRule(const Explanation& explanation);

/// "10 per minute", "60 at once, then 1 per second", "50 in flight".
std::string allowanceText(const engine::Limit& limit);

/// Whom the rule counts: "an API key", "a client address", "a tenant and repo together", "all
/// requests together".
std::string subjectText(const engine::PlanRule& rule);

/// A decision in one sentence, and what it follows from.
struct VerdictText {
    /// "search allows 10 per minute for an API key; this would have been the 11th."
    std::string sentence;
    /// "9 × 28.342 / 60 + 5 + 1 = 10.2513" and the like; empty where the sentence says it all.
    std::string sum;
};

VerdictText verdictText(const Explanation& explanation);

/// What may be told to whoever sent the request: their limit, what of it they had used, when they
/// can come again; times in `zone`. Nothing of others: no count of a bucket that others share, no
/// other rule, no state of the house.
///
/// Example:
///   Your request GET /search/items of 2026-03-10 11:14:31.658 (Europe/Berlin) was rejected.
///   The limit is 10 per minute for an API key. It was used up: 0 were left.
///   It would have passed 1.675 s later, at 11:14:33.333.
std::string customerText(const Explanation& explanation, const storage::Zone& zone);

/// The same of a key's history: their limit, how often they met it and when. Nothing of a bucket
/// that others share.
std::string customerText(const KeyHistory& history, const storage::Zone& zone);

/// "2026-03-10 11:14:31.658", as the clocks of the zone show it.
std::string zonedText(std::int64_t timeNs, const storage::Zone& zone);

} // namespace app
