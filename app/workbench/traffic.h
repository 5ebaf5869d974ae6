#pragma once
#include "engine/plan.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// Made traffic: requests of clients that do not exist, the same for the same seed on every
/// machine. What kinds there are, with their options and defaults, is one table (trafficScenarios).
namespace app {

/// The numbers of a scenario. A scenario has some of them; the others mean nothing there.
struct TrafficSettings {
    engine::Rate rate {100, 1'000'000'000}; ///< of all keys together
    std::int64_t keys = 1;
    std::int64_t tenants = 1;
    std::int64_t startNs = 0; ///< since 1970; nothing arrives earlier
    std::int64_t durationNs = 0; ///< nothing arrives at startNs + durationNs or later
    std::int64_t burst = 1; ///< requests at a time
    std::int64_t everyNs = 1; ///< from one burst to the next
    std::int64_t windowNs = 1; ///< whose edges are attacked; they lie where the clock's do
    std::int64_t factor = 1; ///< how many times as many, or as slow
    std::int64_t atNs = 0; ///< from startNs to where it happens
    std::int64_t lengthNs = 0; ///< how long it lasts
    std::int64_t latencyNs = 0; ///< mean time that a request takes
    std::int64_t attempts = 1; ///< of a request, the first among them
    std::int64_t waitNs = 0; ///< before the second attempt; twice as long before each further one
};

enum class TrafficOption : std::uint8_t {
    Rate,
    Keys,
    Tenants,
    Burst,
    Every,
    Window,
    Factor,
    At,
    Length,
    Latency,
    Attempts,
    Wait,
    Duration,
    Start,
};

/// One request. What it looks like in a log is the business of TrafficLines.
struct TrafficRequest {
    std::int64_t atNs = 0;
    std::int64_t durationNs = 0;
    std::uint64_t key = 0; ///< from 0
    std::uint64_t tenant = 0; ///< from 0
    std::uint32_t attempt = 1;
    std::uint16_t status = 200;
    std::uint8_t route = 0; ///< of trafficRoutes()
    std::uint32_t item = 0; ///< a number in the path, where the route has one
};

/// Requests in order of time, one after another. Memory does not grow with their number (only
/// retry_storm keeps what waits for its next attempt). One thread.
class TrafficStream {
public:
    TrafficStream() = default;
    TrafficStream(const TrafficStream&) = delete;
    TrafficStream& operator=(const TrafficStream&) = delete;
    virtual ~TrafficStream() = default;

    /// False: there are no more.
    virtual bool next(TrafficRequest& request) = 0;
};

/// What a client may ask for: its share of all requests, and how it stands in a log.
struct TrafficRoute {
    std::string_view method;
    std::string_view path; ///< a path that ends in / goes on with the item's number
    std::uint16_t status; ///< when all is well
    std::uint8_t percent;
};

std::span<const TrafficRoute> trafficRoutes();
inline constexpr std::uint8_t kSlowRoute = 1; ///< the one that slow_endpoint is about

/// Makes a stream of settings as readTraffic() gives them.
using TrafficMaker
    = std::unique_ptr<TrafficStream> (*)(const TrafficSettings& settings, std::uint64_t seed);

/// One kind of traffic: all that help, errors and defaults come from.
struct TrafficScenario {
    std::string_view name; ///< "retry_storm"
    std::string_view brief; ///< one line, no full stop
    std::vector<TrafficOption> options;
    TrafficSettings defaults;
    TrafficMaker make;

    [[nodiscard]] bool has(TrafficOption option) const;
};

std::span<const TrafficScenario> trafficScenarios();
const TrafficScenario* trafficScenario(std::string_view name); ///< nullptr: there is none

} // namespace app
