#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tests {

/// One `limit_req` of a location. `rate=100r/m burst=10 nodelay` is {100, 60, 10, 10}.
struct LimitReqZone {
    std::int64_t requests = 1; ///< of the rate
    std::int64_t seconds = 1; ///< 1 for r/s, 60 for r/m
    std::int64_t burst = 0;
    std::int64_t delayAfter = 0; ///< 0: all of the burst waits; burst: `nodelay`

    /// What nginx keeps of the rate: thousandths of a request in a second, cut. 100r/m is 1666.
    [[nodiscard]] std::int64_t thousandthsPerSecond() const { return requests * 1000 / seconds; }
};

/// What nginx does that exact arithmetic does not, each for itself. All true: nginx.
struct LimitReqTraits {
    bool cutsRate = true; ///< the rate to whole thousandths of a request in a second
    bool cutsSteps = true; ///< what drains from one request to the next to whole thousandths
    bool countsTogether = true; ///< one zone rejects: no zone counts, in a dry run neither
};

/// The zones of one location and all their keys, in whole numbers.
///
/// excess' = max(0, excess - rate * elapsed + 1 request); rejected iff excess' > burst, and then
/// nothing is kept. A new key begins with excess 0. Example: 10r/s burst=2, requests at 0, 10, 20
/// and 30 ms have an excess of 0, 0.9, 1.8 and 2.7, so that the last is rejected.
/// Source: recordings of nginx 1.22.1 at level debug.
class LimitReq {
public:
    LimitReq(std::vector<LimitReqZone> zones, LimitReqTraits traits);

    struct Answer {
        std::optional<std::size_t> rejectedBy; ///< first zone that does
        /// Of each zone that was asked, in whole thousandths of a request, the rest cut.
        std::vector<std::int64_t> excess;
        std::int64_t delayMs = 0; ///< the longest, cut to a whole ms
    };

    /// `keys` has the request's key in each zone. Times do not go back.
    Answer decide(std::int64_t nowMs, const std::vector<std::string>& keys);

private:
    /// What a key has been given beyond its rate, in 1 / (1000 * seconds) thousandths of a request:
    /// the exact rate and the cut one are both whole numbers of these in a millisecond.
    struct State {
        std::int64_t excess = 0;
        std::int64_t lastMs = 0;
    };

    struct Asked {
        std::size_t zone = 0;
        State after;
    };

    [[nodiscard]] State after(std::size_t zone, const std::string& key, std::int64_t nowMs) const;
    [[nodiscard]] std::int64_t delayMs(const LimitReqZone& zone, std::int64_t excess) const;

    std::vector<LimitReqZone> m_zones;
    LimitReqTraits m_traits;
    std::vector<std::map<std::string, State>> m_states; ///< by zone
};

} // namespace tests
