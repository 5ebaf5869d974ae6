#include "app/workbench/find_requests.h"

#include "app/workbench/rule_name.h"
#include "app/workbench/run_tables.h"
#include "app/workbench/secrets.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

namespace app {
namespace {

/// Remembers for each id of a kind of text whether a part of it is the one that is looked for.
class TextFilter {
public:
    explicit TextFilter(std::string part)
        : m_part(std::move(part))
    {
    }

    /// `shown`: gives the text of an id that was not asked for before.
    template <class Shown> bool holds(std::uint32_t id, const Shown& shown)
    {
        if (m_part.empty()) {
            return true;
        }
        const auto known = m_known.find(id);
        if (known != m_known.end()) {
            return known->second;
        }
        const bool isIn = std::string(shown(id)).find(m_part) != std::string::npos;
        m_known.emplace(id, isIn);
        return isIn;
    }

private:
    std::string m_part;
    std::unordered_map<std::uint32_t, bool> m_known;
};

/// What both ways of looking share.
class Search {
public:
    Search(const storage::RunDetail& run, const RequestQuery& query, std::size_t most)
        : m_run(run)
        , m_query(query)
        , m_most(most)
        , m_secrets(secretsOf(run))
        , m_whoName(whoOf(run))
        , m_who(query.who)
        , m_path(query.path)
    {
    }

    /// `texts` gives who(id) and pathGroup(id).
    template <class Texts>
    void take(const storage::RejectionRow& row, FoundOutcome outcome, const Texts& texts)
    {
        if (!meets(row, outcome)) {
            return;
        }
        const auto who
            = [&](std::uint32_t id) { return m_secrets.shown(m_whoName, texts.who(id)); };
        const auto path = [&](std::uint32_t id) { return texts.pathGroup(id); };
        if (!m_who.holds(row.who, who) || !m_path.holds(row.pathGroup, path)) {
            return;
        }
        if (found.requests.size() == m_most) {
            ++found.more;
            return;
        }
        found.requests.push_back({row.n, row.timeNs, row.who == engine::kNoId ? "" : who(row.who),
                                  std::string(path(row.pathGroup)), ruleName(row.rule), outcome});
    }

    FoundRequests found;

private:
    [[nodiscard]] bool meets(const storage::RejectionRow& row, FoundOutcome outcome) const
    {
        return (!m_query.outcome || *m_query.outcome == outcome)
            && (!m_query.n || row.n == *m_query.n)
            && (!m_query.fromNs || row.timeNs >= *m_query.fromNs)
            && (!m_query.toNs || row.timeNs < *m_query.toNs)
            && (m_query.rule.empty() || isRule(row.rule));
    }

    /// RULE means its overrides as well.
    [[nodiscard]] bool isRule(std::uint32_t index) const
    {
        for (const storage::RuleTotals& rule : m_run.rules) {
            if (rule.index == index) {
                return m_query.rule == rule.rule || m_query.rule == fullName(rule);
            }
        }
        return false;
    }

    [[nodiscard]] std::string ruleName(std::uint32_t index) const
    {
        for (const storage::RuleTotals& rule : m_run.rules) {
            if (rule.index == index) {
                return fullName(rule);
            }
        }
        return {};
    }

    const storage::RunDetail& m_run;
    const RequestQuery& m_query;
    std::size_t m_most;
    SecretAttributes m_secrets;
    std::string m_whoName;
    TextFilter m_who;
    TextFilter m_path;
};

bool isRejection(storage::StoredOutcome outcome)
{
    return outcome == storage::StoredOutcome::Rejected
        || outcome == storage::StoredOutcome::WarmupRejected;
}

/// Calls `take` with each row of the run and whether it is a rejection; until it says false.
engine::Status
forEachRow(const storage::RunReader& reader, storage::RunId run, const StopFlag* stop,
           const std::function<bool(const storage::RejectionRow&, bool isRejected)>& take)
{
    auto cursor = reader.verdicts(run);
    if (!cursor) {
        return engine::fail(cursor.error());
    }
    storage::VerdictBlock block;
    for (;;) {
        const engine::Result<bool> more = cursor->next(block);
        if (!more) {
            return engine::fail(more.error());
        }
        if (!*more) {
            return engine::Done {};
        }
        if (stop != nullptr && *stop) {
            return engine::fail("run.interrupted", "the search was stopped");
        }
        for (const storage::RejectionRow& row : block.rows) {
            if (!take(row, isRejection(block.outcomes[row.position]))) {
                return engine::Done {};
            }
        }
    }
}

engine::Status searchStore(const storage::RunReader& reader, storage::RunId run,
                           const StopFlag* stop, Search& search)
{
    const engine::Result<storage::RunNames> names = reader.names(run);
    if (!names) {
        return engine::fail(names.error());
    }
    return forEachRow(reader, run, stop, [&](const storage::RejectionRow& row, bool isRejected) {
        search.take(row, isRejected ? FoundOutcome::Rejected : FoundOutcome::WouldReject, *names);
        return true;
    });
}

/// Looks at every request of the recording while it is decided again.
class RequestListener final : public PassListener {
public:
    RequestListener(Search& search, bool onlyMarked)
        : m_search(search)
        , m_onlyMarked(onlyMarked)
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay&) override
    {
        m_intake = &intake;
        m_search.found = {};
        return engine::Done {};
    }

    void settle(const engine::Settled& settled) override
    {
        const engine::Arrival& arrival = *settled.arrival;
        if (m_onlyMarked && (arrival.flags & engine::kArrivalMarked) == 0) {
            return;
        }
        const engine::Verdict& verdict = settled.verdicts[0];
        const bool isRejected = verdict.outcome == engine::Outcome::Rejected;
        storage::RejectionRow row;
        row.n = arrival.n;
        row.timeNs = arrival.timeNs;
        row.rule = isRejected ? verdict.rule : verdict.shadowRule;
        row.who = arrival.ids()[0];
        row.pathGroup = arrival.ids()[m_intake->layout().pathGroupAt(0)];
        m_search.take(row,
                      isRejected                                ? FoundOutcome::Rejected
                          : verdict.shadowRule != engine::kNoId ? FoundOutcome::WouldReject
                                                                : FoundOutcome::Admitted,
                      *this);
    }

    [[nodiscard]] std::string_view who(std::uint32_t id) const { return m_intake->whoText(id); }

    [[nodiscard]] std::string_view pathGroup(std::uint32_t id) const
    {
        return m_intake->pathGroupText(0, id);
    }

private:
    Search& m_search;
    bool m_onlyMarked;
    const engine::Intake* m_intake = nullptr;
};

engine::Status searchRecording(const storage::RunDetail& run, const RequestQuery& query,
                               const ReadAgain& again, Search& search)
{
    engine::Result<StoredRun> stored = openStoredRun(run, again);
    if (!stored) {
        return engine::fail(stored.error());
    }
    if (!query.requestId.empty()) {
        engine::Test is;
        is.text = query.requestId;
        stored->pass.intake.mark = {{"request_id", false, {is}}};
    }
    RequestListener listener(search, !query.requestId.empty());
    const engine::Result<Pass> pass = runWholePass({&stored->plan}, stored->pass, listener);
    if (!pass) {
        return engine::fail(pass.error());
    }
    for (FoundRequest& request : search.found.requests) {
        request.n = stored->numbers.numberOf(request.n);
    }
    search.found.isReread = true;
    return engine::Done {};
}

} // namespace

engine::Result<FoundRequests> findRequests(storage::RunStore& store, storage::RunId run,
                                           const RequestQuery& query, const ReadAgain& again,
                                           std::size_t most)
{
    const storage::RunReader reader(store);
    const engine::Result<storage::RunDetail> detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    Search search(*detail, query, most);
    const bool isInStore
        = query.requestId.empty() && query.outcome && *query.outcome != FoundOutcome::Admitted;
    const engine::Status searched = isInStore ? searchStore(reader, run, again.stop, search)
                                              : searchRecording(*detail, query, again, search);
    if (!searched) {
        return engine::fail(searched.error());
    }
    return std::move(search.found);
}

engine::Result<RejectedBeside> rejectedBeside(const storage::RunReader& reader, storage::RunId run,
                                              std::int64_t timeNs, std::uint64_t n,
                                              const std::optional<StoredKey>& key)
{
    const engine::Result<storage::RunDetail> detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const engine::Result<storage::RunNames> names = reader.names(run);
    if (!names) {
        return engine::fail(names.error());
    }
    const bool wantsRejected = detail->summary.totals.rejected > 0;
    std::unordered_map<std::uint32_t, bool> known; // whether an id is the key's
    const auto isKey = [&](const storage::RejectionRow& row) {
        if (!key || row.rule != key->rule) {
            return !key;
        }
        const auto found = known.find(row.key);
        if (found != known.end()) {
            return found->second;
        }
        const std::vector<std::string_view> values = names->key(row.rule, row.key);
        return known[row.key]
            = std::equal(values.begin(), values.end(), key->values.begin(), key->values.end());
    };
    RejectedBeside beside;
    const engine::Status walked
        = forEachRow(reader, run, nullptr, [&](const storage::RejectionRow& row, bool isRejected) {
              if (isRejected != wantsRejected || row.n == n || !isKey(row)) {
                  return true;
              }
              const bool isBefore = std::pair(row.timeNs, row.n) < std::pair(timeNs, n);
              (isBefore ? beside.previous : beside.next) = row.n;
              return isBefore;
          });
    if (!walked) {
        return engine::fail(walked.error());
    }
    return beside;
}

} // namespace app
