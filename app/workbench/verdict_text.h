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

/// What a rule found when the request came: "10 of 10 used", "10 of 10 used: 9 in the window
/// before, 5 in this one", "59 of 60 left", "3 of 50 in flight".
std::string foundText(const ExplainedRule& rule);

/// A decision in one sentence, and what it follows from.
struct VerdictText {
    /// "search: an API key may send about 10 in any minute; 0 of 10 were left, and this costs 1."
    std::string sentence;
    /// "9 × 28.342 / 60 + 5 + 1 = 10.2513" and the like; empty where the sentence says it all.
    std::string sum;
};

VerdictText verdictText(const Explanation& explanation);

/// "search: an API key may send about 10 in any minute; of the 120 requests of api_key=k1 it denied
/// 83."
std::string keySentence(const KeyHistory& history);

/// What may be told to whoever sent the request: their limit, what of it they had used, when they
/// can come again; times in `zone`. Nothing of others: no count of a bucket that others share, no
/// other rule, no state of the house.
///
/// Example:
///   Your request GET /search/items of 2026-03-10 11:14:31.658 (Europe/Berlin) was rejected.
///   Your limit: an API key may send about 10 in any minute; 0 of 10 were left.
///   It would have passed 1.675 s later, at 11:14:33.333.
std::string customerText(const Explanation& explanation, const storage::Zone& zone);

/// The same of a key's history: their limit, how often they met it and when. Nothing of a bucket
/// that others share.
std::string customerText(const KeyHistory& history, const storage::Zone& zone);

/// "2026-03-10 11:14:31.658", as the clocks of the zone show it.
std::string zonedText(std::int64_t timeNs, const storage::Zone& zone);

} // namespace app
