#include "app/workbench/rule_curve.h"

#include "app/workbench/sweep.h"
#include "engine/sweep.h"
#include "policies/rates.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace app {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::size_t kFoundPoints = 28;

/// The modes of a rule that is judged alone: all others are off, but for one that tightens it. That
/// one holds its slots and rejects nobody.
engine::Result<std::vector<std::string>> modesAlone(PolicySource& source, const std::string& name)
{
    const engine::Result<LoadedPolicy> loaded = source.load();
    if (!loaded) {
        return engine::fail(loaded.error());
    }
    std::vector<std::string> modes {"all=off", name + "=enforce"};
    const policies::Rule* const rule = loaded->policy ? loaded->policy->rule(name) : nullptr;
    if (rule != nullptr && rule->tighten) {
        const std::string& by = rule->tighten->value.rule.value;
        const policies::Rule* const tightening = loaded->policy->rule(by);
        if (tightening != nullptr
            && (!tightening->values.mode || tightening->values.mode->value != engine::Mode::Off)) {
            modes.push_back(by + "=shadow");
        }
    }
    return modes;
}

/// The policy with these modes and values. Errors: its own first one.
engine::Result<LoadedPolicy> loadWith(PolicySource& source, const std::vector<std::string>& modes,
                                      std::vector<std::string> sets)
{
    engine::Result<LoadedPolicy> loaded = source.load({std::move(sets), modes});
    if (loaded && !loaded->isValid()) {
        return engine::fail(loaded->diagnostics.front());
    }
    return loaded;
}

/// The rule without its overrides: what its own limit decides.
const engine::PlanRule* ownRule(const engine::Plan& plan, const std::string& name)
{
    const auto own
        = std::find_if(plan.rules.begin(), plan.rules.end(), [&](const engine::PlanRule& one) {
              return one.rule == name && !one.overrideName;
          });
    return own == plan.rules.end() ? nullptr : &*own;
}

bool isWindow(engine::Algorithm algorithm)
{
    return algorithm == engine::Algorithm::FixedWindow
        || algorithm == engine::Algorithm::SlidingWindowLog;
}

/// The greatest number that matters to a rule whose keys need `most` in its period: twice that, and
/// so many times more as a request may count while the rule is tightened.
std::int64_t greatestOf(const engine::PlanRule& rule, std::uint32_t most)
{
    const std::int64_t twice = 2 * std::int64_t {most};
    const std::int64_t factor = rule.tighten ? rule.tighten->factor : 1;
    const std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
    return twice > greatest / factor ? greatest : twice * factor;
}

/// Why a rule by itself, with one number after the other, would not show what it does in the
/// policy.
std::string whyNoCurve(const engine::PlanRule& rule)
{
    switch (rule.limit.algorithm) {
    case engine::Algorithm::AdaptiveConcurrency:
        return "its limit is learnt from the durations, and is no one number";
    case engine::Algorithm::LoadShedder:
        return "each of its classes has a limit of its own";
    default:
        return {};
    }
}

class CurveMaker {
public:
    explicit CurveMaker(RuleCurveRequest request)
        : m_request(std::move(request))
    {
    }

    engine::Result<RuleCurve> make();

private:
    engine::Status look();
    engine::Status measureNeeds();
    engine::Status tryAll();
    void chooseLimits(std::uint32_t median, std::uint32_t most);
    [[nodiscard]] std::string valueOf(std::int64_t limit) const;

    RuleCurveRequest m_request;
    RuleCurve m_curve;
    std::vector<std::string> m_modes; ///< of the rule alone
    std::optional<LoadedPolicy> m_alone;
    const engine::PlanRule* m_rule = nullptr;
    std::int64_t m_now = 0;
    std::uint64_t m_keys = 0; ///< of the rule
    std::vector<std::int64_t> m_limits;
};

std::string CurveMaker::valueOf(std::int64_t limit) const
{
    return m_curve.field == "rate" ? policies::textOf(engine::Rate {limit, m_curve.periodNs})
                                   : fmt::format("{}", limit);
}

engine::Status CurveMaker::look()
{
    engine::Result<std::vector<std::string>> modes = modesAlone(m_request.policy, m_request.rule);
    if (!modes) {
        return engine::fail(modes.error());
    }
    m_modes = std::move(*modes);
    engine::Result<LoadedPolicy> loaded = loadWith(m_request.policy, m_modes, {});
    if (!loaded) {
        return engine::fail(loaded.error());
    }
    m_alone = std::move(*loaded);
    m_rule = ownRule(*m_alone->plan, m_request.rule);
    if (m_rule == nullptr) {
        return engine::fail("curve.rule", fmt::format("there is no rule `{}`", m_request.rule),
                            "choose one of the policy's rules");
    }
    if (const std::string why = whyNoCurve(*m_rule); !why.empty()) {
        return engine::fail(
            "curve.limit", fmt::format("rule `{}` has no curve: {}", m_request.rule, why),
            "replay the policy with one change after the other, and compare the runs");
    }
    m_curve.rule = m_request.rule;
    m_curve.tightenedBy
        = m_rule->tighten ? m_alone->plan->rules[m_rule->tighten->rule].rule : std::string();
    const bool hasRate = m_rule->limit.algorithm != engine::Algorithm::Concurrency;
    m_curve.field = hasRate ? "rate" : "in_flight";
    m_curve.periodNs = hasRate ? m_rule->limit.rate.periodNs : 0;
    m_now = hasRate ? m_rule->limit.rate.count : m_rule->limit.inFlight;
    return engine::Done {};
}

/// What keys need, in windows; and what a window's limit does to those to stop and to protect.
engine::Status CurveMaker::measureNeeds()
{
    SuggestRequest request;
    request.pass = m_request.pass;
    engine::Match& where = request.pass.intake.where; // the run's own narrowing holds as well
    where.insert(where.end(), m_rule->match.begin(), m_rule->match.end());
    request.attributes = m_alone->plan->attributes;
    request.keys = {m_rule->key};
    request.windowsNs = {kSecondNs, 10 * kSecondNs};
    const std::int64_t period = m_curve.periodNs > 0 ? m_curve.periodNs : 60 * kSecondNs;
    if (std::find(request.windowsNs.begin(), request.windowsNs.end(), period)
        == request.windowsNs.end()) {
        request.windowsNs.push_back(period);
    }
    request.stop = m_request.stop;
    request.protect = m_request.protect;
    engine::Result<Suggestion> found = suggest(request);
    if (!found) {
        return engine::fail(found.error());
    }
    const KeyMeasures& measures = found->keys.front();
    m_keys = measures.keys;
    m_curve.without = measures.without;
    m_curve.toStop = found->toStop;
    m_curve.toProtect = found->toProtect;
    const bool isFixed = m_rule->limit.algorithm == engine::Algorithm::FixedWindow;
    for (const Measured& measured : measures.measured) {
        if (measured.algorithm == engine::Algorithm::SlidingWindowLog) {
            m_curve.peaks.push_back({measured.rate.periodNs, measured.keys});
        }
        const bool isRules = isWindow(m_rule->limit.algorithm) && !m_rule->tighten
            && measured.algorithm == m_rule->limit.algorithm
            && measured.rate.periodNs == m_curve.periodNs;
        if (isRules && measured.suggested) {
            m_curve.suggested = measured.effects[*measured.suggested];
        }
        m_curve.isSuggestedKnown = m_curve.isSuggestedKnown || isRules;
        if (measured.rate.periodNs == period
            && measured.algorithm
                == (isFixed ? engine::Algorithm::FixedWindow
                            : engine::Algorithm::SlidingWindowLog)) {
            chooseLimits(measured.keys.p50, measured.keys.most);
        }
    }
    return engine::Done {};
}

void CurveMaker::chooseLimits(std::uint32_t median, std::uint32_t most)
{
    m_limits = m_request.limits;
    if (m_curve.field == "rate") {
        const std::int64_t least
            = std::max<std::int64_t>(1, std::min<std::int64_t>(median, m_now) / 2);
        const std::int64_t greatest
            = std::max<std::int64_t>({greatestOf(*m_rule, most), 2 * m_now, least + 1});
        for (const std::int64_t limit : niceLimits(least, greatest, kFoundPoints)) {
            m_limits.push_back(limit);
        }
        if (most > 0) {
            m_limits.push_back(most);
        }
    } else {
        for (const std::int64_t limit :
             niceLimits(1, std::max<std::int64_t>(4 * m_now, 8), kFoundPoints)) {
            m_limits.push_back(limit);
        }
    }
    if (m_now > 0) {
        m_limits.push_back(m_now);
    }
    if (m_curve.suggested) {
        m_limits.push_back(m_curve.suggested->limit);
    }
    std::sort(m_limits.begin(), m_limits.end());
    m_limits.erase(std::unique(m_limits.begin(), m_limits.end()), m_limits.end());
    if (m_limits.size() > kMostPoints) {
        m_limits.resize(kMostPoints);
    }
}

engine::Status CurveMaker::tryAll()
{
    std::vector<LoadedPolicy> policies;
    policies.reserve(m_limits.size());
    for (const std::int64_t limit : m_limits) {
        engine::Result<LoadedPolicy> loaded
            = loadWith(m_request.policy, m_modes,
                       {fmt::format("{}.{}={}", m_request.rule, m_curve.field, valueOf(limit))});
        if (loaded) {
            policies.push_back(std::move(*loaded));
            m_curve.points.push_back({limit, valueOf(limit), 0, 0, limit == m_now});
        }
        // What the rule cannot be (a limit that is counted by no number) is no candidate.
    }
    SweepRequest request;
    request.pass = m_request.pass;
    if (m_rule->key.size() == 1) {
        request.pass.intake.who = m_rule->key;
    }
    for (const LoadedPolicy& policy : policies) {
        request.plans.push_back(&*policy.plan);
    }
    engine::Result<SweepOutcome> outcome = sweep(request);
    if (!outcome && m_rule->key.size() == 1) {
        request.pass.intake.who = m_request.pass.intake.who;
        outcome = sweep(request);
    }
    if (!outcome) {
        return engine::fail(outcome.error());
    }
    m_curve.countedBy = outcome->who;
    if (m_rule->key == std::vector<std::string> {outcome->who}) {
        m_curve.keys = m_keys;
    }
    for (std::size_t i = 0; i < m_curve.points.size(); ++i) {
        m_curve.points[i].requests = outcome->rows[i].rejected;
        m_curve.points[i].keys = outcome->rows[i].keysRejected;
    }
    for (std::size_t i = 0; i < m_alone->plan->rules.size(); ++i) {
        const bool isOwn = m_alone->plan->rules[i].rule == m_request.rule;
        m_curve.requests += isOwn ? outcome->rows.front().rules[i].judged : 0;
    }
    return engine::Done {};
}

engine::Result<RuleCurve> CurveMaker::make()
{
    for (const auto& step : {&CurveMaker::look, &CurveMaker::measureNeeds, &CurveMaker::tryAll}) {
        if (engine::Status done = (this->*step)(); !done) {
            return engine::fail(done.error());
        }
    }
    return std::move(m_curve);
}

} // namespace

std::vector<std::int64_t> niceLimits(std::int64_t least, std::int64_t greatest, std::size_t most)
{
    // Of a decade: 1, 2, 3, 5, 8 at first, then every step that people would write.
    static constexpr std::array<std::int64_t, 21> kSteps {100, 110, 120, 130, 150, 160, 180,
                                                          200, 220, 250, 270, 300, 350, 400,
                                                          450, 500, 550, 600, 700, 800, 900};
    std::vector<std::int64_t> all;
    for (std::int64_t decade = 1; decade <= greatest && decade < (std::int64_t {1} << 50);
         decade *= 10) {
        for (const std::int64_t step : kSteps) {
            const std::int64_t value = step * decade / 100;
            const bool isWhole = value * 100 == step * decade;
            if (isWhole && value >= least && value <= greatest) {
                all.push_back(value);
            }
        }
    }
    // Too many: every second one goes, from the small end, where a step means least.
    while (all.size() > most && all.size() > 2) {
        std::vector<std::int64_t> fewer;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i % 2 == (all.size() - 1) % 2) {
                fewer.push_back(all[i]);
            }
        }
        all = std::move(fewer);
    }
    return all;
}

engine::Result<RuleCurve> ruleCurve(RuleCurveRequest request)
{
    return CurveMaker(std::move(request)).make();
}

} // namespace app
