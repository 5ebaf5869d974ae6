#include "app/workbench/suggest.h"

#include "app/workbench/limit_effects.h"
#include "app/workbench/suggest_listener.h"
#include "policies/rates.h"

#include <algorithm>
#include <map>

namespace app {
namespace {

constexpr unsigned kKneePerMille = 50; ///< so many keys at most lie above a knee

/// The bursts that a rate is tried with: six to a decade, as far as they can be counted, and those
/// asked for.
engine::Result<std::vector<std::int64_t>> burstsOf(const engine::Rate& rate,
                                                   const std::vector<std::int64_t>& asked)
{
    constexpr std::int64_t kLargest = 10'000'000;
    engine::Limit limit;
    limit.algorithm = engine::Algorithm::TokenBucket;
    limit.rate = rate;
    for (const std::int64_t burst : asked) {
        limit.burst = burst;
        if (const char* const why = engine::checkLimit(limit)) {
            return engine::fail("suggest.range",
                                "a burst of " + std::to_string(burst) + " at "
                                    + policies::textOf(rate) + " cannot be counted: " + why,
                                "ask for a smaller limit, or for a rate that refills it sooner");
        }
    }
    std::vector<std::int64_t> bursts = asked;
    for (std::int64_t decade = 10; decade <= kLargest; decade *= 10) {
        for (const std::int64_t tenth : {10, 15, 20, 30, 50, 80}) {
            limit.burst = std::max<std::int64_t>(1, tenth * decade / 100);
            if (engine::checkLimit(limit) == nullptr) {
                bursts.push_back(limit.burst);
            }
        }
    }
    std::sort(bursts.begin(), bursts.end());
    bursts.erase(std::unique(bursts.begin(), bursts.end()), bursts.end());
    if (bursts.size() > engine::BurstNeeds::kMostCandidates) {
        return engine::fail("suggest.range", "these are too many limits to try with a rate",
                            "ask for at most 20");
    }
    return bursts;
}

/// A quarter more, rounded up.
std::int64_t withRoom(std::int64_t limit)
{
    return limit + (limit + 3) / 4;
}

/// The limit to suggest; see suggest().
std::optional<std::int64_t> suggestedOf(const LimitEffects& effects, const Measured& measured,
                                        const SuggestRequest& request)
{
    if (measured.keys.most == 0) {
        return std::nullopt;
    }
    if (request.stop || request.protect) {
        if (!request.stop && !effects.hasCustomers()) {
            return std::nullopt; // a limit of 1 would hit no customer, and everybody else
        }
        const std::optional<std::int64_t> least = effects.sparing();
        if (!least) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> roomy = effects.candidate(withRoom(*least));
        if (!request.stop) {
            return roomy ? roomy : least;
        }
        const std::uint64_t stopped = effects.of(*least).stopped;
        if (stopped == 0) {
            return std::nullopt;
        }
        const bool staysUseful = roomy && effects.of(*roomy).stopped * 10 >= stopped * 9;
        return staysUseful ? roomy : least;
    }
    if (!measured.knee) {
        return effects.candidate(withRoom(measured.keys.most));
    }
    const std::optional<std::int64_t> roomy = effects.candidate(withRoom(measured.knee->below));
    return roomy && *roomy < measured.knee->above ? roomy : effects.candidate(measured.knee->below);
}

/// Limits, each with the reasons to look at it.
class Candidates {
public:
    explicit Candidates(const LimitEffects& effects)
        : m_effects(effects)
    {
    }

    /// Of a rate not every limit is tried: the reason says so where the next one stands for it, and
    /// where `limit` itself is no more than a bound.
    void add(std::optional<std::int64_t> limit, const std::string& reason, bool isExact)
    {
        const std::optional<std::int64_t> candidate
            = limit && *limit > 0 ? m_effects.candidate(*limit) : std::nullopt;
        if (candidate) {
            const char* const lead = !isExact ? "at or above "
                : *candidate != *limit        ? "next above "
                                              : "";
            m_reasons[*candidate].push_back(lead + reason);
        }
    }

    [[nodiscard]] const std::map<std::int64_t, std::vector<std::string>>& reasons() const
    {
        return m_reasons;
    }

private:
    const LimitEffects& m_effects;
    std::map<std::int64_t, std::vector<std::string>> m_reasons; ///< by limit
};

void measure(const LimitEffects& effects, const SuggestRequest& request, Measured& measured)
{
    measured.keys = sharesOf(effects.keys.curve);
    measured.requests = effects.requests();
    measured.knee = effects.keys.curve.knee(kKneePerMille);
    Candidates candidates(effects);
    const auto add = [&](std::optional<std::int64_t> limit, const char* reason) {
        candidates.add(limit, reason, true);
    };
    const auto addRequests = [&](std::uint32_t limit, const char* reason) {
        candidates.add(limit, reason, measured.isWindow() || limit == measured.requests.most);
    };
    add(measured.keys.p90, "p90 of keys");
    add(measured.keys.p99, "p99 of keys");
    add(measured.keys.p999, "p99.9 of keys");
    add(measured.keys.most, "largest key");
    addRequests(measured.requests.p99, "p99 of requests");
    addRequests(measured.requests.p999, "p99.9 of requests");
    if (measured.knee) {
        add(measured.knee->below, "knee");
    }
    if (effects.hasCustomers() || request.stop) {
        add(effects.sparing(), "hits no customer");
    }
    for (const std::int64_t limit : request.limits) {
        add(limit, "asked for");
    }
    const std::optional<std::int64_t> suggested = suggestedOf(effects, measured, request);
    add(suggested, "suggested");
    for (const auto& [limit, reasons] : candidates.reasons()) {
        if (limit == suggested) {
            measured.suggested = measured.effects.size();
        }
        measured.effects.push_back(effects.of(limit));
        measured.effects.back().reasons = reasons;
    }
}

LargestNeed largestOf(const LimitEffects& effects, const engine::Intake& intake, std::size_t key)
{
    LargestNeed largest;
    largest.isCustomer = effects.hasCustomers();
    const LimitEffects::Needs& needs = largest.isCustomer ? effects.customers : effects.keys;
    largest.need = needs.curve.largest();
    if (largest.need == 0) {
        return largest;
    }
    if (!largest.isCustomer) {
        for (const std::string_view value :
             intake.keyText(intake.tupleOf(0, key), static_cast<std::uint32_t>(needs.largest))) {
            largest.values.emplace_back(value);
        }
    } else if (needs.largest > 0) {
        largest.values.emplace_back(intake.whoText(static_cast<std::uint32_t>(needs.largest - 1)));
    }
    return largest;
}

KeyMeasures measuresOf(const KeyMeter& meter, std::size_t key, const SuggestRequest& request,
                       const engine::Intake& intake)
{
    KeyMeasures measures;
    measures.key = request.keys[key];
    measures.requests = meter.requests;
    measures.without = meter.without;
    for (std::size_t which = 0; which < meter.curves.size(); ++which) {
        const std::unique_ptr<LimitEffects> effects = windowEffects(meter, which);
        Measured& measured = measures.measured.emplace_back();
        measured.algorithm = which % 2 == engine::WindowNeeds::kFixed
            ? engine::Algorithm::FixedWindow
            : engine::Algorithm::SlidingWindowLog;
        measured.rate = {0, request.windowsNs[which / 2]};
        measures.keys = effects->keys.curve.total();
        measure(*effects, request, measured);
        measured.largest = largestOf(*effects, intake, key);
    }
    for (std::size_t rate = 0; rate < meter.bursts.size(); ++rate) {
        const std::unique_ptr<LimitEffects> effects
            = burstEffects(meter, rate, request.rates[rate]);
        Measured& measured = measures.measured.emplace_back();
        measured.algorithm = engine::Algorithm::TokenBucket;
        measured.rate = request.rates[rate];
        measures.keys = effects->keys.curve.total();
        measure(*effects, request, measured);
        measured.largest = largestOf(*effects, intake, key);
    }
    return measures;
}

} // namespace

std::optional<Suggestion::Choice> Suggestion::best() const
{
    std::optional<Choice> best;
    const LimitEffect* found = nullptr;
    for (std::size_t key = 0; key < keys.size(); ++key) {
        for (std::size_t i = 0; i < keys[key].measured.size(); ++i) {
            const Measured& measured = keys[key].measured[i];
            if (!measured.suggested) {
                continue;
            }
            const LimitEffect& effect = measured.effects[*measured.suggested];
            const bool isBetter = found == nullptr || effect.stopped > found->stopped
                || (effect.stopped == found->stopped && effect.requests < found->requests);
            if (isBetter) {
                best = Choice {key, i};
                found = &effect;
            }
        }
    }
    return best;
}

engine::Result<Suggestion> suggest(const SuggestRequest& request)
{
    std::vector<std::vector<std::int64_t>> bursts;
    for (const engine::Rate& rate : request.rates) {
        auto of = burstsOf(rate, request.limits);
        if (!of) {
            return engine::fail(of.error());
        }
        bursts.push_back(std::move(*of));
    }
    const engine::Plan plan = measuringPlan(request);
    PassOptions options = request.pass;
    options.decides = false;
    SuggestListener listener(request, std::move(bursts));
    engine::Result<Pass> pass = runWholePass({&plan}, options, listener);
    if (!pass) {
        return engine::fail(pass.error());
    }
    Suggestion suggestion;
    suggestion.who = pass->intake->who();
    suggestion.requests = listener.requests();
    suggestion.withWho = listener.withWho();
    suggestion.recordedRejected = listener.recordedRejected();
    suggestion.hasStop = request.stop.has_value();
    suggestion.hasProtect = request.stop || request.protect;
    suggestion.toStop = listener.toStop();
    suggestion.both = listener.both();
    suggestion.toProtect = listener.toProtect();
    suggestion.customers = listener.customers();
    for (std::size_t key = 0; key < request.keys.size(); ++key) {
        suggestion.keys.push_back(measuresOf(listener.meters()[key], key, request, *pass->intake));
    }
    suggestion.pass = std::move(*pass);
    return suggestion;
}

} // namespace app
