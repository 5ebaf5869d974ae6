#include "app/workbench/compare_detail.h"
#include "app/workbench/period_view.h"
#include "app/workbench/run_moments.h"
#include "tests/storage/run_fixture.h"

using namespace app;
using namespace tests;

class TestRunMoments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void minutesAreThoseOfTheClock();
    void worstSecondIsTheFirstOfTheMostRejected();
    void runWithoutRejectionsHasNoWorstSecond();
    void worstMinutesOfRules();
    void momentsOfKeys();
    void momentsWithinAPeriod();
    void stopEndsReading();
    void detailOfAComparison();
    void detailAgainstProduction();
};

namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'040; // begins a minute

struct Sent {
    std::int64_t atMs; ///< after kStart
    std::uint32_t who;
    engine::Verdict verdict;
    bool isRecordedRejected = false;
};

engine::SecondTally secondOfRun(std::int64_t second, std::uint64_t requests, std::uint64_t rejected,
                                std::uint32_t denied)
{
    engine::SecondTally tally;
    tally.second = second;
    tally.requests = requests;
    tally.rejected = rejected;
    tally.admitted = requests - rejected;
    tally.rules = {{0, static_cast<std::uint32_t>(requests), static_cast<std::uint32_t>(rejected),
                    static_cast<std::uint32_t>(rejected)},
                   {1, static_cast<std::uint32_t>(requests), denied, 0}};
    return tally;
}

storage::RunId writeRun(storage::RunStore& store, const std::vector<Sent>& requests,
                        const std::vector<engine::SecondTally>& seconds = {})
{
    FakeRun run;
    const auto writer
        = need(storage::RunWriter::begin(store, FakeRun::header(), run.plan, FakeRun::shape()));
    std::uint64_t n = 0;
    for (const Sent& sent : requests) {
        FakeRequest request;
        request.timeNs = kStart * kNs + sent.atMs * 1'000'000;
        request.n = ++n;
        request.who = sent.who;
        request.verdict = sent.verdict;
        request.recordedKnown = true;
        request.recordedRejected = sent.isRecordedRejected;
        run.settle(writer.get(), request);
    }
    for (const engine::SecondTally& second : seconds) {
        writer->second(0, second);
    }
    need(writer->finish(run, FakeRun::closing()));
    return writer->id();
}

/// A rejection by the second rule, which the fixture has as a shadow rule.
engine::Verdict rejectedBySecond()
{
    engine::Verdict verdict = rejected();
    verdict.rule = 1;
    return verdict;
}

} // namespace

void TestRunMoments::minutesAreThoseOfTheClock()
{
    QCOMPARE(minuteOf(kStart * kNs), kStart);
    QCOMPARE(minuteOf(kStart * kNs + 60 * kNs - 1), kStart);
    QCOMPARE(minuteOf(-1), std::int64_t {-60});
    QCOMPARE(minuteOf(0), std::int64_t {0});
}

void TestRunMoments::worstSecondIsTheFirstOfTheMostRejected()
{
    const auto store = openStore(":memory:");
    constexpr std::int64_t kLater = 200'000; // more than two days
    const storage::RunId run = writeRun(
        *store, {{0, 0, admitted()}, {kLater * 1'000, 0, admitted()}},
        {secondOfRun(kStart, 9, 4, 0), secondOfRun(kStart + 100'000, 320, 212, 0),
         secondOfRun(kStart + 100'001, 500, 212, 0), secondOfRun(kStart + kLater, 9, 9, 0)});
    const storage::RunReader reader(*store);
    const auto worst = need(worstSecond(reader, need(reader.detail(run))));
    QVERIFY(worst.has_value());
    QCOMPARE(worst->second, kStart + 100'000);
    QCOMPARE(worst->rejected, 212U);
    QCOMPARE(worst->requests, 320U);
}

void TestRunMoments::runWithoutRejectionsHasNoWorstSecond()
{
    const auto store = openStore(":memory:");
    const storage::RunId run
        = writeRun(*store, {{0, 0, admitted()}}, {secondOfRun(kStart, 1, 0, 0)});
    const storage::RunId empty = writeRun(*store, {});
    const storage::RunReader reader(*store);
    QVERIFY(!need(worstSecond(reader, need(reader.detail(run)))).has_value());
    QVERIFY(!need(worstSecond(reader, need(reader.detail(empty)))).has_value());
}

void TestRunMoments::worstMinutesOfRules()
{
    const auto store = openStore(":memory:");
    const storage::RunId run
        = writeRun(*store, {{0, 0, admitted()}},
                   {secondOfRun(kStart, 9, 4, 1), secondOfRun(kStart + 59, 9, 3, 1),
                    secondOfRun(kStart + 60, 9, 6, 7), secondOfRun(kStart + 600, 9, 0, 7)});
    const storage::RunReader reader(*store);
    const storage::RunDetail detail = need(reader.detail(run));
    const auto worst = need(worstMinutes(reader, detail));
    QCOMPARE(worst.size(), 2U);
    QCOMPARE(worst[0].second, kStart);
    QCOMPARE(worst[0].count, 7U);
    QCOMPARE(worst[1].second, kStart + 60);
    QCOMPARE(worst[1].count, 7U);
    const auto later = need(worstMinutes(reader, detail, kStart + 600, kStart + 660));
    QCOMPARE(later[0].count, 0U);
    QCOMPARE(later[1].second, kStart + 600);
    const auto cut = need(worstMinutes(reader, detail, kStart + 1, kStart + 61));
    QCOMPARE(cut[0].second, kStart + 60);
    QCOMPARE(cut[0].count, 6U);
}

void TestRunMoments::momentsOfKeys()
{
    const auto store = openStore(":memory:");
    const storage::RunId run = writeRun(*store,
                                        {{10, 0, admitted()},
                                         {20, 0, rejected()},
                                         {30, 1, rejected()},
                                         {59'999, 0, rejected()},
                                         {60'000, 1, rejected()},
                                         {60'001, 1, rejected()},
                                         {60'002, 0, shadowDenied()}});
    const KeyMoments moments = need(keyMoments(storage::RunReader(*store), run));
    const KeyMoment* const first = moments.at(0, 100);
    QVERIFY(first != nullptr);
    QCOMPARE(first->firstNs, kStart * kNs + 20'000'000);
    QCOMPARE(first->worst.second, kStart);
    QCOMPARE(first->worst.count, 2U);
    const KeyMoment* const second = moments.at(0, 101);
    QCOMPARE(second->firstNs, kStart * kNs + 30'000'000);
    QCOMPARE(second->worst.second, kStart + 60);
    QCOMPARE(second->worst.count, 2U);
    QCOMPARE(moments.at(1, 0)->firstNs, kStart * kNs + 60'002'000'000);
    QVERIFY(moments.at(1, 1) == nullptr);
}

void TestRunMoments::momentsWithinAPeriod()
{
    const auto store = openStore(":memory:");
    const storage::RunId run
        = writeRun(*store,
                   {{20, 0, rejected()},
                    {1'000, 0, rejected()},
                    {1'999, 0, rejected()},
                    {2'000, 1, rejected()}},
                   {secondOfRun(kStart, 1, 1, 0), secondOfRun(kStart + 1, 2, 2, 0)});
    const storage::RunReader reader(*store);
    const Period period {(kStart + 1) * kNs, (kStart + 2) * kNs};
    const KeyMoments moments = need(keyMoments(reader, run, period));
    QCOMPARE(moments.at(0, 100)->firstNs, kStart * kNs + 1'000'000'000);
    QVERIFY(moments.at(0, 101) == nullptr);
    const PeriodView view = need(periodOf(reader, run, period));
    QCOMPARE(view.keys.size(), 1U);
    QCOMPARE(view.keys[0].id, 100U);
    QCOMPARE(view.keys[0].rejected, 2U);
}

void TestRunMoments::stopEndsReading()
{
    const auto store = openStore(":memory:");
    const storage::RunId run = writeRun(*store, {{20, 0, rejected()}});
    const storage::RunReader reader(*store);
    const StopFlag stop = true;
    QCOMPARE(codeOf(keyMoments(reader, run, {}, &stop)), std::string("run.interrupted"));
    QCOMPARE(codeOf(worstSecond(reader, need(reader.detail(run)), &stop)),
             std::string("run.interrupted"));
    ReadAgain again;
    again.stop = &stop;
    QCOMPARE(codeOf(compareStored(*store, {run}, run, {}, again)), std::string("run.interrupted"));
}

void TestRunMoments::detailOfAComparison()
{
    const auto store = openStore(":memory:");
    // who 0: request 2, 3 and 5 newly rejected (a streak of two, then one), who 1: one newly
    // admitted, one rejected by another rule.
    const storage::RunId base = writeRun(*store,
                                         {{0, 0, admitted()},
                                          {10, 0, admitted()},
                                          {20, 1, rejected()},
                                          {73, 0, admitted()},
                                          {80, 0, admitted()},
                                          {60'000, 0, admitted()},
                                          {60'001, 1, rejected()}});
    const storage::RunId candidate = writeRun(*store,
                                              {{0, 0, admitted()},
                                               {10, 0, rejected()},
                                               {20, 1, admitted()},
                                               {73, 0, rejected()},
                                               {80, 0, admitted()},
                                               {60'000, 0, rejectedBySecond()},
                                               {60'001, 1, rejectedBySecond()}});
    const CompareDetail detail = need(compareInDetail(*store, {base}, candidate, {}, {}));
    QCOMPARE(detail.outcome.comparison->totals()[engine::Change::NewlyRejected], 3U);
    QCOMPARE(detail.byAnotherRule, 1U);
    QCOMPARE(detail.rules.size(), 2U);
    QCOMPARE(detail.rules[0].rule, std::string("search"));
    QCOMPARE(detail.rules[0].base, 2U);
    QCOMPARE(detail.rules[0].candidate, 2U);
    QCOMPARE(detail.rules[0].newlyRejected, 2U);
    QCOMPARE(detail.rules[0].newlyAdmitted, 1U);
    QCOMPARE(detail.rules[1].rule, std::string("tenant-total"));
    QCOMPARE(detail.rules[1].base, 0U);
    QCOMPARE(detail.rules[1].candidate, 2U);
    QCOMPARE(detail.rules[1].newlyRejected, 1U);
    QCOMPARE(detail.newlyRejected.size(), 1U);
    const NewlyRejectedWho& who = detail.newlyRejected[0];
    QCOMPARE(who.who, std::string("w0"));
    QCOMPARE(who.rule, std::string("search"));
    QCOMPARE(who.requests, 3U);
    QCOMPARE(who.all, 5U);
    QCOMPARE(who.firstNs, kStart * kNs + 10'000'000);
    QCOMPARE(who.firstN, 2U);
    QCOMPARE(who.worst.second, kStart);
    QCOMPARE(who.worst.count, 2U);
    QCOMPARE(who.longest.requests, 2U);
    QCOMPARE(who.longest.lengthNs, 63'000'000);
}

void TestRunMoments::detailAgainstProduction()
{
    const auto store = openStore(":memory:");
    const storage::RunId run = writeRun(
        *store, {{0, 0, rejected()}, {10, 1, admitted(), true}, {20, 1, rejected(), true}});
    const CompareDetail detail = need(compareInDetail(*store, {}, run, {}, {}));
    QCOMPARE(detail.outcome.base, std::string("recorded"));
    QCOMPARE(detail.byAnotherRule, 0U); // production does not say which rule
    QCOMPARE(detail.rules.size(), 2U);
    QCOMPARE(detail.rules[0].candidate, 2U);
    QCOMPARE(detail.rules[0].newlyRejected, 1U);
    QCOMPARE(detail.rules[1].rule, std::string());
    QCOMPARE(detail.rules[1].base, 2U);
    QCOMPARE(detail.rules[1].newlyAdmitted, 1U);
    QCOMPARE(detail.newlyRejected.at(0).all, 1U);
    QCOMPARE(detail.newlyRejected.at(0).longest.requests, 1U);
    QCOMPARE(detail.newlyRejected.at(0).longest.lengthNs, 0);
}

QTEST_GUILESS_MAIN(TestRunMoments)
#include "tst_run_moments.moc"
