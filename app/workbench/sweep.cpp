#include "app/workbench/sweep.h"

#include "engine/tally.h"
#include "policies/fingerprint.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>

namespace app {
namespace {

/// What all plans come to, from their verdicts on each request.
class Totals {
public:
    explicit Totals(std::size_t plans)
        : m_all(~std::uint64_t {0} >> (64 - plans))
        , m_rows(plans)
    {
    }

    void add(const engine::Arrival& arrival, const engine::Sweep::Verdicts& verdicts)
    {
        ++m_requests;
        const std::uint32_t who = arrival.ids()[engine::ArrivalLayout::kWho];
        m_withWho += who != engine::kNoId ? 1U : 0U;
        m_recordedRejected += (arrival.flags & engine::kArrivalRecordedRejected) != 0 ? 1U : 0U;
        if ((verdicts.rejected | verdicts.wouldReject) == 0) [[likely]] {
            return;
        }
        const bool baseRejects = (verdicts.rejected & 1U) != 0;
        const std::uint64_t newly = baseRejects ? 0 : verdicts.rejected;
        each(verdicts.rejected, [](SweepRow& row) { ++row.rejected; });
        each(verdicts.wouldReject, [](SweepRow& row) { ++row.wouldReject; });
        each(newly, [](SweepRow& row) { ++row.newlyRejected; });
        each(baseRejects ? m_all & ~verdicts.rejected : 0,
             [](SweepRow& row) { ++row.newlyAdmitted; });
        // Nobody known is no key: comparisons and gates count none either.
        if (who != engine::kNoId) {
            Hit& hit = hitOf(who);
            hit.rejected |= verdicts.rejected;
            hit.newly |= newly;
        }
    }

    [[nodiscard]] std::uint64_t requests() const { return m_requests; }

    [[nodiscard]] std::uint64_t withWho() const { return m_withWho; }

    [[nodiscard]] std::uint64_t recordedRejected() const { return m_recordedRejected; }

    [[nodiscard]] std::vector<SweepRow> rows() const
    {
        std::vector<SweepRow> rows = m_rows;
        for (const Hit& hit : m_hits) {
            for (std::size_t plan = 0; plan < rows.size(); ++plan) {
                rows[plan].keysRejected += hit.rejected >> plan & 1U;
                rows[plan].newlyRejectedKeys += hit.newly >> plan & 1U;
            }
        }
        return rows;
    }

private:
    struct Hit {
        std::uint64_t rejected = 0; ///< a bit for each plan
        std::uint64_t newly = 0;
    };

    Hit& hitOf(std::uint32_t who)
    {
        if (who >= m_hits.size()) {
            m_hits.resize(who + std::size_t {1});
        }
        return m_hits[who];
    }

    template <class Change> void each(std::uint64_t plans, const Change& change)
    {
        for (; plans != 0; plans &= plans - 1) {
            change(m_rows[static_cast<std::size_t>(std::countr_zero(plans))]);
        }
    }

    std::uint64_t m_all; ///< plans
    std::vector<SweepRow> m_rows;
    std::vector<Hit> m_hits; ///< by who
    std::uint64_t m_requests = 0;
    std::uint64_t m_withWho = 0;
    std::uint64_t m_recordedRejected = 0;
};

/// One way to decide by all plans.
class Decider : public PassListener {
public:
    explicit Decider(std::size_t plans)
        : m_plans(plans)
    {
    }

    [[nodiscard]] virtual std::vector<SweepRow> rows() = 0;

    [[nodiscard]] const Totals& totals() const { return *m_totals; }

    [[nodiscard]] std::uint64_t warmup() const { return m_warmup; }

protected:
    void restart()
    {
        m_totals.emplace(m_plans);
        m_warmup = 0;
    }

    std::size_t m_plans;
    std::optional<Totals> m_totals;
    std::uint64_t m_warmup = 0;
};

/// States are shared; the pass itself decides nothing.
class SharedDecider final : public Decider {
public:
    SharedDecider(const std::vector<const engine::Plan*>& plans, std::int64_t warmupNs)
        : Decider(plans.size())
        , m_plansAt(plans)
        , m_warmupNs(warmupNs)
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay& /*replay*/) override
    {
        restart();
        m_warmupEndNs.reset();
        m_sweep = std::make_unique<engine::Sweep>(intake, m_plansAt);
        return engine::Done {};
    }

    void expect(std::span<const engine::Arrival* const> arrivals) override
    {
        for (const engine::Arrival* const arrival : arrivals) {
            m_sweep->expect(*arrival);
        }
    }

    void settle(const engine::Settled& settled) override
    {
        const engine::Arrival& arrival = *settled.arrival;
        if (!m_warmupEndNs) {
            const std::int64_t end = std::numeric_limits<std::int64_t>::max();
            m_warmupEndNs = arrival.timeNs > end - m_warmupNs ? end : arrival.timeNs + m_warmupNs;
        }
        const bool counts = m_warmupNs == 0 || arrival.timeNs >= *m_warmupEndNs;
        const engine::Sweep::Verdicts verdicts = m_sweep->decide(arrival, counts);
        if (counts) {
            m_totals->add(arrival, verdicts);
        } else {
            ++m_warmup;
        }
    }

    [[nodiscard]] std::vector<SweepRow> rows() override
    {
        std::vector<SweepRow> rows = m_totals->rows();
        for (std::size_t plan = 0; plan < rows.size(); ++plan) {
            for (std::size_t rule = 0; rule < m_plansAt[plan]->rules.size(); ++rule) {
                rows[plan].rules.push_back(m_sweep->counts(plan, rule));
            }
        }
        return rows;
    }

private:
    const std::vector<const engine::Plan*>& m_plansAt;
    std::int64_t m_warmupNs;
    std::optional<std::int64_t> m_warmupEndNs;
    std::unique_ptr<engine::Sweep> m_sweep;
};

/// The pass decides by each plan.
class SeparateDecider final : public Decider {
public:
    explicit SeparateDecider(std::size_t plans)
        : Decider(plans)
    {
    }

    engine::Status begin(const engine::Intake& intake, const engine::Replay& /*replay*/) override
    {
        restart();
        m_tally = std::make_unique<engine::Tally>(intake, nullptr);
        return engine::Done {};
    }

    void settle(const engine::Settled& settled) override
    {
        std::uint64_t ordinal = 0; // of its who: asked for by the store only
        m_tally->add({&settled, 1}, {&ordinal, 1});
        if (settled.verdicts.front().warmup) {
            ++m_warmup;
            return;
        }
        engine::Sweep::Verdicts verdicts;
        for (std::size_t plan = 0; plan < settled.verdicts.size(); ++plan) {
            const engine::Verdict& verdict = settled.verdicts[plan];
            const bool rejects = verdict.outcome == engine::Outcome::Rejected;
            verdicts.rejected |= std::uint64_t {rejects} << plan;
            verdicts.wouldReject |= std::uint64_t {!rejects && verdict.shadowRule != engine::kNoId}
                << plan;
        }
        m_totals->add(*settled.arrival, verdicts);
    }

    [[nodiscard]] std::vector<SweepRow> rows() override
    {
        m_tally->finish();
        std::vector<SweepRow> rows = m_totals->rows();
        for (std::size_t plan = 0; plan < rows.size(); ++plan) {
            for (const engine::RuleTally& rule : m_tally->run(plan).rules) {
                rows[plan].rules.push_back({rule.judged, rule.denied, rule.rejected});
            }
        }
        return rows;
    }

private:
    std::unique_ptr<engine::Tally> m_tally;
};

/// What a plan means but for its limits.
std::string meaningWithoutLimits(engine::Plan plan)
{
    for (engine::PlanRule& rule : plan.rules) {
        rule.limit = {};
    }
    return policies::fingerprint(plan);
}

std::string whySeparately(const std::vector<const engine::Plan*>& plans)
{
    const std::string base = meaningWithoutLimits(*plans.front());
    const bool onlyLimits = std::all_of(plans.begin(), plans.end(), [&](const engine::Plan* plan) {
        return meaningWithoutLimits(*plan) == base;
    });
    if (!onlyLimits) {
        return "they differ in more than limits";
    }
    const char* const why = engine::Sweep::whyNot(plans);
    return why == nullptr ? "" : why;
}

} // namespace

engine::Result<SweepOutcome> sweep(const SweepRequest& request)
{
    SweepOutcome outcome;
    outcome.separately = whySeparately(request.plans);
    PassOptions options = request.pass;
    options.decides = !outcome.separately.empty();
    std::unique_ptr<Decider> decider;
    if (options.decides) {
        decider = std::make_unique<SeparateDecider>(request.plans.size());
    } else {
        decider = std::make_unique<SharedDecider>(request.plans, options.warmupNs);
    }
    engine::Result<Pass> pass = runWholePass(
        options.decides ? request.plans : std::vector<const engine::Plan*> {request.plans.front()},
        options, *decider);
    if (!pass) {
        return engine::fail(pass.error());
    }
    outcome.who = pass->intake->who();
    outcome.rows = decider->rows();
    outcome.requests = decider->totals().requests();
    outcome.withWho = decider->totals().withWho();
    outcome.recordedRejected = decider->totals().recordedRejected();
    outcome.warmup = decider->warmup();
    outcome.pass = std::move(*pass);
    return outcome;
}

} // namespace app
