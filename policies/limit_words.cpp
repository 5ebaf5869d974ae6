#include "policies/limit_words.h"

#include "engine/worst_case.h"
#include "policies/advice/words.h"
#include "policies/language/limits.h"
#include "policies/writing/match_words.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

namespace policies {
namespace {

using advice::counted;
using advice::grouped;
using advice::inWords;
using engine::Algorithm;
using writing::joined;

constexpr std::int64_t kSecondNs = 1'000'000'000;

constexpr std::array<std::pair<std::int64_t, std::string_view>, 6> kUnits {{
    {1'000'000, "ms"},
    {kSecondNs, "second"},
    {60 * kSecondNs, "minute"},
    {3600 * kSecondNs, "hour"},
    {86'400 * kSecondNs, "day"},
    {7 * 86'400 * kSecondNs, "week"},
}};

/// "minute" for one of them, else "10 min", as `1000 per 10 min`.
std::string spanName(std::int64_t ns)
{
    for (const auto& [size, name] : kUnits) {
        if (ns == size) {
            return std::string(name);
        }
    }
    return inWords(ns);
}

std::string rateWords(const engine::Rate& rate)
{
    return fmt::format("{} per {}", grouped(rate.count), spanName(rate.periodNs));
}

engine::Match wholeMatch(const engine::PlanRule& rule)
{
    engine::Match match = rule.match;
    match.insert(match.end(), rule.overrideMatch.begin(), rule.overrideMatch.end());
    match.insert(match.end(), rule.classMatch.begin(), rule.classMatch.end());
    return match;
}

std::string attributeWords(const std::string& attribute)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kNames {{
        {"api_key", "API key"},
        {"client_ip", "client address"},
        {"user_agent", "user agent"},
    }};
    for (const auto& [name, words] : kNames) {
        if (attribute == name) {
            return std::string(words);
        }
    }
    return attribute;
}

/// Who may: "an API key may ", "a tenant and repo together may ", "all requests together: ".
std::string subjectWords(const std::vector<std::string>& key)
{
    if (key.empty()) {
        return "all requests together: ";
    }
    std::vector<std::string> names;
    for (const std::string& attribute : key) {
        names.push_back(attributeWords(attribute));
    }
    const bool isVowel = names[0].find_first_of("AEIOaeio") == 0;
    return fmt::format("{} {}{} may ", isVowel ? "an" : "a", joined(names, "and"),
                       names.size() > 1 ? " together" : "");
}

std::string ordinal(std::int64_t number)
{
    const bool isTeen = number % 100 >= 11 && number % 100 <= 13;
    const std::int64_t last = isTeen ? 0 : number % 10;
    return grouped(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

/// What it may, behind "may " (`verb` given), or behind a colon.
class Predicate {
public:
    Predicate(const engine::Limit& limit, bool allCount, bool hasSubject)
        : m_limit(limit)
        , m_allCount(allCount)
        , m_send(hasSubject ? "send " : "")
    {
    }

    [[nodiscard]] LimitWords words() const
    {
        if (engine::holdsSlots(m_limit.algorithm)) {
            return {(m_send.empty() ? "" : "have ") + slots(), durations()};
        }
        if (m_limit.rate.count == 0) {
            return {m_send + "nothing", "A rate of 0 denies whatever costs something."};
        }
        switch (m_limit.algorithm) {
        case Algorithm::FixedWindow:
            return window();
        case Algorithm::SlidingWindowLog:
            return {m_send + inAny("") + ", counted exactly",
                    fmt::format("Up to {} a key: {}.",
                                counted(m_limit.rate.count, "entry", "entries"),
                                advice::bytesInWords(advice::times(16, m_limit.rate.count)))};
        case Algorithm::SlidingWindowCounter:
            return {m_send + inAny("about "),
                    fmt::format("The {} before counts in part, as if it had been even.",
                                spanName(m_limit.rate.periodNs))};
        case Algorithm::LeakyBucket:
            return queue();
        case Algorithm::Gcra:
            return m_limit.toleranceNs ? spaced() : bucket();
        default:
            return bucket();
        }
    }

private:
    [[nodiscard]] std::string inAny(std::string_view about) const
    {
        return fmt::format("{}{} in any {}", about, grouped(m_limit.rate.count),
                           spanName(m_limit.rate.periodNs));
    }

    [[nodiscard]] LimitWords window() const
    {
        const std::string span = spanName(m_limit.rate.periodNs);
        const std::string count = grouped(m_limit.rate.count);
        const std::string what = m_limit.alignToFirstRequest
            ? fmt::format("{} in each {} from its first request", count, span)
            : fmt::format("{} in each {}", count,
                          span.find(' ') == std::string::npos ? "clock " + span
                                                              : span + " of the clock");
        return {m_send + what,
                fmt::format("Up to {} in the {} around an edge.",
                            grouped(engine::mostAroundEdge(m_limit, 1, m_allCount).total()), span)};
    }

    [[nodiscard]] LimitWords bucket() const
    {
        const WorstSpan worst = worstSpan(m_limit);
        const std::string burst = grouped(m_limit.burst);
        return {fmt::format("burst {}, then {}", burst, rateWords(m_limit.rate)),
                fmt::format("Worst first {} after idling: {} ({} + {}).", worst.name,
                            grouped(worst.most), burst, grouped(worst.most - m_limit.burst))};
    }

    [[nodiscard]] LimitWords spaced() const
    {
        const bool isExact = m_limit.rate.periodNs % m_limit.rate.count == 0;
        const std::string early = inWords(*m_limit.toleranceNs);
        return {
            fmt::format("{}one per {}{}, {}", m_send,
                        isExact ? "" : "about ", // inWords() may say it, too
                        spaceText(),
                        m_send.empty() ? early + " early at most" : "and be " + early + " early"),
            fmt::format("{} at once, then {}.", grouped(engine::capacityOf(m_limit)),
                        rateWords(m_limit.rate))};
    }

    [[nodiscard]] std::string spaceText() const
    {
        std::string text = inWords(engine::spacingNs(m_limit));
        return text.starts_with("about ") ? text.substr(6) : text;
    }

    [[nodiscard]] LimitWords queue() const
    {
        // A wait is as long as the backlog before it, of which delay_after passes at once.
        engine::Limit waits = m_limit;
        const std::int64_t waiting = std::max<std::int64_t>(0, m_limit.queue - m_limit.delayAfter);
        waits.queue = std::max<std::int64_t>(0, waiting - 1);
        const std::string longest = inWords(waiting == 0 ? 0 : engine::refillNs(waits));
        std::string text = m_send + rateWords(m_limit.rate);
        if (m_limit.queue == 0) {
            text += "; none wait";
        } else if (waiting == 0) {
            text += fmt::format("; up to {} more at once, none wait", grouped(m_limit.queue));
        } else {
            text += fmt::format("; up to {} wait, at most {}", grouped(m_limit.queue), longest);
            text += m_limit.delayAfter == 0
                ? ""
                : fmt::format(", the first {} not at all", grouped(m_limit.delayAfter));
        }
        return {text,
                fmt::format("The {} at one instant is rejected.",
                            ordinal(engine::capacityOf(m_limit) + 1))};
    }

    [[nodiscard]] std::string slots() const
    {
        if (m_limit.algorithm == Algorithm::AdaptiveConcurrency) {
            return fmt::format("{} to {} in flight, learnt from the durations ({}), {} at first",
                               grouped(m_limit.minimum), grouped(m_limit.maximum),
                               engine::nameOf(m_limit.strategy), grouped(m_limit.initial));
        }
        const std::string capacity = grouped(m_limit.inFlight);
        if (m_limit.algorithm == Algorithm::Concurrency) {
            return capacity + " in flight";
        }
        if (m_limit.strategy == engine::Strategy::Utilisation) {
            return fmt::format("any number in flight{}", sheddingOf(capacity));
        }
        return m_limit.upTo == 100 ? capacity + " in flight"
                                   : fmt::format("{} of {} in flight, all classes together",
                                                 grouped(engine::slotsOf(m_limit)), capacity);
    }

    /// Under strategy utilisation: when requests of the class are shed.
    [[nodiscard]] std::string sheddingOf(const std::string& capacity) const
    {
        if (!m_limit.shedAfter) {
            return ", and is never shed";
        }
        const std::string order = *m_limit.shedAfter == 0
            ? "before other classes"
            : "after " + counted(*m_limit.shedAfter, "other class", "other classes");
        return fmt::format(", shed {} while a capacity of {} is in use for long", order, capacity);
    }

    [[nodiscard]] std::string durations() const
    {
        const std::string other = m_limit.assumeDurationNs
            ? fmt::format("; {} where there is none", inWords(*m_limit.assumeDurationNs))
            : "";
        const bool learns = m_limit.algorithm == Algorithm::AdaptiveConcurrency;
        return fmt::format("Durations are those recorded{}{}.",
                           learns ? ", as they were without this limit" : "", other);
    }

    const engine::Limit& m_limit;
    bool m_allCount;
    std::string m_send;
};

std::string costWords(const engine::Cost& cost)
{
    if (!cost.attribute.empty()) {
        return cost.per == 1 ? fmt::format(" A request counts its {}.", cost.attribute)
                             : fmt::format(" A request counts 1 for each {} of its {}.",
                                           grouped(cost.per), cost.attribute);
    }
    return cost.fixed == 1 ? "" : fmt::format(" A request counts {}.", grouped(cost.fixed));
}

std::string cardLimit(const engine::Limit& limit)
{
    const std::string rate = rateWords(limit.rate);
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowCounter:
        return rate;
    case Algorithm::SlidingWindowLog:
        return rate + ", exact";
    case Algorithm::TokenBucket:
    case Algorithm::Gcra:
        return limit.toleranceNs ? fmt::format("{}, {} early", rate, inWords(*limit.toleranceNs))
                                 : fmt::format("{}, burst {}", rate, grouped(limit.burst));
    case Algorithm::LeakyBucket:
        return fmt::format("{}, queue {}", rate, grouped(limit.queue));
    case Algorithm::AdaptiveConcurrency:
        return fmt::format("{} to {} in flight, {}", grouped(limit.minimum), grouped(limit.maximum),
                           engine::nameOf(limit.strategy));
    case Algorithm::LoadShedder:
        return fmt::format("capacity {}, {}", grouped(limit.inFlight),
                           engine::nameOf(limit.strategy));
    case Algorithm::Concurrency:
        break;
    }
    return grouped(limit.inFlight) + " in flight";
}

/// "browse above 50 in flight, then batch above 80"; the least share first.
std::string orderWords(const Rule& rule, engine::Limit limit)
{
    std::vector<std::pair<std::int64_t, std::string>> order;
    const std::vector<ShedClass>& classes = classesOf(rule);
    const bool isFleet = limit.strategy == engine::Strategy::Fleet;
    for (std::size_t i = classes.size(); i > 0; --i) { // the last class goes first
        limit.upTo = classes[i - 1].upTo.value;
        order.emplace_back(isFleet ? engine::slotsOf(limit) : 0, classes[i - 1].name.value);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string words;
    for (const auto& [slots, name] : order) {
        words += (words.empty() ? "" : ", then ") + name;
        words += isFleet ? fmt::format(" above {} in flight", grouped(slots)) : "";
    }
    return words;
}

} // namespace

LimitWords limitWords(const engine::PlanRule& rule, bool allCount)
{
    LimitWords words = Predicate(rule.limit, allCount, !rule.key.empty()).words();
    std::string lead = rule.mode == engine::Mode::Enforce ? ""
        : rule.mode == engine::Mode::Shadow               ? "In shadow: "
                                                          : "Off. Would be: ";
    std::string scope = writing::scopeWords(wholeMatch(rule));
    if (!lead.empty() && !scope.empty()) {
        scope[0] = 'f';
    }
    std::string subject = subjectWords(rule.key);
    if (lead.empty() && scope.empty()) {
        subject[0] = static_cast<char>(subject[0] - 'a' + 'A');
    }
    words.sentence = lead + scope + subject + words.sentence + ".";
    words.more += costWords(rule.cost);
    return words;
}

CardWords cardWords(const engine::PlanRule& rule)
{
    return {matchWords(wholeMatch(rule)),
            rule.key.empty() ? "one bucket for all" : "per " + joined(rule.key, "and"),
            cardLimit(rule.limit)};
}

std::string slotWords(const Rule& rule, const Override* override)
{
    std::string words;
    const auto limit = language::limitOf(rule, language::valuesOf(rule, override));
    if (limit && !classesOf(rule).empty()) {
        words = " Sheds " + orderWords(rule, *limit) + ".";
    }
    if (rule.tighten) {
        const Tighten& tighten = rule.tighten->value;
        words
            += fmt::format(" A request counts {} times as much while {} is at {}% of its limit "
                           "or more.",
                           grouped(tighten.factor.value), tighten.rule.value, tighten.above.value);
    }
    return words;
}

std::string matchWords(const engine::Match& match)
{
    return writing::conditionWords(match);
}

WorstSpan worstSpan(const engine::Limit& limit)
{
    if (engine::holdsSlots(limit.algorithm)) {
        const bool learns = limit.algorithm == Algorithm::AdaptiveConcurrency;
        return {0, learns ? limit.maximum : engine::capacityOf(limit), "instant"};
    }
    const bool isWindow = limit.algorithm == Algorithm::FixedWindow
        || limit.algorithm == Algorithm::SlidingWindowLog
        || limit.algorithm == Algorithm::SlidingWindowCounter;
    std::string name = spanName(limit.rate.periodNs);
    std::int64_t lengthNs = limit.rate.periodNs;
    if (!isWindow && limit.rate.count > 0) {
        // The shortest clock unit in which something comes in again; both its ends count.
        lengthNs = lengthNs < std::numeric_limits<std::int64_t>::max() ? lengthNs + 1 : lengthNs;
        for (const auto& [size, unit] : kUnits) {
            if (size >= kSecondNs && engine::spacingNs(limit) <= size) {
                lengthNs = size + 1;
                name = unit;
                break;
            }
        }
    }
    return {lengthNs, *engine::mostWithin(limit, lengthNs), std::move(name)};
}

} // namespace policies
