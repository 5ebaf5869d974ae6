#include "engine/recovery.h"
#include "engine/worst_case.h"
#include "policies/advice/checks.h"
#include "policies/advice/words.h"
#include "policies/language/numbers.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>

/// clients.*: clients that come again, and still never get past a limit that was used up.
///
/// What is said holds for one key that nobody else uses meanwhile, which is the best that can
/// happen to a client, and for the longest waits that its behaviour can draw.
namespace policies::advice {
namespace {

using engine::Algorithm;
using engine::Behaviour;
using engine::Recovery;

constexpr std::int64_t kMilli = 1'000'000;
constexpr std::int64_t kSecond = 1000 * kMilli;

/// A rule that a behaviour does not get past.
struct Closed {
    const SurveyedRule* rule = nullptr;
    const Part* part = nullptr;
    std::int64_t waitNs = 0; ///< until it would have room
    std::int64_t longestNs = 0; ///< the same of the override, or the rest, that takes longest
};

/// The least that a request can cost.
std::int64_t leastCost(const Part& part)
{
    return part.hasFixedCost() ? part.cost.fixed : 1;
}

std::string namedWithLimit(const Closed& closed)
{
    return fmt::format("{} ({})", closed.rule->named(*closed.part), inWords(closed.part->limit));
}

std::string usedUp(const engine::Limit& limit)
{
    const bool hasWindows
        = (limit.algorithm == Algorithm::FixedWindow && !limit.alignToFirstRequest)
        || limit.algorithm == Algorithm::SlidingWindowCounter;
    return hasWindows ? "once used up at the start of a window" : "once used up";
}

/// When the last attempt comes: to the nanosecond without jitter, else what it stays below.
std::string lastAttempt(const Behaviour& behaviour, std::int64_t lastNs)
{
    if (behaviour.jitter == engine::Jitter::None || lastNs < kMilli) {
        return fmt::format("{} after", inWords(lastNs));
    }
    return fmt::format("less than {} after", inWords((lastNs / kMilli + 1) * kMilli));
}

std::int64_t roundedUp(std::int64_t ns, std::int64_t parts)
{
    return ns / parts + (ns % parts == 0 ? 0 : 1);
}

/// A wait as one would write it, no shorter: "90s", "250ms", "3ns".
std::string writtenWait(std::int64_t ns)
{
    const std::int64_t unit = ns >= kSecond ? kSecond : ns >= kMilli ? kMilli : 1;
    return language::durationText(times(roundedUp(ns, unit), unit));
}

/// A wait after which nothing of what the window counted is left, with what is rejected.
std::int64_t forgottenNs(const engine::Limit& limit)
{
    return times(limit.rate.periodNs, limit.algorithm == Algorithm::SlidingWindowCounter ? 2 : 1);
}

std::string enoughWait(std::int64_t ns)
{
    return fmt::format("`wait: {}` with `jitter: equal`", writtenWait(times(ns, 2)));
}

std::string enough(const Behaviour& behaviour, const Closed& closed)
{
    if (closed.part->limit.countRejected) {
        return enoughWait(forgottenNs(closed.part->limit));
    }
    const int attempts = engine::attemptsThatLast(behaviour, closed.waitNs);
    const std::int64_t retries = behaviour.attempts - 1;
    return attempts != 0 ? fmt::format("`attempts: {}` with these waits", attempts)
                         : enoughWait(roundedUp(closed.waitNs, retries));
}

/// "; so it is with 2 more rules, up to 1 day".
std::string andOthers(const std::vector<Closed>& closed)
{
    const auto longest = std::max_element(
        closed.begin(), closed.end(),
        [](const Closed& one, const Closed& other) { return one.longestNs < other.longestNs; });
    const auto others = static_cast<std::int64_t>(closed.size()) - 1;
    return others == 0
        ? std::string()
        : fmt::format("; so it is with {}, up to {}", counted(others, "more rule", "more rules"),
                      inWords(longest->longestNs));
}

/// One behaviour against all rules.
class Retries {
public:
    Retries(const Survey& survey, const Behaviour& behaviour, Findings& findings)
        : m_survey(survey)
        , m_behaviour(behaviour)
        , m_findings(findings)
        , m_latest(engine::latestAttempts(behaviour))
    {
    }

    void check()
    {
        if (m_behaviour.capNs == 0) {
            return; // it does not wait at all: that is told of the profile
        }
        if (const auto closed = closedBy(Recovery::TooSoon); !closed.empty()) {
            tellGivesUp(closed);
        }
        if (const auto closed = closedBy(Recovery::KeptFull); !closed.empty()) {
            tellKeptOut(closed);
        }
    }

private:
    /// The rules that it does not get past in this way, and that do not live with it, by their
    /// waits.
    std::vector<Closed> closedBy(Recovery how)
    {
        const std::string_view code
            = how == Recovery::TooSoon ? "clients.gives-up" : "clients.kept-out";
        std::vector<Closed> all;
        for (const SurveyedRule& rule : m_survey.rules) {
            const Closed closed = soonestOf(rule, how);
            if (closed.part != nullptr && !m_findings.isAllowed(rule.rule->allow, code)) {
                all.push_back(closed);
            }
        }
        std::stable_sort(all.begin(), all.end(), [](const Closed& one, const Closed& other) {
            return one.waitNs < other.waitNs;
        });
        return all;
    }

    /// Of a rule and its overrides the one that has room soonest.
    [[nodiscard]] Closed soonestOf(const SurveyedRule& rule, Recovery how) const
    {
        Closed soonest;
        for (const Part& part : rule.parts) {
            const std::int64_t cost = leastCost(part);
            if (!part.isEnforced() || cost == 0
                || engine::recoveryFrom(part.limit, cost, m_behaviour, m_latest) != how) {
                continue;
            }
            const std::int64_t waitNs = *engine::longestWaitNs(part.limit, cost);
            const std::int64_t longestNs = std::max(soonest.longestNs, waitNs);
            if (soonest.part == nullptr || waitNs < soonest.waitNs) {
                soonest = {&rule, &part, waitNs, longestNs};
            }
            soonest.longestNs = longestNs;
        }
        return soonest;
    }

    void tellGivesUp(const std::vector<Closed>& closed)
    {
        const Closed& first = closed.front();
        m_findings.tell(
            "clients.gives-up", first.part->rate->at,
            fmt::format("clients that behave as `{}` give up {} the first rejection, and {}, {}, "
                        "admits nothing for {}{}",
                        language::shown(m_behaviour.name),
                        lastAttempt(m_behaviour, m_latest.back()), namedWithLimit(first),
                        usedUp(first.part->limit), inWords(first.waitNs), andOthers(closed)),
            fmt::format("let them heed Retry-After (`retry_after: at_least`); {} would last long "
                        "enough{}",
                        enough(m_behaviour, first), closed.size() == 1 ? "" : " for this rule"));
    }

    void tellKeptOut(const std::vector<Closed>& closed)
    {
        const Closed& first = closed.front();
        const std::int64_t periodNs = first.part->limit.rate.periodNs;
        const auto recent = std::count_if(m_latest.begin(), m_latest.end(), [&](std::int64_t atNs) {
            return m_latest.back() - atNs < periodNs;
        });
        m_findings.tell(
            "clients.kept-out", first.part->rate->at,
            fmt::format("clients that behave as `{}` never get past {}, {}: it counts what it "
                        "rejects, and their own attempts, {} within {}, keep it full{}",
                        language::shown(m_behaviour.name), namedWithLimit(first),
                        usedUp(first.part->limit), grouped(recent), inWords(periodNs),
                        andOthers(closed)),
            fmt::format("let them heed Retry-After (`retry_after: at_least`); {} would let it "
                        "empty{}",
                        enough(m_behaviour, first), closed.size() == 1 ? "" : " here"));
    }

    const Survey& m_survey;
    const Behaviour& m_behaviour;
    Findings& m_findings;
    std::vector<std::int64_t> m_latest; ///< attempts
};

} // namespace

void checkRetries(const Survey& survey, const engine::ClientProfile& clients, Findings& findings)
{
    for (const Behaviour& behaviour : clients.behaviours) {
        Retries(survey, behaviour, findings).check();
    }
}

} // namespace policies::advice
