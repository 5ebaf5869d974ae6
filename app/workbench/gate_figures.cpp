#include "app/workbench/gate_figures.h"

#include <algorithm>
#include <cstdlib>

namespace app {
namespace {

bool isSame(const GateFigure& a, const GateFigure& b)
{
    return a.name == b.name && a.rule == b.rule && a.className == b.className
        && a.attribute == b.attribute && a.value == b.value;
}

/// Is the figure of this rule, or of this class of it?
bool isOf(const GateFigure& figure, const engine::PlanRule& rule)
{
    return (!figure.rule || rule.rule == *figure.rule)
        && (!figure.className || rule.className == figure.className);
}

bool isOfAll(const GateFigure& figure)
{
    return !figure.rule && !figure.className;
}

std::size_t positionIn(const std::vector<std::string>& names, const std::string& name)
{
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

} // namespace

ReplayGate::ReplayGate(Gate gate, std::size_t plan)
    : m_gate(std::move(gate))
    , m_plan(plan)
    , m_counts(m_gate.figures().size())
{
    const std::vector<std::string> names = facets();
    for (const GateFigure& figure : m_gate.figures()) {
        m_facetOf.push_back(figure.attribute ? positionIn(names, *figure.attribute) : 0);
    }
}

engine::Status ReplayGate::begin(const engine::Intake& intake, const engine::Replay&)
{
    m_intake = &intake;
    std::fill(m_counts.begin(), m_counts.end(), Counts {});
    return engine::Done {};
}

void ReplayGate::settle(const engine::Settled& settled)
{
    if (settled.verdicts[m_plan].warmup) {
        return;
    }
    const std::vector<GateFigure>& figures = m_gate.figures();
    for (std::size_t i = 0; i < figures.size(); ++i) {
        if (!figures[i].attribute) {
            continue;
        }
        const std::size_t tuple = m_intake->facetTuple(m_plan, m_facetOf[i]);
        const std::uint32_t id = settled.arrival->ids()[m_intake->layout().tupleAt(tuple)];
        if (id != engine::kNoId && m_intake->keyText(tuple, id).front() == figures[i].value) {
            count(settled, figures[i], m_counts[i]);
        }
    }
}

void ReplayGate::count(const engine::Settled& settled, const GateFigure& figure,
                       Counts& counts) const
{
    const engine::Plan& plan = *m_intake->plans()[m_plan];
    const engine::Verdict& verdict = settled.verdicts[m_plan];
    const bool rejected = verdict.outcome == engine::Outcome::Rejected;
    if (isOfAll(figure)) {
        ++counts.requests;
        ++(rejected ? counts.rejected : counts.admitted);
        counts.wouldReject += !rejected && verdict.shadowRule != engine::kNoId ? 1 : 0;
        return;
    }
    const std::span<const std::uint32_t> denied = settled.denied[m_plan];
    const std::uint32_t profile = settled.arrival->ids()[m_intake->layout().profileAt(m_plan)];
    for (std::size_t tier = 0; tier < verdict.tiersJudged; ++tier) {
        for (const std::uint32_t rule : m_intake->profile(m_plan, profile).rules[tier]) {
            if (!isOf(figure, plan.rules[rule])) {
                continue;
            }
            const bool denies = std::find(denied.begin(), denied.end(), rule) != denied.end();
            ++counts.requests;
            counts.admitted += denies ? 0 : 1;
            counts.rejected += rejected && verdict.rule == rule ? 1 : 0;
            counts.wouldReject += denies && plan.rules[rule].mode == engine::Mode::Shadow ? 1U : 0U;
        }
    }
}

ReplayGate::Counts ReplayGate::fromTally(const engine::Tally& tally, const GateFigure& figure) const
{
    const engine::RunTally& run = tally.run(m_plan);
    if (isOfAll(figure)) {
        return {run.requests, run.admitted, run.rejected, run.wouldReject};
    }
    const engine::Plan& plan = *m_intake->plans()[m_plan];
    Counts counts;
    for (std::size_t r = 0; r < plan.rules.size(); ++r) {
        if (isOf(figure, plan.rules[r])) {
            counts.requests += run.rules[r].judged;
            counts.admitted += run.rules[r].admitted;
            counts.rejected += run.rules[r].rejected;
            counts.wouldReject
                += plan.rules[r].mode == engine::Mode::Shadow ? run.rules[r].denied : 0;
        }
    }
    return counts;
}

Ratio ReplayGate::value(const engine::Tally& tally, const GateFigure& figure) const
{
    const std::vector<GateFigure>& figures = m_gate.figures();
    const auto found
        = std::find_if(figures.begin(), figures.end(),
                       [&figure](const GateFigure& other) { return isSame(other, figure); });
    const Counts counts = figure.attribute
        ? m_counts[static_cast<std::size_t>(found - figures.begin())]
        : fromTally(tally, figure);
    if (figure.name == "requests") {
        return {counts.requests, 1};
    }
    if (figure.name == "admitted") {
        return {counts.admitted, 1};
    }
    if (figure.name == "would_reject") {
        return {counts.wouldReject, 1};
    }
    return {counts.rejected, figure.isShare ? counts.requests : 1};
}

bool ReplayGate::saysNo(const engine::Tally& tally) const
{
    return m_gate.holds([&](const GateFigure& figure) { return value(tally, figure); });
}

std::vector<std::pair<std::string, Ratio>> ReplayGate::values(const engine::Tally& tally) const
{
    std::vector<std::pair<std::string, Ratio>> values;
    for (const GateFigure& figure : m_gate.figures()) {
        values.emplace_back(figure.text(), value(tally, figure));
    }
    return values;
}

CompareGate::CompareGate(Gate gate, const std::vector<std::string>& facets)
    : m_gate(std::move(gate))
{
    for (const GateFigure& figure : m_gate.figures()) {
        engine::Comparison::Filter filter;
        if (figure.attribute) {
            filter.facet = positionIn(facets, *figure.attribute);
            filter.value = figure.value;
        }
        filter.rule = figure.rule;
        filter.className = figure.className;
        m_watches.push_back(filter);
        filter.rule.reset();
        filter.className.reset(); // what a share is a share of
        m_watches.push_back(filter);
    }
}

std::size_t CompareGate::indexOf(const GateFigure& figure) const
{
    const std::vector<GateFigure>& figures = m_gate.figures();
    const auto found
        = std::find_if(figures.begin(), figures.end(),
                       [&figure](const GateFigure& other) { return isSame(other, figure); });
    return static_cast<std::size_t>(found - figures.begin());
}

Ratio CompareGate::value(const engine::Comparison& comparison, std::size_t figure) const
{
    using engine::Change;
    const std::string& name = m_gate.figures()[figure].name;
    const engine::Comparison::Watched& watched = comparison.watched(2 * figure);
    const engine::ChangeCounts& counts = watched.counts;
    const std::uint64_t all = comparison.watched(2 * figure + 1).counts.total();
    const std::uint64_t rejected = counts[Change::NewlyRejected] + counts[Change::StillRejected];
    if (name == "requests") {
        return {counts.total(), 1};
    }
    if (name == "admitted") {
        return {counts.total() - rejected, 1};
    }
    if (name == "rejected") {
        return {rejected, 1};
    }
    if (name == "rejected_share") {
        return {rejected, all};
    }
    if (name == "would_reject") {
        return {watched.wouldReject, 1};
    }
    if (name == "newly_rejected_keys") {
        return {watched.distinctWho[static_cast<std::size_t>(Change::NewlyRejected)], 1};
    }
    if (name == "newly_rejected_share") {
        return {counts[Change::NewlyRejected], all};
    }
    for (const Change change : {Change::StillAdmitted, Change::NewlyRejected, Change::NewlyAdmitted,
                                Change::StillRejected}) {
        if (name == engine::nameOf(change)) {
            return {counts[change], 1};
        }
    }
    std::abort(); // Gate::parse lets no other name through
}

bool CompareGate::saysNo(const engine::Comparison& comparison) const
{
    return m_gate.holds(
        [&](const GateFigure& figure) { return value(comparison, indexOf(figure)); });
}

std::vector<std::pair<std::string, Ratio>>
CompareGate::values(const engine::Comparison& comparison) const
{
    std::vector<std::pair<std::string, Ratio>> values;
    for (std::size_t i = 0; i < m_gate.figures().size(); ++i) {
        values.emplace_back(m_gate.figures()[i].text(), value(comparison, i));
    }
    return values;
}

} // namespace app
