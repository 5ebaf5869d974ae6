#pragma once
#include "engine/plan.h"

#include <cstdint>
#include <optional>

/// What a limit can let through at the worst, in exact arithmetic, for one key. Of limits that
/// checkLimit() has nothing against. Pure; safe from any thread.
/// Definition: semantics section 5.
namespace engine {

/// No more cost than this is ever admitted within `lengthNs` successive nanoseconds (1 or more),
/// whatever else is judged: an upper bound, and a reachable one but for sliding_window_counter.
/// With alignToFirstRequest it is reached where a request that counts nothing opens the window.
/// Beyond int64: int64's largest. Nothing for concurrency, which bounds no number of requests.
///
/// Examples: fixed_window 1000/min: 2000 within 2 ns (an edge lies between), 2000 within a minute.
/// sliding_window_log 1000/min: 1000 within a minute. token_bucket 60/min, burst 60: 60 within 1 s,
/// 61 within 1 s and 1 ns.
std::optional<std::int64_t> mostWithin(const Limit& limit, std::int64_t lengthNs);

/// What windows admit within one of their periods, in requests: those of a window that ends, and
/// those of the next one.
struct AroundEdge {
    std::int64_t before = 0;
    std::int64_t after = 0;

    [[nodiscard]] std::int64_t total() const; ///< at most int64's largest

    friend bool operator==(const AroundEdge&, const AroundEdge&) = default;
};

/// The most requests of `cost` (1 or more) each that fixed_window or sliding_window_counter admits
/// within P successive nanoseconds. It is reached. `allCount`: no request that is judged goes
/// without being counted, so that the one that opens a window (alignToFirstRequest) is part of it.
///
/// Examples: fixed_window 10/min {10, 10}, with a cost of 2 {5, 5}, with alignToFirstRequest and
/// allCount {9, 10}; sliding_window_counter 10/min {10, 9}, with floorEstimate {10, 10}.
AroundEdge mostAroundEdge(const Limit& limit, std::int64_t cost, bool allCount);

/// How long until a key that has used everything has all of it again, rounded up: (burst) * P / N
/// for buckets, P for windows; 0 for a rate of 0 and for concurrency.
/// Example: 60/min with burst 600 is 10 minutes.
std::int64_t refillNs(const Limit& limit);

/// How long a key that was full and then used up at one instant by requests of `cost` (1 or more),
/// of windows at the start of one, admits no further request of that cost, if nothing else comes.
/// Used up bit by bit it has room sooner. Where those requests leave nothing over and nothing that
/// was rejected counts, none ever waits longer; with countRejected what is rejected after them may
/// keep it closed for any time. Nothing where it never admits that cost, and for those that hold
/// slots. Beyond int64: int64's largest.
///
/// Examples: 10/min as fixed_window or sliding_window_log 60 s, as sliding_window_counter 66 s,
/// since the window before still weighs; 60/min as token_bucket 1 s, whatever its burst.
std::optional<std::int64_t> longestWaitNs(const Limit& limit, std::int64_t cost);

/// The mean distance of requests at the rate, P / N, rounded down. Example: 6000/min is 10 ms.
std::int64_t spacingNs(const Limit& limit);

/// Whatever sequence of costs `tighter` admits, `looser` admits too, and any part of it, at the
/// same times. May be false where it is true, never the other way round. Example: 10/s with burst
/// 10 (token_bucket) admits nothing that 700/min (sliding_window_log) would deny; against 600/min
/// this is false, since 10 and 600 may fall into one minute.
///
/// A `looser` that counts what was rejected is never said to (others may have rejected it).
bool admitsAllOf(const Limit& looser, const Limit& tighter);

} // namespace engine
