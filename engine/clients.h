#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What clients do that are rejected: a profile as data, and the wait before each attempt.
///
/// Example: exponential 100 ms .. 20 s without jitter: retries 100, 200, 400 ms after the rejection
/// before, and so on; 20 s from the ninth on.
/// Definition: semantics section 17; notes-clients-and-nodes.md section 5.
namespace engine {

enum class Jitter : std::uint8_t {
    None,
    Full, ///< from nothing to the whole wait
    Equal, ///< half of it, and up to the other half
    Decorrelated, ///< from the base to three times the wait before
};

/// What a client makes of Retry-After, of which it sees whole seconds, at least 1.
enum class RetryAfter : std::uint8_t {
    Ignore,
    Obey, ///< waits exactly that; its own wait where it was told none
    AtLeast, ///< that, and its own wait on top of it; without jitter the longer of both
};

/// How some clients behave.
struct Behaviour {
    std::string name;
    int share = 100; ///< per cent of the clients
    int attempts = 1; ///< in all, the first among them; 1 .. kMostAttempts
    std::int64_t baseNs = 0; ///< wait before the first retry, which doubles
    std::int64_t capNs = 0; ///< up to this; both 0: no wait
    Jitter jitter = Jitter::None;
    RetryAfter retryAfter = RetryAfter::Ignore;
    /// At most so many retries for 100 first attempts of a client so far, rounded up.
    std::optional<int> budgetPercent;

    static constexpr int kMostAttempts = 1000;
};

struct ClientProfile {
    std::string name;
    std::string attribute; ///< whose values are the clients; empty: who
    std::size_t facet = 0; ///< its place among the intake's facets, where it is not who
    std::vector<Behaviour> behaviours; ///< shares add up to 100
};

/// none, immediate, fixed, exponential, full_jitter, obey_exactly, obey_with_jitter, budgeted.
const std::vector<ClientProfile>& clientPresets();

/// nullptr: nothing is wrong with it.
const char* checkBehaviour(const Behaviour& behaviour);

/// The wait between the rejection of attempt `attempt` (from 1) and the next attempt.
/// previousNs: the wait before `attempt`, 0 for the first. told: Retry-After's value in seconds.
/// draw: one of 2^64 equally likely numbers.
std::int64_t waitAfter(const Behaviour& behaviour, int attempt, std::int64_t previousNs,
                       std::optional<std::int64_t> toldSeconds, std::uint64_t draw);

/// May it come again, having made so many first attempts and retries?
bool budgetAllows(const Behaviour& behaviour, std::uint64_t firstAttempts, std::uint64_t retries);

/// Which behaviour a client has: by its name and the seed.
std::size_t behaviourOf(const ClientProfile& profile, std::string_view client, std::uint64_t seed);

std::string_view nameOf(Jitter jitter); ///< "full"
std::string_view nameOf(RetryAfter retryAfter); ///< "at_least"

} // namespace engine
