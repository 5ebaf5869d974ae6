#include "tests/policies/schema_validator.h"

#include <QRegularExpression>

#include <algorithm>
#include <set>

namespace tests::policies {
namespace {

using ::policies::yaml::Item;
using ::policies::yaml::Kind;
using ::policies::yaml::Node;
using support::Json;

bool isInteger(const Node& node)
{
    const std::string& text = node.text;
    return node.kind == Kind::Scalar && !node.quoted && !text.empty()
        && text.find_first_not_of("0123456789") == std::string::npos;
}

bool isFraction(const Node& node)
{
    static const QRegularExpression kNumber(
        QStringLiteral("^[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?$"));
    return node.kind == Kind::Scalar && !node.quoted && !isInteger(node)
        && kNumber.match(QString::fromStdString(node.text)).hasMatch();
}

bool isBoolean(const Node& node)
{
    return node.kind == Kind::Scalar && !node.quoted
        && (node.text == "true" || node.text == "false");
}

bool isString(const Node& node)
{
    return node.kind == Kind::Scalar && !isInteger(node) && !isFraction(node) && !isBoolean(node);
}

bool isOfType(const Node& node, const std::string& type)
{
    return (type == "object" && node.kind == Kind::Map)
        || (type == "array" && node.kind == Kind::Sequence) || (type == "string" && isString(node))
        || (type == "integer" && isInteger(node))
        || (type == "number" && (isInteger(node) || isFraction(node)))
        || (type == "boolean" && isBoolean(node)) || (type == "null" && node.kind == Kind::Null);
}

bool isEqual(const Node& node, const Json& value)
{
    switch (value.kind()) {
    case Json::Kind::Text:
        return isString(node) && node.text == value.text();
    case Json::Kind::Integer:
        return isInteger(node) && node.text == std::to_string(value.integer());
    case Json::Kind::Boolean:
        return isBoolean(node) && node.text == (value.boolean() ? "true" : "false");
    default:
        return false;
    }
}

class Validator {
public:
    Validator(const Node& node, const Json& schema, const Json& root, std::string path)
        : m_node(node)
        , m_schema(schema)
        , m_root(root)
        , m_path(std::move(path))
    {
    }

    std::optional<std::string> run()
    {
        if (m_schema.kind() == Json::Kind::Boolean) {
            return m_schema.boolean() ? std::nullopt : std::optional(m_path + ": not allowed");
        }
        for (const auto& [keyword, value] : m_schema.members()) {
            if (auto wrong = check(keyword, value)) {
                return wrong;
            }
        }
        return std::nullopt;
    }

private:
    std::optional<std::string> wrongUnless(bool holds, const std::string& keyword) const
    {
        return holds ? std::nullopt : std::optional(m_path + ": " + keyword);
    }

    [[nodiscard]] std::optional<std::string> sub(const Json& schema) const
    {
        return whatIsWrong(m_node, schema, m_root, m_path);
    }

    std::optional<std::string> check(const std::string& keyword, const Json& value)
    {
        static const std::vector<std::string> kNotes {"$schema", "$defs", "title", "description",
                                                      "then"};
        if (std::find(kNotes.begin(), kNotes.end(), keyword) != kNotes.end()) {
            return std::nullopt;
        }
        if (keyword == "$ref") {
            const std::string name = value.text().substr(std::string("#/$defs/").size());
            return sub(*m_root.find("$defs")->find(name));
        }
        if (keyword == "type" || keyword == "enum" || keyword == "const") {
            return checkValue(keyword, value);
        }
        if (keyword == "pattern" || keyword == "minLength" || keyword == "minimum"
            || keyword == "maximum") {
            return checkScalar(keyword, value);
        }
        if (keyword == "items" || keyword == "minItems" || keyword == "uniqueItems") {
            return checkList(keyword, value);
        }
        if (keyword == "properties" || keyword == "required" || keyword == "additionalProperties"
            || keyword == "minProperties" || keyword == "dependentRequired") {
            return checkMap(keyword, value);
        }
        return checkLogic(keyword, value);
    }

    std::optional<std::string> checkValue(const std::string& keyword, const Json& value)
    {
        if (keyword == "const") {
            return wrongUnless(isEqual(m_node, value), keyword);
        }
        if (keyword == "type" && value.kind() == Json::Kind::Text) {
            return wrongUnless(isOfType(m_node, value.text()), keyword);
        }
        const bool holds
            = std::any_of(value.items().begin(), value.items().end(), [&](const Json& one) {
                  return keyword == "type" ? isOfType(m_node, one.text()) : isEqual(m_node, one);
              });
        return wrongUnless(holds, keyword);
    }

    std::optional<std::string> checkScalar(const std::string& keyword, const Json& value)
    {
        if (keyword == "pattern") {
            const QRegularExpression pattern(QString::fromStdString(value.text()));
            return wrongUnless(!isString(m_node)
                                   || pattern.match(QString::fromStdString(m_node.text)).hasMatch(),
                               keyword);
        }
        if (keyword == "minLength") {
            return wrongUnless(!isString(m_node) || !m_node.text.empty(), keyword);
        }
        const auto number = QString::fromStdString(m_node.text).toLongLong();
        return wrongUnless(
            !isInteger(m_node)
                || (keyword == "minimum" ? number >= value.integer() : number <= value.integer()),
            keyword);
    }

    std::optional<std::string> checkList(const std::string& keyword, const Json& value)
    {
        if (m_node.kind != Kind::Sequence) {
            return std::nullopt;
        }
        if (keyword == "minItems") {
            return wrongUnless(static_cast<std::int64_t>(m_node.items.size()) >= value.integer(),
                               keyword);
        }
        if (keyword == "uniqueItems") {
            std::set<std::string> seen;
            return wrongUnless(std::all_of(m_node.items.begin(), m_node.items.end(),
                                           [&seen](const Item& item) {
                                               return seen.insert(item.value.text).second;
                                           }),
                               keyword);
        }
        for (std::size_t i = 0; i < m_node.items.size(); ++i) {
            if (auto wrong = whatIsWrong(m_node.items[i].value, value, m_root,
                                         m_path + "/" + std::to_string(i))) {
                return wrong;
            }
        }
        return std::nullopt;
    }

    std::optional<std::string> checkMap(const std::string& keyword, const Json& value)
    {
        if (m_node.kind != Kind::Map) {
            return std::nullopt;
        }
        if (keyword == "minProperties") {
            return wrongUnless(static_cast<std::int64_t>(m_node.items.size()) >= value.integer(),
                               keyword);
        }
        if (keyword == "dependentRequired") {
            for (const auto& [name, needed] : value.members()) {
                if (::policies::yaml::find(m_node, name) != nullptr) {
                    if (auto wrong = checkMap("required", needed)) {
                        return wrong;
                    }
                }
            }
            return std::nullopt;
        }
        if (keyword == "required") {
            for (const Json& name : value.items()) {
                if (::policies::yaml::find(m_node, name.text()) == nullptr) {
                    return m_path + ": required " + name.text();
                }
            }
            return std::nullopt;
        }
        const Json* known = m_schema.find("properties");
        for (const Item& item : m_node.items) {
            const Json* own = known == nullptr ? nullptr : known->find(item.key.text);
            const Json* schema = keyword == "properties" ? own : own == nullptr ? &value : nullptr;
            if (schema == nullptr) {
                continue;
            }
            if (auto wrong
                = whatIsWrong(item.value, *schema, m_root, m_path + "/" + item.key.text)) {
                return wrong;
            }
        }
        return std::nullopt;
    }

    std::optional<std::string> checkLogic(const std::string& keyword, const Json& value)
    {
        if (keyword == "anyOf") {
            return wrongUnless(std::any_of(value.items().begin(), value.items().end(),
                                           [this](const Json& one) { return !sub(one); }),
                               keyword);
        }
        if (keyword == "allOf") {
            for (const Json& one : value.items()) {
                if (auto wrong = sub(one)) {
                    return wrong;
                }
            }
            return std::nullopt;
        }
        if (keyword == "not") {
            return wrongUnless(sub(value).has_value(), keyword);
        }
        if (keyword == "if") {
            return sub(value) ? std::nullopt : sub(*m_schema.find("then"));
        }
        return m_path + ": the schema has an unknown keyword " + keyword;
    }

    const Node& m_node;
    const Json& m_schema;
    const Json& m_root;
    std::string m_path;
};

} // namespace

std::optional<std::string> whatIsWrong(const Node& node, const Json& schema, const Json& root,
                                       const std::string& path)
{
    return Validator(node, schema, root, path).run();
}

} // namespace tests::policies
