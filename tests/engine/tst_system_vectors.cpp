#include "engine/conditions.h"
#include "engine/intake.h"
#include "engine/quota_lease.h"
#include "engine/replay.h"
#include "tests/engine/intake_run.h"
#include "tests/engine/vector_file.h"

#include <QTest>

#include <map>
#include <optional>

using namespace engine;
using vector_file::Json;
using vector_file::number;
using vector_file::Steps;

namespace {

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

/// Plays the suite with what knows its kind; false for an unknown one.
bool play(const std::string& kind, const Json& config, const Steps& steps)
{
    const auto with = [&](auto&& player) {
        vector_file::playAll([&](const Json& step) { return player.play(step); }, steps);
        return true;
    };
    if (kind == "multi_node") {
        return with(Split());
    }
    if (kind == "quota_lease") {
        return with(Lease(config));
    }
    return kind == "tiers" && with(Tiers(config, steps));
}

} // namespace

/// Worked examples of several tiers, and of several nodes.
class TestSystemVectors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void suite_data();
    void suite();
};

void TestSystemVectors::suite_data()
{
    vector_file::addRows(vector_file::suites(vector_file::kSystems));
}

void TestSystemVectors::suite()
{
    QFETCH(int, index);
    static const std::vector<Json> suites = vector_file::suites(vector_file::kSystems);
    const Json& suite = suites[static_cast<std::size_t>(index)];
    const Steps& steps = suite.find("steps")->items();
    QVERIFY(!steps.empty());
    QVERIFY2(play(suite.find("algorithm")->text(), *suite.find("config"), steps),
             "an unknown kind");
}

QTEST_APPLESS_MAIN(TestSystemVectors)
#include "tst_system_vectors.moc"
