#pragma once
#include "app/workbench/explain.h"
#include "engine/decision.h"
#include "engine/intake.h"
#include "engine/plan.h"

#include <deque>
#include <utility>
#include <vector>

namespace app {

/// Keeps the newest decisions about each key of the request that is explained: its rules' states as
/// the engine has them, request by request. Borrows all.
class KeyVisits {
public:
    KeyVisits(const engine::Plan& plan, const std::vector<std::uint32_t>& ids, ReadDepth depth)
        : m_plan(plan)
        , m_ids(ids)
        , m_depth(depth)
    {
    }

    void begin(const engine::Intake& intake)
    {
        m_intake = &intake;
        m_kept.assign(m_plan.rules.size(), {});
        m_places.clear();
        if (m_depth == ReadDepth::Filling) {
            return;
        }
        for (std::size_t rule = 0; rule < m_plan.rules.size(); ++rule) {
            m_places.push_back(intake.layout().tupleAt(intake.tupleOf(0, rule)));
        }
    }

    /// Is it of one of the keys?
    [[nodiscard]] bool wants(const engine::Arrival& arrival) const
    {
        for (const std::size_t place : m_places) {
            if (arrival.ids()[place] == m_ids[place] && m_ids[place] != engine::kNoId) {
                return true;
            }
        }
        return false;
    }

    void add(const engine::Decision& decision)
    {
        for (const engine::RuleDecision& rule : decision.rules) {
            if (m_places.empty() || rule.key != m_ids[m_places[rule.rule]]) {
                continue;
            }
            std::deque<KeyVisit>& kept = m_kept[rule.rule].visits;
            kept.push_back(visitOf(decision, rule));
            if (kept.size() > kVisitsKept) {
                kept.pop_front();
                m_kept[rule.rule].hasDropped = true;
            }
        }
    }

    void describe(ExplainedRule& rule, bool beganLate)
    {
        const Kept& kept = m_kept[rule.decision.rule];
        rule.visits.assign(kept.visits.begin(), kept.visits.end());
        rule.hasEarlier = kept.hasDropped || beganLate;
    }

private:
    struct Kept {
        std::deque<KeyVisit> visits;
        bool hasDropped = false;
    };

    [[nodiscard]] KeyVisit visitOf(const engine::Decision& decision,
                                   const engine::RuleDecision& rule) const
    {
        const engine::Arrival& arrival = *decision.arrival;
        KeyVisit visit;
        visit.n = arrival.n;
        visit.line = arrival.line;
        visit.file = arrival.file;
        visit.atNs = rule.judgedNs;
        visit.cost = rule.cost;
        visit.path = std::string(
            m_intake->pathGroupText(0, arrival.ids()[m_intake->layout().pathGroupAt(0)]));
        visit.admits = rule.admits;
        visit.counted = rule.counted;
        visit.isAdmitted = decision.verdict.outcome == engine::Outcome::Admitted;
        visit.capacity = figureOf(rule.before, "capacity");
        visit.before = visit.capacity - figureOf(rule.before, "remaining");
        visit.after = visit.capacity - figureOf(rule.after, "remaining");
        return visit;
    }

    static std::int64_t figureOf(const std::vector<engine::StateFigure>& figures,
                                 std::string_view name)
    {
        for (const engine::StateFigure& figure : figures) {
            if (figure.name == name) {
                return figure.value;
            }
        }
        return 0;
    }

    const engine::Plan& m_plan;
    const std::vector<std::uint32_t>& m_ids;
    ReadDepth m_depth;
    const engine::Intake* m_intake = nullptr;
    std::vector<std::size_t> m_places; ///< of each rule's key among the ids; none: not asked for
    std::vector<Kept> m_kept; ///< by rule
};

} // namespace app
