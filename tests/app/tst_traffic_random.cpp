#include "app/workbench/traffic_random.h"

#include <QTest>

#include <cmath>
#include <vector>

using app::PoissonGaps;
using app::TrafficRandom;

namespace {

constexpr int kDraws = 1'000'000;

/// Of draws of mean `mean` and standard deviation `deviation`, their mean lies within four standard
/// errors: with one seed that either always holds or never does.
bool isNear(double seen, double mean, double deviation, double draws = kDraws)
{
    return std::abs(seen - mean) < 4 * deviation / std::sqrt(draws);
}

} // namespace

class TestTrafficRandom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drawsAreTheSameOnEveryMachine();
    void belowIsEven();
    void exponentialHasItsMoments();
    void zipfHasItsShares();
    void gapsKeepTheirMeanAtAnyRate_data();
    void gapsKeepTheirMeanAtAnyRate();
};

void TestTrafficRandom::drawsAreTheSameOnEveryMachine()
{
    // The first of splitmix64 from 0 and from 1, as published with the generator.
    QCOMPARE(TrafficRandom(0).next(), std::uint64_t {0xe220a8397b1dcdaf});
    QCOMPARE(TrafficRandom(1).next(), std::uint64_t {0x910a2dec89025cc1});
    TrafficRandom random(7);
    std::uint64_t sum = 0;
    for (int i = 0; i < 1000; ++i) {
        sum = sum * 31 + random.exponential();
        sum = sum * 31 + random.zipf(1000);
        sum = sum * 31 + random.below(77);
    }
    QCOMPARE(sum, std::uint64_t {17756169782338525391U});
}

void TestTrafficRandom::belowIsEven()
{
    TrafficRandom random(1);
    std::vector<int> counts(7, 0);
    for (int i = 0; i < kDraws; ++i) {
        ++counts.at(random.below(7));
    }
    for (const int count : counts) {
        QVERIFY(isNear(double(count) / kDraws, 1.0 / 7, std::sqrt(6.0) / 7));
    }
    QCOMPARE(random.below(1), std::uint64_t {0});
}

void TestTrafficRandom::exponentialHasItsMoments()
{
    TrafficRandom random(2);
    double sum = 0;
    double squares = 0;
    int above[4] {};
    for (int i = 0; i < kDraws; ++i) {
        const double draw = double(random.exponential()) / 4294967296.0;
        sum += draw;
        squares += draw * draw;
        for (int k = 0; k < 4; ++k) {
            above[k] += draw > 0.5 * (k + 1) ? 1 : 0;
        }
    }
    QVERIFY(isNear(sum / kDraws, 1, 1));
    QVERIFY(isNear(squares / kDraws, 2, std::sqrt(20.0))); // E X^4 - (E X^2)^2 = 24 - 4
    for (int k = 0; k < 4; ++k) {
        const double share = std::exp(-0.5 * (k + 1));
        QVERIFY(isNear(double(above[k]) / kDraws, share, std::sqrt(share * (1 - share))));
    }
}

void TestTrafficRandom::zipfHasItsShares()
{
    for (const std::uint64_t count : {std::uint64_t {1}, std::uint64_t {2}, std::uint64_t {100}}) {
        TrafficRandom random(count);
        std::vector<int> counts(count, 0);
        double harmonic = 0;
        for (std::uint64_t rank = 1; rank <= count; ++rank) {
            harmonic += 1.0 / double(rank);
        }
        for (int i = 0; i < kDraws; ++i) {
            ++counts.at(random.zipf(count));
        }
        for (std::uint64_t rank = 1; rank <= count; ++rank) {
            const double share = 1 / (harmonic * double(rank));
            QVERIFY(isNear(double(counts[rank - 1]) / kDraws, share,
                           std::sqrt(share * (1 - share)) + 1e-9));
        }
    }
}

void TestTrafficRandom::gapsKeepTheirMeanAtAnyRate_data()
{
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("periodNs");
    QTest::newRow("100/s") << qint64 {100} << qint64 {1'000'000'000};
    QTest::newRow("3 in 10 ns") << qint64 {3} << qint64 {10};
    QTest::newRow("one a ns") << qint64 {1'000'000'000} << qint64 {1'000'000'000};
    QTest::newRow("7/week") << qint64 {7} << qint64 {604'800'000'000'000};
}

void TestTrafficRandom::gapsKeepTheirMeanAtAnyRate()
{
    QFETCH(qint64, count);
    QFETCH(qint64, periodNs);
    const double mean = double(periodNs) / double(count);
    TrafficRandom random(3);
    PoissonGaps gaps;
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
        sum += double(gaps.next(random, {count, periodNs}));
    }
    QVERIFY(isNear(sum / kDraws, mean, mean));
}

QTEST_APPLESS_MAIN(TestTrafficRandom)
#include "tst_traffic_random.moc"
