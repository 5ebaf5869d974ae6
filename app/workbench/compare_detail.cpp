#include "app/workbench/compare_detail.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace app {
namespace {

/// Counts what a comparison itself does not keep.
class DetailCounter final : public ChangeListener {
public:
    void changed(const engine::ComparedRequest& request, std::uint64_t ordinal) override
    {
        const bool isBoth = request.baseRejected && request.candidateRejected;
        if (request.baseRejected) {
            RuleChange& rule = ruleOf(request.baseRule);
            ++rule.base;
            rule.newlyAdmitted += isBoth ? 0U : 1U;
        }
        if (request.candidateRejected) {
            RuleChange& rule = ruleOf(request.candidateRule);
            ++rule.candidate;
            rule.newlyRejected += isBoth ? 0U : 1U;
        }
        m_byAnotherRule
            += isBoth && !request.baseRule.empty() && request.baseRule != request.candidateRule
            ? 1U
            : 0U;
        if (request.candidateRejected && !request.baseRejected) {
            addNewlyRejected(request, ordinal);
        }
    }

    [[nodiscard]] std::uint64_t byAnotherRule() const { return m_byAnotherRule; }

    /// In this order, then the others by name; what is rejected by no rule of a name comes last.
    [[nodiscard]] std::vector<RuleChange> rules(const std::vector<std::string>& order) const
    {
        std::vector<RuleChange> rules;
        std::set<std::string_view> done;
        for (const std::string& name : order) {
            if (done.insert(name).second) {
                const auto found = m_rules.find(name);
                rules.push_back(found == m_rules.end() ? RuleChange {name} : found->second);
            }
        }
        for (const auto& [name, rule] : m_rules) {
            if (!name.empty() && done.insert(name).second) {
                rules.push_back(rule);
            }
        }
        if (const auto nameless = m_rules.find(std::string_view()); nameless != m_rules.end()) {
            rules.push_back(nameless->second);
        }
        return rules;
    }

    [[nodiscard]] std::vector<NewlyRejectedWho> newlyRejected() const
    {
        std::vector<NewlyRejectedWho> whos;
        whos.reserve(m_whos.size());
        for (const auto& [name, state] : m_whos) {
            whos.push_back(state.who);
            whos.back().who = name;
            std::uint64_t most = 0;
            for (const auto& [rule, count] : state.byRule) {
                if (count > most) {
                    most = count;
                    whos.back().rule = rule;
                }
            }
        }
        std::sort(whos.begin(), whos.end(), [](const auto& a, const auto& b) {
            return a.requests != b.requests ? a.requests > b.requests : a.who < b.who;
        });
        return whos;
    }

private:
    struct WhoState {
        NewlyRejectedWho who;
        std::map<std::string, std::uint64_t, std::less<>> byRule;
        WorstMinute minute; ///< that is counted
        Streak streak; ///< likewise
        std::int64_t streakNs = 0; ///< its first request
        std::uint64_t ordinal = 0; ///< of the last that was newly rejected
    };

    RuleChange& ruleOf(std::string_view name)
    {
        const auto found = m_rules.find(name);
        if (found != m_rules.end()) {
            return found->second;
        }
        return m_rules.emplace(name, RuleChange {std::string(name)}).first->second;
    }

    void addNewlyRejected(const engine::ComparedRequest& request, std::uint64_t ordinal)
    {
        WhoState& state = m_whos[std::string(request.who)];
        NewlyRejectedWho& who = state.who;
        if (who.requests++ == 0) {
            who.firstNs = request.timeNs;
            who.firstN = request.n;
        }
        const auto rule = state.byRule.find(request.candidateRule);
        if (rule != state.byRule.end()) {
            ++rule->second;
        } else {
            state.byRule.emplace(request.candidateRule, 1U);
        }
        countMinute(state.minute, who.worst, minuteOf(request.timeNs));
        const bool follows = state.streak.requests > 0 && ordinal == state.ordinal + 1;
        state.streakNs = follows ? state.streakNs : request.timeNs;
        state.streak.requests = follows ? state.streak.requests + 1 : 1;
        state.streak.lengthNs = request.timeNs - state.streakNs;
        state.ordinal = ordinal;
        if (state.streak.requests > who.longest.requests) {
            who.longest = state.streak;
        }
    }

    std::map<std::string, RuleChange, std::less<>> m_rules;
    std::unordered_map<std::string, WhoState> m_whos;
    std::uint64_t m_byAnotherRule = 0;
};

/// Names in policy order, the candidate's first.
engine::Result<std::vector<std::string>> ruleNames(const storage::RunReader& reader,
                                                   StoredBase base, storage::RunId candidate)
{
    std::vector<storage::RunId> runs {candidate};
    if (base.run) {
        runs.push_back(*base.run);
    }
    std::vector<std::string> names;
    for (const storage::RunId id : runs) {
        const auto run = reader.detail(id);
        if (!run) {
            return engine::fail(run.error());
        }
        for (const storage::RuleTotals& rule : run->rules) {
            if (rule.mode == engine::Mode::Enforce) {
                names.push_back(rule.rule);
            }
        }
    }
    return names;
}

/// How many requests each of them sent: whoever was rejected has a row.
engine::Status addAll(const storage::RunReader& reader, storage::RunId run,
                      std::vector<NewlyRejectedWho>& whos)
{
    const auto rows = reader.whos(run, storage::WhoOrder::Rejected, {0, SIZE_MAX});
    if (!rows) {
        return engine::fail(rows.error());
    }
    std::unordered_map<std::string_view, std::uint64_t> requests;
    for (const storage::WhoRow& row : *rows) {
        requests[row.who] += row.tally.requests;
    }
    for (NewlyRejectedWho& who : whos) {
        const auto found = requests.find(who.who);
        who.all = found == requests.end() ? 0 : found->second;
    }
    return engine::Done {};
}

} // namespace

engine::Result<CompareDetail> compareInDetail(storage::RunStore& store, StoredBase base,
                                              storage::RunId candidate,
                                              const CompareOptions& options, const ReadAgain& again)
{
    DetailCounter counter;
    engine::Result<CompareOutcome> outcome
        = compareStored(store, base, candidate, options, again, &counter);
    if (!outcome) {
        return engine::fail(outcome.error());
    }
    const storage::RunReader reader(store);
    const auto names = ruleNames(reader, base, candidate);
    if (!names) {
        return engine::fail(names.error());
    }
    CompareDetail detail {std::move(*outcome), counter.rules(*names), counter.byAnotherRule(),
                          counter.newlyRejected()};
    if (engine::Status all = addAll(reader, candidate, detail.newlyRejected); !all) {
        return engine::fail(all.error());
    }
    return detail;
}

} // namespace app
