#include "app/workbench/compare.h"

namespace app {
namespace {

std::string_view classOf(const engine::PlanRule& rule)
{
    return rule.className ? std::string_view(*rule.className) : std::string_view();
}

} // namespace

std::unique_ptr<engine::Comparison> comparisonOf(const CompareOptions& options)
{
    auto comparison = std::make_unique<engine::Comparison>(options.facets);
    for (const engine::Comparison::Filter& watch : options.watches) {
        comparison->watch(watch);
    }
    return comparison;
}

LiveComparison::LiveComparison(std::optional<std::size_t> base, std::size_t candidate,
                               CompareOptions options)
    : m_base(base)
    , m_candidate(candidate)
    , m_options(std::move(options))
{
}

engine::Status LiveComparison::begin(const engine::Intake& intake, const engine::Replay&)
{
    m_intake = &intake;
    m_comparison = comparisonOf(m_options);
    m_skipped = 0;
    return engine::Done {};
}

void LiveComparison::settle(const engine::Settled& settled)
{
    const engine::Arrival& arrival = *settled.arrival;
    const engine::Verdict& candidate = settled.verdicts[m_candidate];
    if (candidate.warmup || (!m_base && (arrival.flags & engine::kArrivalRecordedKnown) == 0)) {
        ++m_skipped;
        return;
    }
    engine::ComparedRequest request;
    request.candidateRejected = candidate.outcome == engine::Outcome::Rejected;
    request.baseRejected = m_base ? settled.verdicts[*m_base].outcome == engine::Outcome::Rejected
                                  : (arrival.flags & engine::kArrivalRecordedRejected) != 0;
    request.candidateWouldReject
        = !request.candidateRejected && candidate.shadowRule != engine::kNoId;
    if (!request.baseRejected && !request.candidateRejected && !request.candidateWouldReject
        && !m_comparison->wantsEach()) {
        m_comparison->addStillAdmitted(1);
        return;
    }
    request.timeNs = arrival.timeNs;
    request.n = arrival.n;
    request.who = m_intake->whoText(arrival.ids()[engine::ArrivalLayout::kWho]);
    // Of the side that rejected, as in the store.
    const std::size_t grouping
        = request.candidateRejected ? m_candidate : m_base.value_or(m_candidate);
    request.pathGroup = m_intake->pathGroupText(
        grouping, arrival.ids()[m_intake->layout().pathGroupAt(grouping)]);
    if (request.candidateRejected) {
        const engine::PlanRule& rule = m_intake->plans()[m_candidate]->rules[candidate.rule];
        request.candidateRule = rule.rule;
        request.candidateClass = classOf(rule);
    }
    if (request.baseRejected && m_base) {
        const engine::PlanRule& rule
            = m_intake->plans()[*m_base]->rules[settled.verdicts[*m_base].rule];
        request.baseRule = rule.rule;
        request.baseClass = classOf(rule);
    }
    facetsOf(*m_intake, m_candidate, m_options.facets.size(), arrival, request.facets);
    m_comparison->add(request);
}

CompareOutcome LiveComparison::take()
{
    return {{}, {}, m_intake->who(), std::move(m_comparison), m_skipped};
}

void facetsOf(const engine::Intake& intake, std::size_t plan, std::size_t count,
              const engine::Arrival& arrival, std::vector<std::string_view>& values)
{
    values.clear();
    for (std::size_t facet = 0; facet < count; ++facet) {
        const std::size_t tuple = intake.facetTuple(plan, facet);
        const std::uint32_t id = arrival.ids()[intake.layout().tupleAt(tuple)];
        values.push_back(id == engine::kNoId ? std::string_view()
                                             : intake.keyText(tuple, id).front());
    }
}

} // namespace app
