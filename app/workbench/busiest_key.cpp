#include "app/workbench/busiest_key.h"

#include "app/workbench/rule_name.h"
#include "app/workbench/secrets.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace app {
namespace {

constexpr std::uint32_t kOnly = 0; ///< the rule, in a plan that has no other

/// The rule by itself, with all that says to whom it applies.
engine::Plan planOf(const engine::Plan& plan, std::size_t rule)
{
    engine::Plan only = plan;
    only.rules = {plan.rules[rule]};
    return only;
}

/// Listens to a pass that decides nothing.
class AtRule : public PassListener {
public:
    engine::Status begin(const engine::Intake& intake, const engine::Replay&) override
    {
        m_intake = &intake;
        m_idAt = intake.layout().tupleAt(intake.tupleOf(0, kOnly));
        m_costAt = intake.costOf(0, kOnly);
        forget();
        return engine::Done {};
    }

    void settle(const engine::Settled& settled) override
    {
        const engine::Arrival& arrival = *settled.arrival;
        const std::uint32_t profile = arrival.ids()[intake().layout().profileAt(0)];
        if (applies(profile)) {
            meet(arrival, arrival.ids()[m_idAt]);
        }
    }

    [[nodiscard]] const engine::Intake& intake() const { return *m_intake; }

protected:
    virtual void forget() = 0;
    virtual void meet(const engine::Arrival& arrival, std::uint32_t key) = 0;

    [[nodiscard]] std::int64_t costOf(const engine::Arrival& arrival, std::int64_t fixed) const
    {
        return m_costAt == engine::Intake::kFixedCost ? fixed
                                                      : intake().layout().cost(arrival, m_costAt);
    }

private:
    [[nodiscard]] bool applies(std::uint32_t profile) const
    {
        const auto& tiers = intake().profile(0, profile).rules;
        return std::any_of(tiers.begin(), tiers.end(),
                           [](const auto& rules) { return !rules.empty(); });
    }

    const engine::Intake* m_intake = nullptr;
    std::size_t m_idAt = 0;
    std::size_t m_costAt = 0;
};

class Counter final : public AtRule {
public:
    std::vector<std::uint64_t> requests; ///< by key

private:
    void forget() override { requests.clear(); }

    void meet(const engine::Arrival&, std::uint32_t key) override
    {
        requests.resize(std::max<std::size_t>(requests.size(), std::size_t {key} + 1));
        ++requests[key];
    }
};

class Collector final : public AtRule {
public:
    Collector(std::uint32_t key, std::int64_t fixedCost)
        : m_key(key)
        , m_fixedCost(fixedCost)
    {
    }

    LabTraffic traffic;

private:
    void forget() override { traffic = {}; }

    void meet(const engine::Arrival& arrival, std::uint32_t key) override
    {
        std::vector<LabRequest>& requests = traffic.requests;
        if (key != m_key || requests.size() >= kLabMost) {
            return;
        }
        if (requests.empty()) {
            traffic.originNs = arrival.timeNs;
        }
        const std::int64_t atNs = arrival.timeNs - traffic.originNs;
        requests.push_back({atNs, costOf(arrival, m_fixedCost), arrival.durationNs});
        traffic.lengthNs = std::max<std::int64_t>(1, atNs);
    }

    std::uint32_t m_key;
    std::int64_t m_fixedCost;
};

} // namespace

engine::Result<BusiestKey> busiestKey(const engine::Plan& plan, std::size_t rule,
                                      PassOptions options)
{
    const auto isStream = [](const LogChoice& log) { return log.path == "-"; };
    if (std::any_of(options.logs.begin(), options.logs.end(), isStream)) {
        return engine::fail("lab.stream", "standard input can be read once only",
                            "name a file for the lab");
    }
    const engine::Plan only = planOf(plan, rule);
    options.decides = false;
    Counter counter;
    const engine::Result<Pass> counted = runWholePass({&only}, options, counter);
    if (!counted) {
        return engine::fail(counted.error());
    }
    const auto most = std::max_element(counter.requests.begin(), counter.requests.end());
    if (most == counter.requests.end()) {
        return engine::fail(
            "lab.no-requests",
            fmt::format("no request of this log meets `{}`", fullName(only.rules[kOnly])),
            "choose another log, or another rule");
    }
    const auto key = static_cast<std::uint32_t>(most - counter.requests.begin());
    Collector collector(key, only.rules[kOnly].cost.fixed);
    const engine::Result<Pass> collected = runWholePass({&only}, options, collector);
    if (!collected) {
        return engine::fail(collected.error());
    }
    const engine::Intake& intake = *collected->intake;
    SecretAttributes secrets;
    secrets.add(options.logs);
    secrets.add(only);
    BusiestKey busiest;
    busiest.key
        = secrets.shown(only.rules[kOnly].key, intake.keyText(intake.tupleOf(0, kOnly), key));
    busiest.requests = *most;
    busiest.keys = counter.requests.size();
    busiest.traffic = std::move(collector.traffic);
    return busiest;
}

} // namespace app
