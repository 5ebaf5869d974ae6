#include "app/workbench/condition_tables.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/lab.h"
#include "engine/intake.h"
#include "engine/replay.h"

#include <queue>

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

/// The lab under conditions: one rule by the replay loop, its requests all of one key.
namespace app {
namespace {

constexpr std::size_t kMostPoints = 5'000;
constexpr std::int64_t kColumns = 1000;
constexpr std::size_t kBatch = 4'096;
constexpr std::string_view kCost = "cost"; ///< attribute that every request has
constexpr std::string_view kKey = "key"; ///< value of all others

/// The rule by itself, with one key for all, so that a request needs nothing but its time, its
/// duration and its cost, and meets it for sure.
engine::Plan planOf(const engine::PlanRule& rule)
{
    engine::Plan plan;
    plan.rules = {rule};
    engine::PlanRule& only = plan.rules.front();
    only.mode = engine::Mode::Enforce;
    for (engine::Match* const match : {&only.match, &only.overrideMatch, &only.classMatch}) {
        match->clear();
    }
    only.unless.clear();
    only.key.clear();
    only.tighten.reset();
    only.stateBefore = 0;
    only.cost = {1, std::string(kCost), 1};
    return plan;
}

engine::Conditions conditionsOf(const LabConditions& lab)
{
    engine::Conditions conditions;
    conditions.servers.count = lab.servers;
    conditions.servers.states.fill(lab.state);
    conditions.servers.skewNs = lab.skewNs;
    conditions.clients = lab.clients;
    if (conditions.clients) {
        conditions.clients->attribute.clear(); // the key is one client
    }
    return conditions;
}

/// What is admitted counts for one period of the rate, or holds its slots for its duration: takes
/// down how much that is, and what came so far, at the times of the decisions.
class Curves final : public engine::SettledSink, public engine::DecisionSink {
public:
    Curves(const engine::Limit& limit, const LabConditions& lab, const LabTraffic& traffic)
        : m_learned(limit.algorithm == engine::Algorithm::AdaptiveConcurrency
                        ? initialLimits(limit, lab)
                        : std::vector<std::int64_t>())
        , m_learnedSum(std::accumulate(m_learned.begin(), m_learned.end(), std::int64_t {0}))
        , m_isSlots(engine::holdsSlots(limit.algorithm))
        , m_originNs(traffic.originNs)
        , m_periodNs(limitInWindow(limit).periodNs)
        , m_stepNs(std::max<std::int64_t>(1, traffic.lengthNs / kColumns))
    {
        open(0);
    }

    LabResult result;

    void settle(const engine::Settled&) override { }

    bool wants(std::size_t, const engine::Arrival&) override { return true; }

    void decided(std::size_t, const engine::Decision& decision) override
    {
        const std::int64_t atNs = decision.decidedNs - m_originNs;
        leaveUntil(atNs);
        open(atNs);
        const bool isAdmitted = decision.verdict.outcome == engine::Outcome::Admitted;
        ++result.attempts;
        result.offered += decision.attempt == 1 ? 1U : 0U;
        (isAdmitted ? result.admitted : result.rejected) += 1;
        if (isAdmitted && !decision.rules.empty()) {
            const std::int64_t cost = decision.rules.front().cost;
            m_value += cost;
            m_leaving.push({atNs + lastsNs(*decision.arrival), cost});
        }
        learn(decision);
        update();
    }

    void finish(std::int64_t lengthNs)
    {
        result.lengthNs = std::max(lengthNs, m_columnNs + 1);
        leaveUntil(result.lengthNs);
        m_columnNs = result.lengthNs;
        push();
    }

private:
    /// What each state of a limit that is learned begins with: one, or one on each server.
    static std::vector<std::int64_t> initialLimits(const engine::Limit& limit,
                                                   const LabConditions& lab)
    {
        if (lab.state.kind == engine::StateKind::Shared) {
            return {engine::capacityOf(limit)};
        }
        std::vector<std::int64_t> limits;
        for (std::uint32_t server = 0; server < lab.servers; ++server) {
            limits.push_back(engine::capacityOf(lab.state.kind == engine::StateKind::Split
                                                    ? engine::splitLimit(limit, lab.servers, server)
                                                    : limit));
        }
        return limits;
    }

    /// The limit of the state that judged, as it stands.
    void learn(const engine::Decision& decision)
    {
        if (m_learned.empty() || decision.rules.empty() || !decision.rules.front().capacity) {
            return;
        }
        std::int64_t& limit = m_learned[m_learned.size() == 1 ? 0 : decision.server];
        m_learnedSum += *decision.rules.front().capacity - limit;
        limit = *decision.rules.front().capacity;
    }

    struct Leaving {
        std::int64_t atNs = 0;
        std::int64_t cost = 0;

        bool operator>(const Leaving& other) const { return atNs > other.atNs; }
    };

    [[nodiscard]] std::int64_t lastsNs(const engine::Arrival& arrival) const
    {
        return m_isSlots ? std::max<std::int64_t>(0, arrival.durationNs) : m_periodNs;
    }

    void leaveUntil(std::int64_t atNs)
    {
        while (!m_leaving.empty() && m_leaving.top().atNs <= atNs) {
            const Leaving leaving = m_leaving.top();
            m_leaving.pop();
            open(leaving.atNs);
            m_value -= leaving.cost;
            update();
        }
    }

    /// A column of the picture begins with how things are before what happens in it...
    void open(std::int64_t atNs)
    {
        if (!result.soFar.empty() && atNs - m_columnNs < m_stepNs) {
            return;
        }
        m_columnNs = atNs;
        push();
        push();
        if (result.soFar.size() > kMostPoints) {
            thin();
        }
    }

    /// ... and ends with how they are behind it.
    void update()
    {
        result.soFar.pop_back();
        result.state.pop_back();
        if (!m_learned.empty()) {
            result.limit.pop_back();
        }
        push();
    }

    void push()
    {
        result.soFar.push_back(
            {m_columnNs, result.offered, result.attempts, result.admitted, result.rejected});
        result.state.push_back({m_columnNs, m_value});
        if (!m_learned.empty()) {
            result.limit.push_back({m_columnNs, m_learnedSum});
        }
    }

    /// Every other column, and the last one; those to come are twice as wide.
    void thin()
    {
        const auto halve = [](auto& line) {
            std::size_t kept = 0;
            for (std::size_t i = 0; i < line.size(); ++i) {
                if (i % 4 < 2 || i + 2 >= line.size()) {
                    line[kept++] = line[i];
                }
            }
            line.resize(kept);
        };
        halve(result.soFar);
        halve(result.state);
        halve(result.limit);
        m_stepNs *= 2;
    }

    std::vector<std::int64_t> m_learned; ///< by state; of other rules none
    std::int64_t m_learnedSum;
    const bool m_isSlots;
    const std::int64_t m_originNs;
    const std::int64_t m_periodNs;
    std::int64_t m_stepNs;
    std::int64_t m_columnNs = 0;
    std::int64_t m_value = 0; ///< that is within a period, or in flight
    std::priority_queue<Leaving, std::vector<Leaving>, std::greater<>> m_leaving;
};

/// Sends the pattern through the intake, block by block. False: it was stopped.
bool play(engine::Intake& intake, engine::Replay& replay, const LabTraffic& traffic,
          const std::optional<std::int64_t>& assumedNs, const StopFlag* stop)
{
    const auto prepared = intake.makePrepared();
    engine::RequestBatch batch;
    batch.fieldCount = intake.fields().size();
    intake.chooseWho(batch);
    for (std::size_t begin = 0; begin < traffic.requests.size(); begin += kBatch) {
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
            return false;
        }
        const std::size_t end = std::min(traffic.requests.size(), begin + kBatch);
        std::vector<std::string> costs; // that the views point at
        costs.reserve(end - begin);
        batch.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const LabRequest& one = traffic.requests[i];
            engine::Request request;
            request.timeNs = request.stampNs = traffic.originNs + one.atNs;
            request.durationNs = one.durationNs == engine::kUnknownDuration
                ? assumedNs.value_or(one.durationNs)
                : one.durationNs;
            batch.requests.push_back(request);
            costs.push_back(std::to_string(one.cost));
            for (const std::string& field : intake.fields()) {
                batch.values.push_back(field == kCost ? std::string_view(costs.back()) : kKey);
            }
        }
        intake.prepare(batch, *prepared);
        intake.intern(*prepared, [&](engine::Arrival& arrival, const engine::Request&) {
            replay.arrive(arrival);
        });
    }
    return true;
}

} // namespace

engine::Result<LabResult> runLab(const engine::PlanRule& rule, const LabTraffic& traffic,
                                 const LabConditions& lab, const StopFlag* stop)
{
    if (lab.areUsual()) {
        return runLab(rule, traffic, stop);
    }
    const engine::Plan plan = planOf(rule);
    const engine::Conditions conditions = conditionsOf(lab);
    if (const auto against = engine::checkConditions(conditions, plan)) {
        return engine::fail(*against);
    }
    engine::IntakeOptions asked;
    asked.who = {"who"};
    auto intake = engine::Intake::make({&plan}, asked);
    if (!intake) {
        return engine::fail(intake.error());
    }
    Curves curves(rule.limit, lab, traffic);
    engine::Replay replay(**intake, curves, {0, &curves, true, &conditions, nullptr, stop});
    curves.result.stopped = !play(**intake, replay, traffic, rule.limit.assumeDurationNs, stop);
    replay.finish();
    curves.result.stopped
        = curves.result.stopped || (stop != nullptr && stop->load(std::memory_order_relaxed));
    curves.finish(traffic.lengthNs);
    LabResult& result = curves.result;
    const LimitInWindow limit = limitInWindow(rule.limit);
    result.worst = policies::worstSpan(rule.limit);
    result.stateName = limit.periodNs == 0
        ? "in flight"
        : fmt::format("admitted within {}", durationText(limit.periodNs));
    result.stateMost = limit.limit;
    const bool isTold = lab.skewNs == 0 || !engine::holdsSlots(rule.limit.algorithm);
    if (const auto figures = replay.servers(0, 0); figures && isTold) {
        result.most = LabMost {figures->tally.inWindow.cost, limit.most, limit.periodNs};
    }
    if (const engine::ClientTally* const clients = replay.clients(0)) {
        result.gaveUp = clients->all().gaveUp;
    }
    return std::move(result);
}

} // namespace app
