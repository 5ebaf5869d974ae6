#include "policies/fingerprint.h"

#include "policies/language/limits.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace policies {
namespace {

__extension__ using Wide = unsigned __int128;

/// FNV-1a over 128 bits: public, a page long, and the same on every machine.
class Fnv {
public:
    void add(std::string_view bytes)
    {
        for (const char c : bytes) {
            m_value ^= static_cast<unsigned char>(c);
            m_value *= kPrime;
        }
    }

    [[nodiscard]] std::string hex() const
    {
        return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(m_value >> 64U),
                           static_cast<std::uint64_t>(m_value));
    }

private:
    static constexpr Wide kPrime = (Wide {0x0000000001000000ULL} << 64U) | 0x000000000000013BULL;
    Wide m_value = (Wide {0x6C62272E07BB0142ULL} << 64U) | 0x62B821756295C58DULL;
};

/// Writes values so that different lists of values never give the same text: each with its length.
class Meaning {
public:
    Meaning& text(std::string_view value)
    {
        m_text += fmt::format("{}:", value.size());
        m_text += value;
        return *this;
    }

    Meaning& number(std::int64_t value)
    {
        m_text += fmt::format("{};", value);
        return *this;
    }

    template <class T> Meaning& maybe(const std::optional<T>& value)
    {
        m_text += value ? "+" : "-";
        if constexpr (std::is_same_v<T, std::string>) {
            return value ? text(*value) : *this;
        } else {
            return value ? number(*value) : *this;
        }
    }

    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

std::string listMeaning(std::vector<std::string> parts, bool isOrdered)
{
    if (!isOrdered) {
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    }
    Meaning meaning;
    meaning.number(static_cast<std::int64_t>(parts.size()));
    for (const std::string& part : parts) {
        meaning.text(part);
    }
    return meaning.take();
}

std::string meaningOf(const engine::Match& match)
{
    std::vector<std::string> entries;
    for (const engine::Matcher& matcher : match) {
        std::vector<std::string> tests;
        for (const engine::Test& test : matcher.anyOf) {
            tests.push_back(Meaning()
                                .number(static_cast<int>(test.kind))
                                .text(test.text)
                                .number(test.low)
                                .number(test.high)
                                .take());
        }
        entries.push_back(Meaning()
                              .text(matcher.attribute)
                              .number(matcher.negated ? 1 : 0)
                              .text(listMeaning(std::move(tests), false))
                              .take());
    }
    return listMeaning(std::move(entries), false);
}

std::string meaningOf(const engine::Derivation& derivation)
{
    Meaning meaning;
    meaning.text(derivation.name).text(derivation.from).number(static_cast<int>(derivation.kind));
    meaning.text(derivation.pattern)
        .text(derivation.take)
        .number(derivation.ipv4Bits)
        .number(derivation.ipv6Bits);
    meaning.maybe(derivation.fallback).text(derivation.param);
    std::vector<std::string> rows;
    if (derivation.table) {
        for (const auto& [key, value] : *derivation.table) {
            rows.push_back(Meaning().text(key).text(value).take());
        }
    }
    return meaning.text(listMeaning(std::move(rows), false)).take();
}

std::string meaningOf(const engine::Limit& limit)
{
    const engine::Rate rate = language::comparableRate(limit);
    Meaning meaning;
    meaning.text(engine::nameOf(limit.algorithm)).number(rate.count).number(rate.periodNs);
    meaning.number(limit.burst)
        .maybe(limit.toleranceNs)
        .number(limit.queue)
        .number(limit.delayAfter);
    meaning.number(limit.alignToFirstRequest ? 1 : 0)
        .number(limit.anchorNs)
        .number(limit.floorEstimate ? 1 : 0);
    meaning.number(limit.countRejected ? 1 : 0)
        .number(limit.inFlight)
        .maybe(limit.assumeDurationNs);
    // What came later is written only where there is some, so that older fingerprints hold.
    if (limit.algorithm == engine::Algorithm::AdaptiveConcurrency) {
        meaning.text(engine::nameOf(limit.strategy))
            .number(limit.initial)
            .number(limit.minimum)
            .number(limit.maximum);
    } else if (limit.algorithm == engine::Algorithm::LoadShedder) {
        meaning.text(engine::nameOf(limit.strategy)).number(limit.upTo).maybe(limit.shedAfter);
    }
    return meaning.take();
}

/// Appended where there is any of it.
void addLater(Meaning& meaning, const engine::PlanRule& rule, const engine::Plan& plan)
{
    if (rule.className) {
        meaning.text("class").text(*rule.className).text(meaningOf(rule.classMatch));
    }
    if (rule.stateBefore != 0) {
        meaning.text("state").number(rule.stateBefore);
    }
    if (rule.tighten) {
        meaning.text("tighten")
            .text(plan.rules[rule.tighten->rule].rule)
            .number(rule.tighten->above)
            .number(rule.tighten->factor);
    }
}

std::string meaningOf(const engine::PlanRule& rule, const engine::Plan& plan)
{
    Meaning meaning;
    meaning.text(rule.rule)
        .maybe(rule.overrideName)
        .text(engine::nameOf(rule.tier))
        .text(engine::nameOf(rule.mode));
    meaning.text(meaningOf(rule.match)).text(meaningOf(rule.overrideMatch));
    std::vector<std::string> unless;
    for (const engine::Match& match : rule.unless) {
        unless.push_back(meaningOf(match));
    }
    meaning.text(listMeaning(std::move(unless), false))
        .text(listMeaning(rule.key, true))
        .text(meaningOf(rule.limit));
    meaning.number(rule.cost.fixed).text(rule.cost.attribute).number(rule.cost.per);
    meaning.number(rule.status).number(static_cast<int>(rule.onStoreFailure));
    addLater(meaning, rule, plan);
    return meaning.take();
}

std::string attributesMeaning(const engine::Plan& plan)
{
    std::vector<std::string> parts;
    for (const engine::Derivation& derivation : plan.attributes) {
        parts.push_back(meaningOf(derivation));
    }
    return listMeaning(std::move(parts), true);
}

std::string rulesMeaning(const engine::Plan& plan)
{
    std::vector<std::string> parts;
    for (const engine::PlanRule& rule : plan.rules) {
        parts.push_back(meaningOf(rule, plan));
    }
    return listMeaning(std::move(parts), true);
}

} // namespace

std::string fingerprint(const engine::Plan& plan)
{
    Meaning meaning;
    meaning.text("weir policy")
        .number(kFingerprintForm)
        .text(plan.name)
        .number(static_cast<int>(plan.counting));
    meaning.text(attributesMeaning(plan));
    std::vector<std::string> exempt;
    for (const engine::Exemption& exemption : plan.exempt) {
        exempt.push_back(Meaning().text(exemption.name).text(meaningOf(exemption.match)).take());
    }
    meaning.text(listMeaning(std::move(exempt), true)).text(rulesMeaning(plan));
    Fnv hash;
    hash.add(meaning.take());
    return hash.hex();
}

} // namespace policies
