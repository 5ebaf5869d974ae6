#include "app/workbench/compare.h"
#include "app/workbench/decisions.h"
#include "app/workbench/explain.h"
#include "app/workbench/gate_figures.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"
#include "storage/run_reader.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace app;

namespace {

/// A log of the neutral format: a few clients with bursts, some rejected by production, some lines
/// a little out of order, some with durations.
std::string smallLog(int requests, std::int64_t stepNs = 37'000'000)
{
    std::mt19937_64 random(7);
    std::string log;
    for (int i = 0; i < requests; ++i) {
        const auto draw = random();
        const std::int64_t jitter = static_cast<std::int64_t>(draw % 90'000'000);
        const std::int64_t time = 1'700'000'000'000'000'000 + i * stepNs + jitter;
        const unsigned client = static_cast<unsigned>((draw >> 20) % 7);
        log += R"({"time_ns": )" + std::to_string(time) + R"(, "duration_ns": )"
            + std::to_string((draw >> 8) % 400'000'000) + R"(, "client_ip": "192.0.2.)"
            + std::to_string(client) + R"(", "method": "GET", "path": "/)"
            + ((draw >> 30) % 3 == 0 ? "search/a" : "items/1") + R"(", "status": )"
            + ((draw >> 40) % 50 == 0 ? "429" : "200") + R"(, "api_key": "k)"
            + std::to_string(client % 3) + "\"}\n";
    }
    return log;
}

// No raw string: moc takes the pattern for the start of a comment.
constexpr const char* kPolicy = "weir: 1\n"
                                "name: small\n"
                                "tiers:\n"
                                "  edge:\n"
                                "    - name: per-address\n"
                                "      key: [client_ip]\n"
                                "      algorithm: sliding_window_counter\n"
                                "      rate: 20/5s\n"
                                "  gateway:\n"
                                "    - name: queue\n"
                                "      key: [api_key]\n"
                                "      algorithm: leaky_bucket\n"
                                "      rate: 9/s\n"
                                "      queue: 6\n"
                                "  endpoint:\n"
                                "    - name: search\n"
                                "      match: { path: \"/search/**\" }\n"
                                "      key: [client_ip]\n"
                                "      algorithm: gcra\n"
                                "      rate: 2/s\n"
                                "      burst: 2\n"
                                "    - name: shadow-search\n"
                                "      mode: shadow\n"
                                "      match: { path: \"/search/**\" }\n"
                                "      key: []\n"
                                "      algorithm: fixed_window\n"
                                "      rate: 3/s\n"
                                "  tenant:\n"
                                "    - name: in-flight\n"
                                "      key: [api_key]\n"
                                "      algorithm: concurrency\n"
                                "      in_flight: 3\n";

void write(const QString& path, const std::string& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
}

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// One folder with a policy, a log and a store.
struct Bench {
    QTemporaryDir folder;
    LoadedPolicy policy;
    std::unique_ptr<storage::RunStore> store;

    explicit Bench(const std::string& log = smallLog(3000), const std::string& text = kPolicy)
    {
        write(path("log.jsonl"), log);
        write(path("policy.yaml"), text);
        auto loaded = loadPolicy(path("policy.yaml").toStdString(), {});
        if (!loaded || !loaded->isValid()) {
            qFatal("the policy of the test is invalid");
        }
        policy = std::move(*loaded);
        auto opened
            = storage::RunStore::open(path("runs.db").toStdString(), storage::Access::Write);
        if (!opened) {
            qFatal("%s", opened.error().message.c_str());
        }
        store = std::move(*opened);
    }

    [[nodiscard]] QString path(const char* name) const
    {
        return folder.filePath(QLatin1String(name));
    }

    [[nodiscard]] ReplayRequest request()
    {
        ReplayRequest request;
        ReplayPolicy replayed;
        replayed.plan = &*policy.plan;
        replayed.record.name = policy.plan->name;
        replayed.record.path = policy.file;
        replayed.record.text = policy.policy->text;
        replayed.record.fingerprint = policy.fingerprint;
        request.policies.push_back(replayed);
        request.pass.logs.emplace_back().path = path("log.jsonl").toStdString();
        request.pass.jobs = 1;
        request.store = store.get();
        request.version = "test";
        request.clock = [] { return std::int64_t {2}; };
        return request;
    }
};

} // namespace

class TestReplay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void totalsAddUp();
    void doesNotDependOnBlocksOrThreads();
    void unsortedLogIsReadAgainAndSorted();
    void liveComparisonEqualsTheStoredOne();
    void facetsAreReadFromTheRecording();
    void everyRejectionCanBeExplained();
    void sortedLogIsExplainedAsItWasDecided();
    void fillingsAreWhatTheStateHolds();
    void progressMayBeWatchedFromAnyThread();
    void junkBeforeTheFirstRequestIsNotHeld();
    void changedRecordingIsNotExplained();
    void grownRecordingIsReadAsItWas();
    void gateCountsWhatItNarrows();
};

void TestReplay::totalsAddUp()
{
    Bench bench;
    const auto outcome = replay(bench.request());
    QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().message.c_str());
    const storage::RunReader reader(*bench.store);
    const auto detail = reader.detail(*outcome->runs.front());
    QVERIFY(detail.has_value());
    const storage::RunTotals& totals = detail->summary.totals;
    QCOMPARE(totals.requests, std::uint64_t {3000});
    QCOMPARE(totals.admitted + totals.rejected, totals.requests);
    QVERIFY(totals.rejected > 100 && totals.delayed > 100 && totals.wouldReject > 10);
    std::uint64_t byRules = 0;
    for (const storage::RuleTotals& rule : detail->rules) {
        QCOMPARE(rule.admitted + rule.denied, rule.judged);
        byRules += rule.rejected;
    }
    QCOMPARE(byRules, totals.rejected);
    std::uint64_t byTiers = 0;
    for (const storage::TierTotals& tier : detail->tiers) {
        byTiers += tier.rejected;
    }
    QCOMPARE(byTiers, totals.rejected);

    const auto seconds
        = reader.timeline(detail->summary.id, 0, std::numeric_limits<std::int64_t>::max(),
                          storage::TimelineLevel::Second);
    QVERIFY(seconds.has_value());
    std::uint64_t requests = 0;
    std::uint64_t rejected = 0;
    for (const engine::SecondTally& second : *seconds) {
        requests += second.requests;
        rejected += second.rejected;
    }
    QCOMPARE(requests, totals.requests);
    QCOMPARE(rejected, totals.rejected);

    auto cursor = reader.verdicts(detail->summary.id);
    QVERIFY(cursor.has_value());
    storage::VerdictBlock block;
    std::uint64_t counted = 0;
    for (auto more = cursor->next(block); more && *more; more = cursor->next(block)) {
        counted += static_cast<std::uint64_t>(std::count(
            block.outcomes.begin(), block.outcomes.end(), storage::StoredOutcome::Rejected));
    }
    QCOMPARE(counted, totals.rejected);
}

void TestReplay::doesNotDependOnBlocksOrThreads()
{
    Bench bench;
    QByteArray first;
    for (const auto& [jobs, blockBytes] :
         {std::pair {1U, std::size_t {1} << 20}, std::pair {1U, std::size_t {700}},
          std::pair {2U, std::size_t {1500}}, std::pair {4U, std::size_t {4000}},
          std::pair {1U, std::size_t {1} << 20}}) {
        ReplayRequest request = bench.request();
        request.pass.jobs = jobs;
        request.pass.blockBytes = blockBytes;
        const auto file = DecisionFile::create(bench.path("decisions.jsonl").toStdString(),
                                               *bench.policy.plan, {});
        QVERIFY(file.has_value());
        request.pass.decisions = file->get();
        request.listeners.push_back(file->get());
        const auto outcome = replay(request);
        QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().message.c_str());
        QVERIFY((*file)->finish().has_value());
        const QByteArray decisions = bytesOf(bench.path("decisions.jsonl"));
        QCOMPARE(decisions.count('\n'), 3000);
        if (first.isEmpty()) {
            first = decisions;
        }
        QVERIFY(decisions == first);
        const auto compared = compareStored(*bench.store, {1}, *outcome->runs.front(), {}, {});
        QVERIFY(compared.has_value());
        QCOMPARE(compared->comparison->totals()[engine::Change::NewlyRejected], std::uint64_t {0});
        QCOMPARE(compared->comparison->totals()[engine::Change::NewlyAdmitted], std::uint64_t {0});
    }
}

void TestReplay::unsortedLogIsReadAgainAndSorted()
{
    // The same requests with the second half first: far more than 60 s out of order.
    const std::string log = smallLog(4000);
    std::size_t middle = 0;
    for (int i = 0; i < 2000; ++i) {
        middle = log.find('\n', middle) + 1;
    }
    Bench sorted(log);
    Bench turned(log.substr(middle) + log.substr(0, middle));
    const auto a = replay(sorted.request());
    ReplayRequest request = turned.request();
    request.pass.blockBytes = 3000;
    request.pass.jobs = 2;
    const auto b = replay(request);
    QVERIFY(a.has_value() && b.has_value());
    QVERIFY(!a->pass.sortedWhole && b->pass.sortedWhole);
    QCOMPARE(b->tally->run(0).rejected, a->tally->run(0).rejected);
    QCOMPARE(b->tally->run(0).requests, std::uint64_t {4000});
    QCOMPARE(b->tally->run(0).late, std::uint64_t {0});
    const auto detail = storage::RunReader(*turned.store).detail(*b->runs.front());
    QVERIFY(detail.has_value());
    QCOMPARE(detail->summary.totals.rejected, a->tally->run(0).rejected);
}

void TestReplay::liveComparisonEqualsTheStoredOne()
{
    Bench bench;
    PolicyOptions stricter;
    stricter.adjustments.sets = {"per-address.rate=12/5s", "search.burst=1"};
    const auto candidate = loadPolicy(bench.policy.file, stricter);
    QVERIFY(candidate.has_value() && candidate->isValid());
    ReplayRequest request = bench.request();
    ReplayPolicy second = request.policies.front();
    second.plan = &*candidate->plan;
    second.options = {{"set", "per-address.rate=12/5s"}, {"set", "search.burst=1"}};
    request.policies.push_back(second);
    CompareOptions options {{"api_key"}, {{}}};
    request.pass.intake.facets = options.facets;
    LiveComparison live(0, 1, options);
    request.listeners.push_back(&live);
    const auto outcome = replay(request);
    QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().message.c_str());
    const CompareOutcome seen = live.take();
    const auto stored
        = compareStored(*bench.store, {*outcome->runs[0]}, *outcome->runs[1], options, {});
    QVERIFY2(stored.has_value(), stored ? "" : stored.error().message.c_str());
    QVERIFY(seen.comparison->totals()[engine::Change::NewlyRejected] > 50);
    QVERIFY(stored->comparison->totals().by == seen.comparison->totals().by);
    QCOMPARE(stored->comparison->byWho().size(), seen.comparison->byWho().size());
    for (const auto& [who, change] : seen.comparison->byWho()) {
        const auto found = stored->comparison->byWho().find(who);
        QVERIFY(found != stored->comparison->byWho().end());
        QVERIFY(found->second.counts.by == change.counts.by);
        QCOMPARE(found->second.firstNewlyRejectedN, change.firstNewlyRejectedN);
    }
    QVERIFY(seen.comparison->byPathGroup().size() > 1);
    for (const auto& [group, counts] : seen.comparison->byPathGroup()) {
        QVERIFY(stored->comparison->byPathGroup().at(group).by == counts.by);
    }
    for (const auto& [rule, counts] : seen.comparison->byRule()) {
        QVERIFY(stored->comparison->byRule().at(rule).by == counts.by);
    }
    for (const auto& [value, counts] : seen.comparison->byFacet(0)) {
        QVERIFY(stored->comparison->byFacet(0).at(value).by == counts.by);
    }
    QVERIFY(stored->comparison->watched(0).distinctWho == seen.comparison->watched(0).distinctWho);

    // What production did is a side, too.
    const auto recorded = compareStored(*bench.store, {}, *outcome->runs[1], {}, {});
    QVERIFY(recorded.has_value());
    const engine::ChangeCounts& totals = recorded->comparison->totals();
    QCOMPARE(totals[engine::Change::NewlyAdmitted] + totals[engine::Change::StillRejected],
             outcome->tally->run(1).recordedRejected);
    QCOMPARE(totals[engine::Change::NewlyRejected] + totals[engine::Change::StillRejected],
             outcome->tally->run(1).rejected);
}

void TestReplay::facetsAreReadFromTheRecording()
{
    Bench bench;
    const auto outcome = replay(bench.request());
    QVERIFY(outcome.has_value());
    const auto compared = compareStored(*bench.store, {}, *outcome->runs.front(),
                                        {{"client_ip", "method"}, {}}, {});
    QVERIFY2(compared.has_value(), compared ? "" : compared.error().message.c_str());
    QCOMPARE(compared->comparison->byFacet(0).size(), std::size_t {7});
    QCOMPARE(compared->comparison->byFacet(1).at("GET").total(), std::uint64_t {3000});
}

void TestReplay::everyRejectionCanBeExplained()
{
    Bench bench(smallLog(600));
    const auto outcome = replay(bench.request());
    QVERIFY(outcome.has_value());
    const storage::RunReader reader(*bench.store);
    auto cursor = reader.verdicts(*outcome->runs.front(), true);
    QVERIFY(cursor.has_value());
    storage::VerdictBlock block;
    QVERIFY(*cursor->next(block));
    int explained = 0;
    for (const storage::RejectionRow& row : block.rows) {
        if (block.outcomes[row.position] != storage::StoredOutcome::Rejected || explained > 40) {
            continue;
        }
        ++explained;
        ExplainTarget target;
        target.n = row.n;
        const auto explanation = explain(*bench.store, *outcome->runs.front(), target, {});
        QVERIFY2(explanation.has_value(), explanation ? "" : explanation.error().message.c_str());
        QCOMPARE(explanation->n, row.n);
        QCOMPARE(explanation->verdict.rule, row.rule);
        QVERIFY(explanation->retryAfterNs.has_value());
        QVERIFY(!explanation->fields.empty());
        QCOMPARE(explanation->rules.size() + explanation->uninvolved.size(),
                 bench.policy.plan->rules.size());
        const ExplainedRule& rule = explanation->rules.back();
        QVERIFY(!rule.decision.before.empty() && !rule.decision.after.empty());
        bool found = false;
        for (const ExplainedRule& judged : explanation->rules) {
            if (judged.decision.rule == row.rule) {
                found = true;
                QVERIFY(judged.filledByCount > 0);
                QVERIFY(!judged.filledBy.empty());
                QVERIFY(judged.filledBy.back().atNs <= judged.decision.judgedNs);
            }
        }
        QVERIFY(found);
        for (const UninvolvedRule& uninvolved : explanation->uninvolved) {
            QVERIFY(!uninvolved.reason.empty());
        }
    }
    QVERIFY(explained > 20);

    ExplainTarget nobody;
    nobody.n = 601;
    const auto missing = explain(*bench.store, *outcome->runs.front(), nobody, {});
    QVERIFY(!missing.has_value());
    QCOMPARE(missing.error().code, std::string("explain.not-found"));

    ExplainTarget search;
    search.where = {{"path", false, {{engine::TestKind::Path, "/search/**", 0, 0}}}};
    const auto found = explain(*bench.store, *outcome->runs.front(), search, {});
    QVERIFY(found.has_value());
    QVERIFY(found->verdict.outcome == engine::Outcome::Rejected);
}

void TestReplay::sortedLogIsExplainedAsItWasDecided()
{
    const std::string log = smallLog(2000, 80'000'000);
    std::size_t middle = 0;
    for (int i = 0; i < 1000; ++i) {
        middle = log.find('\n', middle) + 1;
    }
    Bench sorted(log);
    Bench turned(log.substr(middle) + log.substr(0, middle));
    const auto a = replay(sorted.request());
    const auto b = replay(turned.request());
    QVERIFY(a.has_value() && b.has_value() && b->pass.sortedWhole);
    const storage::RunReader reader(*turned.store);
    auto cursor = reader.verdicts(*b->runs.front());
    storage::VerdictBlock block;
    QVERIFY(*cursor->next(block));
    int explained = 0;
    for (const storage::RejectionRow& row : block.rows) {
        if (block.outcomes[row.position] != storage::StoredOutcome::Rejected || explained == 10) {
            continue;
        }
        ++explained;
        ExplainTarget target;
        target.n = row.n;
        const auto there = explain(*turned.store, *b->runs.front(), target, {});
        QVERIFY2(there.has_value(), there ? "" : there.error().message.c_str());
        // The same request, where it stands in the sorted log.
        target.n = row.n > 1000 ? row.n - 1000 : row.n + 1000;
        const auto here = explain(*sorted.store, *a->runs.front(), target, {});
        QVERIFY(here.has_value());
        QCOMPARE(there->decidedNs, here->decidedNs);
        QVERIFY(there->retryAfterNs == here->retryAfterNs);
        QCOMPARE(there->rules.size(), here->rules.size());
        for (std::size_t i = 0; i < here->rules.size(); ++i) {
            QCOMPARE(there->rules[i].filledByCount, here->rules[i].filledByCount);
        }
    }
    QCOMPARE(explained, 10);
    const auto compared = compareStored(*turned.store, {}, *b->runs.front(), {{"api_key"}, {}}, {});
    QVERIFY2(compared.has_value(), compared ? "" : compared.error().message.c_str());
    QCOMPARE(compared->comparison->totals().total(), std::uint64_t {2000});
}

void TestReplay::fillingsAreWhatTheStateHolds()
{
    // A tenant rule that rejects gives slots of the gateway back: they are no part of its state.
    const std::string policy
        = "weir: 1\nname: slots\ntiers:\n"
          "  gateway:\n"
          "    - name: in-flight\n      key: [api_key]\n      algorithm: concurrency\n"
          "      in_flight: 50\n"
          "  tenant:\n"
          "    - name: strict\n      key: [api_key]\n      algorithm: fixed_window\n"
          "      rate: 3/s\n";
    Bench bench(smallLog(400), policy);
    const auto outcome = replay(bench.request());
    QVERIFY(outcome.has_value() && outcome->tally->run(0).rejected > 50);
    for (std::uint64_t n = 100; n < 400; n += 17) {
        ExplainTarget target;
        target.n = n;
        const auto explanation = explain(*bench.store, *outcome->runs.front(), target, {});
        QVERIFY(explanation.has_value());
        const ExplainedRule& slots = explanation->rules.front();
        QCOMPARE(slots.rule.rule, std::string("in-flight"));
        for (const engine::StateFigure& figure : slots.decision.before) {
            if (figure.name == "in_flight") {
                QCOMPARE(static_cast<std::int64_t>(slots.filledByCount), figure.value);
            }
        }
    }
}

namespace {

class CountingProgress final : public Progress {
public:
    void update(const ProgressState& state) override
    {
        QVERIFY(state.bytesRead >= last);
        last = state.bytesRead;
        ++calls;
    }

    std::uint64_t last = 0;
    int calls = 0;
};

} // namespace

void TestReplay::progressMayBeWatchedFromAnyThread()
{
    Bench bench(smallLog(15'000));
    CountingProgress progress;
    ReplayRequest request = bench.request();
    request.pass.jobs = 4;
    request.pass.blockBytes = 20'000;
    request.pass.progress = &progress;
    const auto outcome = replay(request);
    QVERIFY(outcome.has_value());
    QVERIFY(progress.calls > 10);
    QCOMPARE(progress.last, outcome->recording.files.front().bytes);
}

void TestReplay::junkBeforeTheFirstRequestIsNotHeld()
{
    std::string log;
    for (int i = 0; i < 300'000; ++i) {
        log += "junk\n";
    }
    Bench bench(log + smallLog(500));
    ReplayRequest request = bench.request();
    request.pass.logs.front().format = "weir";
    std::string who;
    for (const std::size_t blockBytes : {std::size_t {5000}, std::size_t {1} << 20}) {
        request.pass.blockBytes = blockBytes;
        const auto outcome = replay(request);
        QVERIFY2(outcome.has_value(), outcome ? "" : outcome.error().message.c_str());
        QCOMPARE(outcome->tally->run(0).requests, std::uint64_t {500});
        // No request among the first lines: the last candidate, wherever blocks end.
        QCOMPARE(outcome->pass.intake->who(), std::string("client_ip"));
    }
}

void TestReplay::changedRecordingIsNotExplained()
{
    Bench bench(smallLog(600));
    const auto outcome = replay(bench.request());
    QVERIFY(outcome.has_value());
    write(bench.path("log.jsonl"), smallLog(600, 5'000'000'000));
    const storage::RunReader reader(*bench.store);
    auto cursor = reader.verdicts(*outcome->runs.front(), true);
    storage::VerdictBlock block;
    QVERIFY(*cursor->next(block));
    ExplainTarget target;
    target.n = block.rows.back().n;
    const auto explanation = explain(*bench.store, *outcome->runs.front(), target, {});
    QVERIFY(!explanation.has_value());
    QVERIFY(explanation.error().code == "explain.differs"
            || explanation.error().code == "recording.changed");
    const auto compared
        = compareStored(*bench.store, {}, *outcome->runs.front(), {{"method"}, {}}, {});
    QVERIFY(!compared.has_value());
    QCOMPARE(compared.error().code, std::string("recording.changed"));
}

void TestReplay::grownRecordingIsReadAsItWas()
{
    Bench bench(smallLog(600));
    const auto outcome = replay(bench.request());
    QVERIFY(outcome.has_value());
    write(bench.path("log.jsonl"), smallLog(900)); // begins with the same 600 lines
    ExplainTarget target;
    target.n = 599;
    const auto explanation = explain(*bench.store, *outcome->runs.front(), target, {});
    QVERIFY2(explanation.has_value(), explanation ? "" : explanation.error().message.c_str());
    const auto compared
        = compareStored(*bench.store, {}, *outcome->runs.front(), {{"method"}, {}}, {});
    QVERIFY2(compared.has_value(), compared ? "" : compared.error().message.c_str());
    QCOMPARE(compared->comparison->totals().total(), std::uint64_t {600});
}

void TestReplay::gateCountsWhatItNarrows()
{
    Bench bench;
    GateNames names {
        GateContext::Replay, {"search", "per-address", "shadow-search"}, {"api_key", "path"}};
    auto gate = Gate::parse("rejected[api_key=k1] + 0 > 0", names);
    QVERIFY(!gate.has_value());
    gate = Gate::parse(
        R"(rejected[api_key=k1] > 0 and rule("search").rejected > 0 and rejected_share > 1%)",
        names);
    QVERIFY2(gate.has_value(), gate ? "" : gate.error().message.c_str());
    ReplayGate figures(std::move(*gate), 0);
    ReplayRequest request = bench.request();
    request.pass.intake.facets = figures.facets();
    request.listeners.push_back(&figures);
    const auto outcome = replay(request);
    QVERIFY(outcome.has_value());
    QVERIFY(figures.saysNo(*outcome->tally));
    const auto values = figures.values(*outcome->tally);
    QCOMPARE(values.size(), std::size_t {3});
    QCOMPARE(values[1].second.numerator, outcome->tally->run(0).rules[2].rejected);
    QVERIFY(values[0].second.numerator > 0
            && values[0].second.numerator < outcome->tally->run(0).rejected);
    QCOMPARE(values[2].second.denominator, outcome->tally->run(0).requests);
}

QTEST_APPLESS_MAIN(TestReplay)
#include "tst_replay.moc"
