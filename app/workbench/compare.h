#pragma once
#include "app/workbench/stored_run.h"
#include "engine/comparison.h"
#include "storage/request_numbers.h"
#include "storage/run_reader.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What is counted beside the totals. Facets are attributes of the request (`--by plan`, a gate's
/// `[plan=pro]`), as the candidate's policy derives them.
struct CompareOptions {
    std::vector<std::string> facets;
    std::vector<engine::Comparison::Filter> watches; ///< read back with Comparison::watched(i)
};

/// An empty comparison with these facets and watches.
std::unique_ptr<engine::Comparison> comparisonOf(const CompareOptions& options);

/// A comparison with the names of its sides.
///
/// Example: base "recorded", candidate "run 3 (public-api)", skipped 12: 12 requests take no part,
/// because one side lies in its warm-up or the log does not say what production did.
struct CompareOutcome {
    std::string base;
    std::string candidate;
    std::string who; ///< the attribute that says who sent a request
    std::unique_ptr<engine::Comparison> comparison;
    std::uint64_t skipped = 0;
    storage::RequestNumbers numbers {}; ///< of the comparison's n
};

/// A side of a comparison in the store: a run, or what production did with the candidate's
/// requests.
struct StoredBase {
    std::optional<storage::RunId> run; ///< nothing: recorded
};

/// Is told of every request that at least one side rejects, in order of arrival.
class ChangeListener {
public:
    ChangeListener() = default;
    ChangeListener(const ChangeListener&) = delete;
    ChangeListener& operator=(const ChangeListener&) = delete;
    virtual ~ChangeListener() = default;

    /// `ordinal`: which request of its who it is, from 1. Texts are valid during the call.
    virtual void changed(const engine::ComparedRequest& request, std::uint64_t ordinal) = 0;
};

/// Compares two stored runs, or a run with what production did. `listener` may be nullptr.
///
/// Without facets it reads the store alone; with facets it reads the recording again, whose
/// fingerprint must be that of the run, and takes the verdicts from the store.
///
/// Errors: compare.differs, compare.incomplete (see RunReader::comparable),
/// compare.nothing-recorded, recording.* (see stored_run.h), those of the store and of runPass();
/// run.interrupted (again.stop was set).
engine::Result<CompareOutcome> compareStored(storage::RunStore& store, StoredBase base,
                                             storage::RunId candidate,
                                             const CompareOptions& options, const ReadAgain& again,
                                             ChangeListener* listener = nullptr);

/// Compares while a replay runs: plan `base` (nothing: what production did) with plan `candidate`
/// of one pass. Register it as a listener; the pass's intake needs options.facets as its facets.
class LiveComparison final : public PassListener {
public:
    LiveComparison(std::optional<std::size_t> base, std::size_t candidate, CompareOptions options);

    engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) override;
    void settle(const engine::Settled& settled) override;

    /// After the pass, while its intake lives. Names of the sides are for the caller to fill in.
    [[nodiscard]] CompareOutcome take();

private:
    std::optional<std::size_t> m_base;
    std::size_t m_candidate;
    CompareOptions m_options;
    const engine::Intake* m_intake = nullptr;
    std::unique_ptr<engine::Comparison> m_comparison;
    std::uint64_t m_skipped = 0;
};

/// The values of a request's facets, from its ids; "" where the attribute is missing.
void facetsOf(const engine::Intake& intake, std::size_t plan, std::size_t count,
              const engine::Arrival& arrival, std::vector<std::string_view>& values);

} // namespace app
