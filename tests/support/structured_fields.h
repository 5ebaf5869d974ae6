#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// A reader of Structured Fields (RFC 9651, section 4.2), as a client has one: it takes nothing
/// that the format does not have. Decimals, Dates, Display Strings and inner lists, which no limit
/// is told by, are refused as well.
namespace tests::support {

struct Token {
    std::string text;
    friend bool operator==(const Token&, const Token&) = default;
};

struct Bytes {
    std::string bytes;
    friend bool operator==(const Bytes&, const Bytes&) = default;
};

using BareItem = std::variant<std::int64_t, std::string, Token, Bytes, bool>;

/// An item with its parameters, each key once: the last one given holds.
struct FieldItem {
    BareItem value;
    std::vector<std::pair<std::string, BareItem>> parameters;
    friend bool operator==(const FieldItem&, const FieldItem&) = default;

    /// Nothing if there is no parameter of that name, or one of another type.
    template <class T> [[nodiscard]] std::optional<T> parameter(std::string_view key) const
    {
        for (const auto& [name, given] : parameters) {
            if (name == key && std::holds_alternative<T>(given)) {
                return std::get<T>(given);
            }
        }
        return std::nullopt;
    }
};

/// Nothing: the whole field is to be ignored.
std::optional<FieldItem> parseItem(std::string_view field);
std::optional<std::vector<FieldItem>> parseList(std::string_view field);
std::optional<std::vector<std::pair<std::string, FieldItem>>>
parseDictionary(std::string_view field);

} // namespace tests::support
