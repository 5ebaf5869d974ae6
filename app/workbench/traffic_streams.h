#pragma once
#include "app/workbench/traffic.h"

/// The makers that the table of scenarios names. Each stream draws times from one generator and all
/// else from another, so that other keys or latencies do not move the arrivals.
namespace app {

extern const TrafficMaker kMakePoisson;
extern const TrafficMaker kMakeDiurnal;
extern const TrafficMaker kMakeSpike;
extern const TrafficMaker kMakeSteady;
extern const TrafficMaker kMakeBurst;
extern const TrafficMaker kMakeBoundary;
extern const TrafficMaker kMakeManyKeys;
extern const TrafficMaker kMakeTenantKeys;
extern const TrafficMaker kMakeRetryStorm;
extern const TrafficMaker kMakeSlowEndpoint;

} // namespace app
