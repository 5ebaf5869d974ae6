#include "engine/recovery.h"
#include "policies/advice.h"
#include "policies/compile.h"
#include "policies/read.h"
#include "tests/support/one_key.h"

#include <QTest>

#include <array>
#include <charconv>
#include <random>
#include <string>
#include <string_view>

using namespace policies;
using tests::support::OneKey;

/// What clients.* says of retries, against clients that draw their waits, have budgets and pass a
/// tier before, and limiters that were filled in whatever way the message leaves open.
namespace {

constexpr std::int64_t kMilli = 1'000'000;

std::uint64_t below(std::mt19937_64& random, std::uint64_t end)
{
    return random() % end;
}

/// A policy, the limits of its rules, and who comes.
struct World {
    std::string text;
    std::optional<engine::Limit> queue; ///< of a tier before
    engine::Limit limit;
    std::int64_t cost = 1;
    bool costVaries = false; ///< 1 .. 3
    engine::ClientProfile clients;

    [[nodiscard]] const engine::Behaviour& behaviour() const { return clients.behaviours.front(); }
};

std::string ruleText(std::mt19937_64& random, World& world)
{
    constexpr std::array<std::string_view, 4> kAlgorithms {
        "fixed_window", "sliding_window_log", "sliding_window_counter", "token_bucket"};
    const std::size_t algorithm = below(random, 4);
    const std::string count = std::to_string(3 + below(random, 4));
    std::string text
        = "    - { name: a, key: [host], algorithm: " + std::string(kAlgorithms[algorithm])
        + ", rate: " + count + "/" + std::to_string(1 + below(random, 12)) + "s";
    text += algorithm == 3                        ? ", burst: " + count
        : below(random, 2) == 0                   ? ", count_rejected: true"
        : algorithm == 0 && below(random, 2) == 0 ? ", align: first_request"
                                                  : "";
    world.costVaries = below(random, 4) == 0;
    world.cost = static_cast<std::int64_t>(1 + below(random, world.costVaries ? 1 : 2));
    return text
        + (world.costVaries ? ", cost: { attribute: size } }\n"
                            : ", cost: " + std::to_string(world.cost) + " }\n");
}

World randomWorld(std::mt19937_64& random)
{
    World world;
    world.text = "weir: 1\nname: p\ntiers:\n";
    const bool isBehind = below(random, 3) == 0;
    if (isBehind) {
        world.text += "  edge:\n    - { name: q, key: [host], algorithm: leaky_bucket, rate: 1/"
            + std::to_string(1 + below(random, 3)) + "s, queue: 3, allow: [clients.gives-up] }\n";
    }
    world.text += "  gateway:\n" + ruleText(random, world);
    const Checked checked = read("p.yaml", world.text);
    const Compiled compiled
        = compile(*checked.policy, [](const std::string&) { return std::string(); });
    world.limit = compiled.plan->rules.back().limit;
    if (isBehind) {
        world.queue = compiled.plan->rules.front().limit;
    }
    engine::Behaviour behaviour;
    behaviour.name = "sdk";
    behaviour.attempts = static_cast<int>(2 + below(random, 9));
    behaviour.baseNs = static_cast<std::int64_t>(100 + below(random, 4000)) * kMilli;
    behaviour.capNs
        = behaviour.baseNs + static_cast<std::int64_t>(below(random, 3)) * 2000 * kMilli;
    behaviour.jitter = static_cast<engine::Jitter>(below(random, 4));
    if (below(random, 3) == 0) {
        behaviour.budgetPercent = static_cast<int>(below(random, 400));
    }
    world.clients.behaviours.push_back(behaviour);
    return world;
}

/// What became of one request that comes again.
struct Tried {
    bool gotThrough = false;
    std::int64_t firstRejectedNs = 0; ///< by the rule
    std::int64_t lastNs = 0; ///< attempt that the rule judged
};

class Run {
public:
    Run(const World& world, std::mt19937_64& random)
        : m_world(world)
        , m_random(random)
        , m_rule(world.limit)
    {
        if (world.queue) {
            m_queue.emplace(*world.queue);
        }
    }

    /// All of it at the start of a window, or bit by bit until there is no room.
    std::int64_t fill(bool atOnce)
    {
        std::int64_t nowNs = 3 * m_world.limit.rate.periodNs;
        std::int64_t left = engine::capacityOf(m_world.limit) / m_world.cost;
        if (atOnce) {
            for (; left > 0; --left) {
                m_rule.decide(nowNs, m_world.cost);
            }
            return nowNs;
        }
        for (; left > 0; --left) {
            m_rule.decide(nowNs, m_world.cost);
            nowNs += static_cast<std::int64_t>(
                below(m_random, static_cast<std::uint64_t>(m_world.limit.rate.periodNs / 4)));
        }
        return nowNs;
    }

    Tried comeAgain(const engine::Behaviour& behaviour, std::int64_t nowNs)
    {
        Tried tried;
        const std::int64_t cost
            = m_world.costVaries ? static_cast<std::int64_t>(1 + below(m_random, 3)) : m_world.cost;
        bool wasRejected = false;
        std::int64_t waitNs = 0;
        for (int attempt = 1;; ++attempt) {
            bool arrives = true;
            if (m_queue) {
                const tests::support::Answer before = m_queue->decide(nowNs, 1);
                nowNs += before.delayNs;
                arrives = before.admitted;
            }
            if (arrives) {
                tried.lastNs = nowNs;
                if (m_rule.decide(nowNs, cost).admitted) {
                    tried.gotThrough = true;
                    return tried;
                }
                tried.firstRejectedNs = wasRejected ? tried.firstRejectedNs : nowNs;
                wasRejected = true;
            }
            if (attempt >= behaviour.attempts
                || !engine::budgetAllows(behaviour, 1, static_cast<std::uint64_t>(attempt - 1))) {
                return tried;
            }
            const std::uint64_t draw = below(m_random, 4) == 0 ? ~std::uint64_t {0} : m_random();
            waitNs = engine::waitAfter(behaviour, attempt, waitNs, std::nullopt, draw);
            nowNs += waitNs;
        }
    }

private:
    const World& m_world;
    std::mt19937_64& m_random;
    std::optional<OneKey> m_queue;
    OneKey m_rule;
};

bool has(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

/// The attempts that the help calls enough; 0: it does not.
int attemptsOf(const std::string& help)
{
    constexpr std::string_view kAttempts = "`attempts: ";
    const std::size_t at = help.find(kAttempts);
    int attempts = 0;
    if (at != std::string::npos) {
        std::from_chars(help.data() + at + kAttempts.size(), help.data() + help.size(), attempts);
    }
    return attempts;
}

} // namespace

class TestRetriesAdvice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void noReplayRefutesIt();
};

void TestRetriesAdvice::noReplayRefutesIt()
{
    std::mt19937_64 random(21);
    int givesUp = 0;
    int keptOut = 0;
    int helped = 0;
    for (int round = 0; round < 4000; ++round) {
        const World world = randomWorld(random);
        const Checked checked = read("p.yaml", world.text);
        for (const engine::Diagnostic& told : adviseRetries(*checked.policy, world.clients)) {
            const std::string why = world.text + told.message + told.help;
            const bool isKept = told.code == "clients.kept-out";
            (isKept ? keptOut : givesUp) += 1;
            const bool atOnce = has(told.message, "used at");
            for (int i = 0; i < 20; ++i) {
                Run run(world, random);
                const std::int64_t fullNs = run.fill(atOnce);
                const Tried tried = run.comeAgain(world.behaviour(), fullNs);
                QVERIFY2(!tried.gotThrough, why.c_str());
                const std::int64_t saidNs = engine::latestAttempts(world.behaviour()).back();
                const std::int64_t tookNs = tried.lastNs - tried.firstRejectedNs;
                const bool isBound = has(told.message, "at most") || has(told.message, "less than");
                QVERIFY2(isKept || tookNs == saidNs || (isBound && tookNs < saidNs), why.c_str());
                engine::Behaviour longer = world.behaviour();
                longer.attempts = attemptsOf(told.help);
                if (longer.attempts > 0) {
                    ++helped;
                    Run again(world, random);
                    const std::int64_t fromNs = again.fill(atOnce);
                    QVERIFY2(again.comeAgain(longer, fromNs).gotThrough, why.c_str());
                }
            }
        }
    }
    QVERIFY2(givesUp > 300, std::to_string(givesUp).c_str());
    QVERIFY2(keptOut > 20, std::to_string(keptOut).c_str());
    QVERIFY2(helped > 300, std::to_string(helped).c_str());
}

QTEST_APPLESS_MAIN(TestRetriesAdvice)
#include "tst_retries_advice.moc"
