#pragma once
#include "app/workbench/compare.h"
#include "app/workbench/secrets.h"
#include "engine/decision.h"
#include "engine/plan.h"
#include "storage/run_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

/// Which request is to be explained: by number, by line, or the first rejected one (if there is
/// none, the first that a shadow rule denied, else the first at all) from `atNs` on for which
/// `where` holds.
struct ExplainTarget {
    std::optional<std::uint64_t> n;
    std::optional<std::uint64_t> line;
    /// Of `line`, as it was named in the replay or by its last part; empty: the log, if it is one.
    std::string file;
    std::optional<std::int64_t> atNs;
    engine::Match where;
};

/// An earlier request whose cost was still in a rule's state.
struct FilledBy {
    std::uint64_t n = 0;
    std::uint64_t line = 0;
    std::uint32_t file = 0; ///< index of its LOG
    std::int64_t atNs = 0;
    std::int64_t cost = 1;
};

/// A request of a key as a rule met it, for the history of the rule's state.
struct KeyVisit {
    std::uint64_t n = 0;
    std::uint64_t line = 0;
    std::uint32_t file = 0; ///< index of its LOG
    std::int64_t atNs = 0; ///< judged
    std::int64_t cost = 1;
    std::string path; ///< grouped by the patterns of the policy; raw bytes
    bool admits = true; ///< the rule
    bool counted = false; ///< its cost lies in the state
    bool isAdmitted = true; ///< by all tiers
    std::int64_t capacity = 0;
    std::int64_t before = 0; ///< units that were used when it came
    std::int64_t after = 0; ///< and when it was decided
};

/// How the request was found: as asked for, or because nothing rejected fits.
enum class ExplainChoice : std::uint8_t { Asked, Rejected, ShadowDenied, Admitted };

/// A rule that was judged.
struct ExplainedRule {
    engine::PlanRule rule;
    engine::RuleDecision decision;
    std::vector<std::string> key; ///< values, in the order of rule.key
    std::uint64_t filledByCount = 0; ///< all of them
    std::vector<FilledBy> filledBy; ///< the newest kFilledByShown at most, oldest first
    std::vector<KeyVisit> visits; ///< of its key, up to this request; see ReadDepth
    bool hasEarlier = false; ///< there may be visits before the first one
};

/// A rule that had no part in the decision, and why.
struct UninvolvedRule {
    engine::PlanRule rule;
    std::string reason; ///< "path `/x` is not `/search/**`", "api_key is missing", "search in
                        ///< gateway had rejected"
};

inline constexpr std::size_t kFilledByShown = 10;
inline constexpr std::size_t kVisitsKept = 1000; ///< of each rule, the newest
/// Visits are looked for among so many requests before the one that is explained.
inline constexpr std::uint64_t kVisitsWithin = 200'000;

/// Another attempt of a request that was rejected before, as its client makes it.
struct LaterAttempt {
    int attempt = 2;
    std::int64_t atNs = 0; ///< when it comes
    std::int64_t decidedNs = 0;
    std::uint32_t server = 0; ///< that decided
    std::optional<engine::PlanRule> rejectedBy {}; ///< nothing: it is admitted
    bool isStoreAway = false; ///< rejected, since the store of the rule was away
    std::optional<std::int64_t> retryAfterNs {};
};

/// What comes of a request where clients come again when they are rejected.
struct ClientStory {
    enum class End : std::uint8_t {
        Admitted, ///< by the last attempt, be it the first
        OutOfAttempts, ///< it gave up: its client makes no more
        OutOfBudget, ///< it gave up: its client's budget allowed no retry
        Nameless, ///< it says nothing of its client: it never comes again
    };

    End end = End::Admitted;
    std::vector<LaterAttempt> attempts; ///< after the first
};

std::string_view nameOf(ClientStory::End end); ///< "out_of_budget"

/// How much of what came before is taken down: visits take a decision in full for each of them.
enum class ReadDepth : std::uint8_t { Filling, Visits };

/// One decision in full.
struct Explanation {
    storage::RunDetail run;
    ExplainChoice choice = ExplainChoice::Asked;
    std::uint64_t n = 0;
    std::uint64_t line = 0;
    std::uint32_t file = 0; ///< index of its LOG
    std::vector<std::string> logs; ///< as they were named in the replay
    std::int64_t arrivalNs = 0; ///< spread; also of one that came late in the log
    std::int64_t clockNs = 0; ///< when its decision began: the clock's time where it was late
    std::int64_t stampNs = 0; ///< as the log has it
    std::int64_t durationNs = -1;
    bool late = false;
    std::vector<std::pair<std::string, std::string>> fields; ///< of the request, as read
    SecretAttributes secrets; ///< how values are shown
    engine::Verdict verdict;
    std::string exemption;
    std::int64_t decidedNs = 0;
    std::optional<std::int64_t> retryAfterNs;
    std::uint32_t server = 0; ///< that decided
    std::vector<std::string> conditions; ///< words; none for the usual ones
    std::optional<ClientStory> client; ///< where clients come again
    std::vector<ExplainedRule> rules;
    std::vector<UninvolvedRule> uninvolved;
    bool recordedKnown = false;
    bool recordedRejected = false;
};

/// Reads the recording again and decides it up to the request, with everything written down.
///
/// The outcome is compared with the one in the store; a difference is explain.differs (a changed
/// log or another version), never shown as an explanation.
/// Errors: explain.not-found, explain.differs, recording.*, those of the store and of runPass().
engine::Result<Explanation> explain(storage::RunStore& store, storage::RunId run,
                                    const ExplainTarget& target, const ReadAgain& again,
                                    ReadDepth depth = ReadDepth::Filling);

} // namespace app
