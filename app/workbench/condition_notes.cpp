#include "app/workbench/condition_notes.h"

#include "app/workbench/counted.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"

#include <fmt/format.h>

namespace app {
namespace {

class Notes {
public:
    Notes(const engine::Plan& plan, const engine::Conditions& conditions)
        : m_plan(plan)
        , m_conditions(conditions)
    {
    }

    void learning()
    {
        const std::string names = named([](const engine::PlanRule& rule) {
            return rule.limit.algorithm == engine::Algorithm::AdaptiveConcurrency;
        });
        if (!names.empty()) {
            add("replay.learnt",
                fmt::format("what {} learnt comes from the durations of the log, as they were "
                            "under the limits of then",
                            names));
        }
    }

    void states()
    {
        using engine::StateKind;
        const std::string alone = named([this](const engine::PlanRule& rule) {
            return stateOf(rule).kind == StateKind::Sync && !engine::canSync(rule.limit.algorithm);
        });
        if (!alone.empty()) {
            add("replay.not-synced",
                fmt::format("{} holds slots, of which servers learn nothing from each other: each "
                            "counts for itself",
                            alone));
        }
        const std::string storeless = named([this](const engine::PlanRule& rule) {
            const StateKind kind = stateOf(rule).kind;
            return kind == StateKind::Local || kind == StateKind::Split;
        });
        if (!storeless.empty() && !m_conditions.outages.empty()) {
            add("replay.no-store",
                fmt::format("{} counts on each server, where no outage of the store is felt",
                            storeless));
        }
    }

    void servers(const engine::Replay& replay, std::size_t plan)
    {
        if (m_conditions.servers.balance != engine::Balance::Logged
            && m_conditions.servers.balance != engine::Balance::ByAttribute) {
            return;
        }
        const std::vector<engine::ServerLoad> loads = replay.serverLoads(plan);
        if (m_conditions.servers.balance == engine::Balance::Logged && !loads.empty()
            && loads.front().requests > 0) {
            add("replay.server-unknown",
                fmt::format(
                    "{} which server it was ({}): all such share one",
                    counted(loads.front().requests, "request does not say", "requests do not say"),
                    m_conditions.servers.attribute));
        }
    }

    /// Nothing that a rule would have felt happened meanwhile.
    void outages(const engine::Replay& replay, std::size_t plan)
    {
        for (std::size_t outage = 0; outage < m_conditions.outages.size(); ++outage) {
            std::uint64_t felt = 0;
            for (std::uint32_t rule = 0; rule < m_plan.rules.size(); ++rule) {
                if (const auto figures = replay.servers(plan, rule)) {
                    const engine::OutageTally& tally = figures->outages[outage];
                    felt += tally.letIn + tally.turnedAway + tally.judgedLocally;
                }
            }
            if (felt == 0) {
                const engine::Outage& span = m_conditions.outages[outage];
                add("replay.outage-unfelt",
                    fmt::format("no rule felt that the store was away from {} to {}",
                                timeText(span.fromNs), timeText(span.toNs)));
            }
        }
    }

    void manyServers(const engine::Intake& intake, std::size_t plan)
    {
        if (m_conditions.servers.attribute.empty()) {
            return;
        }
        const std::size_t values
            = intake.keyCount(intake.facetTuple(plan, m_conditions.servers.facet));
        if (values == 0) {
            add("replay.server-unknown",
                fmt::format("no request has `{}`: all came to one server",
                            m_conditions.servers.attribute));
            return;
        }
        if (m_conditions.servers.balance != engine::Balance::Logged) {
            return;
        }
        if (values > engine::kMostServers) {
            add("replay.many-servers",
                fmt::format("{} has {} values: those after the first {} share one server",
                            m_conditions.servers.attribute, grouped(values),
                            grouped(engine::kMostServers)));
        }
    }

    void clients()
    {
        if (m_conditions.clients) {
            add("replay.first-attempts",
                "figures by rule, key and time are of first attempts; what came of retries stands "
                "apart");
        }
    }

    std::vector<storage::Note> list;

private:
    [[nodiscard]] const engine::TierState& stateOf(const engine::PlanRule& rule) const
    {
        return m_conditions.servers.states[static_cast<std::size_t>(rule.tier)];
    }

    /// The rules that something holds for: "a, b".
    template <class Holds> [[nodiscard]] std::string named(Holds holds) const
    {
        std::string names;
        for (const engine::PlanRule& rule : m_plan.rules) {
            if (holds(rule)) {
                names += (names.empty() ? "" : ", ") + fullName(rule);
            }
        }
        return names;
    }

    void add(std::string code, std::string text)
    {
        list.push_back({std::move(code), std::move(text)});
    }

    const engine::Plan& m_plan;
    const engine::Conditions& m_conditions;
};

} // namespace

std::vector<storage::Note> conditionNotesOf(const engine::Intake& intake,
                                            const engine::Replay& replay,
                                            const engine::Conditions& conditions, std::size_t plan)
{
    Notes notes(*intake.plans()[plan], conditions);
    notes.learning();
    notes.states();
    notes.servers(replay, plan);
    notes.manyServers(intake, plan);
    notes.outages(replay, plan);
    notes.clients();
    return std::move(notes.list);
}

} // namespace app
