#pragma once
#include "engine/clients.h"
#include "engine/plan.h"

#include <cstdint>
#include <vector>

/// Can a client that comes again get past a limit that it found used up? In exact arithmetic, for
/// one key that nobody else uses meanwhile, and for attempts that reach the limit when the client
/// makes them: nothing is proved behind an earlier tier that delays (leaky_bucket). Pure; safe from
/// any thread.
/// Definition: semantics sections 5 and 17.
namespace engine {

/// When the attempts of a request that is rejected each time come, counted from the first one: the
/// latest that can be, all draws at their most. Times beyond int64 are int64's largest. Of a
/// behaviour that ignores Retry-After; its budget, which may end them sooner, is not looked at.
/// Example: 4 attempts, 100 ms .. 20 s without jitter: 0, 100, 300, 700 ms.
std::vector<std::int64_t> latestAttempts(const Behaviour& behaviour);

/// So many attempts, with all waits at their shortest, come `spanNs` after the first one or later;
/// 0: not even Behaviour::kMostAttempts do.
/// Example: 100 ms .. 20 s with equal jitter waits at least 50, 100, 200, ... ms: 10 s take 9.
int attemptsThatLast(const Behaviour& behaviour, std::int64_t spanNs);

enum class Recovery : std::uint8_t {
    Possible, ///< an attempt gets through, or nothing is proved against it
    TooSoon, ///< the last attempt comes, with the longest waits, before there is room again
    /// There would be room, but the limit counts what it rejects: all the attempts, if each of them
    /// gets as far as this limit.
    KeptFull,
};

/// What becomes of a request of `cost` (1 or more) whose first attempt comes at the instant at
/// which the limit is used up, as longestWaitNs() has it. TooSoon holds for a first attempt at any
/// time after that, since no request is admitted before; KeptFull does not: with one that comes
/// later what filled the limit is forgotten sooner. `latest` are the latestAttempts() of the
/// behaviour.
///
/// A client that heeds Retry-After always recovers, and one that never comes again has nothing to
/// recover by: both are Possible; so is whatever longestWaitNs() knows no wait of. With a budget
/// the number of attempts is not known, so that KeptFull is not proved. Example: 4 attempts, 1 s
/// apart, against sliding_window_log 5/min: TooSoon. 100 attempts, 10 s apart: Possible; with
/// countRejected KeptFull, since 6 of them fall into each minute.
Recovery recoveryFrom(const Limit& limit, std::int64_t cost, const Behaviour& behaviour,
                      const std::vector<std::int64_t>& latest);

} // namespace engine
