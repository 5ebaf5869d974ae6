#pragma once
#include "app/workbench/pass.h"
#include "engine/needs.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What limits are asked for: keys and, for each, windows and rates; whom they are to stop and
/// whom to leave alone.
struct SuggestRequest {
    PassOptions pass; ///< its `who` says which customer is hit; `decides` is not looked at
    std::vector<engine::Derivation> attributes; ///< of a policy, for keys and matches
    std::vector<std::vector<std::string>> keys; ///< at least one; an empty list: one for everybody
    std::vector<std::int64_t> windowsNs; ///< each as fixed_window and as sliding_window_log
    std::vector<engine::Rate> rates; ///< each as token_bucket; above 0
    std::vector<std::int64_t> limits; ///< candidates beside those that are found
    std::optional<engine::Match> stop; ///< requests that a limit is to reject
    /// Requests that it must not; what `stop` holds for is none of them. Nothing, where `stop` is
    /// given: all others.
    std::optional<engine::Match> protect;
};

/// What one limit does to the recorded requests: exactly what a replay with it would say.
struct LimitEffect {
    std::int64_t limit = 0; ///< N of a window, burst of a rate
    std::vector<std::string> reasons; ///< why it is a candidate: "knee", "next above p99 of keys"
    std::uint64_t requests = 0; ///< that it rejects
    std::uint64_t keys = 0; ///< of which it rejects at least one request
    std::uint64_t stopped = 0; ///< requests to be stopped that it rejects
    std::uint64_t protectedRequests = 0; ///< requests to be protected that it rejects
    std::uint64_t customers = 0; ///< `who` with at least one of those
    /// The largest need that it serves whole: of a protected customer, where there are any, else of
    /// a key. What it leaves above that is headroom. 0: none.
    std::uint32_t largestServed = 0;
};

/// Who needs most: of the protected customers, where there are any, else of the keys.
struct LargestNeed {
    bool isCustomer = false;
    std::vector<std::string> values; ///< raw: of `who` (nobody known: none), or of the key
    std::uint32_t need = 0;
};

/// Needs at shares of all, the least that so many do not exceed.
struct NeedShares {
    std::uint32_t p50 = 0;
    std::uint32_t p90 = 0;
    std::uint32_t p99 = 0;
    std::uint32_t p999 = 0;
    std::uint32_t most = 0;
};

/// One kind of limit on one key.
struct Measured {
    engine::Algorithm algorithm = engine::Algorithm::FixedWindow;
    engine::Rate rate; ///< of a window only the period counts
    NeedShares keys; ///< what keys need
    /// What requests need; of a rate all but the largest are upper bounds: the least candidate that
    /// admits so many of them.
    NeedShares requests;
    std::optional<engine::NeedCurve::Knee> knee; ///< of the keys, at most 5 % of them above it
    LargestNeed largest;
    std::vector<LimitEffect> effects; ///< by limit, ascending
    std::optional<std::size_t> suggested; ///< among `effects`

    /// Its limits are rates of a window, all of them tried; else bursts of a rate.
    [[nodiscard]] bool isWindow() const { return algorithm != engine::Algorithm::TokenBucket; }
};

struct KeyMeasures {
    std::vector<std::string> key;
    std::uint64_t requests = 0; ///< that have all of its attributes
    std::uint64_t without = 0; ///< that do not: no limit on this key touches them
    std::uint64_t keys = 0;
    std::vector<Measured> measured; ///< windows (fixed, sliding) in their order, then rates
};

struct Suggestion {
    Pass pass;
    std::string who;
    std::uint64_t requests = 0;
    std::uint64_t withWho = 0; ///< of them, those of which it is known who sent them
    std::uint64_t recordedRejected = 0; ///< of them, by production
    bool hasStop = false;
    bool hasProtect = false; ///< given, or meant by `stop`
    std::uint64_t toStop = 0;
    std::uint64_t both = 0; ///< of them, named as to protect as well
    std::uint64_t toProtect = 0;
    std::uint64_t customers = 0; ///< `who` with requests to protect
    std::vector<KeyMeasures> keys;

    /// The suggestion that stops most without hitting a customer, else rejects fewest; of equal
    /// ones the first.
    struct Choice {
        std::size_t key = 0;
        std::size_t measured = 0;
    };

    [[nodiscard]] std::optional<Choice> best() const;
};

/// Reads the logs once and measures. Nothing is decided or stored.
///
/// A suggested limit is: with somebody to stop or protect, the least that hits no customer, with a
/// quarter more where that still stops nine tenths of what it would; none where nobody is to be
/// stopped and none of those to protect has the key; else the knee of the keys, or
/// where there is none the largest key, with a quarter more.
/// Example: keys need 1 to 8 a minute and one 300: the knee is 8, 10/min is suggested.
/// Errors: those of runPass(); run.interrupted; suggest.range (limits asked for that
/// a rate cannot be tried with).
engine::Result<Suggestion> suggest(const SuggestRequest& request);

} // namespace app
