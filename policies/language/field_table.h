#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace policies::language {

/// What has fields.
enum class Owner : std::uint8_t { Policy, Exemption, Attribute, Rule, Override, Class, Tighten };

/// A field of the language: where it may stand and what it means, in one sentence.
struct FieldInfo {
    Owner owner;
    std::string_view name;
    std::string_view description;
};

/// In the order in which people write them.
std::span<const FieldInfo> fieldsOf(Owner owner);
std::vector<std::string_view> fieldNames(Owner owner);

} // namespace policies::language
