#include "engine/algorithms.h"
#include "engine/conditions.h"
#include "engine/intake.h"
#include "engine/quota_lease.h"
#include "engine/replay.h"
#include "tests/engine/intake_run.h"
#include "tests/engine/vector_file.h"

#include <QTest>

#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <optional>

using namespace engine;
using vector_file::isClose;
using vector_file::Json;
using vector_file::number;

namespace {

using Steps = std::vector<Json>;

std::string text(bool value)
{
    return value ? "true" : "false";
}

std::string told(std::string_view word, const Json& value, double ours)
{
    return isClose(ours, number(value)) ? ""
                                        : std::string(word) + ": " + std::to_string(ours)
            + ", the file says " + value.text() + std::to_string(value.integer()) + "; ";
}

/// A step's way is named in the file as the branch of the source that it takes.
std::string_view branchOf(adaptive_limit::Step step)
{
    using Step = adaptive_limit::Step;
    static const std::map<Step, std::string_view> kBranches {
        {Step::Probe, "probe"},
        {Step::NewMinimum, "new_min"},
        {Step::Drop, "drop"},
        {Step::AppLimited, "app_limited"},
        {Step::Leap, "q<=threshold:+beta"},
        {Step::Rise, "q<alpha:+log10"},
        {Step::Fall, "q>beta:-log10"},
        {Step::Hold, "hold"},
    };
    return kBranches.at(step);
}

adaptive_limit::Settings settingsOf(const Json& config, Strategy strategy)
{
    Limit limit;
    limit.strategy = strategy;
    const bool isVegas = strategy == Strategy::Vegas;
    limit.initial = static_cast<std::int64_t>(number(config, "initial", 20));
    limit.minimum = static_cast<std::int64_t>(number(config, "min", isVegas ? 1 : 20));
    limit.maximum = static_cast<std::int64_t>(number(config, "max", isVegas ? 1000 : 200));
    adaptive_limit::Settings settings = adaptive_limit::settingsOf(limit);
    settings.smoothing = number(config, "smoothing", settings.smoothing);
    settings.probeMultiplier = number(config, "probe_multiplier", settings.probeMultiplier);
    settings.probeJitter = number(config, "probe_jitter_fixed", settings.probeJitter);
    settings.backoffRatio = number(config, "ratio", settings.backoffRatio);
    settings.timeoutNs = static_cast<std::int64_t>(
        number(config, "timeout_ns", static_cast<double>(settings.timeoutNs)));
    settings.queue = number(config, "queue", number(config, "queue_size", settings.queue));
    settings.tolerance
        = number(config, "tolerance", number(config, "rtt_tolerance", settings.tolerance));
    settings.longWindow = static_cast<std::int64_t>(
        number(config, "long_window", static_cast<double>(settings.longWindow)));
    return settings;
}

/// Compares one word of what a sample gave.
std::string learnedDifference(std::string_view word, const Json& value,
                              const adaptive_limit::Learned& learned,
                              const adaptive_limit::VegasStep& step)
{
    if (word == "limit") {
        return told(word, value, static_cast<double>(adaptive_limit::limitOf(learned)));
    }
    if (word == "estimated") {
        return told(word, value, learned.estimate);
    }
    if (word == "rtt_noload") {
        return told(word, value, learned.noLoadNs);
    }
    if (word.starts_with("long")) { // long_rtt, longrtt
        return told(word, value, learned.longNs);
    }
    if (word == "queue") {
        const bool isSame = value.isNull() ? !step.queue : step.queue == value.integer();
        return isSame ? "" : "queue: " + std::to_string(step.queue.value_or(-1)) + "; ";
    }
    if (word == "branch") {
        return value.text() == branchOf(step.step) ? ""
                                                   : "branch: " + std::string(branchOf(step.step))
                + ", the file says " + value.text() + "; ";
    }
    return std::string(word) + ": an unknown word; ";
}

class Adaptive {
public:
    explicit Adaptive(const Json& config, Strategy strategy)
        : m_settings(settingsOf(config, strategy))
        , m_learned(adaptive_limit::begin(m_settings))
    {
    }

    std::string play(const Json& step)
    {
        adaptive_limit::Sample sample;
        sample.durationNs = step.find("rtt_ns")->integer();
        sample.inFlight = step.find("inflight")->integer();
        const Json* const dropped = step.find("dropped");
        sample.dropped = dropped != nullptr && dropped->boolean();
        adaptive_limit::VegasStep vegas;
        if (m_settings.strategy == Strategy::Vegas) {
            vegas = adaptive_limit::learnVegas(m_settings, m_learned, sample);
        } else {
            adaptive_limit::learn(m_settings, m_learned, sample);
        }
        std::string found;
        for (const auto& [word, value] : step.find("expect")->members()) {
            found += learnedDifference(word, value, m_learned, vegas);
        }
        return found;
    }

private:
    adaptive_limit::Settings m_settings;
    adaptive_limit::Learned m_learned;
};

class EnvoyGradient {
public:
    explicit EnvoyGradient(const Json& config)
        : m_config(config)
    {
    }

    std::string play(const Json& step)
    {
        const auto whole = [&](std::string_view name, double otherwise) {
            return static_cast<std::int64_t>(number(m_config, name, otherwise));
        };
        const adaptive_limit::EnvoyGradient next = adaptive_limit::envoyGradient(
            step.find("limit")->integer(), number(*step.find("min_rtt_us")),
            number(*step.find("sample_rtt_us")),
            number(step, "buffer", number(m_config, "buffer_default", 0.25)),
            whole("min_concurrency", 3), whole("max", 1000));
        const Json& expect = *step.find("expect");
        return told("gradient", *expect.find("gradient"), next.gradient)
            + told("new_limit", *expect.find("new_limit"), static_cast<double>(next.limit));
    }

private:
    const Json& m_config;
};

class WorkerUtilisation {
public:
    explicit WorkerUtilisation(const Json& config)
    {
        // In per mille, so that a text as 0.7 is exact.
        m_shape.goodPart = std::llround(number(config, "good", 0.7) * kCapacity);
        m_shape.goodWhole = kCapacity;
        m_shape.badPart = std::llround(number(config, "bad", 0.8) * kCapacity);
        m_shape.badWhole = kCapacity;
        m_shape.mostElapsedNs = kSecond * std::llround(number(config, "before_s", 28));
        m_shape.toShedAllNs = kSecond * std::llround(number(config, "all_s", 120));
        const Json* const resting = config.find("resting");
        m_shape.restNs = resting == nullptr
            ? m_shape.mostElapsedNs
            : std::llround(-restOf(*resting) * static_cast<double>(m_shape.toShedAllNs));
    }

    std::string play(const Json& step)
    {
        const auto used = std::llround(number(*step.find("utilization")) * kCapacity);
        const auto now = std::llround(number(*step.find("t_s")) * kSecond);
        shed_ramp::advance(m_ramp, used, kCapacity, 1, now, m_shape);
        const double shed = static_cast<double>(m_ramp.position)
            / static_cast<double>(shed_ramp::classOf(kCapacity, m_shape));
        const Json& expect = *step.find("expect");
        return told("shed", *expect.find("shed"), shed)
            + told("drop_probability", *expect.find("drop_probability"), std::max(0.0, shed));
    }

private:
    /// -1, "-28/120" as the fraction, and as -1 where the text says that it is an integer division.
    static double restOf(const Json& resting)
    {
        const std::string& text = resting.text();
        const std::size_t slash = text.find('/');
        if (slash == std::string::npos) {
            return number(resting);
        }
        const double fraction
            = std::strtod(text.c_str(), nullptr) / std::strtod(text.c_str() + slash + 1, nullptr);
        const bool isWhole
            = text.find("//") != std::string::npos || text.find("int") != std::string::npos;
        return isWhole ? -1 : fraction;
    }

    static constexpr std::int64_t kCapacity = 1000;
    static constexpr std::int64_t kSecond = 1'000'000'000;

    shed_ramp::Shape m_shape;
    shed_ramp::Ramp m_ramp;
};

/// A concurrency rule on what is not critical, which may fill what is not in reserve.
class FleetUsage {
public:
    explicit FleetUsage(const Json& config)
    {
        Limit fleet;
        fleet.inFlight = config.find("capacity")->integer();
        fleet.upTo = 100 - static_cast<int>(config.find("reserve_pct")->integer());
        m_limit.algorithm = Algorithm::Concurrency;
        m_limit.inFlight = slotsOf(fleet);
    }

    FleetUsage(const FleetUsage&) = delete;
    FleetUsage& operator=(const FleetUsage&) = delete;

    ~FleetUsage() { concurrency::release(m_state); }

    std::string play(const Json& step)
    {
        const bool isCritical = step.find("kind")->text() == "critical";
        std::map<std::string, std::string> answer;
        if (step.find("op")->text() == "start") {
            const bool admits = isCritical || concurrency::admits(m_limit, m_state, 1);
            if (admits) {
                begin(isCritical);
            }
            answer["admit"] = text(admits);
            answer["status"] = admits ? "null" : "503";
        } else {
            end(isCritical);
        }
        answer["noncritical"] = std::to_string(concurrency::inFlight(m_state));
        answer["critical"] = std::to_string(m_critical);
        std::string found;
        for (const auto& [word, value] : step.find("expect")->members()) {
            const std::string theirs = value.isNull() ? "null"
                : value.kind() == Json::Kind::Boolean ? text(value.boolean())
                                                      : std::to_string(value.integer());
            found += answer[word] == theirs ? "" : word + ": " + answer[word] + "; ";
        }
        return found;
    }

private:
    void begin(bool isCritical)
    {
        constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();
        if (isCritical) {
            ++m_critical;
        } else {
            m_tickets.push_back(concurrency::take(m_state, 1, 0, kForever));
        }
    }

    void end(bool isCritical)
    {
        if (isCritical) {
            m_critical -= m_critical > 0 ? 1 : 0;
        } else if (!m_tickets.empty()) {
            concurrency::giveBack(m_state, m_tickets.front());
            m_tickets.pop_front();
        }
    }

    Limit m_limit;
    concurrency::State m_state;
    std::deque<concurrency::Ticket> m_tickets;
    std::int64_t m_critical = 0;
};

class Split {
public:
    static std::string play(const Json& step)
    {
        const std::int64_t limit = step.find("limit")->integer();
        const auto nodes = static_cast<std::uint32_t>(step.find("nodes")->integer());
        const std::int64_t least = shareOf(limit, nodes, nodes - 1);
        const std::int64_t most = shareOf(limit, nodes, 0);
        const std::map<std::string, std::int64_t> answer {{"full_copy_worst", limit * nodes},
                                                          {"split_floor", least},
                                                          {"split_total_floor", least * nodes},
                                                          {"split_ceil", most},
                                                          {"split_total_ceil", most * nodes}};
        std::string found;
        for (const auto& [word, value] : step.find("expect")->members()) {
            if (word == "split_largest_remainder") {
                std::int64_t sum = 0;
                for (std::uint32_t node = 0; node < nodes; ++node) {
                    const std::int64_t share = shareOf(limit, nodes, node);
                    found += share == value.items()[node].integer() ? "" : "a share; ";
                    sum += share;
                }
                found += sum == limit && value.items().size() == nodes ? "" : "the sum; ";
            } else if (!answer.contains(word) || answer.at(word) != value.integer()) {
                found += word + "; ";
            }
        }
        return found;
    }
};

class Lease {
public:
    explicit Lease(const Json& config)
        : m_lease(config.find("limit")->integer(), config.find("batch")->integer())
    {
    }

    std::string play(const Json& step)
    {
        const bool allows = m_lease.take(step.find("node")->text(), step.find("cost")->integer());
        const Json& expect = *step.find("expect");
        std::string found = allows == expect.find("allow")->boolean() ? "" : "allow; ";
        found += m_lease.left() == expect.find("central_left")->integer() ? "" : "central_left; ";
        for (const auto& [node, units] : expect.find("local")->members()) {
            found += m_lease.heldBy(node) == units.integer() ? "" : "local " + node + "; ";
        }
        return found;
    }

private:
    QuotaLease m_lease;
};

/// One rule a tier, decided by the limiter.
class Tiers : private DecisionSink, private SettledSink {
public:
    explicit Tiers(const Json& config, const Steps& steps)
    {
        static const std::map<std::string, Counting> kModes {
            {"atomic", Counting::AllOrNothing},
            {"all_or_nothing", Counting::AllOrNothing},
            {"per_tier", Counting::PerTier},
            {"sequential", Counting::PerTier}};
        m_plan.counting = kModes.at(config.find("mode")->text());
        for (const Json& tier : config.find("tiers")->items()) {
            m_plan.rules.push_back(ruleOf(tier));
        }
        play(steps);
    }

    /// Steps in their order.
    std::string play(const Json& step)
    {
        const Answer& answer = m_answers.at(m_next++);
        const Json& expect = *step.find("expect");
        std::string found
            = answer.violated.empty() == expect.find("allow")->boolean() ? "" : "allow; ";
        std::vector<std::string> violated;
        for (const Json& name : expect.find("violated")->items()) {
            violated.push_back(name.text());
        }
        found += answer.violated == violated ? "" : "violated; ";
        const Json& wait = *expect.find("retry_after_ns");
        const bool isSame
            = wait.isNull() ? !answer.retryAfterNs : answer.retryAfterNs == wait.integer();
        found += isSame ? "" : "retry_after_ns; ";
        // What a rejection in an earlier tier kept from being judged has no figures.
        for (const auto& [tier, figures] : answer.remaining) {
            found += expect.find("remaining")->find(tier)->integer() == figures
                ? ""
                : "remaining of " + tier + ": " + std::to_string(figures) + "; ";
        }
        return found;
    }

private:
    struct Answer {
        std::vector<std::string> violated;
        std::optional<std::int64_t> retryAfterNs;
        std::map<std::string, std::int64_t> remaining;
    };

    static PlanRule ruleOf(const Json& tier)
    {
        static const std::map<std::string, Algorithm> kAlgorithms {
            {"fixed_window", Algorithm::FixedWindow},
            {"sliding_log", Algorithm::SlidingWindowLog},
            {"sliding_counter", Algorithm::SlidingWindowCounter},
            {"token_bucket", Algorithm::TokenBucket},
            {"gcra", Algorithm::Gcra}};
        PlanRule rule;
        rule.rule = tier.find("name")->text();
        rule.tier = tierNamed(rule.rule).value();
        rule.limit.algorithm = kAlgorithms.at(tier.find("alg")->text());
        rule.limit.rate.count = tier.find("limit")->integer();
        const Json* const window = tier.find("window_ns");
        rule.limit.rate.periodNs = (window ? window : tier.find("period_ns"))->integer();
        rule.limit.burst
            = static_cast<std::int64_t>(number(tier, "burst", number(*tier.find("limit"))));
        rule.cost.attribute = "cost";
        return rule;
    }

    void play(const Steps& steps)
    {
        const auto intake = intake_run::make({&m_plan});
        std::vector<intake_run::Input> inputs;
        for (const Json& step : steps) {
            const Json* const cost = step.find("cost");
            inputs.push_back({{{"cost", std::to_string(cost == nullptr ? 1 : cost->integer())}}});
        }
        intake->chooseWho({});
        ReplayOptions options;
        options.decisions = this;
        Replay replay(*intake, *this, options);
        std::vector<intake_run::Output> outputs = intake_run::play(*intake, inputs);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            outputs[i].arrival().timeNs = steps[i].find("t_ns")->integer();
            replay.arrive(outputs[i].arrival());
        }
        replay.finish();
    }

    bool wants(std::size_t, const Arrival&) override { return true; }

    void decided(std::size_t, const Decision& decision) override
    {
        Answer& answer = m_answers.emplace_back();
        answer.retryAfterNs = decision.retryAfterNs;
        for (const RuleDecision& part : decision.rules) {
            const std::string& name = m_plan.rules[part.rule].rule;
            answer.remaining[name] = part.figures.remaining;
            if (!part.admits) {
                answer.violated.push_back(name);
            }
        }
    }

    void settle(const Settled&) override { }

    Plan m_plan;
    std::vector<Answer> m_answers;
    std::size_t m_next = 0;
};

template <class Player> void playAll(Player player, const Steps& steps)
{
    int step = 0;
    for (const Json& one : steps) {
        ++step;
        const std::string found = player(one);
        QVERIFY2(
            found.empty(),
            qPrintable(QStringLiteral("step %1: %2").arg(step).arg(QString::fromStdString(found))));
    }
}

/// Plays the suite with what knows its kind; false for an unknown one.
bool play(const std::string& kind, const Json& config, const Steps& steps)
{
    static const std::map<std::string, Strategy> kStrategies {
        {"adaptive_vegas", Strategy::Vegas},
        {"adaptive_gradient2", Strategy::Gradient2},
        {"adaptive_aimd", Strategy::Aimd}};
    const auto with = [&](auto&& player) {
        playAll([&](const Json& step) { return player.play(step); }, steps);
        return true;
    };
    if (const auto strategy = kStrategies.find(kind); strategy != kStrategies.end()) {
        return with(Adaptive(config, strategy->second));
    }
    if (kind == "adaptive_envoy") {
        return with(EnvoyGradient(config));
    }
    if (kind == "shed_worker_utilization") {
        return with(WorkerUtilisation(config));
    }
    if (kind == "shed_fleet_usage") {
        return with(FleetUsage(config));
    }
    if (kind == "multi_node") {
        return with(Split());
    }
    if (kind == "quota_lease") {
        return with(Lease(config));
    }
    return kind == "tiers" && with(Tiers(config, steps));
}

} // namespace

/// Worked examples of what is not the answer of one rule: limits that are learned, shedding,
/// several tiers, several nodes.
class TestBehaviourVectors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void suite_data();
    void suite();
};

void TestBehaviourVectors::suite_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Json> suites = vector_file::suites(vector_file::kBehaviour);
    QVERIFY(!suites.empty());
    for (std::size_t i = 0; i < suites.size(); ++i) {
        QTest::newRow(suites[i].find("id")->text().c_str()) << static_cast<int>(i);
    }
}

void TestBehaviourVectors::suite()
{
    QFETCH(int, index);
    static const std::vector<Json> suites = vector_file::suites(vector_file::kBehaviour);
    const Json& suite = suites[static_cast<std::size_t>(index)];
    const std::vector<Json>& steps = suite.find("steps")->items();
    QVERIFY(!steps.empty());
    QVERIFY2(play(suite.find("algorithm")->text(), *suite.find("config"), steps),
             "an unknown kind");
}

QTEST_APPLESS_MAIN(TestBehaviourVectors)
#include "tst_behaviour_vectors.moc"
