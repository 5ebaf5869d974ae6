#include "tests/support/model/engine_run.h"

#include <algorithm>
#include <cstdio>

namespace tests::model {

namespace {

/// The plan without one of its rules, and without what looked at it.
void dropRule(engine::Plan& plan, std::size_t dropped)
{
    for (std::size_t i = 0; i < plan.rules.size(); ++i) {
        engine::PlanRule& rule = plan.rules[i];
        if (i > dropped && i - rule.stateBefore <= dropped) {
            --rule.stateBefore;
        }
        if (rule.tighten && rule.tighten->rule == dropped) {
            rule.tighten.reset();
        } else if (rule.tighten && rule.tighten->rule > dropped) {
            --rule.tighten->rule;
        }
    }
    plan.rules.erase(plan.rules.begin() + static_cast<std::ptrdiff_t>(dropped));
}

/// Takes one thing after the other away from conditions.
const std::vector<std::function<void(engine::Conditions&)>>& simplifications()
{
    using engine::Conditions;
    static const std::vector<std::function<void(Conditions&)>> kAll {
        [](Conditions& some) { some = {}; },
        [](Conditions& some) { some.servers = {}; },
        [](Conditions& some) { some.outages.clear(); },
        [](Conditions& some) { some.clients.reset(); },
        [](Conditions& some) { some.servers.skewNs = 0; },
        [](Conditions& some) { some.servers.count = std::min(some.servers.count, 2U); },
    };
    return kAll;
}

} // namespace

Case shrunk(Case failing, const std::function<bool(const Case&)>& fails)
{
    const auto dropFrom = [&](auto member, std::size_t chunk) {
        bool dropped = false;
        for (std::size_t at = 0; at < member(failing).size();) {
            Case smaller = failing;
            auto& list = member(smaller);
            const auto first = list.begin() + static_cast<std::ptrdiff_t>(at);
            list.erase(first,
                       list.begin()
                           + static_cast<std::ptrdiff_t>(std::min(list.size(), at + chunk)));
            if (!list.empty() && fails(smaller)) {
                failing = std::move(smaller);
                dropped = true;
            } else {
                at += chunk;
            }
        }
        return dropped;
    };
    const auto requests = [](Case & some) -> auto&
    {
        return some.requests;
    };
    const auto plans = [](Case & some) -> auto&
    {
        return some.plans;
    };
    dropFrom(plans, 1);
    bool again = true;
    while (again) {
        again = false;
        for (std::size_t chunk = std::max<std::size_t>(failing.requests.size() / 2, 1); chunk > 0;
             chunk /= 2) {
            again = dropFrom(requests, chunk) || again;
        }
        for (std::size_t p = 0; p < failing.plans.size(); ++p) {
            for (std::size_t at = 0; at < failing.plans[p].rules.size();) {
                Case smaller = failing;
                dropRule(smaller.plans[p], at);
                if (!smaller.plans[p].rules.empty() && fails(smaller)) {
                    failing = std::move(smaller);
                    again = true;
                } else {
                    ++at;
                }
            }
        }
    }
    for (const auto& simplify : simplifications()) {
        Case smaller = failing;
        simplify(smaller.conditions);
        if (fails(smaller)) {
            failing = std::move(smaller);
        }
    }
    return failing;
}

std::string firstComplaint(std::uint64_t decisions, const CaseOptions& options,
                           const Complaint& complaint)
{
    std::uint64_t asked = 0;
    const std::uint64_t share = numberFromEnvironment("WEIR_PROPERTY_DECISIONS", kUsualDecisions);
    const std::uint64_t wanted = std::max<std::uint64_t>(decisions * share / kUsualDecisions, 1);
    for (std::uint64_t seed = numberFromEnvironment("WEIR_PROPERTY_SEED", 1); asked < wanted;
         ++seed) {
        const Case given = randomCase(seed, options);
        if (!complaint(given).empty()) {
            const Case small
                = shrunk(given, [&](const Case& some) { return !complaint(some).empty(); });
            std::string message = "seed " + std::to_string(seed) + ": " + complaint(small)
                + "\non\n" + describe(small);
            std::fputs(message.c_str(), stderr); // Qt Test cuts long messages
            return message;
        }
        asked += given.requests.size() * given.plans.size();
    }
    return "";
}

} // namespace tests::model
