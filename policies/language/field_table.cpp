#include "policies/language/field_table.h"

#include <algorithm>
#include <array>

namespace policies::language {
namespace {

// clang-format off
constexpr std::array kFields {
    FieldInfo {Owner::Policy, "weir", "Version of the language: 1."},
    FieldInfo {Owner::Policy, "name", "Name of the policy: letters, digits, - and _."},
    FieldInfo {Owner::Policy, "description", "Free text for the next reader."},
    FieldInfo {Owner::Policy, "counting", "per_tier (default): what earlier tiers counted stays counted when a later one rejects. all_or_nothing: a rejected request is counted nowhere."},
    FieldInfo {Owner::Policy, "exempt", "Requests that pass every tier unjudged, counted under the entry's name."},
    FieldInfo {Owner::Policy, "attributes", "What a log line does not say by itself, derived in this order."},
    FieldInfo {Owner::Policy, "tiers", "The rules, by the tier that judges them: edge, gateway, endpoint, tenant."},

    FieldInfo {Owner::Exemption, "name", "Name of the exemption; results show it."},
    FieldInfo {Owner::Exemption, "match", "Which requests are exempt. All entries must hold."},
    FieldInfo {Owner::Exemption, "note", "Free text for the next reader."},
    FieldInfo {Owner::Exemption, "allow", "Codes of advice that this entry has been judged to live with."},

    FieldInfo {Owner::Attribute, "from", "The attribute that this one is derived from."},
    FieldInfo {Owner::Attribute, "pattern", "A pattern with {names}: of a path segment by segment, of a host label by label."},
    FieldInfo {Owner::Attribute, "take", "Which {name} of the pattern is the value."},
    FieldInfo {Owner::Attribute, "prefix", "The network of an address: how many leading bits of IPv4 and IPv6 count."},
    FieldInfo {Owner::Attribute, "lookup", "A CSV file with a header line, beside the policy or in --lookup-dir."},
    FieldInfo {Owner::Attribute, "default", "The value of keys that the lookup file does not have."},
    FieldInfo {Owner::Attribute, "param", "The query parameter that is the value."},

    FieldInfo {Owner::Rule, "name", "Name of the rule, unique in the policy; results show it."},
    FieldInfo {Owner::Rule, "mode", "enforce (default), shadow (judged and counted, never rejects) or off."},
    FieldInfo {Owner::Rule, "match", "Which requests the rule is for. All entries must hold; left out: all requests."},
    FieldInfo {Owner::Rule, "key", "The attributes that are counted by; [] is one bucket for everyone."},
    FieldInfo {Owner::Rule, "algorithm", "How the rule counts."},
    FieldInfo {Owner::Rule, "rate", "How many per time: N/UNIT or N/K UNIT without blank, as 60/min, 7/3s, 1000/10min."},
    FieldInfo {Owner::Rule, "burst", "How many may come at once: a number, or 5x for five times the rate per second."},
    FieldInfo {Owner::Rule, "tolerance", "How much earlier than evenly spaced a request may come: a duration."},
    FieldInfo {Owner::Rule, "queue", "How many requests may wait."},
    FieldInfo {Owner::Rule, "delay_after", "How many waiting requests pass at once before delays begin; 0 unless given."},
    FieldInfo {Owner::Rule, "in_flight", "The most requests at a time."},
    FieldInfo {Owner::Rule, "capacity", "The most requests at a time, those of all classes together."},
    FieldInfo {Owner::Rule, "classes", "What is shed first when the capacity runs out: the last class first. A request belongs to the first class that it matches."},
    FieldInfo {Owner::Rule, "strategy", "How the limit is learnt: vegas (default), gradient2 or aimd; of a load_shedder what it goes by: fleet (default; each class's share) or utilisation (how long the capacity has been used)."},
    FieldInfo {Owner::Rule, "initial", "The most requests at a time before anything is learnt: 20 unless given."},
    FieldInfo {Owner::Rule, "min", "The least that the learnt limit can be: 1 for vegas and 20 for gradient2 and aimd unless given."},
    FieldInfo {Owner::Rule, "max", "The most that the learnt limit can be: 1000 for vegas and 200 for gradient2 and aimd unless given."},
    FieldInfo {Owner::Rule, "cost", "What a request counts: a whole number (1 unless given), or an attribute's value per K."},
    FieldInfo {Owner::Rule, "tighten", "While another rule is nearly full, requests count several times here."},
    FieldInfo {Owner::Rule, "align", "epoch (default): windows begin on the clock. first_request: with the first request after the last one ended."},
    FieldInfo {Owner::Rule, "anchor", "When a window begins, in UTC: 15h for a day that begins at midnight in Tokyo."},
    FieldInfo {Owner::Rule, "rounding", "floor: the estimate is rounded down."},
    FieldInfo {Owner::Rule, "count_rejected", "true: rejected requests count, too."},
    FieldInfo {Owner::Rule, "assume_duration", "The duration of requests whose own is not recorded."},
    FieldInfo {Owner::Rule, "status", "Status of a rejection, 400 to 599; 429 unless given, 503 of a load_shedder."},
    FieldInfo {Owner::Rule, "on_store_failure", "What happens while the counter store is down: open (default), closed or local."},
    FieldInfo {Owner::Rule, "allow", "Codes of advice that this rule has been judged to live with."},
    FieldInfo {Owner::Rule, "note", "Free text for the next reader."},
    FieldInfo {Owner::Rule, "overrides", "Other values for those that match; the first that matches holds, with a state of its own."},

    FieldInfo {Owner::Override, "name", "Name of the override, unique in its rule."},
    FieldInfo {Owner::Override, "mode", "enforce, shadow or off, in place of the rule's."},
    FieldInfo {Owner::Override, "match", "Whom the override is for, among those whom the rule is for."},
    FieldInfo {Owner::Override, "rate", "How many per time, in place of the rule's."},
    FieldInfo {Owner::Override, "burst", "How many may come at once, in place of the rule's."},
    FieldInfo {Owner::Override, "tolerance", "How much earlier a request may come, in place of the rule's."},
    FieldInfo {Owner::Override, "queue", "How many requests may wait, in place of the rule's."},
    FieldInfo {Owner::Override, "delay_after", "How many waiting requests pass before delays begin, in place of the rule's."},
    FieldInfo {Owner::Override, "in_flight", "The most requests at a time, in place of the rule's."},
    FieldInfo {Owner::Override, "capacity", "The most requests at a time, in place of the rule's."},
    FieldInfo {Owner::Override, "cost", "What a request counts, in place of the rule's."},
    FieldInfo {Owner::Override, "note", "Free text for the next reader."},

    FieldInfo {Owner::Class, "name", "Name of the class, unique in its rule; results show it."},
    FieldInfo {Owner::Class, "match", "Which of the rule's requests are in the class, unless one before it takes them."},
    FieldInfo {Owner::Class, "up_to", "How much of the capacity requests of the class may fill, with all others together: 0% to 100%."},

    FieldInfo {Owner::Tighten, "rule", "The rule whose slots decide: of a kind that holds them, with `key: []`."},
    FieldInfo {Owner::Tighten, "above", "How full that rule must be, in per cent of its limit."},
    FieldInfo {Owner::Tighten, "factor", "How many times the cost then counts: 2 or more."},
};
// clang-format on

} // namespace

std::span<const FieldInfo> fieldsOf(Owner owner)
{
    const auto begin = std::find_if(kFields.begin(), kFields.end(),
                                    [owner](const FieldInfo& info) { return info.owner == owner; });
    const auto end = std::find_if(begin, kFields.end(),
                                  [owner](const FieldInfo& info) { return info.owner != owner; });
    return {begin, end};
}

std::vector<std::string_view> fieldNames(Owner owner)
{
    std::vector<std::string_view> names;
    for (const FieldInfo& info : fieldsOf(owner)) {
        names.push_back(info.name);
    }
    return names;
}

} // namespace policies::language
