#pragma once
#include "engine/conditions.h"
#include "engine/plan.h"
#include "tests/support/model/model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tests::model {

/// A stream of draws that is the same on every machine (splitmix64).
class Random {
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    {
    }

    std::uint64_t next();
    /// 0 to bound - 1; bound above 0.
    std::uint64_t below(std::uint64_t bound);
    /// Both ends included.
    std::int64_t between(std::int64_t low, std::int64_t high);
    bool percent(unsigned share);

    template <class List> const auto& oneOf(const List& list) { return list[below(list.size())]; }

private:
    std::uint64_t m_state;
};

/// Policies and the requests that they decide, in order of input.
struct Case {
    std::vector<engine::Plan> plans;
    std::vector<Request> requests;
    engine::Conditions conditions {}; ///< facet 0: by which servers are found; facet 1: clients
};

struct CaseOptions {
    std::size_t maxPlans = 2;
    std::size_t maxRules = 6;
    std::size_t maxRequests = 120;
    bool ordered = false; ///< times never go back in the input
    bool conditions = false; ///< others than the usual ones
};

/// The case that belongs to a seed: rules of all algorithms with small and extreme numbers, and
/// traffic that meets their edges.
Case randomCase(std::uint64_t seed, const CaseOptions& options = {});

engine::Plan randomPlan(Random& random, std::size_t maxRules);
/// Several servers, clocks that are off, outages, clients that come again: some of these, such that
/// every plan of the case can be decided under them.
engine::Conditions randomConditions(Random& random, const Case& given);
/// One of the algorithms whose limits stay what they are.
engine::Limit randomLimit(Random& random);
engine::Limit randomLimit(Random& random, engine::Algorithm algorithm);
std::vector<Request> randomRequests(Random& random, const std::vector<engine::Plan>& plans,
                                    std::size_t count);

/// The case as text: every number that matters, policy by policy, request by request.
std::string describe(const Case& failing);
std::string describe(const Decision& decision, const engine::Plan& plan);

/// WEIR_PROPERTY_DECISIONS, where it is given, makes every property's share smaller or larger in
/// proportion to this.
inline constexpr std::uint64_t kUsualDecisions = 1000000;

/// The number in the environment variable, else `otherwise`.
std::uint64_t numberFromEnvironment(const char* name, std::uint64_t otherwise);

} // namespace tests::model
