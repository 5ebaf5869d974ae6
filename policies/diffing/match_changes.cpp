#include "policies/diffing/match_changes.h"

#include "policies/writing/policy_canon.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace policies::diffing {
namespace {

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

void addValues(std::vector<MatchChange>& changes, bool isCovered, const std::string& values)
{
    if (!values.empty()) {
        changes.push_back({isCovered, "requests with " + values});
    }
}

} // namespace

std::string matchWords(const MatchList* match)
{
    return match == nullptr || match->entries.empty()
        ? "all requests"
        : "requests that match " + writing::matchText(*match);
}

std::vector<MatchChange> matchChanges(const MatchList* before, const MatchList* after)
{
    static const MatchList kEverything;
    std::vector<MatchChange> changes;
    before = before == nullptr ? &kEverything : before;
    after = after == nullptr ? &kEverything : after;
    for (const MatchEntry& old : before->entries) {
        const std::string& name = old.attribute.text;
        if (const MatchEntry* now = entryOf(after, name); now == nullptr) {
            changes.push_back(
                {true, fmt::format("requests of any {}, not only {}", name, conditionText(old))});
        } else if (old.negated != now->negated) {
            changes.push_back({true, conditionText(*now)});
            changes.push_back({false, conditionText(old)});
        } else {
            const std::string came = missingFrom(valuesOf(*now), valuesOf(old));
            const std::string went = missingFrom(valuesOf(old), valuesOf(*now));
            addValues(changes, true, old.negated ? went : came);
            addValues(changes, false, old.negated ? came : went);
        }
    }
    for (const MatchEntry& now : after->entries) {
        if (entryOf(before, now.attribute.text) == nullptr) {
            changes.push_back(
                {false, fmt::format("requests that do not match {}", conditionText(now))});
        }
    }
    return changes;
}

} // namespace policies::diffing
