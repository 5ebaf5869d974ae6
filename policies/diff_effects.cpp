#include "policies/diff_effects.h"

#include "policies/diffing/limited.h"
#include "policies/diffing/match_changes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <tuple>
#include <utility>

namespace policies {
namespace {

using diffing::Limited;
using diffing::limitedIn;
using diffing::matchWords;

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
            if (const auto text = diffing::rateChange(*before.limit, *after.limit)) {
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
        const std::string was = before && before->limit ? diffing::worstCase(*before) : "";
        const std::string is = after && after->limit ? diffing::worstCase(*after) : "";
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
        for (const diffing::MatchChange& change : diffing::matchChanges(before, after)) {
            add(change.isCovered ? EffectKind::Covered : EffectKind::Uncovered,
                (change.isCovered ? in : out) + change.text);
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
