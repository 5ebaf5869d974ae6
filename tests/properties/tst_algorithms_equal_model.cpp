#include "engine/algorithms.h"
#include "tests/support/model/learning.h"
#include "tests/support/model/limiter.h"
#include "tests/support/model/random_case.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

using engine::Algorithm;
using engine::Figures;
using engine::Limit;
using tests::model::kUsualDecisions;
using tests::model::Limiter;
using tests::model::numberFromEnvironment;
using tests::model::Random;
using tests::model::randomLimit;
using tests::model::Wide;

namespace {

/// One key's state in the engine, whatever the algorithm, as the limiter leads it.
class EngineKey {
public:
    explicit EngineKey(const Limit& limit)
        : m_limit(limit)
        , m_spec(isMeter() ? engine::meter::specOf(limit) : engine::meter::Spec {})
    {
    }

    ~EngineKey()
    {
        engine::sliding_window_log::release(m_log);
        engine::concurrency::release(m_slots);
    }

    EngineKey(const EngineKey&) = delete;
    EngineKey& operator=(const EngineKey&) = delete;

    void advance(std::int64_t nowNs)
    {
        switch (m_limit.algorithm) {
        case Algorithm::FixedWindow:
            return engine::fixed_window::advance(m_limit, m_window, nowNs);
        case Algorithm::SlidingWindowLog:
            return engine::sliding_window_log::advance(m_limit, m_log, nowNs);
        case Algorithm::SlidingWindowCounter:
            return engine::sliding_window_counter::advance(m_limit, m_counter, nowNs);
        case Algorithm::Concurrency:
            return engine::concurrency::advance(m_slots, nowNs);
        default:
            return engine::meter::advance(m_spec, m_meter, nowNs);
        }
    }

    bool admits(std::int64_t cost, std::int64_t nowNs) const
    {
        switch (m_limit.algorithm) {
        case Algorithm::FixedWindow:
            return engine::fixed_window::admits(m_limit, m_window, cost);
        case Algorithm::SlidingWindowLog:
            return engine::sliding_window_log::admits(m_limit, m_log, cost);
        case Algorithm::SlidingWindowCounter:
            return engine::sliding_window_counter::admits(m_limit, m_counter, cost, nowNs);
        case Algorithm::Concurrency:
            return engine::concurrency::admits(m_limit, m_slots, cost);
        default:
            return engine::meter::admits(m_spec, m_meter, cost);
        }
    }

    std::int64_t delayNs() const { return isMeter() ? engine::meter::delayNs(m_spec, m_meter) : 0; }

    void count(std::int64_t cost, std::int64_t nowNs, std::int64_t durationNs)
    {
        switch (m_limit.algorithm) {
        case Algorithm::FixedWindow:
            return engine::fixed_window::count(m_limit, m_window, cost);
        case Algorithm::SlidingWindowLog:
            return engine::sliding_window_log::count(m_limit, m_log, cost, nowNs);
        case Algorithm::SlidingWindowCounter:
            return engine::sliding_window_counter::count(m_limit, m_counter, cost);
        case Algorithm::Concurrency:
            m_tickets.push_back(engine::concurrency::take(m_slots, cost, nowNs, durationNs));
            return;
        default:
            return engine::meter::count(m_spec, m_meter, cost);
        }
    }

    void countRejected(std::int64_t cost, std::int64_t nowNs)
    {
        switch (m_limit.algorithm) {
        case Algorithm::FixedWindow:
            return engine::fixed_window::countRejected(m_limit, m_window, cost);
        case Algorithm::SlidingWindowLog:
            return engine::sliding_window_log::countRejected(m_limit, m_log, cost, nowNs);
        default:
            return engine::sliding_window_counter::countRejected(m_limit, m_counter, cost);
        }
    }

    void giveBackLast() { engine::concurrency::giveBack(m_slots, m_tickets.back()); }

    Figures figures(std::int64_t cost, bool admitted, std::int64_t nowNs) const
    {
        switch (m_limit.algorithm) {
        case Algorithm::FixedWindow:
            return engine::fixed_window::figures(m_limit, m_window, cost, admitted, nowNs);
        case Algorithm::SlidingWindowLog:
            return engine::sliding_window_log::figures(m_limit, m_log, cost, admitted, nowNs);
        case Algorithm::SlidingWindowCounter:
            return engine::sliding_window_counter::figures(m_limit, m_counter, cost, admitted,
                                                           nowNs);
        case Algorithm::Concurrency:
            return engine::concurrency::figures(m_limit, m_slots, cost, admitted, nowNs);
        default:
            return engine::meter::figures(m_spec, m_meter, cost, admitted);
        }
    }

    /// Forgets the key if the engine calls it at rest: no later answer may change by that.
    void forgetAtRest(std::int64_t nowNs)
    {
        advance(nowNs);
        if (m_limit.algorithm == Algorithm::FixedWindow
            && engine::fixed_window::atRest(m_limit, m_window, nowNs)) {
            m_window = {};
        }
        if (m_limit.algorithm == Algorithm::SlidingWindowCounter
            && engine::sliding_window_counter::atRest(m_limit, m_counter, nowNs)) {
            m_counter = {};
        }
        if (m_limit.algorithm == Algorithm::SlidingWindowLog
            && engine::sliding_window_log::atRest(m_log)) {
            engine::sliding_window_log::release(m_log);
            m_log = {};
        }
        if (isMeter() && engine::meter::atRest(m_meter)) {
            m_meter = {};
        }
    }

private:
    [[nodiscard]] bool isMeter() const
    {
        return m_limit.algorithm == Algorithm::TokenBucket
            || m_limit.algorithm == Algorithm::LeakyBucket || m_limit.algorithm == Algorithm::Gcra;
    }

    Limit m_limit;
    engine::meter::Spec m_spec;
    engine::fixed_window::State m_window;
    engine::sliding_window_log::State m_log;
    engine::sliding_window_counter::State m_counter;
    engine::concurrency::State m_slots;
    engine::meter::State m_meter;
    std::vector<engine::concurrency::Ticket> m_tickets;
};

std::string shown(const std::optional<std::int64_t>& value)
{
    return value ? std::to_string(*value) : "null";
}

std::string shown(bool admits, const Figures& figures, std::int64_t delayNs)
{
    std::ostringstream out;
    out << "admits " << admits << ", remaining " << figures.remaining << ", retry_after "
        << shown(figures.retryAfterNs) << ", next_after " << figures.nextAfterNs << ", full_after "
        << shown(figures.fullAfterNs) << ", delay " << delayNs;
    return out.str();
}

} // namespace

/// The bare algorithms answer as the exact model does, with what no policy can mix in one rule:
/// peeks beside costs, slots given back at any time, costs of up to 2^63 - 1.
class TestAlgorithmsEqualModel : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void everyFigure_data()
    {
        QTest::addColumn<int>("algorithm");
        for (int i = 0; i <= static_cast<int>(Algorithm::Concurrency); ++i) {
            QTest::newRow(std::string(nameOf(static_cast<Algorithm>(i))).c_str()) << i;
        }
    }

    void everyFigure()
    {
        QFETCH(int, algorithm);
        const std::uint64_t wanted
            = numberFromEnvironment("WEIR_PROPERTY_DECISIONS", kUsualDecisions) / 30;
        m_peeksDenied = 0;
        m_denied = 0;
        std::uint64_t seed = numberFromEnvironment("WEIR_PROPERTY_SEED", 1);
        for (std::uint64_t decisions = 0; decisions < wanted; decisions += kSteps, ++seed) {
            const std::string difference = tell(static_cast<Algorithm>(algorithm), seed);
            QVERIFY2(difference.empty(), difference.c_str());
        }
        QVERIFY(m_denied > 0);
        const bool window = algorithm <= static_cast<int>(Algorithm::SlidingWindowCounter);
        QVERIFY(!window || m_peeksDenied > 0);
    }

    /// Thousands of samples, as one key of a replay hardly sees.
    void everyLearnedLimit()
    {
        std::set<std::int64_t> limits;
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            Random random(seed);
            const Limit limit = randomLimit(random, Algorithm::AdaptiveConcurrency);
            const auto settings = engine::adaptive_limit::settingsOf(limit);
            auto learned = engine::adaptive_limit::begin(settings);
            tests::model::Learning model(limit);
            std::int64_t usual = random.between(1, 2000000000);
            for (int i = 0; i < 2000; ++i) {
                usual = random.percent(2) ? random.between(1, 8000000000) : usual;
                const std::int64_t duration = random.between(usual / 3 + 1, usual + usual / 5 + 1);
                const std::int64_t inFlight = random.between(1, model.limit());
                engine::adaptive_limit::learn(settings, learned, {duration, inFlight, false});
                model.sample(static_cast<double>(duration), static_cast<double>(inFlight));
                QCOMPARE(engine::adaptive_limit::limitOf(learned), model.limit());
            }
            limits.insert(model.limit());
        }
        QVERIFY(limits.size() > 100);
    }

private:
    static constexpr int kSteps = 60;

    /// Decides one random story by both; the story so far, if they differ.
    std::string tell(Algorithm algorithm, std::uint64_t seed)
    {
        Random random(seed);
        engine::PlanRule rule;
        rule.rule = "r";
        rule.limit = randomLimit(random, algorithm);
        const Limit& limit = rule.limit;
        tests::model::Case story;
        story.plans.resize(1);
        story.plans[0].rules = {rule};
        const auto traffic = randomRequests(random, story.plans, kSteps);
        EngineKey engineKey(limit);
        const auto modelKey = Limiter::make(limit);
        for (const auto& request : traffic) {
            story.requests.push_back({request.timeNs, request.durationNs, {}});
            const std::int64_t cost = drawCost(random, limit);
            story.requests.back().attributes["cost"] = std::to_string(cost);
            const std::string difference = step(random, limit, engineKey, *modelKey,
                                                story.requests.back(), cost, story.requests.size());
            if (!difference.empty()) {
                return "seed " + std::to_string(seed) + "\n" + difference + "\non\n"
                    + describe(story);
            }
        }
        return "";
    }

    std::string step(Random& random, const Limit& limit, EngineKey& engineKey, Limiter& modelKey,
                     const tests::model::Request& request, std::int64_t cost, std::uint64_t number)
    {
        const std::int64_t now = request.timeNs;
        const std::int64_t durationNs = request.durationNs.value_or(0);
        engineKey.advance(now);
        modelKey.judge(now);
        const bool admits = modelKey.admits(now, cost);
        const bool engineAdmits = limit.rate.count == 0 && limit.algorithm != Algorithm::Concurrency
            ? cost == 0
            : engineKey.admits(cost, now);
        const std::int64_t delayNs = admits ? modelKey.delay(now).toInt64() : 0;
        const std::int64_t engineDelayNs = engineAdmits ? engineKey.delayNs() : 0;
        const bool counts = random.percent(90); // a tier may reject what a rule admits
        if (cost > 0 && admits && engineAdmits && counts) {
            modelKey.count(now, cost, number, durationNs);
            engineKey.count(cost, now, durationNs);
        } else if (cost > 0 && limit.countRejected) {
            modelKey.count(now, cost, number, durationNs);
            engineKey.countRejected(cost, now);
        }
        m_denied += admits ? 0 : 1;
        m_peeksDenied += !admits && cost == 0 ? 1 : 0;
        const std::string model = shown(admits, modelKey.figures(now, cost, admits), delayNs);
        const std::string engine
            = shown(engineAdmits, engineKey.figures(cost, engineAdmits, now), engineDelayNs);
        if (model != engine) {
            return "  model  " + model + "\n  engine " + engine;
        }
        if (limit.algorithm == Algorithm::Concurrency && cost > 0 && admits && counts
            && random.percent(20)) {
            modelKey.giveBack(now, number);
            engineKey.giveBackLast();
        }
        if (random.percent(10)) {
            engineKey.forgetAtRest(now);
        }
        return "";
    }

    static std::int64_t drawCost(Random& random, const Limit& limit)
    {
        const std::int64_t capacity = std::min(engine::capacityOf(limit), INT64_MAX - 1);
        const std::array<std::int64_t, 10> costs {
            0, 0, 1, 1, 1, 2, capacity, capacity + 1, capacity / 2, random.between(0, capacity)};
        return random.percent(1) ? INT64_MAX : random.oneOf(costs);
    }

    std::uint64_t m_denied = 0;
    std::uint64_t m_peeksDenied = 0;
};

QTEST_APPLESS_MAIN(TestAlgorithmsEqualModel)
#include "tst_algorithms_equal_model.moc"
