#pragma once
#include "engine/intake/schema.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace engine::intake {

/// Makes slots, the same one for the same definition.
class SlotBuilder {
public:
    /// `resolved`: derived attributes that the log may have the values of.
    SlotBuilder(Schema& schema, const std::vector<std::string>& resolved)
        : m_schema(schema)
        , m_resolved(resolved)
    {
    }

    /// An attribute of the log itself.
    std::uint32_t raw(std::string_view name);
    std::uint32_t derived(const Derivation& derivation, std::uint32_t source);

private:
    std::uint32_t add(const std::string& signature, Slot slot);
    std::uint32_t captureOf(const Derivation& derivation, std::uint32_t source);
    std::size_t tableNumber(const std::shared_ptr<const LookupTable>& table);

    Schema& m_schema;
    const std::vector<std::string>& m_resolved;
    std::unordered_map<std::string, std::uint32_t> m_known;
    std::unordered_map<std::string, std::uint32_t> m_captures;
    std::vector<std::pair<std::shared_ptr<const LookupTable>, std::shared_ptr<const LookupIndex>>>
        m_tables;
};

/// What names mean in one plan once all its attributes are derived. Makes slots for the names that
/// are needed, and for what these are derived from.
class SlotScope {
public:
    SlotScope(SlotBuilder& slots, const Plan& plan, const std::vector<std::string_view>& needed);

    [[nodiscard]] std::uint32_t slot(std::string_view name) const;

private:
    SlotBuilder& m_slots;
    std::unordered_map<std::string, std::uint32_t> m_derived;
};

} // namespace engine::intake
