#include "engine/intake/families.h"

#include <algorithm>

namespace engine::intake {
namespace {

/// The slot that everything about a slot follows from.
std::uint32_t rootOf(const Schema& schema, std::uint32_t slot)
{
    while (schema.slots[slot].kind != SlotKind::Field
           && schema.slots[slot].kind != SlotKind::Duration) {
        slot = schema.slots[slot].source;
    }
    return slot;
}

Family::Kind kindOf(const Schema& schema, const Family& family)
{
    const Slot& root = schema.slots[family.slots.front()];
    const bool byRequest = root.kind == SlotKind::Duration
        || std::any_of(family.slots.begin(), family.slots.end(),
                       [&](std::uint32_t slot) { return schema.slots[slot].resolved != kNoId; });
    if (byRequest) {
        return Family::Kind::Request;
    }
    const bool hasKeys = !family.tuples.empty() || !family.shared.empty()
        || !family.groupings.empty() || !family.costs.empty();
    const bool isPlain = family.slots.size() == 1 && family.spans.empty() && !hasKeys
        && root.form == attributes::NormalForm::AsIs && root.factWords() == 0;
    if (!isPlain) {
        return Family::Kind::Text;
    }
    return root.presence == kNoId ? Family::Kind::Idle : Family::Kind::Presence;
}

/// One tuple uses the slot, and nothing else does.
bool isUsedOnce(const Schema& schema, std::uint32_t slot)
{
    const auto uses = [slot](const std::vector<std::uint32_t>& tuple) {
        return std::find(tuple.begin(), tuple.end(), slot) != tuple.end();
    };
    const auto isSource = [slot](const Slot& other) {
        return other.kind != SlotKind::Field && other.kind != SlotKind::Duration
            && other.source == slot;
    };
    return std::count_if(schema.tuples.begin(), schema.tuples.end(), uses) == 1
        && std::none_of(schema.slots.begin(), schema.slots.end(), isSource)
        && std::none_of(schema.costs.begin(), schema.costs.end(),
                        [slot](const SchemaCost& cost) { return cost.slot == slot; });
}

} // namespace

Families::Families(const Schema& schema, std::uint32_t who, std::vector<std::uint32_t> extraTuple)
    : extra(std::move(extraTuple))
    , across(schema.tuples.size() + (extra.empty() ? 0 : 1))
{
    std::vector<std::size_t> familyOf(schema.slots.size());
    for (std::uint32_t slot = 0; slot < schema.slots.size(); ++slot) {
        const std::uint32_t root = rootOf(schema, slot);
        if (root == slot) {
            familyOf[slot] = all.size();
            Family& family = all.emplace_back();
            family.field
                = schema.slots[slot].kind == SlotKind::Field ? schema.slots[slot].source : kNoId;
        }
        familyOf[slot] = familyOf[root];
        Family& family = all[familyOf[slot]];
        family.slots.push_back(slot);
        if (const std::size_t words = schema.slots[slot].tests.wordCount(); words > 0) {
            family.spans.push_back({schema.slots[slot].firstWord, words});
            family.wordCount += words;
        }
    }
    for (std::size_t tuple = 0; tuple < across.size(); ++tuple) {
        const std::vector<std::uint32_t>& slots = slotsOf(schema, tuple);
        const bool isOfOne = std::all_of(slots.begin(), slots.end(), [&](std::uint32_t slot) {
            return familyOf[slot] == familyOf[slots.front()];
        });
        if (isOfOne && !slots.empty()) {
            all[familyOf[slots.front()]].tuples.push_back(tuple);
            continue;
        }
        for (const std::uint32_t slot : slots) {
            const auto known = std::find_if(shared.begin(), shared.end(),
                                            [slot](const Shared& s) { return s.slot == slot; });
            across[tuple].push_back(static_cast<std::size_t>(known - shared.begin()));
            if (known == shared.end()) {
                all[familyOf[slot]].shared.push_back(shared.size());
                shared.push_back({slot, familyOf[slot]});
            }
        }
    }
    for (std::size_t i = 0; i < schema.groupings.size(); ++i) {
        all[familyOf[schema.groupings[i].slot]].groupings.push_back(i);
    }
    for (std::size_t i = 0; i < schema.costs.size(); ++i) {
        all[familyOf[schema.costs[i].slot]].costs.push_back(i);
    }
    letFollow(schema, all[familyOf[who]], who);
    for (Family& family : all) {
        family.wordCount += schema.wordCount - schema.presenceWord;
        family.kind = kindOf(schema, family);
    }
}

/// Takes the networks of `who` out of its family that can follow it.
void Families::letFollow(const Schema& schema, Family& family, std::uint32_t who)
{
    if (kindOf(schema, family) != Family::Kind::Text || who != family.slots.front()) {
        return;
    }
    std::erase_if(family.tuples, [&](std::size_t tuple) {
        const std::vector<std::uint32_t>& slots = slotsOf(schema, tuple);
        const Slot& slot = schema.slots[slots.front()];
        const bool follows = slots.size() == 1 && slot.kind == SlotKind::Prefix
            && slot.source == who && slot.form == attributes::NormalForm::AsIs
            && slot.factWords() == 0 && tuple < schema.tuples.size()
            && isUsedOnce(schema, slots.front());
        if (follows) {
            family.followers.push_back({tuple, slots.front()});
            std::erase(family.slots, slots.front());
        }
        return follows;
    });
}

} // namespace engine::intake
