#include "app/console/session/job_pace.h"

#include <QtTest>

using namespace app::console;

namespace {

constexpr std::int64_t kNs = 1'000'000'000;

app::ProgressState at(std::uint64_t bytes, std::uint64_t lines, std::uint64_t total = 100)
{
    return {bytes, total, lines, false};
}

} // namespace

class TestJobPace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rateAndTimeLeft();
    void timeLeftIsNotShownTooEarly();
    void timeLeftDoesNotFlicker();
    void onlyTheLastSecondsCount();
    void streamsHaveNoShare();
    void secondPassStartsAnew();
};

void TestJobPace::rateAndTimeLeft()
{
    JobPace pace;
    pace.add(0, at(0, 0));
    pace.add(4 * kNs, at(40, 4000));
    QCOMPARE(pace.linesPerSecond(), std::uint64_t {1000});
    QCOMPARE(pace.share(), std::optional(0.4));
    QVERIFY(pace.secondsLeft().has_value());
    QVERIFY(*pace.secondsLeft() == 6 || *pace.secondsLeft() == 7); // rounded up
}

void TestJobPace::timeLeftIsNotShownTooEarly()
{
    JobPace pace;
    pace.add(0, at(0, 0));
    pace.add(kNs, at(10, 100));
    QVERIFY(!pace.secondsLeft());
    pace.add(2 * kNs, at(20, 200));
    QVERIFY(pace.secondsLeft());
}

void TestJobPace::timeLeftDoesNotFlicker()
{
    JobPace pace;
    pace.add(0, at(0, 0, 10'000));
    pace.add(2 * kNs, at(100, 0, 10'000)); // 198 s left
    const std::int64_t first = *pace.secondsLeft();
    pace.add(4 * kNs, at(198, 0, 10'000)); // a little slower: no growth is shown
    QVERIFY(*pace.secondsLeft() <= first);
    pace.add(6 * kNs, at(220, 0, 10'000)); // much slower
    QVERIFY(*pace.secondsLeft() > first);
}

void TestJobPace::onlyTheLastSecondsCount()
{
    JobPace pace;
    for (int second = 0; second <= 10; ++second) {
        pace.add(second * kNs, at(0, static_cast<std::uint64_t>(second) * 1'000'000));
    }
    for (int second = 11; second <= 20; ++second) {
        pace.add(second * kNs, at(0, 10'000'000 + static_cast<std::uint64_t>(second - 10) * 10));
    }
    QCOMPARE(pace.linesPerSecond(), std::uint64_t {10});
}

void TestJobPace::streamsHaveNoShare()
{
    JobPace pace;
    pace.add(0, at(0, 0, 0));
    pace.add(5 * kNs, at(1000, 50, 0));
    QVERIFY(!pace.share());
    QVERIFY(!pace.secondsLeft());
    QCOMPARE(pace.linesPerSecond(), std::uint64_t {10});
}

void TestJobPace::secondPassStartsAnew()
{
    JobPace pace;
    pace.add(0, at(0, 0));
    pace.add(4 * kNs, at(90, 900));
    QVERIFY(pace.secondsLeft());
    pace.add(5 * kNs, {1, 100, 10, true});
    QVERIFY(!pace.secondsLeft());
    QCOMPARE(pace.linesPerSecond(), std::uint64_t {0});
}

QTEST_GUILESS_MAIN(TestJobPace)
#include "tst_job_pace.moc"
