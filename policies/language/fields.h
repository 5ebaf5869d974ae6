#pragma once
#include "policies/language/report.h"
#include "policies/yaml/node.h"

#include <array>
#include <fmt/format.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace policies::language {

/// Fields that the language has set aside; each is refused with policy.later-version.
bool isForLater(std::string_view field);

/// Told once for every kind of value that stands where another is needed. `needed` is "a list".
void reportType(Report& report, const yaml::Node& node, std::string_view subject,
                std::string_view needed, std::string help);

/// A value that is left empty. `subject` names it.
void reportNoValue(Report& report, const yaml::Item& item, std::string_view subject);

Field<std::string> fieldOf(const yaml::Item& item);

/// Texts of a list (or of one value, where `allowSingle`). Reports what is no text.
std::vector<Word> wordsOf(Report& report, const yaml::Node& node, std::string_view subject,
                          bool allowSingle);

/// The fields of one map, of which there is a closed set. Reports on the way: not a map, unknown
/// fields (with what was probably meant), fields for later, fields without a value.
class Fields {
public:
    /// `owner` is how messages name the map: "rule `search`". Borrows everything.
    Fields(Report& report, const yaml::Node& map, std::string owner,
           std::span<const std::string_view> known);

    [[nodiscard]] bool isMap() const { return m_map.kind == yaml::Kind::Map; }

    /// Given, whether well or badly.
    [[nodiscard]] bool has(std::string_view name) const
    {
        return yaml::find(m_map, name) != nullptr;
    }

    /// Nothing if it is not given, or reported already.
    [[nodiscard]] const yaml::Item* item(std::string_view name) const;

    [[nodiscard]] std::string subject(std::string_view name) const;

    [[nodiscard]] const std::string& owner() const { return m_owner; }

    /// Reports the field if it is not there, not even misspelt.
    void require(std::string_view name, std::string help) const;

    /// A value that is one text; `wanted` is what to write instead of a list or a map.
    [[nodiscard]] const yaml::Item* scalar(std::string_view name, std::string_view wanted) const;

    [[nodiscard]] Given<std::string> text(std::string_view name) const;

    /// A text that `parse` turns into a T or refuses.
    template <class T, class Parse>
    [[nodiscard]] Given<T> parsed(std::string_view name, std::string_view wanted,
                                  const Parse& parse) const
    {
        const yaml::Item* found = scalar(name, wanted);
        if (found == nullptr) {
            return std::nullopt;
        }
        engine::Result<T> value = parse(std::string_view(found->value.text));
        if (!value) {
            engine::Diagnostic diagnostic = value.error();
            diagnostic.message = fmt::format("{}: {}", subject(name), diagnostic.message);
            m_report.error(diagnostic, found->value.at);
            return std::nullopt;
        }
        return Field<T> {std::move(*value), found->key.at, found->value.at, found->value.quoted};
    }

    /// One word of a closed set.
    template <class T, std::size_t Count>
    [[nodiscard]] Given<T>
    choice(std::string_view name,
           const std::array<std::pair<std::string_view, T>, Count>& words) const
    {
        std::vector<std::string_view> names;
        for (const auto& [word, value] : words) {
            names.push_back(word);
        }
        const yaml::Item* found = scalar(name, names.front());
        if (found == nullptr) {
            return std::nullopt;
        }
        for (const auto& [word, value] : words) {
            if (found->value.text == word) {
                return Field<T> {value, found->key.at, found->value.at, found->value.quoted};
            }
        }
        reportChoice(name, *found, names);
        return std::nullopt;
    }

private:
    void reportChoice(std::string_view name, const yaml::Item& item,
                      std::span<const std::string_view> names) const;
    void checkNames(std::span<const std::string_view> known);

    Report& m_report;
    const yaml::Node& m_map;
    std::vector<std::string_view> m_meant; ///< fields that unknown names were probably meant to be
    std::string m_owner;
};

} // namespace policies::language
