#include "engine/worst_case.h"
#include "policies/advice/checks.h"
#include "policies/advice/words.h"

#include <fmt/format.h>

namespace policies::advice {
namespace {

using engine::Algorithm;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kMinuteNs = 60 * kSecondNs;
constexpr std::int64_t kFarAbove = 5; ///< times what a minute refills

/// Where the burst of a part stands; else its rate, of which the burst is made.
const Span& burstPlace(const SurveyedRule& rule, const Part& part)
{
    if (part.override != nullptr && part.override->values.burst) {
        return part.override->values.burst->at;
    }
    const bool hasOwnRate = part.override != nullptr && part.override->values.rate;
    return rule.rule->values.burst && !hasOwnRate ? rule.rule->values.burst->at : part.rate->at;
}

std::string requests(const Part& part, std::int64_t cost)
{
    if (!part.hasFixedCost() || part.cost.fixed == 0) {
        return fmt::format("a cost of {}", grouped(cost));
    }
    return counted(cost / part.cost.fixed, "request", "requests");
}

std::string costNote(const Part& part)
{
    return part.hasFixedCost() && part.cost.fixed > 1
        ? fmt::format(" (a request costs {})", grouped(part.cost.fixed))
        : "";
}

/// B + N/P within one second: said where it is more than a tenth above the rate.
void checkFirstSecond(const SurveyedRule& rule, const Part& part, Findings& findings)
{
    const std::int64_t burst = part.limit.burst;
    const std::int64_t most = *engine::mostWithin(part.limit, kSecondNs + 1);
    const std::int64_t perSecond = most - burst;
    if (burst < 2 || burst <= perSecond / 10) {
        return;
    }
    const std::string more = perSecond == 0
        ? fmt::format("though its rate is {}", inWords(part.limit.rate))
        : fmt::format("and {} more at its rate of {}", grouped(perSecond),
                      inWords(part.limit.rate));
    findings.add(
        "burst.first-second", burstPlace(rule, part), *rule.rule,
        fmt::format("{} admits up to {} in the first second after a pause: its burst of {}, {}",
                    rule.named(part), requests(part, most), grouped(burst), more)
            + costNote(part));
}

void checkRefill(const SurveyedRule& rule, const Part& part, Findings& findings)
{
    const std::int64_t burst = engine::capacityOf(part.limit);
    const std::int64_t refill = engine::refillNs(part.limit);
    if (burst <= part.limit.rate.count || refill <= kFarAbove * kMinuteNs) {
        return;
    }
    findings.add("burst.refill", burstPlace(rule, part), *rule.rule,
                 fmt::format("the burst of {} is {}, and its rate of {} takes {} to refill it",
                             rule.named(part), grouped(burst), inWords(part.limit.rate),
                             inWords(refill)));
}

const Span& roomPlace(const SurveyedRule& rule, const Part& part)
{
    const auto of = [](const Values& values) -> const Span* {
        return values.burst      ? &values.burst->at
            : values.queue       ? &values.queue->at
            : values.toleranceNs ? &values.toleranceNs->at
                                 : nullptr;
    };
    if (part.override != nullptr) {
        if (const Span* own = of(part.override->values)) {
            return *own;
        }
    }
    const Span* ours = of(rule.rule->values);
    return ours == nullptr ? part.rate->at : *ours;
}

/// Room for one request only, at a rate that reads as if many could come at once.
void checkOne(const SurveyedRule& rule, const Part& part, Findings& findings)
{
    const std::int64_t cost = part.hasFixedCost() ? part.cost.fixed : 1;
    const std::int64_t capacity = engine::capacityOf(part.limit);
    const engine::Rate& rate = part.limit.rate;
    if (cost < 1 || capacity / cost != 1 || rate.count < 2 * cost || rate.periodNs < kMinuteNs) {
        return;
    }
    const std::int64_t spacing = times(engine::spacingNs(part.limit), cost);
    findings.add("burst.one", roomPlace(rule, part), *rule.rule,
                 fmt::format("{} {} whoever sends two at once: its rate of {} is one every {}, "
                             "and there is room for one",
                             rule.named(part), part.isEnforced() ? "rejects" : "denies",
                             inWords(rate), inWords(spacing)));
}

} // namespace

void checkBursts(const Survey& survey, Findings& findings)
{
    for (const SurveyedRule& rule : survey.rules) {
        const Algorithm algorithm = rule.rule->algorithm.value;
        if (algorithm != Algorithm::TokenBucket && algorithm != Algorithm::Gcra
            && algorithm != Algorithm::LeakyBucket) {
            continue;
        }
        for (const Part& part : rule.parts) {
            if (part.deniesAll() || rule.isRepeated(part)) {
                continue;
            }
            if (algorithm == Algorithm::TokenBucket && part.isEnforced()) {
                checkFirstSecond(rule, part, findings);
            }
            if (algorithm != Algorithm::LeakyBucket && part.isEnforced()) {
                checkRefill(rule, part, findings);
            }
            checkOne(rule, part, findings);
        }
    }
}

} // namespace policies::advice
