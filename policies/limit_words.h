#pragma once
#include "engine/plan.h"
#include "policies/policy.h"

#include <cstdint>
#include <string>
#include <string_view>

/// What a rule says, in plain words: one wording for forms, cards, tool tips, explanations and
/// differences. Texts hold names and values of the policy as they are; whoever shows them escapes
/// them. Pure; safe from any thread.
namespace policies {

/// What a limit amounts to.
struct LimitWords {
    std::string sentence; ///< "A tenant may burst 500, then 100 per second."
    std::string more; ///< "Worst first second after idling: 600 (500 + 100)."
};

/// Of a rule or an override, as planRule() gives it. Shadow begins "In shadow: ", off "Off. Would
/// be: "; a match goes before: "For GET and HEAD of /search/**: an API key may ...". `allCount`: as
/// of engine::mostAroundEdge().
LimitWords limitWords(const engine::PlanRule& rule, bool allCount = false);

/// The three lines of a card.
struct CardWords {
    std::string matches; ///< "every request", "plan is free", "GET, HEAD  /search/**"
    std::string key; ///< "per api_key", "per tenant and repo", "one bucket for all"
    std::string limit; ///< "60 per minute, burst 60", "5 per hour, exact", "50 in flight"
};

CardWords cardWords(const engine::PlanRule& rule);

/// What a rule says beside its limit, each sentence behind a blank: whom a load_shedder sheds first
/// and when, and when its `tighten` holds. Empty where it has neither.
///
/// Example: " Sheds batch above 50 in flight, then browse above 80."
std::string slotWords(const Rule& rule, const Override* override = nullptr);

/// What a match lets through, as on a card.
std::string matchWords(const engine::Match& match);

/// The span over which the most that a limit lets through is told, and that most.
///
/// Example: token_bucket 100/s with burst 500: 600 within 1 s and 1 ns (both ends of a second), the
/// "second"; sliding_window_log 5/h: 5 within an hour; 10/h with burst 10: 20, the "hour".
struct WorstSpan {
    std::int64_t lengthNs = 0; ///< successive ns; 0 for what holds slots: at one instant
    std::int64_t most = 0; ///< of an adaptive limit: what it can learn at most
    std::string name; ///< "second", "10 min"; "instant" for what holds slots
};

WorstSpan worstSpan(const engine::Limit& limit);

} // namespace policies
