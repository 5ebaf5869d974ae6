#include "engine/comparison.h"

#include <unordered_set>

namespace engine {
namespace {

constexpr std::array<std::string_view, kChangeCount> kNames {"still_admitted", "newly_rejected",
                                                             "newly_admitted", "still_rejected"};

void increase(ChangeCounts& counts, Change change)
{
    ++counts.by[static_cast<std::size_t>(change)];
}

ChangeCounts& countsOf(std::map<std::string, ChangeCounts>& counts, std::string_view text)
{
    return counts[std::string(text)];
}

} // namespace

std::string_view nameOf(Change change)
{
    return kNames[static_cast<std::size_t>(change)];
}

struct Comparison::Watch {
    Filter filter;
    Watched watched;
    std::array<std::unordered_set<std::string>, kChangeCount> who;

    [[nodiscard]] bool lets(const ComparedRequest& request) const
    {
        const std::string_view rule
            = request.candidateRejected ? request.candidateRule : request.baseRule;
        if (filter.rule && *filter.rule != rule) {
            return false;
        }
        const std::string_view className
            = request.candidateRejected ? request.candidateClass : request.baseClass;
        if (filter.className && *filter.className != className) {
            return false;
        }
        return !filter.facet || request.facets[*filter.facet] == filter.value;
    }
};

Comparison::Comparison(std::vector<std::string> facetNames)
    : m_facetNames(std::move(facetNames))
    , m_byFacet(m_facetNames.size())
{
}

Change Comparison::changeOf(bool baseRejected, bool candidateRejected)
{
    if (baseRejected) {
        return candidateRejected ? Change::StillRejected : Change::NewlyAdmitted;
    }
    return candidateRejected ? Change::NewlyRejected : Change::StillAdmitted;
}

void Comparison::add(const ComparedRequest& request)
{
    const Change change = changeOf(request.baseRejected, request.candidateRejected);
    increase(m_totals, change);
    m_wouldReject += request.candidateWouldReject ? 1 : 0;
    for (std::size_t facet = 0; facet < m_byFacet.size(); ++facet) {
        increase(countsOf(m_byFacet[facet], request.facets[facet]), change);
    }
    for (const auto& watch : m_watches) {
        if (watch->lets(request)) {
            increase(watch->watched.counts, change);
            watch->watched.wouldReject += request.candidateWouldReject ? 1 : 0;
            if (change != Change::StillAdmitted && !request.who.empty()
                && watch->who[static_cast<std::size_t>(change)].emplace(request.who).second) {
                ++watch->watched.distinctWho[static_cast<std::size_t>(change)];
            }
        }
    }
    if (change == Change::StillAdmitted) {
        return;
    }
    const std::string_view rule
        = request.candidateRejected ? request.candidateRule : request.baseRule;
    increase(countsOf(m_byRule, rule), change);
    increase(countsOf(m_byPathGroup, request.pathGroup), change);
    WhoChange& who = m_byWho[std::string(request.who)];
    if (change == Change::NewlyRejected && who.counts[change] == 0) {
        who.firstNewlyRejectedNs = request.timeNs;
        who.firstNewlyRejectedN = request.n;
    }
    increase(who.counts, change);
}

void Comparison::addStillAdmitted(std::uint64_t count)
{
    m_totals.by[static_cast<std::size_t>(Change::StillAdmitted)] += count;
}

std::size_t Comparison::watch(Filter filter)
{
    m_watches.push_back(std::make_shared<Watch>());
    m_watches.back()->filter = std::move(filter);
    return m_watches.size() - 1;
}

const Comparison::Watched& Comparison::watched(std::size_t index) const
{
    return m_watches[index]->watched;
}

} // namespace engine
