#include "app/workbench/suggest_listener.h"

#include <algorithm>
#include <bit>

namespace app {

engine::Plan measuringPlan(const SuggestRequest& request)
{
    engine::Plan plan;
    plan.name = "suggest";
    plan.attributes = request.attributes;
    const auto add = [&](std::vector<std::string> key, engine::Match match) {
        engine::PlanRule& rule = plan.rules.emplace_back();
        rule.rule = std::to_string(plan.rules.size());
        rule.key = std::move(key);
        rule.match = std::move(match);
    };
    for (const std::vector<std::string>& key : request.keys) {
        add(key, {});
    }
    for (const auto& match : {request.stop, request.protect}) {
        if (match) {
            add({}, *match);
        }
    }
    return plan;
}

engine::Status SuggestListener::begin(const engine::Intake& intake,
                                      const engine::Replay& /*replay*/)
{
    m_intake = &intake;
    m_kinds.clear();
    m_meters.clear();
    m_isCustomer.clear();
    m_requests = m_withWho = m_recordedRejected = m_toStop = m_both = 0;
    m_toProtect = m_customers = 0;
    for (std::size_t key = 0; key < m_request.keys.size(); ++key) {
        KeyMeter& meter = m_meters.emplace_back();
        meter.idAt = intake.layout().tupleAt(intake.tupleOf(0, key));
        if (!m_request.windowsNs.empty()) {
            meter.windows.emplace(m_request.windowsNs);
            meter.curves.resize(meter.windows->size());
        }
        for (std::size_t rate = 0; rate < m_request.rates.size(); ++rate) {
            meter.bursts.emplace_back(m_request.rates[rate], m_bursts[rate]);
            meter.counts.emplace_back();
        }
    }
    return engine::Done {};
}

/// Which matches hold for requests of a profile: their rules apply to it.
SuggestListener::Kind SuggestListener::kindOf(std::uint32_t profile)
{
    if (profile >= m_kinds.size()) {
        m_kinds.resize(profile + std::size_t {1});
    }
    Kind& kind = m_kinds[profile];
    if (!kind.isKnown) {
        const engine::Profile& met = m_intake->profile(0, profile);
        const auto holds = [&](std::size_t rule) {
            const std::vector<std::uint32_t>& rules = met.rules[0];
            return std::find(rules.begin(), rules.end(), rule) != rules.end();
        };
        const std::size_t first = m_request.keys.size();
        kind.isKnown = true;
        kind.stop = m_request.stop && holds(first);
        const bool others = m_request.stop && !m_request.protect;
        const bool isNamed = m_request.protect && holds(first + (m_request.stop ? 1 : 0));
        kind.protect = !kind.stop && (others || isNamed);
        kind.both = kind.stop && isNamed;
    }
    return kind;
}

void SuggestListener::settle(const engine::Settled& settled)
{
    const engine::Arrival& arrival = *settled.arrival;
    const std::uint32_t* const ids = arrival.ids();
    const Kind kind = kindOf(ids[m_intake->layout().profileAt(0)]);
    const std::size_t customer = std::uint32_t {ids[engine::ArrivalLayout::kWho] + 1};
    ++m_requests;
    m_withWho += customer != 0 ? 1U : 0U;
    m_recordedRejected += (arrival.flags & engine::kArrivalRecordedRejected) != 0 ? 1U : 0U;
    m_toStop += kind.stop ? 1U : 0U;
    m_both += kind.both ? 1U : 0U;
    if (kind.protect) {
        ++m_toProtect;
        if (customer >= m_isCustomer.size()) {
            m_isCustomer.resize(customer + 1);
        }
        m_customers += m_isCustomer[customer] ? 0U : 1U;
        m_isCustomer[customer] = true;
    }
    for (KeyMeter& meter : m_meters) {
        const std::uint32_t key = ids[meter.idAt];
        if (key == engine::kNoId) {
            ++meter.without;
            continue;
        }
        ++meter.requests;
        measure(meter, key, arrival.timeNs, kind, customer);
    }
}

void SuggestListener::measure(KeyMeter& meter, std::uint32_t key, std::int64_t timeNs, Kind kind,
                              std::size_t customer) const
{
    if (meter.windows) {
        const std::span<const std::uint32_t> needs = meter.windows->add(key, timeNs);
        for (std::size_t which = 0; which < needs.size(); ++which) {
            WindowCurves& curves = meter.curves[which];
            curves.all.add(needs[which]);
            if (kind.stop) {
                curves.stop.add(needs[which]);
            }
            if (kind.protect) {
                curves.protect.add(needs[which]);
                curves.customers.resize(std::max(curves.customers.size(), customer + 1));
                std::uint32_t& largest = curves.customers[customer];
                largest = std::max(largest, needs[which]);
            }
        }
    }
    for (std::size_t rate = 0; rate < meter.bursts.size(); ++rate) {
        BurstCounts& counts = meter.counts[rate];
        const std::uint64_t rejecting = meter.bursts[rate].add(key, timeNs);
        for (std::uint64_t left = rejecting; left != 0; left &= left - 1) {
            const auto candidate = static_cast<std::size_t>(std::countr_zero(left));
            ++counts.all[candidate];
            counts.stop[candidate] += kind.stop ? 1U : 0U;
            counts.protect[candidate] += kind.protect ? 1U : 0U;
        }
        if (kind.protect) {
            counts.customers.resize(std::max(counts.customers.size(), customer + 1));
            BurstCounts::Customer& of = counts.customers[customer];
            of.hitBy |= rejecting;
            // At most one for each request.
            of.need = std::max(of.need,
                               static_cast<std::uint32_t>(meter.bursts[rate].neededByLast(key)));
        }
    }
}

void SuggestListener::expect(std::span<const engine::Arrival* const> arrivals)
{
    for (const engine::Arrival* const arrival : arrivals) {
        for (const KeyMeter& meter : m_meters) {
            const std::uint32_t key = arrival->ids()[meter.idAt];
            if (key == engine::kNoId) {
                continue;
            }
            if (meter.windows) {
                meter.windows->expect(key);
            }
            for (const engine::BurstNeeds& bursts : meter.bursts) {
                bursts.expect(key);
            }
        }
    }
}

} // namespace app
