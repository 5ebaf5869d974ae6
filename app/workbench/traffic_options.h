#pragma once
#include "app/workbench/given_options.h"
#include "app/workbench/traffic.h"
#include "engine/result.h"

#include <cstdint>
#include <optional>
#include <string>

/// What people write about made traffic, and what it means.
namespace app {

/// The scenario of this name. Errors: traffic.scenario.
engine::Result<const TrafficScenario*> findTraffic(std::string_view name);

/// The scenario's defaults with what was given in their place: `rate`, `keys`, `tenants`, `burst`,
/// `every`, `window`, `factor`, `at`, `length`, `latency`, `attempts`, `wait`, `duration`, `start`.
/// With `count` and without `duration` there is no end in time. Options of other names are not
/// looked at.
///
/// Errors: traffic.option (one that the scenario does not have), traffic.value (out of range, or
/// two that do not go together).
///
/// Example: boundary with window 10s: bursts of 100 around each edge of ten seconds.
engine::Result<TrafficSettings> readTraffic(const TrafficScenario& scenario,
                                            const GivenOptions& given);

/// 1/week to 1000000000/s. Errors: traffic.value.
engine::Result<engine::Rate> readTrafficRate(std::string_view text);

/// `count`, at least 1; nothing if it is not given. Errors: traffic.value.
engine::Result<std::optional<std::uint64_t>> readTrafficCount(const GivenOptions& given);

/// Every scenario with its options and their defaults, two lines each.
std::string trafficHelp();

} // namespace app
