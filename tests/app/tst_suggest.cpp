#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"
#include "app/workbench/suggest.h"
#include "app/workbench/where.h"
#include "tests/app/demo_log.h"

#include <QTemporaryDir>
#include <QtTest>

#include <set>

using namespace app;

namespace {

constexpr std::int64_t kMinuteNs = 60'000'000'000;

const std::string kPolicy = WEIR_SOURCE_DIR "/policies/examples/public-api.yaml";

PassOptions demo()
{
    PassOptions pass;
    pass.logs = {tests::demoLog()};
    return pass;
}

engine::Match matchOf(const char* text)
{
    auto match = parseMatch(text, "--stop");
    if (!match) {
        qFatal("%s: %s", text, match.error().message.c_str());
    }
    return std::move(*match);
}

std::vector<engine::Derivation> attributes()
{
    const auto loaded = loadPolicy(kPolicy, {});
    if (!loaded || !loaded->isValid()) {
        qFatal("the example policy does not load");
    }
    return loaded->plan->attributes;
}

/// Asks of every candidate of a measure what a replay says: who and what is rejected.
class Rejections final : public PassListener {
public:
    Rejections(std::size_t plans, std::size_t stopAt)
        : m_plans(plans)
        , m_stopAt(stopAt)
    {
    }

    struct Of {
        std::uint64_t requests = 0;
        std::set<std::uint32_t> keys;
        std::uint64_t stopped = 0;
        std::set<std::uint32_t> customers;
        std::uint64_t protectedRequests = 0;
    };

    engine::Status begin(const engine::Intake& intake, const engine::Replay& /*replay*/) override
    {
        m_intake = &intake;
        of.assign(m_plans, {});
        return engine::Done {};
    }

    /// The rules of each plan: the candidate, then (in shadow) whom it is to stop and to protect.
    void settle(const engine::Settled& settled) override
    {
        const std::uint32_t* const ids = settled.arrival->ids();
        for (std::size_t plan = 0; plan < m_plans; ++plan) {
            if (settled.verdicts[plan].outcome != engine::Outcome::Rejected) {
                continue;
            }
            Of& seen = of[plan];
            ++seen.requests;
            seen.keys.insert(ids[m_intake->layout().tupleAt(m_intake->tupleOf(plan, 0))]);
            const auto& met
                = m_intake->profile(plan, ids[m_intake->layout().profileAt(plan)]).rules[0];
            const bool stop = holds(met, m_stopAt);
            seen.stopped += stop ? 1 : 0;
            if (!stop && holds(met, m_stopAt + 1)) {
                ++seen.protectedRequests;
                seen.customers.insert(ids[engine::ArrivalLayout::kWho]);
            }
        }
    }

    std::vector<Of> of;

private:
    static bool holds(const std::vector<std::uint32_t>& rules, std::size_t rule)
    {
        return std::find(rules.begin(), rules.end(), rule) != rules.end();
    }

    std::size_t m_plans;
    std::size_t m_stopAt;
    const engine::Intake* m_intake = nullptr;
};

engine::Plan planOf(const SuggestRequest& request, const KeyMeasures& measures,
                    const Measured& measured, std::int64_t limit)
{
    engine::Plan plan;
    plan.name = "p";
    plan.attributes = request.attributes;
    engine::PlanRule& rule = plan.rules.emplace_back();
    rule.rule = "suggested";
    rule.key = measures.key;
    rule.limit.algorithm = measured.algorithm;
    rule.limit.rate = measured.rate;
    if (measured.algorithm == engine::Algorithm::TokenBucket) {
        rule.limit.burst = limit;
    } else {
        rule.limit.rate.count = limit;
    }
    for (const auto& match : {request.stop, request.protect}) {
        engine::PlanRule& marks = plan.rules.emplace_back();
        marks.rule = "marks";
        marks.mode = engine::Mode::Shadow;
        marks.limit.rate = {1, 1};
        marks.match = match ? *match : engine::Match {};
    }
    return plan;
}

/// Every figure of every candidate is what a replay with it counts.
void compareWithReplays(const SuggestRequest& request, const Suggestion& suggestion)
{
    for (const KeyMeasures& measures : suggestion.keys) {
        for (const Measured& measured : measures.measured) {
            std::vector<engine::Plan> plans;
            for (const LimitEffect& effect : measured.effects) {
                plans.push_back(planOf(request, measures, measured, effect.limit));
            }
            std::vector<const engine::Plan*> borrowed;
            for (const engine::Plan& plan : plans) {
                borrowed.push_back(&plan);
            }
            Rejections seen(plans.size(), 1);
            QVERIFY(runPass(borrowed, request.pass, seen));
            for (std::size_t i = 0; i < plans.size(); ++i) {
                const LimitEffect& effect = measured.effects[i];
                QCOMPARE(effect.requests, seen.of[i].requests);
                QCOMPARE(effect.keys, std::uint64_t {seen.of[i].keys.size()});
                QCOMPARE(effect.stopped, seen.of[i].stopped);
                QCOMPARE(effect.protectedRequests, seen.of[i].protectedRequests);
                QCOMPARE(effect.customers, std::uint64_t {seen.of[i].customers.size()});
            }
        }
    }
}

/// The effect of the limit that is a candidate for this reason.
const LimitEffect* effectFor(const Measured& measured, const std::string& reason)
{
    const auto found = std::find_if(
        measured.effects.begin(), measured.effects.end(), [&](const LimitEffect& effect) {
            return std::find(effect.reasons.begin(), effect.reasons.end(), reason)
                != effect.reasons.end();
        });
    return found == measured.effects.end() ? nullptr : &*found;
}

} // namespace

class TestSuggest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// Limits that stop the scraper and hit nobody who pays, and a replay that says the same.
    void findsALimitForTheScraper()
    {
        SuggestRequest request;
        request.pass = demo();
        request.pass.intake.who = {"api_key"};
        request.pass.intake.where = matchOf("path=/repos/**");
        request.attributes = attributes();
        request.keys = {{"client_ip"}, {"api_key", "client_ip"}};
        request.windowsNs = {kMinuteNs, 60 * kMinuteNs};
        request.rates = {{10, kMinuteNs}};
        request.stop = matchOf("client_ip=203.0.113.77");
        request.protect = matchOf("plan=[pro, enterprise]");
        const auto suggestion = suggest(request);
        QVERIFY(suggestion);
        QVERIFY(suggestion->toStop > 500);
        QVERIFY(suggestion->customers > 5);
        const auto best = suggestion->best();
        QVERIFY(best.has_value());
        const Measured& measured = suggestion->keys[best->key].measured[best->measured];
        const LimitEffect& effect = measured.effects[*measured.suggested];
        QCOMPARE(effect.customers, std::uint64_t {0});
        QVERIFY2(effect.stopped * 2 > suggestion->toStop, "stops less than half of the scraper");
        compareWithReplays(request, *suggestion);
    }

    void findsALimitForTheAttackOnTheLogin()
    {
        SuggestRequest request;
        request.pass = demo();
        request.pass.intake.where = matchOf("path=/login");
        request.attributes = attributes();
        request.keys = {{"client_ip"}, {"network"}};
        request.windowsNs = {kMinuteNs, 10 * kMinuteNs, 60 * kMinuteNs};
        request.rates = {{1, kMinuteNs}};
        request.stop = matchOf("status=401 and user_agent=\"*MSIE 9.0*\"");
        const auto suggestion = suggest(request);
        QVERIFY(suggestion);
        QVERIFY(suggestion->toStop > 500);
        // All others are protected where nobody says otherwise.
        QCOMPARE(suggestion->toStop + suggestion->toProtect, suggestion->requests);
        const auto best = suggestion->best();
        QVERIFY(best.has_value());
        const Measured& measured = suggestion->keys[best->key].measured[best->measured];
        const LimitEffect& effect = measured.effects[*measured.suggested];
        QCOMPARE(effect.customers, std::uint64_t {0});
        QVERIFY2(effect.stopped * 10 > suggestion->toStop * 9, "stops less than nine tenths");
        request.protect = engine::Match {}; // what is not to stop; for the replays
        compareWithReplays(request, *suggestion);
    }

    /// Without anybody to stop: the knee, where few keys need much more than all others.
    void theKneeStandsOutWithoutASuspect()
    {
        SuggestRequest request;
        request.pass = demo();
        request.pass.intake.where = matchOf("path=/login");
        request.keys = {{"client_ip"}};
        request.windowsNs = {60 * kMinuteNs};
        request.limits = {1, 7};
        const auto suggestion = suggest(request);
        QVERIFY(suggestion);
        const Measured& sliding = suggestion->keys[0].measured[1];
        QVERIFY(sliding.knee.has_value());
        QVERIFY(sliding.knee->above > 100); // the attackers
        QVERIFY(sliding.suggested.has_value());
        const LimitEffect& effect = sliding.effects[*sliding.suggested];
        QCOMPARE(effect.keys, std::uint64_t {5}); // addresses of the attack
        std::set<std::int64_t> limits;
        for (const LimitEffect& one : sliding.effects) {
            limits.insert(one.limit);
        }
        QVERIFY(limits.contains(1) && limits.contains(7));
    }

    /// The largest customer that is to be protected, and what each limit leaves it.
    void knowsTheLargestLegitimateKey()
    {
        const QTemporaryDir folder;
        SuggestRequest request;
        LogChoice& log = request.pass.logs.emplace_back();
        log.path = folder.filePath(QStringLiteral("a.jsonl")).toStdString();
        QFile file(QString::fromStdString(log.path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (const char* const key : {"k1", "k2", "k1", "k9", "k9", "k9", "k1", "k9", "k9"}) {
            file.write(QByteArrayLiteral("{\"time_ns\": 1000000000, \"api_key\": \"") + key
                       + "\"}\n");
        }
        file.close();
        request.pass.intake.who = {"api_key"};
        request.keys = {{"api_key"}, {}};
        request.windowsNs = {kMinuteNs};
        request.rates = {{1, kMinuteNs}};
        request.limits = {2, 3};
        const auto all = suggest(request);
        QVERIFY(all);
        for (const Measured& measured : all->keys[0].measured) {
            QVERIFY(!measured.largest.isCustomer);
            QCOMPARE(measured.largest.values, std::vector<std::string> {"k9"});
            QCOMPARE(measured.largest.need, 5U);
        }
        QVERIFY(all->keys[1].measured[0].largest.values.empty());
        request.stop = matchOf("api_key=k9");
        const auto stopping = suggest(request);
        QVERIFY(stopping);
        for (const Measured& measured : stopping->keys[0].measured) {
            QVERIFY(measured.largest.isCustomer);
            QCOMPARE(measured.largest.values, std::vector<std::string> {"k1"});
            QCOMPARE(measured.largest.need, 3U);
            for (const LimitEffect& effect : measured.effects) {
                QCOMPARE(effect.largestServed, effect.limit < 3 ? 1U : 3U);
                QCOMPARE(effect.customers, std::uint64_t {effect.limit < 3 ? 1U : 0U});
            }
        }
        // In one bucket for everybody the third of k1 comes seventh.
        for (const Measured& measured : stopping->keys[1].measured) {
            QCOMPARE(measured.largest.need, 7U);
        }
        // All nine at once, none of them to be hit; and nothing for a key that nobody has.
        request.stop.reset();
        request.protect = engine::Match {};
        request.keys = {{}, {"user"}};
        const auto protecting = suggest(request);
        QVERIFY(protecting);
        for (const Measured& measured : protecting->keys[0].measured) {
            const LimitEffect* const sparing = effectFor(measured, "hits no customer");
            QVERIFY(sparing != nullptr);
            QCOMPARE(sparing->limit, std::int64_t {9});
        }
        for (const Measured& measured : protecting->keys[1].measured) {
            QVERIFY(!measured.suggested);
        }
    }

    /// A limit that hits nobody to protect, since there is nobody, would hit all others.
    void protectingNobodySuggestsNothing()
    {
        SuggestRequest request;
        request.pass = demo();
        request.keys = {{"client_ip"}, {}};
        request.windowsNs = {kMinuteNs};
        request.rates = {{10, kMinuteNs}};
        request.protect = matchOf("client_ip=198.18.99.99");
        const auto suggestion = suggest(request);
        QVERIFY(suggestion);
        QCOMPARE(suggestion->toProtect, std::uint64_t {0});
        QVERIFY(!suggestion->best());
        for (const KeyMeasures& measures : suggestion->keys) {
            for (const Measured& measured : measures.measured) {
                QVERIFY(!measured.suggested);
                QVERIFY(!measured.effects.empty()); // the shares are still shown
                QVERIFY(effectFor(measured, "hits no customer") == nullptr);
            }
        }
    }

    /// Of a rate only some bursts are tried: what stands for another one says so.
    void reasonsSayWhatWasTried()
    {
        const QTemporaryDir folder;
        SuggestRequest request;
        LogChoice& log = request.pass.logs.emplace_back();
        log.path = folder.filePath(QStringLiteral("a.jsonl")).toStdString();
        QFile file(QString::fromStdString(log.path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int key = 0; key < 20; ++key) {
            for (int i = 0; i < (key == 0 ? 17 : 7); ++i) {
                file.write(QByteArrayLiteral("{\"time_ns\": 1000000000, \"api_key\": \"k")
                           + QByteArray::number(key) + "\"}\n");
            }
        }
        file.close();
        request.keys = {{"api_key"}};
        request.windowsNs = {kMinuteNs};
        request.rates = {{1, kMinuteNs}};
        const auto suggestion = suggest(request);
        QVERIFY(suggestion);
        for (const Measured& measured : suggestion->keys[0].measured) {
            QCOMPARE(measured.keys.p90, 7U);
            const bool isWindow = measured.isWindow();
            QCOMPARE(measured.effects.front().limit, std::int64_t {isWindow ? 7 : 8});
            QCOMPARE(measured.effects.front().reasons.front(),
                     std::string(isWindow ? "p90 of keys" : "next above p90 of keys"));
            const LimitEffect* const largest = effectFor(measured, "largest key");
            QVERIFY(largest != nullptr);
            QCOMPARE(largest->limit, std::int64_t {17}); // known without having been tried
        }
    }

    void refusesWhatItCannotTry()
    {
        SuggestRequest request;
        request.pass = demo();
        request.keys = {{"client_ip"}};
        request.rates = {{1, 86'400 * std::int64_t {1'000'000'000}}};
        request.limits = {1'000'000};
        const auto tooLong = suggest(request);
        QVERIFY(!tooLong);
        QCOMPARE(tooLong.error().code, std::string("suggest.range"));
        request.limits.clear();
        for (std::int64_t limit = 1; limit <= 100; ++limit) {
            request.limits.push_back(limit);
        }
        QVERIFY(!suggest(request));
    }
};

QTEST_APPLESS_MAIN(TestSuggest)
#include "tst_suggest.moc"
