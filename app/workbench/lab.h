#pragma once
#include "app/workbench/figure_table.h"
#include "app/workbench/progress.h"
#include "engine/conditions.h"
#include "engine/plan.h"
#include "engine/request.h"
#include "engine/result.h"
#include "policies/limit_words.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// One rule against a pattern of requests, by the engine's own arithmetic: what a change of a
/// number would do, before anything is replayed.
namespace app {

enum class LabPattern : std::uint8_t {
    Twice, ///< N at one instant, and 2 s later N spread over 50 ms
    Boundary, ///< N just before, and N right at the edge of a window
    Steady, ///< N in each period, at equal distances
    Spike, ///< N in each period at random, and in one of them ten times as many more
};

/// One request of one key, in ns since the begin of the pattern.
struct LabRequest {
    std::int64_t atNs = 0;
    std::int64_t cost = 1;
    std::int64_t durationNs = engine::kUnknownDuration;
};

/// Requests in order of time. `originNs` is when the pattern begins, in ns since 1970: windows of
/// the clock are cut by it. The picture ends at `lengthNs`.
struct LabTraffic {
    std::vector<LabRequest> requests;
    std::int64_t originNs = 0;
    std::int64_t lengthNs = 1;
    std::int64_t secondAtNs = 0; ///< Twice, Boundary: where the second half begins; else 0
};

inline constexpr std::size_t kLabMost = 1'000'000; ///< requests that a pattern has at most

/// Why the lab cannot show this rule by itself; empty: it can. A load_shedder needs its classes.
std::string whyNoLab(const engine::PlanRule& rule);

/// The largest N with which a pattern has no more requests than kLabMost.
std::int64_t mostCount(LabPattern pattern);

/// The N that shows something of this limit: what it lets through at one instant; for Steady and
/// Spike a half more, or a fifth less, than it lets through for long. Example: token_bucket 100/s
/// with burst 500: 500, 500, 150, 80.
std::int64_t usualCount(LabPattern pattern, const engine::Limit& limit);

/// "500 at once, twice, 2 s apart".
std::string nameOf(LabPattern pattern, std::int64_t count, const engine::Limit& limit);

/// What has to be said beside it: "the second over 50 ms".
std::string captionOf(LabPattern pattern, const engine::Limit& limit);

/// The requests of a pattern, each of the rule's cost (1 where that is an attribute's), taking
/// assume_duration, or 1 s. The same arguments give the same requests. `count` is
/// within 1 and mostCount().
LabTraffic labTraffic(LabPattern pattern, std::int64_t count, const engine::PlanRule& rule);

/// How far things were at a time.
struct LabPoint {
    std::int64_t atNs = 0;
    std::uint64_t offered = 0;
    std::uint64_t attempts = 0; ///< requests, and those that came again
    std::uint64_t admitted = 0;
    std::uint64_t rejected = 0; ///< attempts
};

struct LabState {
    std::int64_t atNs = 0;
    std::int64_t value = 0;
};

/// Under which conditions a lab tries a rule. As they stand here, one server decides and nobody
/// comes again.
struct LabConditions {
    std::uint32_t servers = 1; ///< that get the requests in turn
    engine::TierState state; ///< where they keep their counts
    std::int64_t skewNs = 0; ///< their clocks are off by up to so much
    /// The key is one client; of several behaviours it has one, by the seed.
    std::optional<engine::ClientProfile> clients;

    [[nodiscard]] bool areUsual() const { return servers == 1 && skewNs == 0 && !clients; }
};

/// What all servers together admitted of the key in one period of the rate, as windows are cut from
/// 1970 on; of a rule that holds slots, in flight at one time.
struct LabMost {
    std::int64_t admitted = 0;
    std::int64_t limit = 0;
    std::int64_t periodNs = 0; ///< 0: in flight
};

/// What came of it.
struct LabResult {
    std::uint64_t offered = 0; ///< requests
    std::uint64_t attempts = 0; ///< requests, and those that came again
    std::uint64_t admitted = 0;
    std::uint64_t rejected = 0; ///< attempts: attempts = admitted + rejected
    std::uint64_t gaveUp = 0; ///< requests that came again and never got through
    /// Two points where several requests came at one instant: before and after it. At most about
    /// 5,000; what lies closer together than that is told by its last point.
    std::vector<LabPoint> soFar;
    /// "tokens left", "counted", "estimate", "waiting", "in flight"; under conditions "admitted
    /// within 1 min", by all servers.
    std::string stateName;
    std::int64_t stateMost = 0; ///< what it is when nothing is used, or all is
    std::vector<LabState> state; ///< likewise, and between requests
    /// That is learned, of all servers together; of other rules nothing.
    std::vector<LabState> limit;
    std::int64_t lengthNs = 1; ///< where the picture ends: retries may come behind the pattern
    policies::WorstSpan worst; ///< the span of the next two, and the most of any
    std::uint64_t firstSpan = 0; ///< cost admitted in the span that begins with the first request
    std::uint64_t rollingSpan = 0; ///< in the span of this length with the most
    std::uint64_t admittedLater = 0; ///< from secondAtNs on; requests
    std::optional<LabMost> most; ///< of several servers; of slots not under skewed clocks
    bool stopped = false; ///< by `stop`: figures are those up to there
};

/// Tries the rule, whatever its mode, on one key. Pure; any thread; time proportional to requests.
///
/// Example: token_bucket 100/s with burst 500, Twice 500: 500, then 205 admitted; first second 500
/// of 600.
LabResult runLab(const engine::PlanRule& rule, const LabTraffic& traffic,
                 const StopFlag* stop = nullptr);

/// The same under conditions, by the replay loop itself; under the usual ones it is runLab() as
/// above. Else firstSpan, rollingSpan and admittedLater stay 0. Time is proportional to attempts;
/// `stop` is heard between requests, and between attempts behind the last one. Errors: those of
/// engine::checkConditions().
///
/// Example: fixed_window 100/min, Twice 1,000, ten servers with local states: 1,000 admitted in the
/// window, 10 times the limit.
engine::Result<LabResult> runLab(const engine::PlanRule& rule, const LabTraffic& traffic,
                                 const LabConditions& conditions, const StopFlag* stop = nullptr);

/// What is drawn, as rows: time, requests so far, state. A row for each time.
FigureTable labTable(const LabResult& result);

} // namespace app
