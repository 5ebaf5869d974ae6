#include "engine/recovery.h"
#include "engine/worst_case.h"
#include "policies/advice/checks.h"
#include "policies/advice/words.h"
#include "policies/language/numbers.h"
#include "policies/language/words.h"

#include <algorithm>
#include <fmt/format.h>

/// clients.*: clients that come again, and still do not get past a limit that was used up.
///
/// What is said holds for one key that nobody else uses meanwhile, which is the best that can
/// happen to a client, and for the longest waits that its behaviour can draw; nothing is said where
/// an earlier tier may delay its attempts.
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

/// The least that a request can cost that costs anything.
std::int64_t leastCost(const Part& part)
{
    return part.hasFixedCost() ? part.cost.fixed : 1;
}

std::string namedWithLimit(const Closed& closed)
{
    return fmt::format("{} ({})", closed.rule->named(*closed.part), inWords(closed.part->limit));
}

/// What longestWaitNs() takes the limit for: full, and then used up in a moment. Used up bit by bit
/// it has room sooner.
std::string usedUp(const Closed& closed)
{
    const engine::Limit& limit = closed.part->limit;
    const std::int64_t many = engine::capacityOf(limit) / leastCost(*closed.part);
    const bool hasWindows = limit.algorithm == Algorithm::FixedWindow
        || limit.algorithm == Algorithm::SlidingWindowCounter;
    return fmt::format("{} used at {}",
                       many == 1 ? std::string("its one is")
                                 : fmt::format("all {} are", grouped(many)),
                       hasWindows ? "the start of a window" : "one instant");
}

/// When the last attempt comes: to the nanosecond if nothing is drawn and no budget ends it sooner,
/// else what it stays below.
std::string lastAttempt(const Behaviour& behaviour, std::int64_t lastNs)
{
    const bool isDrawn = behaviour.jitter != engine::Jitter::None && lastNs >= kMilli;
    const std::string last = inWords(isDrawn ? times(lastNs / kMilli + 1, kMilli) : lastNs);
    const char* const bound = isDrawn ? "less than " : behaviour.budgetPercent ? "at most " : "";
    return fmt::format("{}{} after", bound, last);
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

/// Does every request cost what is counted with here?
bool isCostKnown(const Closed& closed)
{
    return closed.part->hasFixedCost() && !closed.rule->rule->tighten;
}

/// Of a behaviour without a budget: one may end it before any number of attempts.
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

/// "; so it is with 2 more rules".
std::string andOthers(const std::vector<Closed>& closed)
{
    const auto others = static_cast<std::int64_t>(closed.size()) - 1;
    return others == 0
        ? std::string()
        : fmt::format("; so it is with {}", counted(others, "more rule", "more rules"));
}

/// The same with what they take: ", up to 1 day".
std::string andOthersUpTo(const std::vector<Closed>& closed)
{
    const auto longest = std::max_element(
        closed.begin(), closed.end(),
        [](const Closed& one, const Closed& other) { return one.longestNs < other.longestNs; });
    return closed.size() == 1
        ? std::string()
        : fmt::format("{}, up to {}", andOthers(closed), inWords(longest->longestNs));
}

/// The first tier behind one that may delay requests: there, and in all that follow, attempts come
/// later than the client makes them. Behind the last one: nothing delays.
std::size_t firstDelayedTier(const Survey& survey)
{
    std::size_t tier = engine::kTierCount;
    for (const SurveyedRule& rule : survey.rules) {
        if (rule.isEnforced() && rule.rule->algorithm.value == Algorithm::LeakyBucket) {
            tier = std::min(tier, static_cast<std::size_t>(rule.rule->tier) + 1);
        }
    }
    return tier;
}

/// One behaviour against all rules.
class Retries {
public:
    Retries(const Survey& survey, const Behaviour& behaviour, Findings& findings)
        : m_survey(survey)
        , m_behaviour(behaviour)
        , m_findings(findings)
        , m_latest(engine::latestAttempts(behaviour))
        , m_firstDelayed(firstDelayedTier(survey))
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
            if (static_cast<std::size_t>(rule.rule->tier) >= m_firstDelayed) {
                continue;
            }
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

    /// What to do: with what they have now, if that is known to help.
    [[nodiscard]] std::string helpFor(const std::vector<Closed>& closed, std::string_view would,
                                      std::string_view where) const
    {
        std::string help = "let them heed Retry-After (`retry_after: at_least`)";
        if (!m_behaviour.budgetPercent && isCostKnown(closed.front())) {
            help += fmt::format("; {} would {}{}", enough(m_behaviour, closed.front()), would,
                                closed.size() == 1 ? std::string_view() : where);
        }
        return help;
    }

    void tellGivesUp(const std::vector<Closed>& closed)
    {
        const Closed& first = closed.front();
        m_findings.tell(
            "clients.gives-up", first.part->rate->at,
            fmt::format("clients that behave as `{}` give up {} the first rejection, and {}, once "
                        "{}, admits nothing for {}{}",
                        language::shown(m_behaviour.name),
                        lastAttempt(m_behaviour, m_latest.back()), namedWithLimit(first),
                        usedUp(first), inWords(first.waitNs), andOthersUpTo(closed)),
            helpFor(closed, "last long enough", " for this rule"));
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
            fmt::format("clients that behave as `{}` may keep themselves out of {}: it counts what "
                        "it rejects, and where {} as the first attempt comes, their own attempts, "
                        "{}{} within {}, can keep it full{}",
                        language::shown(m_behaviour.name), namedWithLimit(first), usedUp(first),
                        m_behaviour.jitter == engine::Jitter::None ? "" : "at least ",
                        grouped(recent), inWords(periodNs), andOthers(closed)),
            helpFor(closed, "let it empty", " here"));
    }

    const Survey& m_survey;
    const Behaviour& m_behaviour;
    Findings& m_findings;
    std::vector<std::int64_t> m_latest; ///< attempts
    std::size_t m_firstDelayed; ///< tier
};

} // namespace

void checkRetries(const Survey& survey, const engine::ClientProfile& clients, Findings& findings)
{
    for (const Behaviour& behaviour : clients.behaviours) {
        Retries(survey, behaviour, findings).check();
    }
}

} // namespace policies::advice
