#pragma once
#include "app/workbench/traffic.h"

#include <memory>

/// The makers that the table of scenarios names. Settings are those that checkTraffic() has nothing
/// against. Each draws times from one generator and all else from another, so that other keys or
/// latencies do not move the arrivals.
namespace app {

std::unique_ptr<TrafficStream> makePoisson(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeDiurnal(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeSpike(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeSteady(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeBurst(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeBoundary(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeManyKeys(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeTenantKeys(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeRetryStorm(const TrafficSettings& settings, std::uint64_t seed);
std::unique_ptr<TrafficStream> makeSlowEndpoint(const TrafficSettings& settings,
                                                std::uint64_t seed);

} // namespace app
