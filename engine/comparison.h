#pragma once
#include "engine/verdict.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine {

/// The four ways in which two sides can stand to each other on one request.
enum class Change : std::uint8_t { StillAdmitted, NewlyRejected, NewlyAdmitted, StillRejected };
inline constexpr std::size_t kChangeCount = 4;

std::string_view nameOf(Change change); ///< "newly_rejected"

struct ChangeCounts {
    std::array<std::uint64_t, kChangeCount> by {};

    [[nodiscard]] std::uint64_t operator[](Change change) const
    {
        return by[static_cast<std::size_t>(change)];
    }

    [[nodiscard]] std::uint64_t total() const { return by[0] + by[1] + by[2] + by[3]; }
};

/// One request as a comparison sees it. Texts are views, valid during the call; an empty `who` is
/// a request that says nothing of its sender. `rule` is the one that rejected on the side that
/// rejected (the candidate's where both did), "" where neither or where it is not known.
struct ComparedRequest {
    bool baseRejected = false;
    bool candidateRejected = false;
    bool candidateWouldReject = false; ///< admitted, but a shadow rule of the candidate denied
    std::int64_t timeNs = 0;
    std::uint64_t n = 0;
    std::string_view who;
    std::string_view pathGroup;
    std::string_view baseRule;
    std::string_view candidateRule;
    std::string_view baseClass {}; ///< of that rule, where it is a load_shedder's; else ""
    std::string_view candidateClass {};
    std::vector<std::string_view> facets; ///< in the order of the comparison's facet names
};

/// One `who` in a comparison.
struct WhoChange {
    ChangeCounts counts;
    std::int64_t firstNewlyRejectedNs = 0;
    std::uint64_t firstNewlyRejectedN = 0;
};

/// Two verdict streams over the same requests, live or stored, told apart.
///
/// add() once for each request in order of arrival. A request that both sides admit needs no texts
/// but its facets. Example: base admits 3 of a's requests, candidate rejects one of them: totals()
/// are {still_admitted 2, newly_rejected 1}, byWho()["a"] has newly_rejected 1.
class Comparison {
public:
    explicit Comparison(std::vector<std::string> facetNames);

    void add(const ComparedRequest& request);
    /// `count` requests that both sides admit and no shadow rule would reject, of which no watch
    /// or facet wants to know more. Where watches or facets are, use add().
    void addStillAdmitted(std::uint64_t count);

    /// Does every request have to be added by itself?
    [[nodiscard]] bool wantsEach() const { return !m_facetNames.empty() || !m_watches.empty(); }

    static Change changeOf(bool baseRejected, bool candidateRejected);

    [[nodiscard]] const ChangeCounts& totals() const { return m_totals; }

    /// Requests that the candidate admits although a shadow rule of its own denied.
    [[nodiscard]] std::uint64_t wouldReject() const { return m_wouldReject; }

    /// By text: who (never only still admitted), the rejecting rule, path group, and facet values.
    [[nodiscard]] const std::unordered_map<std::string, WhoChange>& byWho() const
    {
        return m_byWho;
    }

    [[nodiscard]] const std::map<std::string, ChangeCounts>& byRule() const { return m_byRule; }

    [[nodiscard]] const std::map<std::string, ChangeCounts>& byPathGroup() const
    {
        return m_byPathGroup;
    }

    [[nodiscard]] const std::map<std::string, ChangeCounts>& byFacet(std::size_t facet) const
    {
        return m_byFacet[facet];
    }

    [[nodiscard]] const std::vector<std::string>& facetNames() const { return m_facetNames; }

    /// Watched sets, for gates: all requests that a filter lets through. Register before add().
    struct Filter {
        std::optional<std::string> rule; ///< that rejected: the candidate's, else the base's
        std::optional<std::string> className; ///< of that rule
        std::optional<std::size_t> facet; ///< the facet has `value`
        std::string value;
    };

    struct Watched {
        ChangeCounts counts;
        std::uint64_t wouldReject = 0;
        std::array<std::uint64_t, kChangeCount> distinctWho {}; ///< with at least one such change
    };

    /// Returns the index for watched(). A filter that lets everything through is fine.
    std::size_t watch(Filter filter);
    [[nodiscard]] const Watched& watched(std::size_t index) const;

private:
    std::vector<std::string> m_facetNames;
    ChangeCounts m_totals;
    std::uint64_t m_wouldReject = 0;
    std::unordered_map<std::string, WhoChange> m_byWho;
    std::map<std::string, ChangeCounts> m_byRule;
    std::map<std::string, ChangeCounts> m_byPathGroup;
    std::vector<std::map<std::string, ChangeCounts>> m_byFacet;
    struct Watch;
    std::vector<std::shared_ptr<Watch>> m_watches;
};

} // namespace engine
