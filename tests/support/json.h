#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tests::support {

/// A JSON value that keeps whole numbers exact: 9007199254740993 stays itself, as it would not in a
/// double. Numbers with a fraction or an exponent, or beyond 64 bits, are kept as their text.
///
/// A value: copy it freely. Lookups return pointers into it.
class Json {
public:
    enum class Kind : std::uint8_t {
        Null,
        Boolean,
        Integer,
        Number, ///< any other number; text()
        Text,
        List,
        Object
    };

    /// Nothing if the text is not exactly one JSON value.
    static std::optional<Json> parse(std::string_view text);

    [[nodiscard]] Kind kind() const { return m_kind; }

    [[nodiscard]] bool isNull() const { return m_kind == Kind::Null; }

    [[nodiscard]] bool boolean() const { return m_integer != 0; }

    [[nodiscard]] std::int64_t integer() const { return m_integer; }

    [[nodiscard]] const std::string& text() const { return m_text; }

    [[nodiscard]] const std::vector<Json>& items() const { return m_items; }

    [[nodiscard]] const std::vector<std::pair<std::string, Json>>& members() const
    {
        return m_members;
    }

    /// nullptr if there is no member of that name.
    [[nodiscard]] const Json* find(std::string_view name) const;

private:
    friend class JsonReader;
    Kind m_kind = Kind::Null;
    std::int64_t m_integer = 0;
    std::string m_text;
    std::vector<Json> m_items;
    std::vector<std::pair<std::string, Json>> m_members;
};

} // namespace tests::support
