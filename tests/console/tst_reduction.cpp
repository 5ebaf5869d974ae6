#include "app/console/charts/reduction.h"
#include "app/console/charts/ticks.h"

#include <QtTest>

#include <cmath>
#include <map>

using namespace app::console;

class TestReduction : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void columnIsOneStroke();
    void strokesJoinAtTheNearerEnd();
    void neverMoreThanTwoCornersAColumn();
    void nothingIsHigherOrLowerThanTheSamples();
    void wideBinsAreSteps();
    void silenceIsZeroAndGapsAreGaps();
    void differencesAreStrokesFromZero();
    void greatestIsOfWhatIsSeen();
    void gapsGrowWithQuietRecordings();
    void clockSteps_data();
    void clockSteps();
    void clockTicksFollowTheZone();
    void valueTicksAreRound_data();
    void valueTicksAreRound();
    void logAxisHasAZero();
};

namespace {

/// "(0,1) (0,9) -" with - for a lifted pen.
std::string text(const std::vector<Corner>& corners)
{
    std::string text;
    for (const Corner& corner : corners) {
        text += text.empty() ? "" : " ";
        text += std::isnan(corner.value)
            ? std::string("-")
            : QStringLiteral("(%1,%2)").arg(corner.second).arg(corner.value).toStdString();
    }
    return text;
}

std::vector<Sample> wave(int seconds)
{
    std::vector<Sample> samples;
    for (int i = 0; i < seconds; ++i) {
        samples.push_back({i, static_cast<double>(i * 7'919 % 997)});
    }
    return samples;
}

} // namespace

void TestReduction::columnIsOneStroke()
{
    const std::vector<Sample> samples {{0, 1}, {1, 9}, {2, 4}};
    QCOMPARE(text(reduced(samples, {}, {0, 3, 1})), std::string("(1.5,1) (1.5,9)"));
    const std::vector<Sample> level {{0, 4}, {1, 4}, {2, 4}};
    QCOMPARE(text(reduced(level, {}, {0, 3, 1})), std::string("(1.5,4)"));
}

void TestReduction::strokesJoinAtTheNearerEnd()
{
    const std::vector<Sample> samples {{0, 1}, {1, 9}, {2, 8}, {3, 2}};
    QCOMPARE(text(reduced(samples, {}, {0, 4, 2})), std::string("(1,1) (1,9) (3,8) (3,2)"));
}

void TestReduction::neverMoreThanTwoCornersAColumn()
{
    const std::vector<Sample> samples = wave(86'400);
    for (const int columns : {1, 7, 640, 1'100}) {
        for (const double to : {86'400.0, 20'000.0, 5'000.5}) {
            const auto corners = reduced(samples, {}, {0, to, columns});
            QVERIFY(corners.size() <= 2 * static_cast<std::size_t>(columns));
            std::map<double, int> ofColumn;
            for (const Corner& corner : corners) {
                QVERIFY(++ofColumn[corner.second] <= 2);
            }
        }
    }
}

void TestReduction::nothingIsHigherOrLowerThanTheSamples()
{
    const std::vector<Sample> samples = wave(10'000);
    double most = 0;
    for (const Corner& corner : reduced(samples, {}, {2'000, 9'000, 300})) {
        most = std::max(most, corner.value);
    }
    QCOMPARE(most, greatest(samples, {}, {2'000, 9'000, 300}));
}

void TestReduction::wideBinsAreSteps()
{
    const std::vector<Sample> samples {{0, 5}, {60, 2}, {120, 0}};
    QCOMPARE(text(reduced(samples, {60, INT64_MAX}, {0, 180, 90})),
             std::string("(0,5) (60,5) (60,2) (120,2) (120,0) (180,0)"));
    // What lies beyond the edges is drawn up to one bin of it, so that lines run on.
    QCOMPARE(text(reduced(samples, {60, INT64_MAX}, {70, 110, 90})),
             std::string("(0,5) (60,5) (60,2) (120,2) (120,0) (180,0)"));
}

void TestReduction::silenceIsZeroAndGapsAreGaps()
{
    const std::vector<Sample> samples {{0, 5}, {3, 2}, {1'000, 7}};
    const Bins bins {1, 900};
    QCOMPARE(text(reduced(samples, bins, {0, 4, 100})),
             std::string("(0,5) (1,5) (1,0) (3,0) (3,2) (4,2) - (1000,7) (1001,7)"));
    // 1,200 s in 12 columns: the first has 5, 2 and silence, the last one 7, between them a gap.
    QCOMPARE(text(reduced(samples, bins, {0, 1'200, 12})),
             std::string("(50,0) (50,5) - (1050,7) -"));
    const std::vector<Sample> quiet {{0, 5}, {800, 2}};
    QCOMPARE(text(reduced(quiet, bins, {0, 800, 2})), std::string("(200,0) (200,5) (600,0)"));
}

void TestReduction::differencesAreStrokesFromZero()
{
    const std::vector<Sample> samples {{0, 5}, {1, -3}, {2, 0}, {3, 2}};
    const Strokes made = strokes(samples, {}, {0, 4, 2});
    QCOMPARE(text(made.above), std::string("(1,0) (1,5) - (3,0) (3,2) -"));
    QCOMPARE(text(made.below), std::string("(1,0) (1,-3) -"));
    const Strokes wide = strokes(samples, {}, {0, 4, 40});
    QCOMPARE(text(wide.below), std::string("(1,0) (1,-3) (2,-3) (2,0) -"));
}

void TestReduction::greatestIsOfWhatIsSeen()
{
    const std::vector<Sample> samples {{0, 50}, {60, 2}, {120, 9}};
    QCOMPARE(greatest(samples, {60, INT64_MAX}, {60, 120, 10}), 2.0);
    QCOMPARE(greatest(samples, {60, INT64_MAX}, {59, 121, 10}), 50.0);
    QCOMPARE(greatest({}, {}, {0, 1, 10}), 0.0);
}

void TestReduction::gapsGrowWithQuietRecordings()
{
    QCOMPARE(gapOf(86'400, 86'400), std::int64_t {900});
    QCOMPARE(gapOf(100, 86'400), std::int64_t {17'280});
    QCOMPARE(gapOf(0, 10), std::int64_t {900});
}

void TestReduction::clockSteps_data()
{
    QTest::addColumn<double>("seconds");
    QTest::addColumn<int>("most");
    QTest::addColumn<qint64>("step");
    QTest::newRow("quarter of an hour") << 960.0 << 9 << qint64 {120};
    QTest::newRow("a day") << 86'400.0 << 9 << qint64 {10'800};
    QTest::newRow("seconds") << 7.0 << 9 << qint64 {1};
    QTest::newRow("half a second") << 0.5 << 9 << qint64 {1};
    QTest::newRow("a month") << 2'592'000.0 << 9 << qint64 {4 * 86'400};
}

void TestReduction::clockSteps()
{
    QFETCH(double, seconds);
    QFETCH(int, most);
    QTEST(static_cast<qint64>(clockStep(seconds, most)), "step");
}

void TestReduction::clockTicksFollowTheZone()
{
    using Ticks = std::vector<std::int64_t>;
    QCOMPARE(clockTicks(3'500, 14'400, 3'600), (Ticks {3'600, 7'200, 10'800, 14'400}));
    // Half an hour ahead of UTC, as in some places: whole hours there.
    QCOMPARE(clockTicks(0, 7'200, 3'600, 1'800), (Ticks {1'800, 5'400}));
    QCOMPARE(clockTicks(-100, 100, 60), (Ticks {-60, 0, 60}));
}

void TestReduction::valueTicksAreRound_data()
{
    QTest::addColumn<double>("greatest");
    QTest::addColumn<int>("most");
    QTest::addColumn<std::vector<double>>("ticks");
    const auto add = [](const char* name, double greatest, int most, std::vector<double> ticks) {
        QTest::newRow(name) << greatest << most << std::move(ticks);
    };
    add("300", 300, 3, {0, 100, 200, 300});
    add("318", 318, 3, {0, 200, 400});
    add("1", 1, 3, {0, 1});
    add("nothing", 0, 3, {0, 1});
    add("7", 7, 3, {0, 5, 10});
    add("a million", 1'234'567, 4, {0, 500'000, 1'000'000, 1'500'000});
}

void TestReduction::valueTicksAreRound()
{
    QFETCH(double, greatest);
    QFETCH(int, most);
    QFETCH(std::vector<double>, ticks);
    QCOMPARE(valueTicks(greatest, most), ticks);
}

void TestReduction::logAxisHasAZero()
{
    QCOMPARE(logTicks(7'959, 4), (std::vector<double> {0, 10, 100, 1'000, 10'000}));
    QCOMPARE(logTicks(7'959, 2), (std::vector<double> {0, 100, 10'000}));
    QCOMPARE(logTicks(7'959, 1), (std::vector<double> {0, 10'000}));
    QCOMPARE(logTicks(0, 3), (std::vector<double> {0, 10}));
    QCOMPARE(logPlace(0), 0.0);
    QCOMPARE(logPlace(99), 2.0);
    QCOMPARE(logPlace(-9), -1.0);
}

QTEST_GUILESS_MAIN(TestReduction)
#include "tst_reduction.moc"
