#include "app/workbench/traffic.h"
#include "app/workbench/traffic_streams.h"

#include <algorithm>
#include <array>

namespace app {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kS = 1000 * kMs;
constexpr std::int64_t kMin = 60 * kS;
constexpr std::int64_t kStartNs = 1'767'225'600 * kS; ///< 2026-01-01T00:00:00Z
constexpr std::int64_t kLatencyNs = 50 * kMs;

constexpr std::array kRoutes {
    TrafficRoute {"GET", "/items/", 200, 50}, TrafficRoute {"GET", "/search", 200, 20},
    TrafficRoute {"GET", "/users/", 200, 15}, TrafficRoute {"POST", "/items", 201, 10},
    TrafficRoute {"POST", "/login", 200, 5},
};
static_assert(kRoutes[kSlowRoute].path == "/search");

/// What every scenario has, and what this one has beside it.
std::vector<TrafficOption> with(std::initializer_list<TrafficOption> own)
{
    std::vector<TrafficOption> options(own);
    for (const TrafficOption common :
         {TrafficOption::Keys, TrafficOption::Tenants, TrafficOption::Latency,
          TrafficOption::Duration, TrafficOption::Start}) {
        options.push_back(common);
    }
    return options;
}

constexpr engine::Rate perSecond(std::int64_t count)
{
    return {count, kS};
}

// clang-format off
std::vector<TrafficScenario> table()
{
    using enum TrafficOption;
    return {
        {"poisson", "random arrivals at an even rate", with({Rate}),
         {.rate = perSecond(100), .keys = 100, .tenants = 10, .startNs = kStartNs,
          .durationNs = 10 * kMin, .latencyNs = kLatencyNs}, kMakePoisson},
        {"steady", "arrivals at equal distances, the keys in turn", with({Rate}),
         {.rate = perSecond(100), .keys = 10, .tenants = 1, .startNs = kStartNs,
          .durationNs = kMin, .latencyNs = kLatencyNs}, kMakeSteady},
        {"diurnal", "random arrivals, least at 04:00, factor times as many at 16:00 UTC", with({Rate, Factor}),
         {.rate = perSecond(10), .keys = 1000, .tenants = 10, .startNs = kStartNs,
          .durationNs = 24 * 60 * kMin, .factor = 4, .latencyNs = kLatencyNs}, kMakeDiurnal},
        {"spike", "random arrivals, for a while factor times as many", with({Rate, Factor, At, Length}),
         {.rate = perSecond(100), .keys = 100, .tenants = 10, .startNs = kStartNs,
          .durationNs = 10 * kMin, .factor = 10, .atNs = 5 * kMin, .lengthNs = 30 * kS,
          .latencyNs = kLatencyNs}, kMakeSpike},
        {"burst", "each key sends its burst, waits, and sends it again", with({Burst, Every, Length}),
         {.keys = 1, .tenants = 1, .startNs = kStartNs, .durationNs = 10 * kS, .burst = 500,
          .everyNs = 2 * kS, .lengthNs = 0, .latencyNs = kLatencyNs}, kMakeBurst},
        {"boundary", "each key sends its burst right before and right at each edge of a window", with({Burst, Window, Length}),
         {.keys = 1, .tenants = 1, .startNs = kStartNs, .durationNs = 10 * kMin, .burst = 100,
          .windowNs = kMin, .lengthNs = kMs, .latencyNs = kLatencyNs}, kMakeBoundary},
        {"many_keys", "random arrivals; the nth busiest key has 1/n of what the busiest has", with({Rate}),
         {.rate = perSecond(1000), .keys = 100'000, .tenants = 1000, .startNs = kStartNs,
          .durationNs = kMin, .latencyNs = kLatencyNs}, kMakeManyKeys},
        {"tenant_keys", "one tenant with all these keys in turn, each seldom; others a tenth", with({Rate}),
         {.rate = perSecond(1000), .keys = 10'000, .tenants = 10, .startNs = kStartNs,
          .durationNs = kMin, .latencyNs = kLatencyNs}, kMakeTenantKeys},
        {"retry_storm", "an outage (503) of clients that come again, ever later", with({Rate, At, Length, Attempts, Wait}),
         {.rate = perSecond(100), .keys = 200, .tenants = 10, .startNs = kStartNs,
          .durationNs = 10 * kMin, .atNs = 4 * kMin, .lengthNs = kMin, .latencyNs = kLatencyNs,
          .attempts = 5, .waitNs = 200 * kMs}, kMakeRetryStorm},
        {"slow_endpoint", "random arrivals; /search gets factor times as slow and recovers", with({Rate, Factor, At, Length}),
         {.rate = perSecond(100), .keys = 100, .tenants = 10, .startNs = kStartNs,
          .durationNs = 10 * kMin, .factor = 40, .atNs = 3 * kMin, .lengthNs = 4 * kMin,
          .latencyNs = kLatencyNs}, kMakeSlowEndpoint},
    };
}

// clang-format on

} // namespace

std::span<const TrafficRoute> trafficRoutes()
{
    return kRoutes;
}

bool TrafficScenario::has(TrafficOption option) const
{
    return std::find(options.begin(), options.end(), option) != options.end();
}

std::span<const TrafficScenario> trafficScenarios()
{
    static const std::vector<TrafficScenario> kScenarios = table();
    return kScenarios;
}

const TrafficScenario* trafficScenario(std::string_view name)
{
    for (const TrafficScenario& scenario : trafficScenarios()) {
        if (scenario.name == name) {
            return &scenario;
        }
    }
    return nullptr;
}

} // namespace app
