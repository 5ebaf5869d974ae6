#include "storage/runs/sqlite.h"
#include "tests/storage/run_fixture.h"

#include <map>
#include <random>

using namespace storage;
using namespace tests;

class TestRunWriter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCompleteRunComesBack();
    void keepsTheClassOfARule();
    void totalsAddUp();
    void verdictsComeBackInOrderOfArrival();
    void rejectionsKnowTheirTexts();
    void recordedSideComesBack();
    void aRunIsRunningUntilItsEnd();
    void severalPlansWriteAtOnce();
    void restartForgets();
    void interruptKeepsFigures();
    void aWriterThatIsDroppedLeavesAnInterruptedRun();
    void failureIsKept();
    void onlyTheMostDeniedKeysStay();
    void theLargestOthersStay();
    void timelineHasThreeLevels();
    void anEmptyRunIsARun();
    void textsFromLogsAreBytes();
    void aRequestTakesLessThanABit();
    void blocksOfSeveralThreadsAreThoseOfOne();
};

namespace {

constexpr std::size_t kRequests = 150'000; // two blocks and a part

/// Shuffled traffic: 2 % rejected, 1 % shadow-denied, 1 % exempt, the first 500 in the warm-up.
void play(FakeRun& run, RunWriter* writer, std::size_t count = kRequests, std::uint64_t seed = 1)
{
    std::mt19937_64 random(seed);
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < count; ++i) {
        numbers.push_back(i + 1);
    }
    for (std::size_t i = 0; i + 8 < count; ++i) {
        std::swap(numbers[i], numbers[i + random() % 8]);
    }
    std::int64_t time = 1'700'000'000'000'000'000;
    for (std::size_t i = 0; i < count; ++i) {
        FakeRequest request;
        time += static_cast<std::int64_t>(random() % 20'000'000);
        request.timeNs = time;
        request.n = numbers[i];
        request.who = static_cast<std::uint32_t>(random() % 3'000);
        request.pathGroup = request.who % 7 == 0 ? engine::kNoId : request.who % 5;
        const std::uint64_t dice = random() % 100;
        request.verdict = dice < 2 ? rejected() : dice < 3 ? shadowDenied() : admitted();
        if (dice == 3) {
            request.verdict.exemption = 0;
        }
        request.verdict.warmup = i < 500;
        request.recordedKnown = i >= 70'000; // the first block says nothing
        request.recordedRejected = request.recordedKnown && random() % 50 == 0;
        run.settle(writer, request);
    }
}

std::unique_ptr<RunWriter> begin(RunStore& store, const FakeRun& run, RunLimits limits = {},
                                 unsigned jobs = 1)
{
    return need(
        RunWriter::begin(store, FakeRun::header(), run.plan, FakeRun::shape(), limits, jobs));
}

RunId written(RunStore& store, FakeRun& run)
{
    const std::unique_ptr<RunWriter> writer = begin(store, run);
    play(run, writer.get());
    need(writer->finish(run, FakeRun::closing()));
    return writer->id();
}

StoredOutcome outcomeOf(const engine::Verdict& verdict)
{
    const bool isRejected = verdict.outcome == engine::Outcome::Rejected;
    return verdict.warmup
        ? (isRejected ? StoredOutcome::WarmupRejected : StoredOutcome::WarmupAdmitted)
        : verdict.exemption != engine::kNoId ? StoredOutcome::Exempt
        : isRejected                         ? StoredOutcome::Rejected
                                             : StoredOutcome::Admitted;
}

bool hasRow(const FakeRequest& request)
{
    const StoredOutcome outcome = outcomeOf(request.verdict);
    return outcome == StoredOutcome::Rejected
        || (outcome == StoredOutcome::Admitted && request.verdict.shadowRule != engine::kNoId);
}

engine::SecondTally secondAt(std::int64_t second, std::uint64_t requests)
{
    engine::SecondTally tally;
    tally.second = second;
    tally.requests = requests;
    tally.admitted = requests - 1;
    tally.rejected = 1;
    tally.wouldReject = 2;
    tally.recordedRejected = 3;
    tally.tiers[0] = {requests, 1};
    tally.tiers[3] = {requests - 1, 0};
    tally.rules = {{1, static_cast<std::uint32_t>(requests), 1, 1}};
    return tally;
}

} // namespace

void TestRunWriter::aCompleteRunComesBack()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const RunId id = written(*store, run);
    const RunDetail detail = need(RunReader(*store).detail(id));
    QCOMPARE(detail.summary.state, RunState::Complete);
    QCOMPARE(detail.summary.name, std::string("first"));
    QCOMPARE(detail.summary.seed, 7U);
    QCOMPARE(detail.summary.startedNs, 1'000);
    QCOMPARE(detail.summary.endedNs, std::optional<std::int64_t>(2'000));
    QCOMPARE(detail.summary.recordingFingerprint, std::string("cafe"));
    QCOMPARE(detail.policy.text, std::string("weir: 1\n"));
    QCOMPARE(detail.policy.lookups.size(), 1U);
    QCOMPARE(detail.policy.lookups[0].bytes, std::string("a\0b", 3));
    QCOMPARE(detail.options.size(), 2U);
    QCOMPARE(detail.options[1].value, FakeRun::header().options[1].value);
    QCOMPARE(detail.recording->files.size(), 1U);
    QCOMPARE(detail.recording->files[0].bytes, 1'234U);
    QCOMPARE(detail.recording->reading[2].value, std::string("client_ip"));
    QCOMPARE(detail.badLines[0].count, 2U);
    QCOMPARE(detail.badLines[0].examples[0].text, FakeRun::closing().badLines[0].examples[0].text);
    QCOMPARE(detail.notes[0].code, std::string("replay.spread"));
    QCOMPARE(detail.exemptions[0].name, std::string("monitoring"));
    QCOMPARE(detail.exemptions[0].requests, run.tally.exempt);
    QCOMPARE(detail.whos, run.whoTallies.size());
    QCOMPARE(detail.rules.size(), 2U);
    QCOMPARE(detail.rules[1].rule, std::string("tenant-total"));
    QCOMPARE(*detail.rules[1].overrideName, std::string("acme"));
    QCOMPARE(detail.rules[1].mode, engine::Mode::Shadow);
    QCOMPARE(detail.rules[1].tier, engine::Tier::Tenant);
    QCOMPARE(detail.rules[1].key, (std::vector<std::string> {"tenant", "plan"}));
    QCOMPARE(detail.rules[1].costMissing, 1U);
    QCOMPARE(detail.rules[1].skips.size(), 2U);
    QCOMPARE(detail.rules[1].skips[0].attribute, std::string("tenant"));
    QCOMPARE(detail.rules[1].skips[1].attribute, std::string("duration"));
    QCOMPARE(detail.rules[1].skips[1].count, 5U);
    QVERIFY(!detail.rules[0].overrideName);
    QCOMPARE(detail.rules[0].judged, run.tally.rules[0].judged);
    QCOMPARE(detail.rules[0].keys, 3'000U);
}

void TestRunWriter::keepsTheClassOfARule()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    run.plan.rules[0].className = "batch";
    const RunDetail detail = need(RunReader(*store).detail(written(*store, run)));
    QCOMPARE(detail.rules.at(0).className, std::optional<std::string>("batch"));
    QVERIFY(!detail.rules.at(1).className);
}

void TestRunWriter::totalsAddUp()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const RunId id = written(*store, run);
    const RunReader reader(*store);
    const RunDetail detail = need(reader.detail(id));
    const RunTotals& totals = detail.summary.totals;
    QCOMPARE(totals.requests + totals.warmup, std::uint64_t {kRequests});
    QCOMPARE(totals.admitted + totals.rejected, totals.requests);
    std::uint64_t rejectedByTiers = 0;
    for (const TierTotals& tier : detail.tiers) {
        rejectedByTiers += tier.rejected;
    }
    QCOMPARE(rejectedByTiers, totals.rejected);
    std::uint64_t rejectedByRules = 0;
    for (const RuleTotals& rule : detail.rules) {
        QCOMPARE(rule.admitted + rule.denied, rule.judged);
        rejectedByRules += rule.rejected;
    }
    QCOMPARE(rejectedByRules, totals.rejected);

    std::map<StoredOutcome, std::uint64_t> counted;
    std::uint64_t shadowed = 0;
    std::uint64_t rows = 0;
    VerdictCursor cursor = need(reader.verdicts(id));
    VerdictBlock block;
    while (need(cursor.next(block))) {
        for (std::size_t i = 0; i < block.outcomes.size(); ++i) {
            ++counted[block.outcomes[i]];
            shadowed += block.outcomes[i] == StoredOutcome::Admitted
                    && block.shadowRules[i] != engine::kNoId
                ? 1U
                : 0U;
        }
        rows += block.rows.size();
    }
    QCOMPARE(counted[StoredOutcome::Rejected], totals.rejected);
    QCOMPARE(counted[StoredOutcome::Exempt], totals.exempt);
    QCOMPARE(counted[StoredOutcome::Admitted] + counted[StoredOutcome::Exempt], totals.admitted);
    QCOMPARE(counted[StoredOutcome::WarmupAdmitted] + counted[StoredOutcome::WarmupRejected],
             totals.warmup);
    QCOMPARE(shadowed, totals.wouldReject);
    QCOMPARE(rows, totals.rejected + totals.wouldReject);
    QVERIFY(totals.rejected > 1'000 && shadowed > 500 && totals.exempt > 500);

    std::uint64_t rejectedByWho = 0;
    for (const WhoRow& who : need(reader.whos(id, WhoOrder::Rejected, {0, 100'000}))) {
        rejectedByWho += who.tally.rejected;
    }
    QCOMPARE(rejectedByWho, totals.rejected);
}

void TestRunWriter::verdictsComeBackInOrderOfArrival()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const RunId id = written(*store, run);
    const RunReader reader(*store);
    VerdictCursor cursor = need(reader.verdicts(id, true));
    VerdictBlock block;
    std::size_t at = 0;
    std::vector<std::uint64_t> numbers;
    while (need(cursor.next(block))) {
        QCOMPARE(block.first, at);
        std::size_t row = 0;
        numbers.insert(numbers.end(), block.numbers.begin(), block.numbers.end());
        for (std::size_t i = 0; i < block.outcomes.size(); ++i, ++at) {
            const FakeRequest& request = run.requests[at];
            QCOMPARE(block.outcomes[i], outcomeOf(request.verdict));
            QCOMPARE(block.rules[i], request.verdict.rule);
            QCOMPARE(block.shadowRules[i], request.verdict.shadowRule);
            if (!hasRow(request)) {
                continue;
            }
            const RejectionRow& stored = block.rows.at(row++);
            QCOMPARE(stored.position, i);
            QCOMPARE(stored.n, request.n);
            QCOMPARE(block.numbers[i], request.n);
            QCOMPARE(stored.timeNs, request.timeNs);
            QCOMPARE(stored.who, request.who);
            QCOMPARE(stored.pathGroup, request.pathGroup);
            QCOMPARE(stored.ordinal, run.ordinals[at]);
            const bool isRejected = request.verdict.outcome == engine::Outcome::Rejected;
            QCOMPARE(stored.rule, isRejected ? 0U : 1U);
            QCOMPARE(stored.key, isRejected ? request.who + 100 : request.who);
        }
        QCOMPARE(row, block.rows.size());
    }
    QCOMPARE(at, kRequests);
    std::sort(numbers.begin(), numbers.end());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        QCOMPARE(numbers[i], i + 1);
    }
    const std::optional<VerdictBlock> last = need(reader.blockAt(id, kRequests - 1));
    QCOMPARE(last->first, 131'072U);
    QVERIFY(!need(reader.blockAt(id, kRequests)));
    QCOMPARE(codeOf(reader.verdicts(id + 1)), std::string("store.unknown-run"));
}

void TestRunWriter::rejectionsKnowTheirTexts()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const RunId id = written(*store, run);
    const RunReader reader(*store);
    const RunNames names = need(reader.names(id));
    VerdictCursor cursor = need(reader.verdicts(id));
    VerdictBlock block;
    while (need(cursor.next(block))) {
        for (const RejectionRow& row : block.rows) {
            QCOMPARE(std::string(names.who(row.who)), "w" + std::to_string(row.who));
            QCOMPARE(std::string(names.pathGroup(row.pathGroup)),
                     row.pathGroup == engine::kNoId ? std::string()
                                                    : "/g/" + std::to_string(row.pathGroup));
            const std::vector<std::string_view> key = names.key(row.rule, row.key);
            QCOMPARE(key.size(), row.rule == 0 ? 1U : 2U);
            QCOMPARE(std::string(key[0]), (row.rule == 0 ? "w" : "t") + std::to_string(row.who));
            if (row.rule == 1) {
                QCOMPARE(std::string(key[1]), std::string("p\0\x01", 3));
            }
        }
    }
    QCOMPARE(std::string(names.rule(1)), std::string("tenant-total"));
    QCOMPARE(std::string(names.rule(9)), std::string());
    QCOMPARE(std::string(names.who(999'999)), std::string());
}

void TestRunWriter::recordedSideComesBack()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const RunId id = written(*store, run);
    RecordedCursor cursor = need(RunReader(*store).recorded(id));
    RecordedBlock block;
    std::size_t at = 0;
    std::uint64_t rejectedByLog = 0;
    while (need(cursor.next(block))) {
        std::size_t row = 0;
        for (std::size_t i = 0; i < block.known.size(); ++i, ++at) {
            const FakeRequest& request = run.requests[at];
            QCOMPARE(block.known[i] != 0, request.recordedKnown);
            QCOMPARE(block.rejected[i] != 0, request.recordedRejected);
            if (request.recordedRejected) {
                const RejectionRow& stored = block.rows.at(row++);
                QCOMPARE(stored.position, i);
                QCOMPARE(stored.n, request.n);
                QCOMPARE(stored.who, request.who);
                QCOMPARE(stored.timeNs, request.timeNs);
                QCOMPARE(stored.ordinal, run.ordinals[at]);
                QCOMPARE(stored.rule, engine::kNoId);
                ++rejectedByLog;
            }
        }
        QCOMPARE(row, block.rows.size());
    }
    QCOMPARE(at, kRequests);
    QCOMPARE(rejectedByLog, run.tally.recordedRejected);
    QVERIFY(rejectedByLog > 500);
}

void TestRunWriter::aRunIsRunningUntilItsEnd()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("runs.db")).toStdString();
    const auto store = openStore(path);
    const auto second = openStore(path, Access::Read);
    FakeRun run;
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    QCOMPARE(need(RunReader(*second).list()).at(0).state, RunState::Running);
    play(run, writer.get());
    const auto third = openStore(path); // another writer of a live process leaves it alone
    QCOMPARE(need(RunReader(*third).list()).at(0).state, RunState::Running);
    need(writer->finish(run, FakeRun::closing()));
    QCOMPARE(need(RunReader(*second).list()).at(0).state, RunState::Complete);
    QCOMPARE(need(RunReader(*second).list()).at(0).totals.requests, run.tally.requests);
}

void TestRunWriter::severalPlansWriteAtOnce()
{
    QTemporaryDir folder;
    const auto store = openStore(folder.filePath(QStringLiteral("runs.db")).toStdString());
    FakeRun first;
    FakeRun second;
    const std::unique_ptr<RunWriter> a = begin(*store, first);
    const std::unique_ptr<RunWriter> b = begin(*store, second);
    play(first, a.get(), kRequests, 1);
    play(second, b.get(), kRequests, 2);
    need(a->finish(first, FakeRun::closing()));
    need(b->finish(second, FakeRun::closing()));
    const std::vector<RunSummary> runs = need(RunReader(*store).list());
    QCOMPARE(runs.size(), 2U);
    QCOMPARE(runs[0].totals.rejected, first.tally.rejected);
    QCOMPARE(runs[1].totals.rejected, second.tally.rejected);
    // They share what is the same.
    QCOMPARE(need(store->database().number("SELECT count(*) FROM policies")), 1);
    QCOMPARE(need(store->database().number("SELECT count(*) FROM recordings")), 1);
}

void TestRunWriter::restartForgets()
{
    const auto store = openStore(":memory:");
    FakeRun abandoned;
    FakeRun run;
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    play(abandoned, writer.get(), 700'000,
         9); // more than a batch: some of it is in the file already
    writer->second(0, secondAt(5, 10));
    QVERIFY(need(store->database().number("SELECT count(*) FROM verdict_blocks")) > 0);
    need(writer->restart());
    QCOMPARE(need(store->database().number("SELECT count(*) FROM verdict_blocks")), 0);
    play(run, writer.get());
    writer->second(0, secondAt(7, 20));
    need(writer->finish(run, FakeRun::closing()));
    QCOMPARE(need(store->database().number("SELECT sum(requests) FROM verdict_blocks")),
             std::int64_t {kRequests});
    const auto points
        = need(RunReader(*store).timeline(writer->id(), 0, 100, TimelineLevel::Second));
    QCOMPARE(points.size(), 1U);
    QCOMPARE(points[0].second, 7);
}

void TestRunWriter::interruptKeepsFigures()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    play(run, writer.get(), 1'000);
    need(writer->interrupt(run, FakeRun::closing()));
    const RunDetail detail = need(RunReader(*store).detail(writer->id()));
    QCOMPARE(detail.summary.state, RunState::Interrupted);
    QCOMPARE(detail.summary.totals.requests, run.tally.requests);
    QCOMPARE(detail.rules[0].judged, run.tally.rules[0].judged);
}

void TestRunWriter::aWriterThatIsDroppedLeavesAnInterruptedRun()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    begin(*store, run);
    play(run, begin(*store, run).get(), 1'000);
    const std::vector<RunSummary> runs = need(RunReader(*store).list());
    QCOMPARE(runs.size(), 2U);
    QCOMPARE(runs[0].state, RunState::Interrupted);
    QCOMPARE(runs[1].state, RunState::Interrupted);
    QCOMPARE(need(RunReader(*store).blockAt(2, 0))->outcomes.size(),
             1'000U); // what was there is kept
}

void TestRunWriter::failureIsKept()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    play(run, writer.get(), 10);
    engine::Diagnostic reason;
    reason.code = "log.unreadable";
    reason.message = "`access.log` cannot be read";
    need(writer->fail(reason, 3'000));
    const RunDetail detail = need(RunReader(*store).detail(writer->id()));
    QCOMPARE(detail.summary.state, RunState::Failed);
    QCOMPARE(detail.summary.failureCode, reason.code);
    QCOMPARE(detail.summary.failure, reason.message);
    QCOMPARE(detail.summary.endedNs, std::optional<std::int64_t>(3'000));
    QCOMPARE(detail.rules[0].rule, std::string("search")); // rules have names from the start
    QVERIFY(!detail.recording);
}

void TestRunWriter::onlyTheMostDeniedKeysStay()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    run.keyTallies[0].clear();
    for (std::uint64_t key = 0; key < 1'000; ++key) {
        run.keyTallies[0].push_back(
            {100, (key * 7'919) % 1'000 + 1}); // each number of denials once
    }
    run.whoTallies.resize(1'000);
    for (engine::WhoTally& who : run.whoTallies) {
        who.requests = 1;
    }
    const std::unique_ptr<RunWriter> writer = begin(*store, run, {50, 10});
    need(writer->finish(run, FakeRun::closing()));
    const RunReader reader(*store);
    const RunDetail detail = need(reader.detail(writer->id()));
    QCOMPARE(detail.rules[0].keysDenied, 1'000U);
    QCOMPARE(detail.rules[0].keysLeftOut, 950U);
    QCOMPARE(need(reader.keyRows(writer->id(), 0)), 50U);
    const std::vector<KeyRow> keys = need(reader.keys(writer->id(), 0, KeyOrder::Denied, {0, 100}));
    for (std::size_t i = 0; i < keys.size(); ++i) {
        QCOMPARE(keys[i].denied, 1'000 - i);
    }
}

void TestRunWriter::theLargestOthersStay()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    for (std::uint64_t i = 0; i < 100; ++i) {
        run.whoTallies.push_back({i + 1, i == 3 ? 1U : 0U, i == 5 ? 1U : 0U, i == 7 ? 1U : 0U});
        run.keyTallies[1].push_back({i, i == 2 ? 1U : 0U});
    }
    const std::unique_ptr<RunWriter> writer = begin(*store, run, {50, 10});
    need(writer->finish(run, FakeRun::closing()));
    const RunReader reader(*store);
    QCOMPARE(need(reader.whoRows(writer->id())), 13U);
    QCOMPARE(need(reader.rejectedWhoRows(writer->id())), 1U);
    const std::vector<WhoRow> whos = need(reader.whos(writer->id(), WhoOrder::Requests, {0, 100}));
    QCOMPARE(whos.front().tally.requests, 100U);
    QCOMPARE(whos.at(9).tally.requests, 91U);
    QCOMPARE(whos.at(10).id, 7U); // rejected by production only
    QCOMPARE(whos.at(12).id, 3U);
    const std::vector<KeyRow> keys = need(reader.keys(writer->id(), 1, KeyOrder::Denied, {0, 100}));
    QCOMPARE(keys.size(), 11U);
    QCOMPARE(keys[0].id, 2U);
    QCOMPARE(keys[1].judged, 99U);
    QCOMPARE(need(reader.keys(writer->id(), 1, KeyOrder::Judged, {1, 2})).front().judged, 98U);
}

void TestRunWriter::timelineHasThreeLevels()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    constexpr std::int64_t kFirst = -7'000; // before 1970 as well
    constexpr std::int64_t kSeconds = 14'000;
    std::uint64_t all = 0;
    for (std::int64_t second = kFirst; second < kFirst + kSeconds;
         second += second % 3 == 0 ? 1 : 2) {
        const auto requests = static_cast<std::uint64_t>(second - kFirst + 5);
        writer->second(1, secondAt(second, 1)); // another plan's
        writer->second(0, secondAt(second, requests));
        all += requests;
    }
    need(writer->finish(run, FakeRun::closing()));
    const RunReader reader(*store);
    for (const TimelineLevel level :
         {TimelineLevel::Second, TimelineLevel::Minute, TimelineLevel::Hour}) {
        const auto points = need(reader.timeline(writer->id(), INT64_MIN, INT64_MAX, level));
        std::uint64_t requests = 0;
        std::uint64_t judged = 0;
        std::uint64_t ofTier = 0;
        std::int64_t before = INT64_MIN;
        for (const engine::SecondTally& point : points) {
            QVERIFY(point.second > before);
            QCOMPARE(point.second % static_cast<std::int64_t>(level), 0);
            QCOMPARE(point.admitted + point.rejected, point.requests);
            before = point.second;
            requests += point.requests;
            judged += point.rules.at(0).judged;
            ofTier += point.tiers[3].judged + point.rejected;
            QCOMPARE(point.rules[0].rule, 1U);
        }
        QCOMPARE(requests, all);
        QCOMPARE(judged, all);
        QCOMPARE(ofTier, all);
    }
    const auto part = need(reader.timeline(writer->id(), 0, 60, TimelineLevel::Second));
    QCOMPARE(part.front().second, 0);
    QVERIFY(part.back().second < 60);
    QCOMPARE(need(reader.timeline(writer->id(), 0, 60, TimelineLevel::Minute)).size(), 1U);
    QCOMPARE(need(reader.timeline(writer->id(), -3'600, 0, TimelineLevel::Hour)).size(), 1U);
}

void TestRunWriter::anEmptyRunIsARun()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    RunClosing closing;
    need(writer->finish(run, closing));
    const RunReader reader(*store);
    const RunDetail detail = need(reader.detail(writer->id()));
    QCOMPARE(detail.summary.state, RunState::Complete);
    QCOMPARE(detail.summary.totals.requests, 0U);
    QVERIFY(!detail.summary.totals.firstNs);
    VerdictBlock block;
    VerdictCursor cursor = need(reader.verdicts(writer->id()));
    QVERIFY(!need(cursor.next(block)));
}

void TestRunWriter::textsFromLogsAreBytes()
{
    const auto store = openStore(":memory:");
    FakeRun run;
    run.whoTexts = {std::string("a\0b\xff", 4), "'; DROP TABLE runs;--"};
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    for (std::uint32_t who = 0; who < 2; ++who) {
        FakeRequest request;
        request.n = who + 1;
        request.who = who;
        request.verdict = rejected();
        run.settle(writer.get(), request);
    }
    need(writer->finish(run, FakeRun::closing()));
    const std::vector<WhoRow> whos = need(RunReader(*store).whos(writer->id(), WhoOrder::Who, {}));
    QCOMPARE(whos.size(), 2U);
    QCOMPARE(whos[0].who, run.whoTexts[1]);
    QCOMPARE(whos[1].who, run.whoTexts[0]);
    const std::vector<KeyRow> keys
        = need(RunReader(*store).keys(writer->id(), 0, KeyOrder::Key, {}));
    QCOMPARE(keys[1].values, std::vector<std::string> {run.whoTexts[0]});
    QCOMPARE(need(RunReader(*store).list()).size(), 1U);
}

/// Shuffled against n by durations, heavy senders, 1 % rejected: the traffic that the budget is
/// for.
void TestRunWriter::aRequestTakesLessThanABit()
{
    constexpr std::size_t kCount = 327'680;
    std::mt19937_64 random(11);
    std::vector<FakeRequest> requests(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        FakeRequest& request = requests[i];
        request.n = i + 1;
        const std::uint64_t roll = random() % 1'000'000 + 1;
        const auto duration
            = static_cast<std::int64_t>(1'000'000'000 / roll % 60'000); // ms, few are long
        request.timeNs = static_cast<std::int64_t>(i) * 17'241'379 - duration * 1'000'000;
        request.who = static_cast<std::uint32_t>(1'000'000 / (random() % 1'000'000 + 1) % 50'000);
        request.pathGroup = static_cast<std::uint32_t>(random() % 300);
        request.verdict = random() % 100 == 0 ? rejected() : admitted();
    }
    std::sort(requests.begin(), requests.end(), [](const FakeRequest& a, const FakeRequest& b) {
        return a.timeNs != b.timeNs ? a.timeNs < b.timeNs : a.n < b.n;
    });
    const auto store = openStore(":memory:");
    FakeRun run;
    const std::unique_ptr<RunWriter> writer = begin(*store, run);
    for (const FakeRequest& request : requests) {
        run.settle(writer.get(), request);
    }
    need(writer->finish(run, FakeRun::closing()));
    const auto sum = [&](const char* sql) {
        return static_cast<std::size_t>(need(store->database().number(sql)));
    };
    const std::size_t verdicts
        = sum("SELECT sum(length(verdicts) + length(numbers)) FROM verdict_blocks");
    QVERIFY2(verdicts * 8 <= kCount, qPrintable(QString::number(verdicts)));
    const std::size_t rejections = sum("SELECT sum(length(columns)) FROM rejection_blocks");
    QVERIFY2(rejections <= run.tally.rejected * 10, qPrintable(QString::number(rejections)));
    QVERIFY(run.tally.rejected > 3'000);
    QCOMPARE(sum("SELECT count(*) FROM verdict_blocks WHERE number_detail = 2"), 0U);
}

void TestRunWriter::blocksOfSeveralThreadsAreThoseOfOne()
{
    const auto store = openStore(":memory:");
    for (const unsigned jobs : {1U, 2U}) {
        FakeRun run;
        const std::unique_ptr<RunWriter> writer = begin(*store, run, {}, jobs);
        play(run, writer.get(), 10 * 65'536 + 1); // more than one transaction takes
        need(writer->restart());
        play(run, writer.get(), 10 * 65'536 + 1);
        need(writer->finish(run, FakeRun::closing()));
    }
    const auto equalRows = [&](const char* sql) { return need(store->database().number(sql)); };
    QCOMPARE(equalRows("SELECT count(*) FROM verdict_blocks a JOIN verdict_blocks b "
                       "USING(block, requests, verdicts, number_detail, numbers) "
                       "WHERE a.run < b.run"),
             11);
    QCOMPARE(equalRows("SELECT count(*) FROM rejection_blocks a JOIN rejection_blocks b "
                       "USING(block, rejections, columns) WHERE a.run < b.run"),
             10);
    QCOMPARE(equalRows("SELECT count(*) FROM recorded_blocks a JOIN recorded_blocks b "
                       "USING(block, requests, marks, columns) WHERE a.run < b.run"),
             10);
}

QTEST_APPLESS_MAIN(TestRunWriter)
#include "tst_run_writer.moc"
