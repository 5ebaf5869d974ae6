#include "engine/intake/slot_builder.h"

#include "engine/attributes/text.h"

#include <algorithm>
#include <unordered_set>

namespace engine::intake {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

void append(std::string& signature, std::string_view text)
{
    signature += std::to_string(text.size()) + ':';
    signature += text;
}

/// Hosts are lower case, so the labels of their patterns are; names in braces stay.
std::string lowerOutsideBraces(std::string pattern)
{
    bool inside = false;
    for (char& c : pattern) {
        inside = c == '{' || (inside && c != '}');
        c = inside ? c : attributes::toLower(c);
    }
    return pattern;
}

/// Which derivation each one reads (an earlier one of that name, else the log), and which of them
/// each name means in the end.
struct Order {
    std::vector<std::size_t> from;
    std::unordered_map<std::string_view, std::size_t> last;
};

Order orderOf(const Plan& plan)
{
    Order order;
    for (std::size_t i = 0; i < plan.attributes.size(); ++i) {
        const auto found = order.last.find(plan.attributes[i].from);
        order.from.push_back(found == order.last.end() ? kNowhere : found->second);
        order.last[plan.attributes[i].name] = i;
    }
    return order;
}

} // namespace

std::uint32_t SlotBuilder::add(const std::string& signature, Slot slot)
{
    const auto [known, isNew]
        = m_known.emplace(signature, static_cast<std::uint32_t>(m_schema.slots.size()));
    if (isNew) {
        slot.tests = attributes::AttributeTests(slot.form);
        m_schema.slots.push_back(std::move(slot));
    }
    return known->second;
}

std::uint32_t SlotBuilder::raw(std::string_view name)
{
    const std::string signature = "field " + std::string(name);
    const auto known = m_known.find(signature);
    if (known != m_known.end()) {
        return known->second;
    }
    Slot slot;
    if (name == "duration") {
        slot.kind = SlotKind::Duration;
        return add(signature, std::move(slot));
    }
    slot.form = attributes::normalFormOf(name);
    slot.source = static_cast<std::uint32_t>(m_schema.fields.size());
    m_schema.fields.emplace_back(name);
    const std::uint32_t made = add(signature, std::move(slot));
    m_schema.fieldSlots.push_back(made);
    return made;
}

std::size_t SlotBuilder::tableNumber(const std::shared_ptr<const LookupTable>& table)
{
    for (std::size_t i = 0; i < m_tables.size(); ++i) {
        if (m_tables[i].first == table || *m_tables[i].first == *table) {
            return i;
        }
    }
    auto index = std::make_shared<LookupIndex>();
    index->reserve(table->size());
    for (const auto& [key, value] : *table) {
        index->emplace(key, value);
    }
    m_tables.emplace_back(table, std::move(index));
    return m_tables.size() - 1;
}

std::uint32_t SlotBuilder::captureOf(const Derivation& derivation, std::uint32_t source)
{
    const char separator = derivation.from == "host" ? '.' : '/';
    std::string signature = std::to_string(source) + separator;
    append(signature, derivation.pattern);
    append(signature, derivation.take);
    std::vector<Capture>& captures = m_schema.slots[source].captures;
    const auto [known, isNew]
        = m_captures.emplace(signature, static_cast<std::uint32_t>(captures.size()));
    if (isNew) {
        const std::string pattern
            = separator == '.' ? lowerOutsideBraces(derivation.pattern) : derivation.pattern;
        Capture capture {attributes::SegmentPattern(pattern, separator), separator, 0};
        const std::vector<std::string>& names = capture.pattern.names();
        const auto name = std::find(names.begin(), names.end(), derivation.take);
        capture.name
            = static_cast<std::size_t>(name - names.begin()); // names.size(): takes nothing
        captures.push_back(std::move(capture));
    }
    return known->second;
}

std::uint32_t SlotBuilder::derived(const Derivation& derivation, std::uint32_t source)
{
    Slot slot;
    slot.form = attributes::normalFormOf(derivation.name);
    slot.source = source;
    m_schema.slots[source].needsText = true;
    std::string signature
        = std::to_string(source) + ' ' + std::to_string(static_cast<int>(slot.form)) + ' ';
    if (std::find(m_resolved.begin(), m_resolved.end(), derivation.name) != m_resolved.end()) {
        slot.resolved = m_schema.slots[raw(std::string(kResolvedPrefix) + derivation.name)].source;
        signature += "resolved " + std::to_string(slot.resolved) + ' ';
    }
    switch (derivation.kind) {
    case DerivationKind::Copy:
        if (slot.resolved == kNoId
            && (slot.form == attributes::NormalForm::AsIs
                || slot.form == m_schema.slots[source].form)) {
            return source;
        }
        slot.kind = SlotKind::Copy;
        signature += "copy";
        break;
    case DerivationKind::Pattern:
        if (derivation.from == "path" || derivation.from == "host") {
            slot.kind = SlotKind::Capture;
            slot.capture = captureOf(derivation, source);
            signature += "capture " + std::to_string(slot.capture);
        } else {
            slot.kind = SlotKind::Around;
            const std::string& pattern = derivation.pattern;
            const std::size_t open = std::min(pattern.find('{'), pattern.size());
            const std::size_t close = std::min(pattern.find('}', open), pattern.size() - 1);
            slot.before = pattern.substr(0, open);
            slot.after = pattern.substr(close + 1);
            signature += "around " + pattern;
        }
        break;
    case DerivationKind::Prefix:
        slot.kind = SlotKind::Prefix;
        slot.ipv4Bits = derivation.ipv4Bits;
        slot.ipv6Bits = derivation.ipv6Bits;
        signature
            += "prefix " + std::to_string(slot.ipv4Bits) + ' ' + std::to_string(slot.ipv6Bits);
        break;
    case DerivationKind::Lookup: {
        slot.kind = SlotKind::Lookup;
        const auto none = std::make_shared<const LookupTable>();
        const std::size_t number = tableNumber(derivation.table ? derivation.table : none);
        slot.rows = m_tables[number].first;
        slot.table = m_tables[number].second;
        slot.fallback = derivation.fallback;
        signature += "lookup " + std::to_string(number) + (slot.fallback ? "+" : "-")
            + slot.fallback.value_or("");
        break;
    }
    case DerivationKind::Param:
        slot.kind = SlotKind::Param;
        slot.param = derivation.param;
        signature += "param " + slot.param;
        break;
    }
    return add(signature, std::move(slot));
}

SlotScope::SlotScope(SlotBuilder& slots, const Plan& plan,
                     const std::vector<std::string_view>& needed)
    : m_slots(slots)
{
    const Order order = orderOf(plan);
    std::vector<bool> wanted(plan.attributes.size());
    for (const std::string_view name : needed) {
        const auto found = order.last.find(name);
        if (found != order.last.end()) {
            wanted[found->second] = true;
        }
    }
    for (std::size_t i = wanted.size(); i-- > 0;) {
        if (wanted[i] && order.from[i] != kNowhere) {
            wanted[order.from[i]] = true;
        }
    }
    std::vector<std::uint32_t> made(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!wanted[i]) {
            continue;
        }
        const Derivation& derivation = plan.attributes[i];
        made[i] = m_slots.derived(derivation,
                                  order.from[i] == kNowhere ? m_slots.raw(derivation.from)
                                                            : made[order.from[i]]);
        if (order.last.at(derivation.name) == i) {
            m_derived[derivation.name] = made[i];
        }
    }
}

std::uint32_t SlotScope::slot(std::string_view name) const
{
    const auto found = m_derived.find(std::string(name));
    return found == m_derived.end() ? m_slots.raw(name) : found->second;
}

} // namespace engine::intake
