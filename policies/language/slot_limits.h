#pragma once
#include "policies/language/report.h"
#include "policies/policy.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

/// The numbers of the algorithms that hold slots: concurrency, adaptive_concurrency, load_shedder.
namespace policies::language {

/// The strategies of both algorithms that have some.
inline constexpr std::array<std::pair<std::string_view, engine::Strategy>, 5> kStrategies {{
    {"vegas", engine::Strategy::Vegas},
    {"gradient2", engine::Strategy::Gradient2},
    {"aimd", engine::Strategy::Aimd},
    {"fleet", engine::Strategy::Fleet},
    {"utilisation", engine::Strategy::Utilisation},
}};

/// What holds where the rule says nothing: vegas, fleet.
engine::Strategy defaultStrategy(engine::Algorithm algorithm);

struct Bounds {
    std::int64_t initial;
    std::int64_t minimum;
    std::int64_t maximum;
};

/// Of a strategy where the rule says nothing: 20, 1, 1000 for vegas; 20, 20, 200 for the others.
Bounds defaultBounds(engine::Strategy strategy);

/// The strategy that the rule goes by, given or not.
engine::Strategy strategyOf(const Rule& rule);

/// Does the rule go by how long its capacity has been used?
bool isUtilisation(const Rule& rule);

int defaultStatus(engine::Algorithm algorithm); ///< of a rejection: 429; 503 for load_shedder

/// Puts in what these algorithms have, where the limit's algorithm is one of them. Of a
/// load_shedder it is the limit of requests that are in no class: never shed before the capacity is
/// full.
void setSlots(engine::Limit& limit, const Rule& rule, const Values& values);

/// Makes the limit of a load_shedder that of its class: up_to, or how many are shed before it (of
/// three classes two before the first, none before the last).
void setClass(engine::Limit& limit, const Rule& rule, std::size_t shedClass);

/// Reports a strategy of the other algorithm, bounds in the wrong order, a capacity that a strategy
/// cannot have, and `cost` and `tighten` of a load_shedder. False: the limit cannot be made.
bool checkSlots(Report& report, const Rule& rule, const std::string& owner);

} // namespace policies::language
