#include "tests/support/one_key.h"
#include "tests/support/slow_key.h"

#include <QTest>

#include <array>
#include <optional>
#include <random>

using namespace engine;
using tests::support::Answer;
using tests::support::Int128;
using tests::support::OneKey;
using tests::support::SlowKey;

namespace {

constexpr std::int64_t kMost = std::int64_t {1} << 62;

/// Random numbers of the kinds at which counting goes wrong.
class Dice {
public:
    explicit Dice(std::uint64_t seed)
        : m_engine(seed)
    {
    }

    std::int64_t upTo(std::int64_t most) // 0 .. most
    {
        return static_cast<std::int64_t>(m_engine() % (static_cast<std::uint64_t>(most) + 1));
    }

    bool oneIn(std::int64_t n) { return upTo(n - 1) == 0; }

    /// 0 .. most, every number of digits alike.
    std::int64_t anySize(std::int64_t most)
    {
        return std::min(most, static_cast<std::int64_t>(m_engine() >> 1 >> upTo(62)));
    }

    template <std::size_t Count> std::int64_t oneOf(const std::array<std::int64_t, Count>& values)
    {
        return values[static_cast<std::size_t>(upTo(Count - 1))];
    }

private:
    std::mt19937_64 m_engine;
};

constexpr std::array<std::int64_t, 13> kCounts {
    0, 1, 2, 3, 7, 10, 60, 100, 1000, 3000000000, 2999999999, 1000000000, kMost};
constexpr std::array<std::int64_t, 11> kPeriods {1,
                                                 2,
                                                 7,
                                                 1000,
                                                 1000000000,
                                                 3000000000,
                                                 60000000000,
                                                 86400000000000,
                                                 604800000000000,
                                                 999999999999999989,
                                                 kMost};

/// A limit of that kind that checkLimit() has nothing against.
Limit randomLimit(Limit limit, Dice& dice)
{
    do {
        limit.rate.count = dice.oneIn(2) ? dice.oneOf(kCounts) : dice.anySize(kMost);
        limit.rate.periodNs = dice.oneIn(2) ? dice.oneOf(kPeriods) : 1 + dice.anySize(kMost - 1);
        if (dice.oneIn(3)) {
            limit.rate.count = 1 + dice.upTo(9);
        }
        limit.burst = dice.oneIn(2) ? 1 + dice.upTo(20) : 1 + dice.anySize(kMost - 1);
        if (dice.oneIn(20)) {
            limit.burst = 6000000000;
        }
        limit.queue = dice.oneIn(2) ? dice.upTo(5) : dice.anySize(kMost);
        limit.delayAfter = dice.oneIn(2) ? 0 : dice.anySize(kMost);
        if (limit.toleranceNs) {
            limit.toleranceNs = dice.anySize(kMost);
        }
        limit.anchorNs = dice.oneIn(2) ? 0 : dice.upTo(limit.rate.periodNs - 1);
    } while (checkLimit(limit) != nullptr);
    return limit;
}

std::int64_t randomCost(const Limit& limit, Dice& dice)
{
    const std::int64_t capacity = capacityOf(limit);
    switch (dice.upTo(9)) {
    case 0:
        return 0;
    case 1:
        return std::min(kMost, capacity);
    case 2:
        return std::min(kMost, capacity + 1);
    case 3:
        return dice.oneIn(4) ? kMost : dice.anySize(kMost);
    case 4:
        return 1 + capacity / 3;
    case 5:
        return 1 + dice.upTo(4);
    default:
        return 1;
    }
}

std::int64_t later(std::int64_t at, std::int64_t by)
{
    return by > 0 && at > wide::kLastNs - by ? wide::kLastNs : at + by;
}

std::int64_t randomStart(Dice& dice)
{
    switch (dice.upTo(5)) {
    case 0:
        return wide::kFirstNs;
    case 1:
        return -dice.anySize(wide::kLastNs);
    case 2:
        return 0;
    case 3:
        return wide::kLastNs - dice.anySize(wide::kLastNs);
    default:
        return 1767225600000000000 + dice.anySize(kMost);
    }
}

std::int64_t randomStep(const Limit& limit, const Answer& last, Dice& dice)
{
    const std::int64_t period = limit.rate.periodNs;
    switch (dice.upTo(11)) {
    case 0:
    case 1:
    case 2:
        return 0;
    case 3:
        return last.figures.retryAfterNs.value_or(1);
    case 4:
        return std::max<std::int64_t>(0, last.figures.retryAfterNs.value_or(1) - 1);
    case 5:
        return last.figures.nextAfterNs;
    case 6:
        return last.figures.fullAfterNs.value_or(1);
    case 7:
        return period - dice.upTo(1);
    case 8:
        return limit.rate.count > 0 ? period / limit.rate.count + dice.upTo(1) : 1;
    case 9:
        return dice.upTo(period);
    case 10:
        return dice.oneIn(8) ? wide::kLastNs : dice.anySize(wide::kLastNs);
    default:
        return dice.upTo(1000);
    }
}

/// What one decision said against the slow key; empty if all of it is right.
class Referee {
public:
    Referee(const Limit& limit, const SlowKey& before, const SlowKey& after, std::int64_t atNs,
            std::int64_t cost, const Answer& answer)
        : m_limit(limit)
        , m_after(after)
        , m_at(atNs)
        , m_cost(cost)
        , m_answer(answer)
        , m_admits(before.admits(atNs, cost))
        , m_delay(m_admits ? before.delay(atNs) : 0)
    {
    }

    [[nodiscard]] const char* objection() const
    {
        if (m_answer.admitted != m_admits) {
            return "verdict";
        }
        if (m_answer.figures.remaining != m_after.remaining(m_at)) {
            return "remaining";
        }
        if (m_answer.delayNs != m_delay) {
            return "delay";
        }
        if (!retryIsLeast()) {
            return "retry_after";
        }
        if (!nextIsLeast()) {
            return "next_after";
        }
        return fullIsLeast() ? nullptr : "full_after";
    }

private:
    [[nodiscard]] bool retryIsLeast() const
    {
        const auto& wait = m_answer.figures.retryAfterNs;
        if (m_admits) {
            return wait == 0;
        }
        if (!wait) { // then not even at the end of time and an age later
            return !m_after.admits(Int128 {wide::kLastNs} * 2, m_cost);
        }
        return *wait > 0 && m_after.admits(m_at + *wait, m_cost)
            && !m_after.admits(m_at + *wait - 1, m_cost);
    }

    [[nodiscard]] bool nextIsLeast() const
    {
        const std::int64_t wait = m_answer.figures.nextAfterNs;
        const std::int64_t remaining = m_answer.figures.remaining;
        if (m_limit.rate.count == 0 || remaining == capacityOf(m_limit)) {
            return wait == 0;
        }
        return wait > 0 && m_after.remaining(m_at + wait) > remaining
            && m_after.remaining(m_at + wait - 1) == remaining;
    }

    [[nodiscard]] bool fullIsLeast() const
    {
        const auto& wait = m_answer.figures.fullAfterNs;
        if (!wait || m_limit.rate.count == 0) {
            return !wait && m_limit.rate.count == 0;
        }
        return m_after.isUnused(m_at + *wait)
            && (*wait == 0 || !m_after.isUnused(m_at + *wait - 1));
    }

    const Limit& m_limit;
    const SlowKey& m_after;
    Int128 m_at;
    std::int64_t m_cost;
    const Answer& m_answer;
    bool m_admits;
    Int128 m_delay;
};

/// After a denial with a wait d: the engine itself, asked at d - 1 and at d.
const char* objectionToWaiting(const OneKey& key, std::int64_t atNs, std::int64_t cost,
                               const Answer& answer)
{
    const std::int64_t wait = answer.figures.retryAfterNs.value_or(0);
    if (answer.admitted || wait == 0 || atNs > wide::kLastNs - wait) {
        return nullptr;
    }
    if (OneKey(key).decide(atNs + wait - 1, cost).admitted) {
        return "one nanosecond less than retry_after is enough";
    }
    return OneKey(key).decide(atNs + wait, cost).admitted ? nullptr : "retry_after is not enough";
}

struct Kind {
    const char* name;
    Limit limit;
};

std::vector<Kind> kinds()
{
    std::vector<Kind> all;
    const auto add = [&](const char* name, Algorithm algorithm) -> Limit& {
        all.push_back({name, {}});
        all.back().limit.algorithm = algorithm;
        return all.back().limit;
    };
    add("fixed_window", Algorithm::FixedWindow);
    add("fixed_window, count_rejected", Algorithm::FixedWindow).countRejected = true;
    add("fixed_window, first_request", Algorithm::FixedWindow).alignToFirstRequest = true;
    Limit& both = add("fixed_window, first_request, count_rejected", Algorithm::FixedWindow);
    both.alignToFirstRequest = true;
    both.countRejected = true;
    add("sliding_window_log", Algorithm::SlidingWindowLog);
    add("sliding_window_log, count_rejected", Algorithm::SlidingWindowLog).countRejected = true;
    add("sliding_window_counter", Algorithm::SlidingWindowCounter);
    add("sliding_window_counter, count_rejected", Algorithm::SlidingWindowCounter).countRejected
        = true;
    add("sliding_window_counter, floor", Algorithm::SlidingWindowCounter).floorEstimate = true;
    Limit& floors
        = add("sliding_window_counter, floor, count_rejected", Algorithm::SlidingWindowCounter);
    floors.floorEstimate = true;
    floors.countRejected = true;
    add("token_bucket", Algorithm::TokenBucket);
    add("gcra, burst", Algorithm::Gcra);
    add("gcra, tolerance", Algorithm::Gcra).toleranceNs = 0;
    add("leaky_bucket", Algorithm::LeakyBucket);
    return all;
}

QString describe(const Limit& limit)
{
    return QStringLiteral(
               "%1 per %2 ns, burst %3, queue %4, delay_after %5, tolerance %6, anchor %7")
        .arg(limit.rate.count)
        .arg(limit.rate.periodNs)
        .arg(limit.burst)
        .arg(limit.queue)
        .arg(limit.delayAfter)
        .arg(limit.toleranceNs.value_or(-1))
        .arg(limit.anchorNs);
}

/// Forty random requests to one key under one random limit.
class Game {
public:
    Game(const Limit& kind, std::uint64_t seed)
        : m_dice(seed)
        , m_limit(randomLimit(kind, m_dice))
        , m_slow(m_limit)
    {
        m_key.emplace(m_limit);
    }

    /// What went wrong; empty if nothing did.
    QString play()
    {
        std::int64_t now = randomStart(m_dice);
        Answer answer;
        for (int step = 0; step < 40; ++step) {
            const std::int64_t cost = randomCost(m_limit, m_dice);
            if (m_key->atRest(now) && m_dice.oneIn(2)) {
                m_key.emplace(m_limit); // forgetting a key at rest changes no later decision
                forgotten += step > 0 ? 1 : 0;
            }
            const SlowKey before = m_slow;
            answer = m_key->decide(now, cost);
            m_slow.note(now, cost, answer.admitted);
            const char* objection = Referee(m_limit, before, m_slow, now, cost, answer).objection();
            if (objection == nullptr) {
                objection = objectionToWaiting(*m_key, now, cost, answer);
            }
            if (objection != nullptr) {
                return QStringLiteral("%1 at step %2, time %3, cost %4, limit %5")
                    .arg(QLatin1String(objection))
                    .arg(step)
                    .arg(now)
                    .arg(cost)
                    .arg(describe(m_limit));
            }
            denied += answer.admitted ? 0 : 1;
            now = later(now, randomStep(m_limit, answer, m_dice));
        }
        return {};
    }

    int denied = 0;
    int forgotten = 0;

private:
    Dice m_dice;
    Limit m_limit;
    SlowKey m_slow;
    std::optional<OneKey> m_key;
};

} // namespace

/// Each algorithm against its definition, over random limits up to the largest that are allowed.
class TestAlgorithmProperties : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreesWithItsDefinition_data();
    void agreesWithItsDefinition();
    void neverAdmitsMoreThanCapacityAndRate_data();
    void neverAdmitsMoreThanCapacityAndRate();
};

void TestAlgorithmProperties::agreesWithItsDefinition_data()
{
    QTest::addColumn<std::size_t>("index");
    const std::vector<Kind> all = kinds();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QTest::newRow(all[i].name) << i;
    }
}

void TestAlgorithmProperties::agreesWithItsDefinition()
{
    QFETCH(std::size_t, index);
    const Limit kind = kinds()[index].limit;
    int denied = 0;
    int forgotten = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Game game(kind, seed * 1000 + index);
        const QString wrong = game.play();
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(wrong)));
        denied += game.denied;
        forgotten += game.forgotten;
    }
    QVERIFY2(denied > 12000 && denied < 108000, "the dice must give denials and admissions");
    QVERIFY2(forgotten > 1000, "the dice must give keys at rest");
}

void TestAlgorithmProperties::neverAdmitsMoreThanCapacityAndRate_data()
{
    QTest::addColumn<std::size_t>("index");
    const std::vector<Kind> all = kinds();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Algorithm algorithm = all[i].limit.algorithm;
        if (algorithm != Algorithm::FixedWindow && algorithm != Algorithm::SlidingWindowCounter) {
            QTest::newRow(all[i].name) << i;
        }
    }
}

/// Between any two admitted requests, both included: for the buckets at most capacity + rate * t,
/// for the log at most N if they are less than P apart.
void TestAlgorithmProperties::neverAdmitsMoreThanCapacityAndRate()
{
    QFETCH(std::size_t, index);
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Dice dice(seed * 1000 + index);
        const Limit limit = randomLimit(kinds()[index].limit, dice);
        OneKey key(limit);
        std::vector<std::pair<std::int64_t, std::int64_t>> admitted;
        std::int64_t now = randomStart(dice);
        for (int step = 0; step < 60; ++step) {
            const std::int64_t cost = randomCost(limit, dice);
            const Answer answer = key.decide(now, cost);
            if (answer.admitted) {
                admitted.emplace_back(now, cost);
            }
            now = later(now, randomStep(limit, answer, dice));
        }
        const bool log = limit.algorithm == Algorithm::SlidingWindowLog;
        const Int128 capacityParts = !limit.toleranceNs || limit.rate.count == 0
            ? Int128 {capacityOf(limit)} * limit.rate.periodNs
            : Int128 {*limit.toleranceNs} * limit.rate.count + limit.rate.periodNs;
        for (std::size_t first = 0; first < admitted.size(); ++first) {
            Int128 sum = 0;
            for (std::size_t last = first; last < admitted.size(); ++last) {
                sum += admitted[last].second;
                const Int128 apart = std::min<Int128>(
                    Int128 {admitted[last].first} - admitted[first].first, kMost);
                if (log ? apart >= limit.rate.periodNs : apart == kMost) {
                    break;
                }
                const Int128 most = log ? Int128 {limit.rate.count} * limit.rate.periodNs
                                        : capacityParts + apart * limit.rate.count;
                QVERIFY2(sum * limit.rate.periodNs <= most,
                         qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(describe(limit))));
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestAlgorithmProperties)
#include "tst_algorithm_properties.moc"
