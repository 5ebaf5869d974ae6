#include "app/workbench/explain.h"

#include "app/workbench/conditions_options.h"
#include "app/workbench/explain_attempts.h"
#include "app/workbench/explain_fillings.h"
#include "app/workbench/explain_request.h"
#include "app/workbench/explain_visits.h"
#include "app/workbench/stored_run.h"

#include <filesystem>
#include <fmt/format.h>

namespace app {
namespace {

/// Looks for the request that is meant; its `where` comes as the mark of the arrival.
class Finder final : public PassListener {
public:
    /// `place` is that of target.n, `log` the index of target.file.
    Finder(const ExplainTarget& target, std::uint64_t place, std::size_t log)
        : m_target(target)
        , m_place(place)
        , m_log(log)
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay&) override
    {
        m_intake = &intake;
        found.reset();
        m_isFinal = false;
        m_settled = 0;
        return engine::Done {};
    }

    void settle(const engine::Settled& settled) override
    {
        const std::uint64_t position = m_settled++;
        if (m_isFinal || !meets(*settled.arrival)) {
            return;
        }
        const ExplainChoice choice = choiceOf(settled.verdicts[0]);
        m_isFinal = choice == ExplainChoice::Rejected || choice == ExplainChoice::Asked;
        if (!found || choice < found->choice) {
            found = Found {choice, settled.arrival->n, position, {}};
            const engine::ArrivalLayout& layout = m_intake->layout();
            found->ids.assign(settled.arrival->ids(), settled.arrival->ids() + layout.idCount());
        }
    }

    [[nodiscard]] bool enough() const override { return m_isFinal; }

    struct Found {
        ExplainChoice choice = ExplainChoice::Asked;
        std::uint64_t n = 0; ///< or its place
        std::uint64_t position = 0; ///< in order of arrival, from 0
        std::vector<std::uint32_t> ids; ///< the same in every pass over the same log
    };

    std::optional<Found> found;

private:
    [[nodiscard]] ExplainChoice choiceOf(const engine::Verdict& verdict) const
    {
        if (m_target.n || m_target.line) {
            return ExplainChoice::Asked;
        }
        if (verdict.outcome == engine::Outcome::Rejected) {
            return ExplainChoice::Rejected;
        }
        return verdict.shadowRule != engine::kNoId ? ExplainChoice::ShadowDenied
                                                   : ExplainChoice::Admitted;
    }

    [[nodiscard]] bool meets(const engine::Arrival& arrival) const
    {
        if (m_target.n) {
            return arrival.n == m_place;
        }
        if (m_target.line) {
            return arrival.line == *m_target.line && arrival.file == m_log;
        }
        return (!m_target.atNs || arrival.timeNs >= *m_target.atNs)
            && (m_target.where.empty() || (arrival.flags & engine::kArrivalMarked) != 0);
    }

    const ExplainTarget& m_target;
    std::uint64_t m_place;
    std::size_t m_log;
    const engine::Intake* m_intake = nullptr;
    bool m_isFinal = false;
    std::uint64_t m_settled = 0;
};

/// Follows the replay up to the target and takes its decision down.
class Witness final : public PassListener, public engine::DecisionSink {
public:
    Witness(const engine::Plan& plan, const Finder::Found& target, Explanation& explanation,
            ReadDepth depth)
        : m_plan(plan)
        , m_target(target)
        , m_explanation(explanation)
        , m_fillings(plan)
        , m_visits(plan, target.ids, depth)
        , m_follower(plan)
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay&) override
    {
        m_intake = &intake;
        m_fillings.clear();
        m_visits.begin(intake);
        m_follower.clear();
        m_settled = m_isDecided = false;
        m_position = 0;
        m_explanation.rules.clear();
        return engine::Done {};
    }

    void settle(const engine::Settled& settled) override
    {
        ++m_position;
        if (settled.arrival->n == m_target.n) {
            m_settled = true;
        }
    }

    [[nodiscard]] bool enough() const override { return m_settled && m_follower.isEnded(); }

    bool wants(std::size_t, const engine::Arrival& arrival) override
    {
        return arrival.n == m_target.n
            || (!m_isDecided && m_position + kVisitsWithin >= m_target.position
                && m_visits.wants(arrival));
    }

    bool wantsStates(std::size_t, const engine::Arrival&) override { return !m_isDecided; }

    [[nodiscard]] bool tracksCounts() const override { return true; }

    void counted(std::size_t, const engine::CountedCost& counted) override
    {
        const std::size_t at = m_intake->layout().tupleAt(m_intake->tupleOf(0, counted.rule));
        if (m_target.ids[at] == counted.key) {
            m_fillings.add(counted);
        }
    }

    void givenBack(std::size_t, std::uint32_t rule, std::uint32_t key,
                   const engine::Arrival& arrival) override
    {
        const std::size_t at = m_intake->layout().tupleAt(m_intake->tupleOf(0, rule));
        if (m_target.ids[at] == key) {
            m_fillings.remove(rule, arrival.n);
        }
    }

    void decided(std::size_t, const engine::Decision& decision) override
    {
        const bool isTarget = decision.arrival->n == m_target.n;
        if (isTarget) {
            m_follower.add(decision);
        }
        if (m_isDecided) {
            return; // what was decided behind it is not what filled it
        }
        m_visits.add(decision);
        if (isTarget) {
            m_isDecided = true;
            describe(decision);
        }
    }

    [[nodiscard]] const ClientStory& client() const { return m_follower.story(); }

private:
    void describe(const engine::Decision& decision)
    {
        const engine::Arrival& arrival = *decision.arrival;
        m_fillings.close();
        m_explanation.n = arrival.n;
        m_explanation.line = arrival.line;
        m_explanation.file = arrival.file;
        m_explanation.arrivalNs = arrival.arrivedNs;
        m_explanation.clockNs = arrival.timeNs;
        m_explanation.durationNs = arrival.durationNs;
        m_explanation.late = (arrival.flags & engine::kArrivalLate) != 0;
        m_explanation.recordedKnown = (arrival.flags & engine::kArrivalRecordedKnown) != 0;
        m_explanation.recordedRejected = (arrival.flags & engine::kArrivalRecordedRejected) != 0;
        m_explanation.verdict = decision.verdict;
        m_explanation.decidedNs = decision.decidedNs;
        m_explanation.server = decision.server;
        m_explanation.retryAfterNs = decision.retryAfterNs;
        if (decision.verdict.exemption != engine::kNoId) {
            m_explanation.exemption = m_plan.exempt[decision.verdict.exemption].name;
        }
        for (const engine::RuleDecision& judged : decision.rules) {
            ExplainedRule rule;
            rule.rule = m_plan.rules[judged.rule];
            rule.decision = judged;
            for (const std::string_view part :
                 m_intake->keyText(m_intake->tupleOf(0, judged.rule), judged.key)) {
                rule.key.emplace_back(part);
            }
            m_fillings.describe(rule, m_target.n, judged.judgedNs);
            m_visits.describe(rule, m_target.position > kVisitsWithin);
            m_explanation.rules.push_back(std::move(rule));
        }
    }

    const engine::Plan& m_plan;
    const Finder::Found& m_target;
    Explanation& m_explanation;
    const engine::Intake* m_intake = nullptr;
    Fillings m_fillings;
    KeyVisits m_visits;
    AttemptFollower m_follower;
    bool m_settled = false;
    bool m_isDecided = false;
    std::uint64_t m_position = 0; ///< settled so far
};

/// Does the store say the same of this request?
engine::Status agrees(const storage::RunReader& reader, const Explanation& explanation,
                      std::uint64_t position)
{
    const auto block = reader.blockAt(explanation.run.summary.id, position);
    if (!block) {
        return engine::fail(block.error());
    }
    if (*block) {
        const storage::VerdictBlock& stored = **block;
        const std::size_t at = static_cast<std::size_t>(position - stored.first);
        const bool rejected = stored.outcomes[at] == storage::StoredOutcome::Rejected
            || stored.outcomes[at] == storage::StoredOutcome::WarmupRejected;
        const bool seen = explanation.verdict.outcome == engine::Outcome::Rejected;
        // Of requests without a row, and those of the warm-up have none, it keeps which numbers a
        // block has, not whose each is.
        const bool isNumbered = stored.outcomes[at] == storage::StoredOutcome::Rejected;
        const bool sameRequest = stored.numbers.empty() || stored.numbers[at] == 0
            || stored.numbers[at] == explanation.n;
        if (rejected == seen && stored.rules[at] == explanation.verdict.rule
            && (sameRequest || !isNumbered)) {
            return engine::Done {};
        }
    }
    return engine::fail(
        "explain.differs",
        fmt::format(
            "request {} is decided differently now than in run {}: the log has changed, or the "
            "run was made by another version",
            explanation.n, explanation.run.summary.id),
        "replay the log again");
}

engine::Failure notFound(const ExplainTarget& target, storage::RunId run)
{
    std::string what = "no request is such";
    if (target.n) {
        what = fmt::format("there is no request {}", *target.n);
    } else if (target.line) {
        what = fmt::format("line {} is no request", *target.line);
    }
    return engine::fail("explain.not-found", fmt::format("{} in the log of run {}", what, run),
                        "`weir show` counts the requests; bad lines have no number");
}

/// Which LOG of the run `file` is, by its whole name or the last part of it.
engine::Result<std::size_t> logOf(const storage::RunDetail& run, const ExplainTarget& target)
{
    const std::vector<storage::RecordingFile>& files = run.recording->files;
    std::vector<std::size_t> found;
    for (std::size_t log = 0; log < files.size(); ++log) {
        if (target.file == files[log].path) {
            return log;
        }
        if (target.file.empty()
            || std::filesystem::path(target.file)
                == std::filesystem::path(files[log].path).filename()) {
            found.push_back(log);
        }
    }
    if (found.size() == 1 || (target.file.empty() && !target.line)) {
        return found.empty() ? 0 : found.front();
    }
    if (found.empty()) {
        return engine::fail("explain.not-found",
                            fmt::format("run {} is of `{}`, not of `{}`", run.summary.id,
                                        run.summary.source, target.file),
                            "write the line of a log that was replayed");
    }
    return engine::fail(
        "explain.which-log",
        fmt::format("run {} is of {} logs: line {} may be of several", run.summary.id, files.size(),
                    *target.line),
        fmt::format("say which one, like --line {}:{}", files[found.front()].path, *target.line));
}

/// The request that is meant. Errors: explain.not-found, those of runPass().
engine::Result<Finder::Found> find(const StoredRun& stored, const storage::RunDetail& run,
                                   const ExplainTarget& target)
{
    const engine::Result<std::size_t> log = logOf(run, target);
    if (!log) {
        return engine::fail(log.error());
    }
    Finder finder(target, stored.numbers.placeOf(target.n.value_or(1)), *log);
    PassOptions finding = stored.pass;
    finding.intake.mark = target.where;
    const engine::Result<Pass> found = runWholePass({&stored.plan}, finding, finder);
    if (!found) {
        return engine::fail(found.error());
    }
    return finder.found ? engine::Result<Finder::Found>(std::move(*finder.found))
                        : notFound(target, run.summary.id);
}

/// What the run says of the request, before anything is decided.
Explanation begun(storage::RunDetail run, const StoredRun& stored, ExplainChoice choice)
{
    Explanation explanation;
    for (const storage::RecordingFile& file : run.recording->files) {
        explanation.logs.push_back(file.path);
    }
    explanation.choice = choice;
    explanation.run = std::move(run);
    explanation.conditions = conditionWords(stored.pass.conditions);
    return explanation;
}

/// Decides all up to the request and takes that decision down. Errors: those of runPass().
engine::Status decide(const StoredRun& stored, const Finder::Found& found, ReadDepth depth,
                      Explanation& explanation)
{
    Witness witness(stored.plan, found, explanation, depth);
    PassOptions options = stored.pass;
    options.decisions = &witness;
    const engine::Result<Pass> decided = runWholePass({&stored.plan}, options, witness);
    if (!decided) {
        return engine::fail(decided.error());
    }
    if (options.conditions.clients) {
        explanation.client = witness.client();
    }
    return engine::Done {};
}

/// Places become numbers.
void number(const storage::RequestNumbers& numbers, Explanation& explanation)
{
    explanation.n = numbers.numberOf(explanation.n);
    for (ExplainedRule& rule : explanation.rules) {
        for (FilledBy& by : rule.filledBy) {
            by.n = numbers.numberOf(by.n);
        }
        for (KeyVisit& visit : rule.visits) {
            visit.n = numbers.numberOf(visit.n);
        }
    }
}

} // namespace

engine::Result<Explanation> explain(storage::RunStore& store, storage::RunId run,
                                    const ExplainTarget& target, const ReadAgain& again,
                                    ReadDepth depth)
{
    const storage::RunReader reader(store);
    engine::Result<storage::RunDetail> detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    engine::Result<StoredRun> stored = openStoredRun(*detail, again);
    if (!stored) {
        return engine::fail(stored.error());
    }
    const engine::Result<Finder::Found> found = find(*stored, *detail, target);
    if (!found) {
        return engine::fail(found.error());
    }
    Explanation explanation = begun(std::move(*detail), *stored, found->choice);
    if (engine::Status decided = decide(*stored, *found, depth, explanation); !decided) {
        return engine::fail(decided.error());
    }
    number(stored->numbers, explanation);
    if (engine::Status same = agrees(reader, explanation, found->position); !same) {
        return engine::fail(same.error());
    }
    const LogChoice& log = stored->pass.logs[explanation.file];
    if (engine::Status described = describeRequest(stored->plan, log, explanation); !described) {
        return engine::fail(described.error());
    }
    return explanation;
}

} // namespace app
