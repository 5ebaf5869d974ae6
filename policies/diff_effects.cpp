#include "policies/diff_effects.h"

#include "engine/worst_case.h"
#include "policies/language/limits.h"
#include "policies/language/numbers.h"
#include "policies/writing/policy_canon.h"
#include "policies/writing/scalar.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <optional>
#include <tuple>

namespace policies {
namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

/// A rule or one of its overrides, with the values that hold for it.
struct Limited {
    const Rule* rule = nullptr;
    const Override* override = nullptr;
    std::optional<engine::Limit> limit;
    engine::Mode mode = engine::Mode::Enforce;
    bool countsAll = false; ///< nothing that it admits goes uncounted

    [[nodiscard]] const MatchList* match() const
    {
        return override != nullptr ? &override->match : rule->match ? &*rule->match : nullptr;
    }
};

std::optional<Limited> limitedIn(const Policy& policy, const std::string& name,
                                 const std::string& overrideName)
{
    Limited found;
    found.rule = policy.rule(name);
    if (found.rule == nullptr) {
        return std::nullopt;
    }
    for (const Override& override : found.rule->overrides) {
        found.override = override.name.value == overrideName ? &override : found.override;
    }
    if (!overrideName.empty() && found.override == nullptr) {
        return std::nullopt;
    }
    const Values values = language::valuesOf(*found.rule, found.override);
    if (auto limit = language::limitOf(*found.rule, values)) {
        found.limit = *limit;
    }
    found.mode = language::modeOf(values);
    found.countsAll = language::countsAllItAdmits(policy, *found.rule);
    return found;
}

/// Units per second, rounded down, where that is a matter of one division.
std::optional<std::int64_t> perSecond(const engine::Rate& rate)
{
    std::int64_t count = 0;
    if (rate.periodNs % kSecondNs == 0) {
        return rate.count / (rate.periodNs / kSecondNs);
    }
    if (kSecondNs % rate.periodNs == 0
        && !__builtin_mul_overflow(rate.count, kSecondNs / rate.periodNs, &count)) {
        return count;
    }
    return std::nullopt;
}

std::string within(std::int64_t count, std::int64_t more, const std::string& period)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(count, more, &sum)
        ? fmt::format("{} + {} {}", count, more, period)
        : fmt::format("{} {}", sum, period);
}

/// The most that can pass, for costs of 1.
std::string worstCase(const Limited& limited)
{
    const engine::Limit& limit = *limited.limit;
    using engine::Algorithm;
    const std::int64_t n = limit.rate.count;
    const std::string period = "within " + language::durationText(limit.rate.periodNs);
    const std::int64_t capacity = engine::capacityOf(limit);
    const engine::AroundEdge edge = engine::mostAroundEdge(limit, 1, limited.countsAll);
    switch (limit.algorithm) {
    case Algorithm::FixedWindow:
        return within(edge.before, edge.after, period + ", around the edge of a window");
    case Algorithm::SlidingWindowCounter:
        return within(edge.before, edge.after, period + ", after a late burst");
    case Algorithm::SlidingWindowLog:
        return fmt::format("{} {}", n, period);
    case Algorithm::LeakyBucket:
        return fmt::format("{} at once, then {}", capacity, language::rateText(limit.rate));
    case Algorithm::TokenBucket:
    case Algorithm::Gcra:
        break;
    case Algorithm::AdaptiveConcurrency:
        return fmt::format("{} to {} at a time, as durations go", limit.minimum, limit.maximum);
    case Algorithm::LoadShedder:
        return limit.strategy == engine::Strategy::Fleet
            ? fmt::format("{} at a time", limit.inFlight)
            : fmt::format("no bound: shed while {} at a time are reached for long", limit.inFlight);
    case Algorithm::Concurrency:
        return fmt::format("{} at a time", limit.inFlight);
    }
    if (n == 0) {
        return "nothing";
    }
    const std::optional<std::int64_t> second = perSecond(limit.rate);
    const std::string span = second ? "in the first second" : period;
    if (limit.toleranceNs) { // no whole burst: what is left of it counts with what comes in
        const std::int64_t spanNs = second ? kSecondNs : limit.rate.periodNs;
        return fmt::format("{} at once, {} {}", capacity, *engine::mostWithin(limit, spanNs + 1),
                           span);
    }
    return fmt::format("{} at once, {}", capacity, within(capacity, second.value_or(n), span));
}

/// "twice as many", "50% fewer": exact in whole multiples, else rounded to a tenth of a percent.
std::string ratioText(std::int64_t before, std::int64_t after)
{
    if (after % before == 0) {
        return fmt::format("{} times as many", after / before);
    }
    if (after != 0 && before % after == 0) {
        return fmt::format("1/{} as many", before / after);
    }
    std::int64_t scaled = 0;
    const std::int64_t change = after > before ? after - before : before - after;
    if (__builtin_mul_overflow(change, std::int64_t {2000}, &scaled)) {
        return after > before ? "more" : "fewer";
    }
    const std::int64_t tenths = (scaled / before + 1) / 2;
    return fmt::format("{}.{}% {}", tenths / 10, tenths % 10, after > before ? "more" : "fewer");
}

std::optional<std::string> rateChange(const engine::Limit& before, const engine::Limit& after)
{
    const engine::Rate& a = before.rate;
    const engine::Rate& b = after.rate;
    const std::int64_t common
        = a.periodNs == 0 || b.periodNs == 0 ? 0 : std::gcd(a.periodNs, b.periodNs);
    std::int64_t x = 0;
    std::int64_t y = 0;
    if (common == 0 || a.count == 0 || __builtin_mul_overflow(a.count, b.periodNs / common, &x)
        || __builtin_mul_overflow(b.count, a.periodNs / common, &y) || x == y) {
        return std::nullopt;
    }
    std::string text = ratioText(x, y) + " per time";
    const std::int64_t scale = a.periodNs / common;
    const std::int64_t divisor = b.periodNs / common;
    if (a.periodNs != b.periodNs && (b.count * scale) % divisor == 0) {
        text += fmt::format(": {} -> {}", language::rateText(a),
                            language::rateText({b.count * scale / divisor, a.periodNs}));
    }
    return text;
}

std::string matchWords(const MatchList* match)
{
    return match == nullptr || match->entries.empty()
        ? "all requests"
        : "requests that match " + writing::matchText(*match);
}

std::vector<std::string> valuesOf(const MatchEntry& entry)
{
    std::vector<std::string> values;
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
        MatchEntry one = entry;
        one.values = {entry.values[i]};
        one.tests = {entry.tests[i]};
        one.negated = false;
        MatchList list;
        list.entries = {one};
        const std::string text = writing::matchText(list); // "{ path: /a }"
        values.push_back(text.substr(2, text.size() - 4));
    }
    std::sort(values.begin(), values.end());
    return values;
}

std::string missingFrom(const std::vector<std::string>& all, const std::vector<std::string>& some)
{
    std::vector<std::string> left;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(left));
    return fmt::format("{}", fmt::join(left, " or "));
}

const MatchEntry* entryOf(const MatchList* match, const std::string& attribute)
{
    if (match != nullptr) {
        for (const MatchEntry& entry : match->entries) {
            if (entry.attribute.text == attribute) {
                return &entry;
            }
        }
    }
    return nullptr;
}

std::string conditionText(const MatchEntry& entry)
{
    MatchList list;
    list.entries = {entry};
    return writing::matchText(list);
}

class Teller {
public:
    Teller(const Policy& before, const Policy& after)
        : m_before(before)
        , m_after(after)
    {
    }

    void tell(const Difference& difference)
    {
        m_of = &difference;
        if (difference.what == "exemption") {
            tellExemption();
        } else if (difference.what == "rule" || difference.what == "override") {
            tellLimited();
        } else if (difference.what == "class") {
            tellClass();
        }
    }

    std::vector<Effect> take() { return std::move(m_effects); }

private:
    void add(EffectKind kind, std::string text)
    {
        m_effects.push_back({kind, m_of->what, m_of->name, m_of->partName, std::move(text)});
    }

    static const MatchList* exemptIn(const Policy& policy, const std::string& name)
    {
        for (const Exempt& exempt : policy.exempt) {
            if (exempt.name.value == name) {
                return &exempt.match;
            }
        }
        return nullptr;
    }

    void tellExemption()
    {
        const MatchList* before = exemptIn(m_before, m_of->name);
        const MatchList* after = exemptIn(m_after, m_of->name);
        if (m_of->kind == DiffKind::Added) {
            add(EffectKind::Uncovered, matchWords(after) + ": pass every tier from now on");
        } else if (m_of->kind == DiffKind::Removed) {
            add(EffectKind::Covered, matchWords(before) + ": are judged from now on");
        } else if (m_of->field == "match") {
            tellMatch(before, after, "exempt: ", "no longer exempt: ");
        }
    }

    void tellLimited()
    {
        const auto before = limitedIn(m_before, m_of->name, m_of->partName);
        const auto after = limitedIn(m_after, m_of->name, m_of->partName);
        if (m_of->kind == DiffKind::Added && after) {
            add(EffectKind::Covered,
                matchWords(after->match())
                    + (m_of->what == "override" ? ": in place of the rule's values"
                                                : keyWords(*after)));
            tellWorst(std::nullopt, after);
            if (after->mode != engine::Mode::Enforce) {
                add(EffectKind::Verdict,
                    after->mode == engine::Mode::Shadow
                        ? "what it denies is counted, and not rejected"
                        : "it judges nothing");
            }
        } else if (m_of->kind == DiffKind::Removed && before) {
            add(EffectKind::Uncovered,
                matchWords(before->match())
                    + (m_of->what == "override" ? ": the rule's own values hold again"
                                                : ": this rule no longer limits them"));
        } else if (m_of->kind == DiffKind::Changed && before && after) {
            tellChange(*before, *after);
        }
    }

    /// The class that the difference is about, and how much it may fill.
    [[nodiscard]] std::optional<std::pair<const ShedClass*, std::string>>
    classIn(const Policy& policy) const
    {
        const Rule* rule = policy.rule(m_of->name);
        const auto limited = limitedIn(policy, m_of->name, "");
        if (rule == nullptr || !limited || !limited->limit) {
            return std::nullopt;
        }
        for (const ShedClass& shed : classesOf(*rule)) {
            if (shed.name.value == m_of->partName) {
                engine::Limit limit = *limited->limit;
                limit.upTo = shed.upTo.value;
                return std::pair(&shed,
                                 limit.strategy == engine::Strategy::Fleet
                                     ? fmt::format("{} at a time", engine::slotsOf(limit))
                                     : std::string());
            }
        }
        return std::nullopt;
    }

    void tellClass()
    {
        const auto before = classIn(m_before);
        const auto after = classIn(m_after);
        if (m_of->kind == DiffKind::Added && after) {
            add(EffectKind::Covered,
                matchWords(&after->first->match) + ": a class of their own, shed before others");
        } else if (m_of->kind == DiffKind::Removed && before) {
            add(EffectKind::Uncovered,
                matchWords(&before->first->match) + ": no class of their own any more");
        } else if (m_of->field == "match" && before && after) {
            tellMatch(&before->first->match, &after->first->match, "", "");
        }
        const std::string was = before ? before->second : "";
        const std::string is = after ? after->second : "";
        const bool isAbout = m_of->kind == DiffKind::Added || m_of->field == "up_to";
        if (isAbout && was != is) {
            add(EffectKind::WorstCase, was.empty() ? is : fmt::format("{} -> {}", was, is));
        }
    }

    void tellChange(const Limited& before, const Limited& after)
    {
        if (m_of->field == "match") {
            tellMatch(before.match(), after.match(), "", "");
        } else if (m_of->field == "key") {
            tellKey(*before.rule, *after.rule);
        } else if (m_of->field == "mode") {
            tellMode(before.mode, after.mode);
        } else if (m_of->field == "rate" && before.limit && after.limit) {
            if (const auto text = rateChange(*before.limit, *after.limit)) {
                add(EffectKind::Rate, *text);
            }
        }
        constexpr std::array<std::string_view, 11> kOfLimit {
            "algorithm", "rate",     "burst",    "tolerance", "queue", "delay_after",
            "in_flight", "capacity", "strategy", "min",       "max"};
        if (std::find(kOfLimit.begin(), kOfLimit.end(), m_of->field) != kOfLimit.end()) {
            tellWorst(before, after);
        }
    }

    void tellWorst(const std::optional<Limited>& before, const std::optional<Limited>& after)
    {
        const auto thing = std::make_tuple(m_of->what, m_of->name, m_of->partName);
        if (m_worst == thing) {
            return; // once, however many of its numbers changed
        }
        const std::string was = before && before->limit ? worstCase(*before) : "";
        const std::string is = after && after->limit ? worstCase(*after) : "";
        if (was != is) {
            m_worst = thing;
            add(EffectKind::WorstCase, was.empty() ? is : fmt::format("{} -> {}", was, is));
        }
    }

    void tellMode(engine::Mode before, engine::Mode after)
    {
        if (after == engine::Mode::Enforce) {
            add(EffectKind::Verdict, "what it denies is rejected from now on");
        } else if (before == engine::Mode::Enforce) {
            add(EffectKind::Verdict,
                after == engine::Mode::Shadow ? "what it denies is counted, and no longer rejected"
                                              : "it judges nothing any more");
        }
    }

    static std::string keyWords(const Limited& limited)
    {
        const std::vector<Word>& key = limited.rule->key.value;
        if (key.empty()) {
            return ", all in one bucket";
        }
        std::vector<std::string> names;
        for (const Word& word : key) {
            names.push_back(word.text);
        }
        return fmt::format(", each {} by itself", fmt::join(names, " and "));
    }

    static bool hasAll(const std::vector<Word>& all, const std::vector<Word>& some)
    {
        return std::all_of(some.begin(), some.end(), [&all](const Word& word) {
            return std::any_of(all.begin(), all.end(),
                               [&word](const Word& other) { return other.text == word.text; });
        });
    }

    void tellKey(const Rule& before, const Rule& after)
    {
        const std::vector<Word>& old = before.key.value;
        const std::vector<Word>& now = after.key.value;
        if (hasAll(old, now)) {
            add(EffectKind::Counting, "requests that were counted apart share one limit now");
        } else if (hasAll(now, old)) {
            add(EffectKind::Counting, "requests that shared a limit are counted apart now");
        }
        for (const Word& word : now) {
            if (!hasAll(old, {word})) {
                add(EffectKind::Uncovered, fmt::format("requests without {}", word.text));
            }
        }
        for (const Word& word : old) {
            if (!hasAll(now, {word})) {
                add(EffectKind::Covered, fmt::format("requests without {}", word.text));
            }
        }
    }

    void tellMatch(const MatchList* before, const MatchList* after, const std::string& in,
                   const std::string& out)
    {
        static const MatchList kEverything;
        before = before == nullptr ? &kEverything : before;
        after = after == nullptr ? &kEverything : after;
        for (const MatchEntry& old : before->entries) {
            const std::string& name = old.attribute.text;
            if (const MatchEntry* now = entryOf(after, name); now == nullptr) {
                add(EffectKind::Covered,
                    fmt::format("{}requests of any {}, not only {}", in, name, conditionText(old)));
            } else if (old.negated != now->negated) {
                add(EffectKind::Covered, in + conditionText(*now));
                add(EffectKind::Uncovered, out + conditionText(old));
            } else {
                const std::string came = missingFrom(valuesOf(*now), valuesOf(old));
                const std::string went = missingFrom(valuesOf(old), valuesOf(*now));
                tellValues(EffectKind::Covered, in, old.negated ? went : came);
                tellValues(EffectKind::Uncovered, out, old.negated ? came : went);
            }
        }
        for (const MatchEntry& now : after->entries) {
            if (entryOf(before, now.attribute.text) == nullptr) {
                add(EffectKind::Uncovered,
                    fmt::format("{}requests that do not match {}", out, conditionText(now)));
            }
        }
    }

    void tellValues(EffectKind kind, const std::string& lead, const std::string& values)
    {
        if (!values.empty()) {
            add(kind, lead + "requests with " + values);
        }
    }

    const Policy& m_before;
    const Policy& m_after;
    const Difference* m_of = nullptr;
    std::tuple<std::string, std::string, std::string> m_worst;
    std::vector<Effect> m_effects;
};

} // namespace

std::vector<Effect> effects(const Policy& before, const Policy& after,
                            const std::vector<Difference>& differences)
{
    Teller teller(before, after);
    for (const Difference& difference : differences) {
        teller.tell(difference);
    }
    return teller.take();
}

} // namespace policies
