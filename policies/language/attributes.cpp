#include "policies/language/attributes.h"

#include "engine/attributes.h"
#include "policies/language/fields.h"
#include "policies/language/numbers.h"
#include "policies/language/words.h"

#include <algorithm>
#include <unordered_map>

namespace policies::language {
namespace {

constexpr std::array<std::string_view, 7> kFields {"from",   "pattern", "take", "prefix",
                                                   "lookup", "default", "param"};

constexpr std::array<std::pair<std::string_view, engine::DerivationKind>, 4> kKinds {{
    {"pattern", engine::DerivationKind::Pattern},
    {"prefix", engine::DerivationKind::Prefix},
    {"lookup", engine::DerivationKind::Lookup},
    {"param", engine::DerivationKind::Param},
}};

class AttributeReader {
public:
    AttributeReader(Report& report, const yaml::Item& item)
        : m_report(report)
        , m_fields(report, item.value, fmt::format("attribute `{}`", shown(item.key.text)), kFields)
    {
        m_attribute.name = item.key;
        m_attribute.at = item.at;
    }

    Attribute read()
    {
        if (m_attribute.name.text.empty()) {
            m_report.error("policy.empty-value", m_attribute.name.at, "an attribute has no name",
                           "write a name, as `tenant`");
        }
        m_fields.require("from", "write `from: ATTRIBUTE`, the one that it is computed from");
        if (auto from = m_fields.text("from")) {
            m_attribute.from = std::move(*from);
        }
        readKind();
        readPattern();
        readPrefix();
        readOthers();
        return std::move(m_attribute);
    }

private:
    void readKind()
    {
        std::string_view first;
        for (const auto& [name, kind] : kKinds) {
            if (!m_fields.has(name)) {
                continue;
            }
            if (first.empty()) {
                first = name;
                m_attribute.kind = kind;
            } else if (const yaml::Item* item = m_fields.item(name)) {
                m_report.error(
                    "policy.attribute-kind", item->key.at,
                    fmt::format("{} has both `{}` and `{}`", m_fields.owner(), first, name),
                    "keep one; derive a second attribute for the other step");
            }
        }
        needs("take", "pattern");
        needs("default", "lookup");
    }

    void needs(std::string_view field, std::string_view other)
    {
        const yaml::Item* item = m_fields.item(field);
        if (item != nullptr && !m_fields.has(other)) {
            m_report.error("policy.attribute-kind", item->key.at,
                           fmt::format("{} has `{}` without `{}`", m_fields.owner(), field, other),
                           fmt::format("add `{}`, or leave `{}` out", other, field));
        }
    }

    void readPattern()
    {
        m_attribute.pattern = m_fields.text("pattern");
        m_attribute.take = m_fields.text("take");
        if (!m_attribute.pattern) {
            return;
        }
        const auto captures
            = engine::capturesOf(m_attribute.from.value, m_attribute.pattern->value);
        if (!captures) {
            const std::string& help = captures.error().help;
            m_report.error(
                "policy.pattern", m_attribute.pattern->at,
                fmt::format("{}: {}", m_fields.subject("pattern"), captures.error().message),
                help.empty() ? "write literal text with `{name}` in it" : help);
            return;
        }
        const auto holds = [&](const std::string& name) {
            return std::find(captures->begin(), captures->end(), name) != captures->end();
        };
        if (captures->empty()) {
            m_report.error(
                "policy.pattern", m_attribute.pattern->at,
                fmt::format("{} has no `{{name}}` whose value could be taken",
                            m_fields.subject("pattern")),
                fmt::format("write `{{{}}}` where the value stands", m_attribute.name.text));
        } else if (m_attribute.take) {
            if (!holds(m_attribute.take->value)) {
                const std::vector<std::string_view> names(captures->begin(), captures->end());
                m_report.error("policy.take", m_attribute.take->at,
                               fmt::format("`{}` is no name in the pattern of {}",
                                           shown(m_attribute.take->value), m_fields.owner()),
                               suggest(m_attribute.take->value, names, "write"));
            }
            m_attribute.takes = m_attribute.take->value;
        } else if (holds(m_attribute.name.text)) {
            m_attribute.takes = m_attribute.name.text;
        } else if (captures->size() == 1) {
            m_attribute.takes = captures->front();
        } else {
            const std::vector<std::string_view> names(captures->begin(), captures->end());
            m_report.error(
                "policy.take", m_attribute.pattern->at,
                fmt::format("{} does not say which name of its pattern it takes", m_fields.owner()),
                fmt::format("add `take:` with {}", listOf(names)));
        }
    }

    Given<int> bits(const Fields& prefix, std::string_view family, int most)
    {
        const auto parse = [&](std::string_view text) -> engine::Result<int> {
            const engine::Result<std::int64_t> whole = parseWhole(text);
            if (!whole) {
                return engine::Failure {whole.error()};
            }
            if (*whole > most) {
                return engine::fail(
                    "policy.number-range",
                    fmt::format("{} addresses have {} bits, not {}", family, most, *whole),
                    fmt::format("write 0 to {}", most));
            }
            return static_cast<int>(*whole);
        };
        return prefix.parsed<int>(family, most == 32 ? "24" : "64", parse);
    }

    void readPrefix()
    {
        const yaml::Item* item = m_fields.item("prefix");
        if (item == nullptr) {
            return;
        }
        static constexpr std::array<std::string_view, 2> kFamilies {"ipv4", "ipv6"};
        const Fields prefix(m_report, item->value,
                            fmt::format("the prefix of {}", m_fields.owner()), kFamilies);
        if (prefix.isMap() && !prefix.has("ipv4") && !prefix.has("ipv6")) {
            prefix.require("ipv4", "write `prefix: { ipv4: 24, ipv6: 64 }`");
        }
        m_attribute.ipv4Bits = bits(prefix, "ipv4", 32);
        m_attribute.ipv6Bits = bits(prefix, "ipv6", 128);
    }

    Given<std::string> filled(std::string_view name)
    {
        Given<std::string> field = m_fields.text(name);
        if (field && field->value.empty()) {
            m_report.error("policy.empty-value", field->at,
                           fmt::format("{} is empty", m_fields.subject(name)),
                           "write a value, or remove the field");
        }
        return field;
    }

    void readOthers()
    {
        m_attribute.lookup = filled("lookup");
        m_attribute.fallback = filled("default");
        m_attribute.param = filled("param");
        if (m_attribute.param && m_attribute.from.value != "query"
            && m_fields.item("from") != nullptr) {
            m_report.error("policy.param", m_attribute.param->key,
                           fmt::format("{} takes a query parameter from `{}`", m_fields.owner(),
                                       shown(m_attribute.from.value)),
                           "write `from: query`");
        }
    }

    Report& m_report;
    Fields m_fields;
    Attribute m_attribute;
};

/// What one looks up must have been derived before (C24), unless the log has it too.
void checkOrder(Report& report, const std::vector<Attribute>& attributes)
{
    std::unordered_map<std::string_view, std::size_t> positions;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        positions.emplace(attributes[i].name.text, i);
    }
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        const std::string& from = attributes[i].from.value;
        const auto source = positions.find(from);
        if (source == positions.end() || source->second < i || engine::isBuiltIn(from)) {
            continue;
        }
        if (source->second > i) {
            report.error(
                "policy.attribute-order", attributes[i].from.at,
                fmt::format("attribute `{}` is computed from `{}`, which is derived after it",
                            shown(attributes[i].name.text), shown(from)),
                fmt::format("move `{}` before `{}`", shown(from), shown(attributes[i].name.text)));
        }
    }
}

} // namespace

std::vector<Attribute> readAttributes(Report& report, const yaml::Item& item)
{
    std::vector<Attribute> attributes;
    if (item.value.kind != yaml::Kind::Map) {
        reportType(report, item.value, "`attributes`", "a map",
                   "write `tenant: { from: host, pattern: \"{tenant}.example.com\" }`");
        return attributes;
    }
    for (const yaml::Item& entry : item.value.items) {
        if (entry.value.unusable) {
            continue;
        }
        if (entry.value.kind == yaml::Kind::Null) {
            reportNoValue(report, entry, fmt::format("attribute `{}`", shown(entry.key.text)));
            continue;
        }
        attributes.push_back(AttributeReader(report, entry).read());
    }
    checkOrder(report, attributes);
    return attributes;
}

} // namespace policies::language
