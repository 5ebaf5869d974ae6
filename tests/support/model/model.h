#pragma once
#include "engine/algorithms/figures.h"
#include "engine/conditions.h"
#include "engine/plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A slow, obvious and exact replay of one policy, to compare the engine with. It knows nothing of
/// the engine but the plain data of a plan and the shape of the figures.
namespace tests::model {

struct Request {
    std::int64_t timeNs = 0;
    std::optional<std::int64_t> durationNs;
    std::map<std::string, std::string> attributes; ///< in normal form; a missing one is not there
};

/// One judged rule's part in a decision.
struct RulePart {
    std::size_t rule = 0; ///< index in Plan::rules
    std::int64_t judgedNs = 0;
    std::int64_t cost = 1;
    bool admits = true;
    bool counted = false;
    bool isStoreAway = false; ///< nothing was judged
    std::int64_t capacity = 0; ///< as it stands after the decision
    engine::Figures figures;
    std::int64_t delayNs = 0; ///< leaky_bucket, where rule and tier admit
};

struct Skip {
    std::size_t rule = 0;
    std::size_t attribute = 0; ///< position in the rule's key, or the key's size for `duration`

    friend bool operator==(const Skip&, const Skip&) = default;
};

/// All that `--decisions` shows of a request.
struct Decision {
    std::uint64_t n = 0; ///< 1-based place in the input
    std::int64_t arrivalNs = 0;
    std::int64_t decidedNs = 0;
    bool rejected = false;
    std::optional<std::size_t> rejectedBy; ///< index in Plan::rules
    std::optional<std::size_t> exempt; ///< index in Plan::exempt
    std::optional<std::int64_t> retryAfterNs = 0;
    std::int64_t delayNs = 0;
    int attempt = 1; ///< above 1: its client came again, at arrivalNs
    bool comesAgain = false; ///< its client does, as the engine says
    std::uint32_t server = 0;
    std::vector<RulePart> rules;
    std::vector<Skip> skips;
};

/// What came of the clients of one behaviour.
struct Outcomes {
    std::uint64_t clients = 0;
    std::uint64_t first = 0;
    std::uint64_t retries = 0;
    std::uint64_t admittedAtOnce = 0;
    std::uint64_t admittedLater = 0;
    std::uint64_t gaveUp = 0;
    std::uint64_t outOfBudget = 0;

    friend bool operator==(const Outcomes&, const Outcomes&) = default;
};

struct Run {
    std::vector<Decision> decisions; ///< in order of decision
    std::vector<Outcomes> outcomes; ///< by behaviour of the clients' profile
};

/// Decides `requests`, given in order of input, under conditions; `who` names the clients where the
/// profile leaves it open.
Run decide(const engine::Plan& plan, const std::vector<Request>& requests,
           const engine::Conditions& conditions, const std::string& who = "api_key");
/// The same under the usual ones.
std::vector<Decision> decide(const engine::Plan& plan, const std::vector<Request>& requests);

/// Does the request match? Kinds Absent, Equals and Range only; any other ends the process.
bool matches(const engine::Match& match, const Request& request);

/// What the request costs a rule.
std::int64_t costOf(const engine::Cost& cost, const Request& request);

} // namespace tests::model
