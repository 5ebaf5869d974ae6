#include "engine/answer/problem.h"

#include <array>
#include <utility>

namespace engine::answering {
namespace {

constexpr int kServiceUnavailable = 503;

/// "1 min", "90 s", "250 ms": in the largest unit that has no rest.
std::string periodWords(std::int64_t ns)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kUnits {
        {{" day", 86'400'000'000'000},
         {" h", 3'600'000'000'000},
         {" min", 60'000'000'000},
         {" s", 1'000'000'000},
         {" ms", 1'000'000},
         {" us", 1'000}}};
    for (const auto& [unit, unitNs] : kUnits) {
        if (ns % unitNs == 0) {
            return std::to_string(ns / unitNs).append(unit);
        }
    }
    return std::to_string(ns) + " ns";
}

/// "12 per 1 min, 2 at once"; `quota` is what it admits at one instant as it stands.
std::string limitWords(const Limit& limit, std::int64_t quota)
{
    const std::string most = std::to_string(quota);
    const std::string rate
        = std::to_string(limit.rate.count) + " per " + periodWords(limit.rate.periodNs);
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
    case Algorithm::SlidingWindowLog:
    case Algorithm::SlidingWindowCounter:
        return rate;
    case Algorithm::TokenBucket:
    case Algorithm::Gcra:
        return rate + ", " + most + " at once";
    case Algorithm::LeakyBucket:
        return rate + ", and lets " + std::to_string(limit.queue) + " wait";
    case Algorithm::Concurrency:
    case Algorithm::AdaptiveConcurrency:
    case Algorithm::LoadShedder:
        break;
    }
    return most + " in flight";
}

std::string secondsWords(std::int64_t waitNs)
{
    return std::to_string(headerSeconds(waitNs)) + " s";
}

/// "Rule search of tier endpoint admits 12 per 1 min, 2 at once; it resets in 7 s."
std::string ruleSentence(const ToldRule& told)
{
    std::string text = "Rule " + told.name + " of tier ";
    text.append(nameOf(told.rule->tier)).append(" admits ");
    text += told.quota.quota == 0
        ? "nothing"
        : limitWords(told.rule->limit,
                     told.quota.isInFlight ? told.quota.quota : capacityOf(told.rule->limit));
    if (!told.quota.isInFlight && told.quota.quota != capacityOf(told.rule->limit)) {
        text += " on all servers, " + std::to_string(told.quota.quota) + " at once on this one";
    }
    const std::optional<std::int64_t>& fullNs = told.decision->figures.fullAfterNs;
    if (fullNs && *fullNs > 0) {
        text += "; it resets in " + secondsWords(*fullNs);
    }
    return text + ".";
}

/// What a client can do about it.
std::string adviceSentence(const Decision& decision, const std::vector<const ToldRule*>& denials)
{
    if (decision.retryAfterNs) {
        return " Try again in " + secondsWords(*decision.retryAfterNs) + ".";
    }
    for (const ToldRule* told : denials) {
        const bool isTightened = told->rule->tighten.has_value();
        const bool isDrawn = told->rule->limit.algorithm == Algorithm::LoadShedder
            && told->rule->limit.strategy == Strategy::Utilisation;
        if (isTightened || isDrawn) {
            return " When it passes again is not known: that depends on what is in flight.";
        }
        if (told->quota.quota > 0 && told->decision->cost > told->quota.quota) {
            return " No wait helps: this request costs " + std::to_string(told->decision->cost)
                + ", and " + told->name + " never has more than "
                + std::to_string(told->quota.quota) + ".";
        }
    }
    return " No wait helps.";
}

/// The code point at the start of `text`, and how many bytes it takes. What is not UTF-8 is
/// U+FFFD, byte by byte.
std::pair<std::uint32_t, std::size_t> codePoint(std::string_view text)
{
    constexpr std::pair<std::uint32_t, std::size_t> kNone {0xfffd, 1};
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::uint32_t first = byte(0);
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) {
        return kNone;
    }
    std::uint32_t value = first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) {
            return kNone;
        }
        value = value << 6U | (byte(i) & 0x3fU);
    }
    const bool isOverlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool isSurrogate = value >= 0xd800 && value <= 0xdfff;
    return isOverlong || isSurrogate || value > 0x10ffff ? kNone : std::pair(value, length);
}

void appendUnit(std::string& out, std::uint32_t unit)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) {
        out += kDigits[unit >> shift & 15U];
    }
}

/// A JSON string in ASCII: whatever shows or stores a body does no more to it than to these.
std::string quoted(std::string_view text)
{
    std::string out = "\"";
    while (!text.empty()) {
        const auto [value, length] = codePoint(text);
        text.remove_prefix(length);
        if (value == '"' || value == '\\') {
            out += '\\';
            out += static_cast<char>(value);
        } else if (value >= 0x20 && value < 0x7f) {
            out += static_cast<char>(value);
        } else if (value < 0x10000) {
            appendUnit(out, value);
        } else {
            appendUnit(out, 0xd800U + ((value - 0x10000) >> 10U));
            appendUnit(out, 0xdc00U + (value & 0x3ffU));
        }
    }
    out += '"';
    return out;
}

} // namespace

Problem problemOf(const Plan& plan, const Decision& decision, const std::vector<ToldRule>& rules)
{
    Problem problem;
    problem.status
        = decision.isStoreAway ? kServiceUnavailable : plan.rules[decision.verdict.rule].status;
    const bool isShort = problem.status == kServiceUnavailable;
    problem.type = isShort
        ? "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"
        : "https://iana.org/assignments/http-problem-types#quota-exceeded";
    problem.title = isShort ? "Temporary Reduced Capacity" : "Quota Exceeded";
    std::vector<const ToldRule*> denials;
    for (const ToldRule& told : rules) {
        if (!told.decision->admits) {
            denials.push_back(&told);
            problem.violatedPolicies.push_back(told.name);
            problem.detail += (problem.detail.empty() ? "" : " ") + ruleSentence(told);
        }
    }
    if (decision.isStoreAway) {
        problem.detail += (problem.detail.empty() ? "" : " ")
            + ("Rule " + policyName(plan.rules[decision.verdict.rule]))
            + " cannot be judged: the store of its counts is away.";
        return problem; // nobody knows for how long
    }
    problem.detail += adviceSentence(decision, denials);
    return problem;
}

} // namespace engine::answering

namespace engine {

std::string problemJson(const Problem& problem)
{
    using answering::quoted;
    std::string policies;
    for (const std::string& name : problem.violatedPolicies) {
        policies += (policies.empty() ? "" : ", ") + quoted(name);
    }
    std::string out = "{\n";
    out += "  \"type\": " + quoted(problem.type) + ",\n";
    out += "  \"title\": " + quoted(problem.title) + ",\n";
    out += "  \"status\": " + std::to_string(problem.status) + ",\n";
    out += "  \"detail\": " + quoted(problem.detail) + ",\n";
    out += "  \"violated-policies\": [" + policies + "]\n";
    out += "}\n";
    return out;
}

} // namespace engine
