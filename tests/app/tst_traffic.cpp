#include "app/workbench/traffic.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace app;

namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kS = 1000 * kMs;
constexpr std::int64_t kMin = 60 * kS;
constexpr std::int64_t kHour = 60 * kMin;

std::vector<TrafficRequest> made(const std::string& name, const TrafficSettings& settings,
                                 std::uint64_t seed = 1)
{
    const std::unique_ptr<TrafficStream> stream = trafficScenario(name)->make(settings, seed);
    std::vector<TrafficRequest> requests;
    TrafficRequest request;
    while (stream->next(request)) {
        requests.push_back(request);
    }
    return requests;
}

TrafficSettings defaultsOf(const std::string& name)
{
    return trafficScenario(name)->defaults;
}

/// As many as a Poisson process of this mean gives, within four standard deviations.
bool isPoisson(std::size_t seen, double mean)
{
    return std::abs(double(seen) - mean) < 4 * std::sqrt(mean);
}

std::size_t within(const std::vector<TrafficRequest>& requests, std::int64_t fromNs,
                   std::int64_t toNs)
{
    return std::size_t(std::count_if(requests.begin(), requests.end(), [&](const auto& request) {
        return request.atNs >= fromNs && request.atNs < toNs;
    }));
}

bool isSame(const TrafficRequest& a, const TrafficRequest& b)
{
    return a.atNs == b.atNs && a.durationNs == b.durationNs && a.key == b.key
        && a.tenant == b.tenant && a.attempt == b.attempt && a.status == b.status
        && a.route == b.route && a.item == b.item;
}

} // namespace

class TestTraffic : public QObject {
    Q_OBJECT
private Q_SLOTS:

    void everyScenarioIsInOrderAndWithinItsTime_data() { eachScenario(); }

    void everyScenarioIsInOrderAndWithinItsTime();

    void theSeedDecidesEverything_data() { eachScenario(); }

    void theSeedDecidesEverything();
    void detailsDoNotMoveArrivals();
    void poissonHasItsMoments();
    void steadyIsExact();
    void aDayHasItsPeakAndTrough();
    void aSpikeHasItsFactorAndPlace();
    void burstsAreExact();
    void boundaryIsExactAtEachEdge();
    void boundaryLeavesOutEdgesThatDoNotFit();
    void theBusiestKeysHaveTheirShares();
    void oneTenantHasAllTheKeys();
    void anOutageIsMultipliedByAttempts();
    void withoutFurtherAttemptsThereIsNoStorm();
    void theSlowEndpointGrowsAndRecovers();
    void requestsLookLikeTraffic();

private:
    static void eachScenario()
    {
        QTest::addColumn<QString>("name");
        for (const TrafficScenario& scenario : trafficScenarios()) {
            QTest::newRow(scenario.name.data()) << QString::fromUtf8(scenario.name.data());
        }
    }
};

void TestTraffic::everyScenarioIsInOrderAndWithinItsTime()
{
    QFETCH(QString, name);
    const TrafficSettings settings = defaultsOf(name.toStdString());
    const std::vector<TrafficRequest> requests = made(name.toStdString(), settings);
    QVERIFY(requests.size() > 1000);
    QVERIFY(std::is_sorted(requests.begin(), requests.end(),
                           [](const auto& a, const auto& b) { return a.atNs < b.atNs; }));
    QVERIFY(requests.front().atNs >= settings.startNs);
    QVERIFY(requests.back().atNs < settings.startNs + settings.durationNs);
    for (const TrafficRequest& request : requests) {
        QVERIFY(request.durationNs >= settings.latencyNs / 2);
        QVERIFY(request.tenant < std::uint64_t(settings.tenants));
    }
}

void TestTraffic::theSeedDecidesEverything()
{
    QFETCH(QString, name);
    const TrafficSettings settings = defaultsOf(name.toStdString());
    const std::vector<TrafficRequest> once = made(name.toStdString(), settings, 5);
    const std::vector<TrafficRequest> again = made(name.toStdString(), settings, 5);
    QVERIFY(std::equal(once.begin(), once.end(), again.begin(), again.end(), isSame));
    const std::vector<TrafficRequest> other = made(name.toStdString(), settings, 6);
    QVERIFY(!std::equal(once.begin(), once.end(), other.begin(), other.end(), isSame));
}

void TestTraffic::detailsDoNotMoveArrivals()
{
    TrafficSettings settings = defaultsOf("poisson");
    const std::vector<TrafficRequest> before = made("poisson", settings);
    settings.keys = 7;
    settings.latencyNs = kS;
    const std::vector<TrafficRequest> after = made("poisson", settings);
    QVERIFY(std::equal(before.begin(), before.end(), after.begin(), after.end(),
                       [](const auto& a, const auto& b) { return a.atNs == b.atNs; }));
}

void TestTraffic::poissonHasItsMoments()
{
    TrafficSettings settings = defaultsOf("poisson");
    settings.durationNs = 2000 * kS;
    const std::vector<TrafficRequest> requests = made("poisson", settings);
    QVERIFY(isPoisson(requests.size(), 200'000));
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < requests.size(); ++i) {
        const double gap = double(requests[i].atNs - requests[i - 1].atNs) / (10.0 * kMs);
        sum += gap;
        squares += gap * gap;
    }
    const double count = double(requests.size() - 1);
    const double mean = sum / count;
    QVERIFY(std::abs(mean - 1) < 4 / std::sqrt(count));
    QVERIFY(std::abs(squares / count - mean * mean - 1) < 4 * std::sqrt(8 / count));
    // Index of dispersion: of counts in seconds, variance by mean is 1.
    std::vector<double> seconds(2000, 0);
    for (const TrafficRequest& request : requests) {
        ++seconds.at(std::size_t((request.atNs - settings.startNs) / kS));
    }
    double variance = 0;
    for (const double second : seconds) {
        variance += (second - 100) * (second - 100) / 2000;
    }
    QVERIFY(std::abs(variance / 100 - 1) < 4 * std::sqrt(2.0 / 2000));
}

void TestTraffic::steadyIsExact()
{
    TrafficSettings settings = defaultsOf("steady");
    settings.rate = {7, 3 * kS};
    settings.keys = 3;
    const std::vector<TrafficRequest> requests = made("steady", settings);
    QCOMPARE(requests.size(), std::size_t {140});
    for (std::size_t i = 0; i < requests.size(); ++i) {
        QCOMPARE(requests[i].atNs, settings.startNs + std::int64_t(i) * 3 * kS / 7);
        QCOMPARE(requests[i].key, std::uint64_t {i % 3});
    }
}

void TestTraffic::aDayHasItsPeakAndTrough()
{
    const TrafficSettings settings = defaultsOf("diurnal"); // 10/s, factor 4: 4/s to 16/s
    const std::vector<TrafficRequest> requests = made("diurnal", settings);
    QVERIFY(isPoisson(requests.size(), 864'000));
    const auto around = [&](std::int64_t hour) {
        const std::int64_t middle = settings.startNs + hour * kHour;
        return within(requests, middle - kHour / 6, middle + kHour / 6);
    };
    // Over twenty minutes the mean is within 0.6 % of the height.
    QVERIFY(std::abs(double(around(4)) / 1200 - 4) < 0.03 + 4 * std::sqrt(4.0 / 1200));
    QVERIFY(std::abs(double(around(16)) / 1200 - 16) < 0.03 + 4 * std::sqrt(16.0 / 1200));
    QVERIFY(std::abs(double(around(10)) / 1200 - 10) < 0.05 + 4 * std::sqrt(10.0 / 1200));
    QVERIFY(std::abs(double(around(22)) / 1200 - 10) < 0.05 + 4 * std::sqrt(10.0 / 1200));
}

void TestTraffic::aSpikeHasItsFactorAndPlace()
{
    const TrafficSettings settings = defaultsOf("spike"); // 100/s, ten times at 5 min for 30 s
    const std::vector<TrafficRequest> requests = made("spike", settings);
    const std::int64_t spikeNs = settings.startNs + 5 * kMin;
    QVERIFY(isPoisson(within(requests, spikeNs, spikeNs + 30 * kS), 30'000));
    QVERIFY(isPoisson(within(requests, spikeNs - 30 * kS, spikeNs), 3000));
    QVERIFY(isPoisson(within(requests, spikeNs + 30 * kS, spikeNs + 60 * kS), 3000));
    QVERIFY(isPoisson(requests.size(), 57'000 + 30'000));
    QVERIFY(isPoisson(within(requests, spikeNs, spikeNs + kS), 1000));
    QVERIFY(isPoisson(within(requests, spikeNs + 29 * kS, spikeNs + 30 * kS), 1000));
}

void TestTraffic::burstsAreExact()
{
    TrafficSettings settings = defaultsOf("burst");
    settings.burst = 4;
    settings.keys = 2;
    settings.lengthNs = kS;
    settings.durationNs = 4 * kS + 1;
    const std::vector<TrafficRequest> requests = made("burst", settings);
    QCOMPARE(requests.size(), std::size_t {24}); // at 0, 2 and 4 s
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const auto burst = std::int64_t(i / 8);
        const auto place = std::int64_t(i % 8 / 2);
        QCOMPARE(requests[i].atNs, settings.startNs + burst * 2 * kS + place * kS / 4);
        QCOMPARE(requests[i].key, std::uint64_t {i % 2});
    }
}

void TestTraffic::boundaryIsExactAtEachEdge()
{
    TrafficSettings settings = defaultsOf("boundary"); // 10 min: edges at 1 to 9 min
    settings.keys = 3;
    const std::vector<TrafficRequest> requests = made("boundary", settings);
    QCOMPARE(requests.size(), std::size_t {9 * 2 * 100 * 3});
    for (int edge = 1; edge < 10; ++edge) {
        const std::int64_t at = settings.startNs + edge * kMin;
        QCOMPARE(within(requests, at - kMs, at), std::size_t {300});
        QCOMPARE(within(requests, at, at + kMs), std::size_t {300});
        QCOMPARE(within(requests, at, at + 1), std::size_t {3}); // the first is right at the edge
    }
}

void TestTraffic::boundaryLeavesOutEdgesThatDoNotFit()
{
    TrafficSettings settings = defaultsOf("boundary");
    settings.startNs += 30 * kS; // edges at 0:30, 1:30, ... behind the start
    settings.lengthNs = 10 * kS;
    settings.durationNs = 2 * kMin + 39 * kS; // the one at 2:30 would end at 2:40
    const std::vector<TrafficRequest> requests = made("boundary", settings);
    QCOMPARE(requests.size(), std::size_t {400});
    QCOMPARE(requests.front().atNs, settings.startNs + 20 * kS);
    QCOMPARE(requests[100].atNs, settings.startNs + 30 * kS);
    settings.durationNs += kS;
    QCOMPARE(made("boundary", settings).size(), std::size_t {600});
    settings.durationNs = 20 * kS;
    QVERIFY(made("boundary", settings).empty());
}

void TestTraffic::theBusiestKeysHaveTheirShares()
{
    TrafficSettings settings = defaultsOf("many_keys");
    settings.keys = 1000;
    settings.durationNs = 10 * kMin;
    const std::vector<TrafficRequest> requests = made("many_keys", settings);
    std::vector<std::size_t> counts(1000, 0);
    for (const TrafficRequest& request : requests) {
        ++counts.at(request.key);
    }
    constexpr double kHarmonic = 7.485470860550345; // of 1000
    for (const std::size_t rank : {1U, 2U, 3U, 10U, 100U, 500U, 1000U}) {
        QVERIFY(isPoisson(counts[rank - 1], double(requests.size()) / (kHarmonic * double(rank))));
    }
}

void TestTraffic::oneTenantHasAllTheKeys()
{
    TrafficSettings settings = defaultsOf("tenant_keys");
    const std::vector<TrafficRequest> requests = made("tenant_keys", settings);
    std::map<std::uint64_t, std::map<std::uint64_t, std::size_t>> keysOfTenant;
    std::size_t ofOthers = 0;
    for (const TrafficRequest& request : requests) {
        ++keysOfTenant[request.tenant][request.key];
        ofOthers += request.tenant > 0 ? 1 : 0;
    }
    QCOMPARE(keysOfTenant.size(), std::size_t {10});
    QCOMPARE(keysOfTenant[0].size(), std::size_t {10'000});
    for (const auto& [key, count] : keysOfTenant[0]) { // in turn, so that no key stands out
        QVERIFY(key < 10'000 && count >= 5 && count <= 6);
    }
    for (std::uint64_t tenant = 1; tenant < 10; ++tenant) {
        QCOMPARE(keysOfTenant[tenant].size(), std::size_t {5});
    }
    QVERIFY(isPoisson(ofOthers, 6000));
}

void TestTraffic::anOutageIsMultipliedByAttempts()
{
    const TrafficSettings settings = defaultsOf("retry_storm"); // 4 to 5 min, 5 attempts
    const std::vector<TrafficRequest> requests = made("retry_storm", settings);
    const std::int64_t from = settings.startNs + 4 * kMin;
    std::map<std::uint32_t, std::size_t> attempts;
    for (const TrafficRequest& request : requests) {
        ++attempts[request.attempt];
        const bool isOut = request.atNs >= from && request.atNs < from + kMin;
        QVERIFY(isOut == (request.status == 503));
    }
    // The waits add up to 200 ms * (1 + 2 + 4 + 8) at most, so that all who failed in the first
    // 56 s of the outage used up their five attempts within it.
    QVERIFY(isPoisson(within(requests, from - kMin, from), 6000));
    QVERIFY(isPoisson(attempts[1], 60'000));
    QVERIFY(attempts[5] > 5500 && attempts[5] < attempts[4] && attempts[4] < attempts[2]);
    const std::size_t middle = within(requests, from + 10 * kS, from + 50 * kS);
    QVERIFY(std::abs(double(middle) / 4000 - 5) < 0.5); // 4,000 of them first attempts
    QVERIFY(isPoisson(within(requests, from + kMin + 10 * kS, from + 2 * kMin), 5000));
    QVERIFY(attempts.rbegin()->first == 5);
}

void TestTraffic::withoutFurtherAttemptsThereIsNoStorm()
{
    TrafficSettings settings = defaultsOf("retry_storm");
    settings.attempts = 1;
    QVERIFY(isPoisson(made("retry_storm", settings).size(), 60'000));
}

void TestTraffic::theSlowEndpointGrowsAndRecovers()
{
    const TrafficSettings settings = defaultsOf("slow_endpoint"); // 3 to 7 min, 40 times at 5 min
    std::map<std::int64_t, std::pair<double, double>> ofMinute; // sum and count, of the slow route
    double others = 0;
    double count = 0;
    for (const TrafficRequest& request : made("slow_endpoint", settings)) {
        const double ms = double(request.durationNs) / kMs;
        if (request.route == kSlowRoute) {
            auto& [sum, requests] = ofMinute[(request.atNs - settings.startNs) / kMin];
            sum += ms;
            ++requests;
        } else {
            others += ms;
            ++count;
        }
    }
    const auto mean
        = [&](std::int64_t minute) { return ofMinute[minute].first / ofMinute[minute].second; };
    QVERIFY(std::abs(others / count - 50) < 1);
    QVERIFY(std::abs(mean(1) - 50) < 4);
    QVERIFY(std::abs(mean(3) / 537.5 - 1) < 0.1); // (1 + 20.5) / 2 times 50 ms
    QVERIFY(std::abs(mean(4) / 1512.5 - 1) < 0.1); // (20.5 + 40) / 2 times 50 ms
    QVERIFY(std::abs(mean(5) / 1512.5 - 1) < 0.1);
    QVERIFY(std::abs(mean(6) / 537.5 - 1) < 0.1);
    QVERIFY(std::abs(mean(8) - 50) < 4);
}

void TestTraffic::requestsLookLikeTraffic()
{
    std::map<int, std::size_t> statuses;
    std::map<int, std::size_t> routes;
    const std::vector<TrafficRequest> requests = made("poisson", defaultsOf("poisson"));
    for (const TrafficRequest& request : requests) {
        ++statuses[request.status];
        ++routes[request.route];
    }
    const double all = double(requests.size());
    int percents = 0;
    for (std::size_t route = 0; route < trafficRoutes().size(); ++route) {
        percents += trafficRoutes()[route].percent;
        QVERIFY(isPoisson(routes[int(route)], all * trafficRoutes()[route].percent / 100));
    }
    QCOMPARE(percents, 100);
    QVERIFY(isPoisson(statuses[404], all * 0.65 / 50));
    QVERIFY(isPoisson(statuses[500], all / 1000));
    QCOMPARE(statuses[200] + statuses[201] + statuses[404] + statuses[500], requests.size());
}

QTEST_APPLESS_MAIN(TestTraffic)
#include "tst_traffic.moc"
