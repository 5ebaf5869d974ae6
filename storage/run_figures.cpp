#include "storage/run_figures.h"

namespace storage {

EngineFigures::EngineFigures(const engine::Intake& intake, const engine::Replay& replay,
                             const engine::Tally& tally, std::size_t plan,
                             const engine::Conditions* conditions)
    : m_intake(intake)
    , m_replay(replay)
    , m_tally(tally)
    , m_plan(plan)
    , m_conditions(conditions == nullptr ? engine::Conditions {} : *conditions)
{
}

const engine::RunTally& EngineFigures::run() const
{
    return m_tally.run(m_plan);
}

std::uint64_t EngineFigures::costMissing(std::size_t rule) const
{
    return m_intake.costMissing(m_plan, rule);
}

std::size_t EngineFigures::keyCount(std::size_t rule) const
{
    return m_intake.keyCount(m_intake.tupleOf(m_plan, rule));
}

engine::KeyTally EngineFigures::keyTally(std::size_t rule, std::uint32_t key) const
{
    return m_replay.keyTally(m_plan, static_cast<std::uint32_t>(rule), key);
}

std::vector<std::string_view> EngineFigures::keyText(std::size_t rule, std::uint32_t key) const
{
    return m_intake.keyText(m_intake.tupleOf(m_plan, rule), key);
}

std::size_t EngineFigures::whoCount() const
{
    return m_intake.whoCount();
}

engine::WhoTally EngineFigures::who(std::uint32_t id) const
{
    return m_tally.who(m_plan, id);
}

std::string_view EngineFigures::whoText(std::uint32_t id) const
{
    return m_intake.whoText(id);
}

std::string_view EngineFigures::pathGroupText(std::uint32_t id) const
{
    return m_intake.pathGroupText(m_plan, id);
}

engine::StateMemory EngineFigures::memoryOf(std::size_t rule) const
{
    return m_replay.memoryOf(m_plan, static_cast<std::uint32_t>(rule));
}

std::string EngineFigures::serverName(std::size_t server) const
{
    const engine::Servers& servers = m_conditions.servers;
    if (servers.balance != engine::Balance::Logged) {
        return std::to_string(server);
    }
    if (server == 0) { // the requests that do not say which
        return {};
    }
    const std::size_t tuple = m_intake.facetTuple(m_plan, servers.facet);
    return std::string(m_intake.keyText(tuple, static_cast<std::uint32_t>(server - 1)).front());
}

MostAdmittedTotal EngineFigures::mostOf(std::size_t rule, const engine::MostAdmitted& most) const
{
    MostAdmittedTotal total;
    if (most.cost > 0) {
        const std::vector<std::string_view> key = keyText(rule, most.key);
        total = {most.cost, {key.begin(), key.end()}, most.fromNs};
    }
    return total;
}

std::optional<ServerRuleTotal> EngineFigures::serversOf(std::size_t rule) const
{
    const auto index = static_cast<std::uint32_t>(rule);
    const std::optional<engine::ServerFigures> figures = m_replay.servers(m_plan, index);
    if (!figures) {
        return std::nullopt;
    }
    return ServerRuleTotal {index, mostOf(rule, figures->tally.inWindow),
                            mostOf(rule, figures->tally.inSecond), figures->outages};
}

std::string_view EngineFigures::clientText(std::uint32_t id) const
{
    const engine::ClientProfile& profile = *m_conditions.clients;
    return profile.attribute.empty()
        ? m_intake.whoText(id)
        : m_intake.keyText(m_intake.facetTuple(m_plan, profile.facet), id).front();
}

std::optional<ClientTotals> EngineFigures::clients() const
{
    const engine::ClientTally* const tally = m_replay.clients(m_plan);
    if (tally == nullptr || !m_conditions.clients) {
        return std::nullopt;
    }
    ClientTotals totals;
    for (std::size_t i = 0; i < tally->behaviours.size(); ++i) {
        totals.behaviours.push_back(
            {m_conditions.clients->behaviours[i].name, tally->behaviours[i]});
    }
    totals.nameless = tally->nameless;
    totals.peakAttempts = tally->peakAttempts;
    totals.peakSecond = tally->peakSecond;
    totals.herd = tally->herd;
    totals.herdNs = tally->herdNs;
    totals.untilAdmitted = totalsOf(tally->untilAdmitted);
    totals.lockouts = tally->lockouts;
    for (const engine::Lockout& lockout : tally->longest) {
        totals.longest.push_back({std::string(clientText(lockout.client)), lockout.attempts,
                                  lockout.gaveUp, lockout.sinceNs});
    }
    return totals;
}

RunConditions EngineFigures::conditions() const
{
    RunConditions conditions;
    for (const engine::ServerLoad& load : m_replay.serverLoads(m_plan)) {
        conditions.servers.push_back({serverName(conditions.servers.size()), load});
    }
    for (std::size_t rule = 0; rule < m_intake.plans()[m_plan]->rules.size(); ++rule) {
        std::optional<ServerRuleTotal> total = serversOf(rule);
        if (total) {
            conditions.rules.push_back(std::move(*total));
        }
    }
    for (const engine::Outage& outage : m_conditions.outages) {
        conditions.outages.push_back({outage.fromNs, outage.toNs});
    }
    conditions.clients = clients();
    return conditions;
}

} // namespace storage
