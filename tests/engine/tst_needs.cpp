#include "engine/needs.h"
#include "engine/needs/lanes.h"
#include "tests/support/slow_key.h"

#include <QTest>

#include <array>
#include <limits>
#include <random>
#include <set>
#include <string>

using namespace engine;
using tests::support::SlowKey;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

struct Hit {
    std::uint32_t key = 0;
    std::int64_t timeNs = 0;
};

/// Requests of a few keys in order of time: often at one instant, often a whole `periodNs` or one
/// ns less after an earlier one.
std::vector<Hit> randomHits(std::mt19937_64& random, std::int64_t periodNs, std::size_t count)
{
    std::int64_t now = static_cast<std::int64_t>(random() % 7) * periodNs - 3 * periodNs;
    std::vector<Hit> hits;
    while (hits.size() < count) {
        switch (random() % 6) {
        case 0:
            now += periodNs;
            break;
        case 1:
            now += std::max<std::int64_t>(0, periodNs - 1);
            break;
        case 2:
        case 3:
            break;
        default:
            now += static_cast<std::int64_t>(random()
                                             % static_cast<std::uint64_t>(periodNs / 3 + 1));
        }
        hits.push_back({static_cast<std::uint32_t>(random() % 3), now});
    }
    return hits;
}

Limit windowOf(Algorithm algorithm, std::int64_t count, std::int64_t periodNs)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = {count, periodNs};
    return limit;
}

Limit bucketOf(Algorithm algorithm, Rate rate, std::int64_t burst)
{
    Limit limit;
    limit.algorithm = algorithm;
    limit.rate = rate;
    limit.burst = burst;
    return limit;
}

/// What a limit admits of each request, by the definitions.
std::vector<bool> played(const Limit& limit, const std::vector<Hit>& hits)
{
    std::vector<SlowKey> keys(3, SlowKey(limit));
    std::vector<bool> admitted;
    for (const Hit& hit : hits) {
        const bool admits = keys[hit.key].admits(hit.timeNs, 1);
        keys[hit.key].note(hit.timeNs, 1, admits);
        admitted.push_back(admits);
    }
    return admitted;
}

} // namespace

class TestNeeds : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// The example of the header.
    void windowsNeedWhatTheHeaderSays()
    {
        WindowNeeds needs({10 * kSecond});
        const std::vector<std::int64_t> times {0, 4, 5, 11};
        const std::vector<std::vector<std::uint32_t>> expected {{1, 1}, {2, 2}, {3, 3}, {1, 1}};
        for (std::size_t i = 0; i < times.size(); ++i) {
            const auto seen = needs.add(0, times[i] * kSecond);
            QCOMPARE(std::vector<std::uint32_t>(seen.begin(), seen.end()), expected[i]);
        }
        QCOMPARE(needs.peak(0, WindowNeeds::at(0, WindowNeeds::kSliding)), 3U);
        QCOMPARE(needs.peak(1, 0), 0U);
    }

    /// A request needs N if and only if exactly the limits of N and more admit it.
    void everyWindowLimitRejectsWhatIsAboveIt()
    {
        for (std::uint64_t seed = 1; seed <= 60; ++seed) {
            std::mt19937_64 random(seed);
            const std::vector<std::int64_t> periods {1 + static_cast<std::int64_t>(random() % 50),
                                                     1 + static_cast<std::int64_t>(random() % 500),
                                                     60};
            const std::vector<Hit> hits = randomHits(random, periods[random() % 3], 80);
            WindowNeeds needs(periods);
            std::vector<std::vector<std::uint32_t>> seen;
            for (const Hit& hit : hits) {
                const auto of = needs.add(hit.key, hit.timeNs);
                seen.emplace_back(of.begin(), of.end());
            }
            for (std::size_t which = 0; which < needs.size(); ++which) {
                const Algorithm algorithm = which % 2 == WindowNeeds::kFixed
                    ? Algorithm::FixedWindow
                    : Algorithm::SlidingWindowLog;
                std::vector<std::uint32_t> peaks(3);
                for (std::uint32_t n = 0; n <= 40; ++n) {
                    const std::vector<bool> admitted
                        = played(windowOf(algorithm, n, periods[which / 2]), hits);
                    for (std::size_t i = 0; i < hits.size(); ++i) {
                        QVERIFY2(admitted[i] == (seen[i][which] <= n),
                                 qPrintable(QStringLiteral("seed %1 which %2 n %3 request %4")
                                                .arg(seed)
                                                .arg(which)
                                                .arg(n)
                                                .arg(i)));
                    }
                }
                for (std::size_t i = 0; i < hits.size(); ++i) {
                    peaks[hits[i].key] = std::max(peaks[hits[i].key], seen[i][which]);
                }
                for (std::uint32_t key = 0; key < 3; ++key) {
                    QCOMPARE(needs.peak(key, which), peaks[key]);
                }
            }
        }
    }

    /// Beyond 64 and beyond 4096 lanes, and back.
    void tallLogsCountOn()
    {
        WindowNeeds needs({1000});
        for (std::uint32_t i = 1; i <= 5000; ++i) {
            QCOMPARE(needs.add(0, i / 10)[1], i);
        }
        // A tenth of a thousand later the first are gone: their lanes are the lowest.
        QCOMPARE(needs.add(0, 1000)[1], 1U);
        QCOMPARE(needs.add(0, 1010)[1], 2U);
        QCOMPARE(needs.peak(0, 1), 5000U);
    }

    void lanesAreASetOfWhatIsFree()
    {
        std::mt19937_64 random(7);
        needs::Lanes lanes;
        std::set<std::uint32_t> taken;
        std::uint32_t tallest = 0;
        for (int i = 0; i < 28'000; ++i) {
            const bool isFilling = i / 7'000 % 2 == 0;
            if (taken.empty() || random() % 10 < (isFilling ? 8U : 2U)) {
                std::uint32_t lowest = 0;
                for (const std::uint32_t lane : taken) {
                    if (lane != lowest) {
                        break;
                    }
                    ++lowest;
                }
                QCOMPARE(lanes.take(), lowest);
                taken.insert(lowest);
                tallest = std::max(tallest, lowest);
            } else {
                const auto some = taken.lower_bound(
                    static_cast<std::uint32_t>(random() % (*taken.rbegin() + 1)));
                lanes.giveBack(*some);
                taken.erase(some);
            }
        }
        QVERIFY(tallest > 4096);
    }

    /// The example of the header.
    void burstsNeedWhatTheHeaderSays()
    {
        BurstNeeds needs({1, kSecond}, {1, 2});
        QCOMPARE(needs.add(0, 0), std::uint64_t {0});
        QCOMPARE(needs.neededByLast(0), std::int64_t {1});
        QCOMPARE(needs.add(0, 0), std::uint64_t {1});
        QCOMPARE(needs.neededByLast(0), std::int64_t {2});
        QCOMPARE(needs.add(0, 0), std::uint64_t {3});
        QCOMPARE(needs.add(0, kSecond), std::uint64_t {0});
        QCOMPARE(needs.neededByLast(0), std::int64_t {3});
        QCOMPARE(needs.needed(0), std::int64_t {3});
        QCOMPARE(needs.add(0, 10 * kSecond), std::uint64_t {0});
        QCOMPARE(needs.neededByLast(0), std::int64_t {1});
        QCOMPARE(needs.neededByLast(1), std::int64_t {0});
        QCOMPARE(needs.needed(1), std::int64_t {0});
    }

    /// Candidates reject what a bucket of that burst rejects, as token_bucket and as gcra; and what
    /// a key needs is the least burst that rejects nothing of it.
    void burstsAreWhatBucketsReject()
    {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            std::mt19937_64 random(seed);
            const Rate rate {1 + static_cast<std::int64_t>(random() % 9),
                             1 + static_cast<std::int64_t>(random() % 40)};
            const std::vector<Hit> hits = randomHits(random, 1 + rate.periodNs / rate.count, 100);
            const std::vector<std::int64_t> candidates {1, 2, 3, 5, 8, 13};
            BurstNeeds needs(rate, candidates);
            std::vector<std::uint64_t> rejecting;
            for (const Hit& hit : hits) {
                rejecting.push_back(needs.add(hit.key, hit.timeNs));
            }
            const Algorithm algorithm = seed % 2 == 0 ? Algorithm::TokenBucket : Algorithm::Gcra;
            for (std::size_t c = 0; c < candidates.size(); ++c) {
                const std::vector<bool> admitted
                    = played(bucketOf(algorithm, rate, candidates[c]), hits);
                for (std::size_t i = 0; i < hits.size(); ++i) {
                    QVERIFY2(admitted[i] == ((rejecting[i] >> c & 1U) == 0),
                             qPrintable(QStringLiteral("seed %1 candidate %2 request %3")
                                            .arg(seed)
                                            .arg(candidates[c])
                                            .arg(i)));
                }
            }
            for (std::uint32_t key = 0; key < 3; ++key) {
                const std::int64_t needed = needs.needed(key);
                const auto rejectsSome = [&](std::int64_t burst) {
                    const std::vector<bool> admitted
                        = played(bucketOf(algorithm, rate, burst), hits);
                    for (std::size_t i = 0; i < hits.size(); ++i) {
                        if (hits[i].key == key && !admitted[i]) {
                            return true;
                        }
                    }
                    return false;
                };
                QVERIFY(needed == 0 || !rejectsSome(needed));
                QVERIFY(needed < 2 || rejectsSome(needed - 1));
            }
        }
    }

    /// A burst rejects first what needs more than it, and never what needs no more.
    void whatARequestNeedsAdmitsIt()
    {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            std::mt19937_64 random(seed);
            const Rate rate {1 + static_cast<std::int64_t>(random() % 9),
                             1 + static_cast<std::int64_t>(random() % 40)};
            const std::vector<Hit> hits = randomHits(random, 1 + rate.periodNs / rate.count, 100);
            BurstNeeds needs(rate, {1});
            std::vector<std::int64_t> needed;
            for (const Hit& hit : hits) {
                needs.add(hit.key, hit.timeNs);
                needed.push_back(needs.neededByLast(hit.key));
            }
            for (std::int64_t burst = 1; burst <= 13; ++burst) {
                const std::vector<bool> admitted
                    = played(bucketOf(Algorithm::TokenBucket, rate, burst), hits);
                std::array<bool, 3> hasRejected {};
                for (std::size_t i = 0; i < hits.size(); ++i) {
                    QVERIFY(needed[i] > burst || admitted[i]);
                    QVERIFY(needed[i] <= burst || hasRejected[hits[i].key] || !admitted[i]);
                    hasRejected[hits[i].key] = hasRejected[hits[i].key] || !admitted[i];
                }
            }
        }
    }

    /// From one end of time to the other, with the largest numbers that a limit may have.
    void nothingOverflows()
    {
        const std::int64_t first = std::numeric_limits<std::int64_t>::min();
        const std::int64_t last = std::numeric_limits<std::int64_t>::max();
        const std::int64_t large = std::int64_t {1} << 62;
        WindowNeeds windows({1, large});
        BurstNeeds slow({1, large}, {1});
        BurstNeeds fast({large, 1}, {1});
        for (const std::int64_t time : {first, first, std::int64_t {0}, last, last}) {
            windows.add(0, time);
            slow.add(0, time);
            fast.add(0, time);
        }
        QCOMPARE(windows.peak(0, WindowNeeds::at(0, WindowNeeds::kFixed)), 2U);
        QCOMPARE(windows.peak(0, WindowNeeds::at(1, WindowNeeds::kSliding)), 2U);
        QCOMPARE(slow.needed(0), std::int64_t {2});
        QCOMPARE(fast.needed(0), std::int64_t {2});
    }

    void curvesSayWhatIsAbove()
    {
        NeedCurve curve;
        QCOMPARE(curve.atShare(999), 0U);
        QVERIFY(!curve.knee(1000));
        for (const std::uint32_t need : {1U, 1U, 1U, 7U}) {
            curve.add(need);
        }
        QCOMPARE(curve.total(), std::uint64_t {4});
        QCOMPARE(curve.above(0), std::uint64_t {4});
        QCOMPARE(curve.above(1), std::uint64_t {1});
        QCOMPARE(curve.above(7), std::uint64_t {0});
        QCOMPARE(curve.atShare(750), 1U);
        QCOMPARE(curve.atShare(751), 7U);
        QCOMPARE(curve.largest(), 7U);
    }

    void theKneeIsTheWidestGap()
    {
        NeedCurve curve;
        curve.add(1, 500);
        curve.add(3, 480);
        curve.add(20, 15); // 20 / 3 is wider than 90 / 20 and 3 / 1
        curve.add(90, 5);
        const auto knee = curve.knee(50);
        QVERIFY(knee.has_value());
        QCOMPARE(knee->below, 3U);
        QCOMPARE(knee->above, 20U);
        // Only five in a thousand may lie above it.
        QCOMPARE(curve.knee(5)->below, 20U);
        QVERIFY(!curve.knee(4));
    }
};

QTEST_APPLESS_MAIN(TestNeeds)
#include "tst_needs.moc"
