#include "app/workbench/compare.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/reread.h"
#include "app/workbench/stored_run.h"

namespace app {
namespace {

enum class Side : std::uint8_t { Admitted, Rejected, OutOfIt };

/// One side of a stored comparison, request by request in order of arrival.
class StoredSide {
public:
    StoredSide() = default;
    StoredSide(const StoredSide&) = delete;
    StoredSide& operator=(const StoredSide&) = delete;
    virtual ~StoredSide() = default;

    /// Goes on to the next request; false at the end.
    engine::Result<bool> next()
    {
        ++m_at;
        if (m_at >= m_sides.size()) {
            const engine::Result<bool> more = nextBlock();
            if (!more || !*more) {
                return more;
            }
            m_at = 0;
            m_row = 0;
        }
        while (m_row < rows().size() && rows()[m_row].position < m_at) {
            ++m_row;
        }
        return true;
    }

    [[nodiscard]] Side side() const { return m_sides[m_at]; }

    [[nodiscard]] bool wouldReject() const
    {
        return side() == Side::Admitted && shadowDenied(m_at);
    }

    /// Of a rejected request.
    [[nodiscard]] const storage::RejectionRow* row() const
    {
        return m_row < rows().size() && rows()[m_row].position == m_at ? &rows()[m_row] : nullptr;
    }

    storage::RunNames names;
    std::vector<std::string> classes; ///< by rule; "" where it is of none

protected:
    /// Fills m_sides; false at the end.
    virtual engine::Result<bool> nextBlock() = 0;
    [[nodiscard]] virtual const std::vector<storage::RejectionRow>& rows() const = 0;

    [[nodiscard]] virtual bool shadowDenied(std::size_t /*at*/) const { return false; }

    std::vector<Side> m_sides;

private:
    std::size_t m_at = static_cast<std::size_t>(-1);
    std::size_t m_row = 0;
};

class VerdictSide final : public StoredSide {
public:
    explicit VerdictSide(storage::VerdictCursor cursor)
        : m_cursor(std::move(cursor))
    {
    }

protected:
    engine::Result<bool> nextBlock() override
    {
        engine::Result<bool> more = m_cursor.next(m_block);
        m_sides.clear();
        if (more && *more) {
            for (const storage::StoredOutcome outcome : m_block.outcomes) {
                m_sides.push_back(sideOf(outcome));
            }
        }
        return more;
    }

    [[nodiscard]] const std::vector<storage::RejectionRow>& rows() const override
    {
        return m_block.rows;
    }

    [[nodiscard]] bool shadowDenied(std::size_t at) const override
    {
        return m_block.shadowRules[at] != engine::kNoId;
    }

private:
    static Side sideOf(storage::StoredOutcome outcome)
    {
        switch (outcome) {
        case storage::StoredOutcome::Admitted:
        case storage::StoredOutcome::Exempt:
            return Side::Admitted;
        case storage::StoredOutcome::Rejected:
            return Side::Rejected;
        case storage::StoredOutcome::WarmupAdmitted:
        case storage::StoredOutcome::WarmupRejected:
            break;
        }
        return Side::OutOfIt;
    }

    storage::VerdictCursor m_cursor;
    storage::VerdictBlock m_block;
};

class RecordedSide final : public StoredSide {
public:
    explicit RecordedSide(storage::RecordedCursor cursor)
        : m_cursor(std::move(cursor))
    {
    }

protected:
    engine::Result<bool> nextBlock() override
    {
        engine::Result<bool> more = m_cursor.next(m_block);
        m_sides.clear();
        if (more && *more) {
            for (std::size_t i = 0; i < m_block.known.size(); ++i) {
                m_sides.push_back(m_block.known[i] == 0          ? Side::OutOfIt
                                      : m_block.rejected[i] != 0 ? Side::Rejected
                                                                 : Side::Admitted);
            }
        }
        return more;
    }

    [[nodiscard]] const std::vector<storage::RejectionRow>& rows() const override
    {
        return m_block.rows;
    }

private:
    storage::RecordedCursor m_cursor;
    storage::RecordedBlock m_block;
};

/// Walks both sides together.
class StoredPairs {
public:
    StoredPairs(StoredSide& base, StoredSide& candidate, CompareOutcome& outcome,
                ChangeListener* listener)
        : m_base(base)
        , m_candidate(candidate)
        , m_outcome(outcome)
        , m_listener(listener)
    {
    }

    /// Adds the next request; false at the end.
    engine::Result<bool> add(const std::vector<std::string_view>& facets)
    {
        const engine::Result<bool> base = m_base.next();
        if (!base) {
            return base;
        }
        engine::Result<bool> candidate = m_candidate.next();
        if (!candidate) {
            return candidate;
        }
        if (*base != *candidate) {
            return engine::fail("store.damaged",
                                "the two sides do not have the same number of requests",
                                "replay the log again");
        }
        if (*base) {
            addPair(facets);
        }
        return base;
    }

    /// Have both sides no request left?
    engine::Result<bool> isAtEnd()
    {
        const engine::Result<bool> base = m_base.next();
        if (!base) {
            return base;
        }
        const engine::Result<bool> candidate = m_candidate.next();
        return candidate ? engine::Result<bool>(!*base && !*candidate) : candidate;
    }

private:
    void addPair(const std::vector<std::string_view>& facets)
    {
        if (m_base.side() == Side::OutOfIt || m_candidate.side() == Side::OutOfIt) {
            ++m_outcome.skipped;
            return;
        }
        m_request.baseRejected = m_base.side() == Side::Rejected;
        m_request.candidateRejected = m_candidate.side() == Side::Rejected;
        m_request.candidateWouldReject = m_candidate.wouldReject();
        if (!m_request.baseRejected && !m_request.candidateRejected
            && !m_request.candidateWouldReject && !m_outcome.comparison->wantsEach()) {
            m_outcome.comparison->addStillAdmitted(1);
            return;
        }
        m_request.facets = facets;
        m_request.baseRule = m_request.candidateRule = m_request.who = m_request.pathGroup = {};
        m_request.baseClass = m_request.candidateClass = {};
        if (m_request.baseRejected) {
            describe(m_base, m_request.baseRule, m_request.baseClass);
        }
        if (m_request.candidateRejected) {
            describe(m_candidate, m_request.candidateRule, m_request.candidateClass);
        }
        m_outcome.comparison->add(m_request);
        if (m_listener != nullptr && (m_request.baseRejected || m_request.candidateRejected)) {
            m_listener->changed(m_request, m_ordinal);
        }
    }

    void describe(const StoredSide& side, std::string_view& rule, std::string_view& className)
    {
        const storage::RejectionRow* row = side.row();
        if (row == nullptr) {
            return;
        }
        rule = row->rule == engine::kNoId ? std::string_view() : side.names.rule(row->rule);
        className = row->rule < side.classes.size() ? side.classes[row->rule] : std::string_view();
        m_request.who = side.names.who(row->who);
        m_request.pathGroup = side.names.pathGroup(row->pathGroup);
        m_request.timeNs = row->timeNs;
        m_request.n = row->n;
        m_ordinal = row->ordinal;
    }

    StoredSide& m_base;
    StoredSide& m_candidate;
    CompareOutcome& m_outcome;
    ChangeListener* m_listener;
    engine::ComparedRequest m_request;
    std::uint64_t m_ordinal = 0; ///< of m_request
};

/// Gives the facets of each request while the recording is read again.
class FacetReader final : public Reread {
public:
    FacetReader(StoredPairs& pairs, std::size_t count)
        : m_pairs(pairs)
        , m_count(count)
    {
    }

private:
    engine::Status take(const engine::Arrival& arrival) override
    {
        facetsOf(intake(), 0, m_count, arrival, m_facets);
        const engine::Result<bool> added = m_pairs.add(m_facets);
        if (!added || !*added) {
            return engine::fail(added ? otherRequests() : added.error());
        }
        return engine::Done {};
    }

    StoredPairs& m_pairs;
    std::size_t m_count;
    std::vector<std::string_view> m_facets;
};

/// A side over a cursor of the run, with the names of the run's rows.
template <class Side, class Cursor>
engine::Result<std::unique_ptr<StoredSide>>
sideOf(engine::Result<Cursor> cursor, const storage::RunReader& reader, storage::RunId run)
{
    if (!cursor) {
        return engine::fail(cursor.error());
    }
    engine::Result<storage::RunNames> names = reader.names(run);
    if (!names) {
        return engine::fail(names.error());
    }
    const engine::Result<storage::RunDetail> detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    std::unique_ptr<StoredSide> side = std::make_unique<Side>(std::move(*cursor));
    side->names = std::move(*names);
    for (const storage::RuleTotals& rule : detail->rules) { // by index
        side->classes.push_back(rule.className.value_or(""));
    }
    return side;
}

std::string labelOf(const storage::RunDetail& run)
{
    return "run " + std::to_string(run.summary.id) + " (" + run.summary.name
        + conditionLabel(run.options) + ")";
}

engine::Status readFacets(const storage::RunDetail& run, StoredPairs& pairs,
                          const CompareOptions& options, const ReadAgain& again)
{
    engine::Result<StoredRun> stored = openStoredRun(run, again);
    if (!stored) {
        return engine::fail(stored.error());
    }
    FacetReader listener(pairs, options.facets.size());
    PassOptions pass = stored->pass;
    pass.intake.facets = options.facets;
    const engine::Result<Pass> done = runWholePass({&stored->plan}, pass, listener);
    if (!done) {
        return engine::fail(done.error());
    }
    const engine::Result<bool> end = pairs.isAtEnd();
    if (!end || !*end) {
        return engine::fail(end ? Reread::otherRequests() : end.error());
    }
    return engine::Done {};
}

} // namespace

engine::Result<CompareOutcome> compareStored(storage::RunStore& store, StoredBase base,
                                             storage::RunId candidate,
                                             const CompareOptions& options, const ReadAgain& again,
                                             ChangeListener* listener)
{
    const storage::RunReader reader(store);
    const engine::Status comparable = reader.comparable(base.run.value_or(candidate), candidate);
    if (!comparable) {
        return engine::fail(comparable.error());
    }
    const engine::Result<storage::RunDetail> run = reader.detail(candidate);
    if (!run) {
        return engine::fail(run.error());
    }
    CompareOutcome outcome;
    outcome.candidate = labelOf(*run);
    outcome.base = "recorded";
    for (const storage::Option& option :
         run->recording ? run->recording->reading : std::vector<storage::Option>()) {
        outcome.who = option.name == "who" ? option.value : outcome.who;
    }
    outcome.comparison = comparisonOf(options);
    if (base.run) {
        const engine::Result<storage::RunDetail> other = reader.detail(*base.run);
        if (!other) {
            return engine::fail(other.error());
        }
        outcome.base = labelOf(*other);
    } else if (run->summary.totals.recordedKnown == 0) {
        return engine::fail("compare.nothing-recorded",
                            "the log does not say what production did with any request",
                            "compare two runs instead, or replay a log that has a status");
    }
    auto baseSide = base.run ? sideOf<VerdictSide>(reader.verdicts(*base.run), reader, *base.run)
                             : sideOf<RecordedSide>(reader.recorded(candidate), reader, candidate);
    if (!baseSide) {
        return engine::fail(baseSide.error());
    }
    auto candidateSide = sideOf<VerdictSide>(reader.verdicts(candidate), reader, candidate);
    if (!candidateSide) {
        return engine::fail(candidateSide.error());
    }
    StoredPairs pairs(**baseSide, **candidateSide, outcome, listener);
    if (!options.facets.empty()) {
        if (engine::Status read = readFacets(*run, pairs, options, again); !read) {
            return engine::fail(read.error());
        }
        return outcome;
    }
    for (engine::Result<bool> more = pairs.add({}); !more || *more; more = pairs.add({})) {
        if (!more) {
            return engine::fail(more.error());
        }
        if (again.stop != nullptr && again.stop->load(std::memory_order_relaxed)) {
            return engine::fail("run.interrupted", "interrupted before there was an answer");
        }
    }
    return outcome;
}

} // namespace app
