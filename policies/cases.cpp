#include "policies/cases.h"

#include "policies/editing/changes.h"
#include "policies/editing/parts.h"
#include "policies/language/document.h"
#include "policies/language/fields.h"
#include "policies/writing/scalar.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace policies {
namespace {

using language::Fields;

constexpr std::array<std::string_view, 4> kTopFields {"cases", "policy", "defaults", "tests"};
constexpr std::array<std::string_view, 4> kTestFields {"name", "start", "steps", "note"};
constexpr std::array<std::string_view, 6> kStepFields {"at",       "times",  "every",
                                                       "duration", "expect", "note"};
constexpr std::string_view kExpectHelp
    = "write `expect: admitted`, `expect: rejected by RULE`, a list of such in order "
      "(`[60 admitted, 3 rejected]`), or totals (`{ admitted: 60 }`)";

class Reader {
public:
    Reader(std::string file, language::Report& report)
        : m_file(std::move(file))
        , m_report(report)
    {
    }

    Cases read(const yaml::Node& root)
    {
        Cases cases;
        const Fields fields(m_report, root, "the cases", kTopFields);
        fields.require("cases", "write `cases: 1`");
        if (const yaml::Item* version = fields.scalar("cases", "1");
            version != nullptr && version->value.text != "1") {
            m_report.error(
                "policy.version", version->value.at,
                fmt::format("`cases: {}` is a version that is not known here", version->value.text),
                "write `cases: 1`");
        }
        cases.policy = text(fields, "policy", "limits.yaml");
        if (const yaml::Item* defaults = fields.item("defaults")) {
            m_defaults = attributes(defaults->value, "`defaults`", {});
        }
        fields.require("tests", "write `tests:` and below it `- name: ...` with `steps:`");
        for (const yaml::Item& item : items(fields, "tests")) {
            cases.tests.push_back(test(item, cases.tests.size() + 1));
        }
        return cases;
    }

private:
    [[nodiscard]] engine::Place placeOf(const Span& at) const
    {
        return {m_file, at.line, at.column};
    }

    std::optional<CaseText> text(const Fields& fields, std::string_view name,
                                 std::string_view wanted)
    {
        const yaml::Item* item = fields.scalar(name, wanted);
        return item == nullptr
            ? std::nullopt
            : std::optional(CaseText {item->value.text, placeOf(item->value.at)});
    }

    std::vector<yaml::Item> items(const Fields& fields, std::string_view name)
    {
        const yaml::Item* list = fields.item(name);
        if (list == nullptr) {
            return {};
        }
        if (list->value.kind != yaml::Kind::Sequence) {
            language::reportType(m_report, list->value, fields.subject(name), "a list",
                                 "write `- ` before each of its items");
            return {};
        }
        if (list->value.items.empty()) {
            m_report.error("policy.empty-list", list->value.at, fields.subject(name) + " is empty",
                           "write at least one, or remove it");
        }
        return list->value.items;
    }

    /// The entries of a map that are no fields of a step; each is one text.
    std::vector<std::pair<CaseText, CaseText>>
    attributes(const yaml::Node& map, const std::string& owner,
               std::vector<std::pair<CaseText, CaseText>> known)
    {
        if (map.kind != yaml::Kind::Map) {
            language::reportType(m_report, map, owner, "a map of attributes",
                                 "write `{ path: /search, api_key: k1 }`");
            return known;
        }
        for (const yaml::Item& item : map.items) {
            const std::string& name = item.key.text;
            if (std::find(kStepFields.begin(), kStepFields.end(), name) != kStepFields.end()) {
                continue;
            }
            const std::string subject = fmt::format("`{}` of {}", name, owner);
            std::erase_if(known, [&name](const auto& entry) { return entry.first.text == name; });
            if (item.value.kind == yaml::Kind::Scalar) {
                const bool isAbsent = item.value.text == "absent" && !item.value.quoted;
                if (!isAbsent) {
                    known.emplace_back(CaseText {name, placeOf(item.key.at)},
                                       CaseText {item.value.text, placeOf(item.value.at)});
                }
            } else if (item.value.kind == yaml::Kind::Null) {
                language::reportNoValue(m_report, item, subject);
            } else {
                language::reportType(m_report, item.value, subject, "one text",
                                     fmt::format("write `{}: VALUE`", name));
            }
        }
        return known;
    }

    CaseTest test(const yaml::Item& item, std::size_t number)
    {
        CaseTest test;
        test.place = placeOf(item.value.at);
        const yaml::Item* name = yaml::find(item.value, "name");
        const bool isNamed = name != nullptr && name->value.kind == yaml::Kind::Scalar;
        test.name = isNamed ? name->value.text : fmt::format("test {}", number);
        const std::string owner = isNamed ? fmt::format("test `{}`", test.name) : test.name;
        const Fields fields(m_report, item.value, owner, kTestFields);
        text(fields, "name", "WORDS");
        text(fields, "note", "TEXT");
        test.start = text(fields, "start", "2026-11-28T12:00:00Z");
        fields.require("steps", "write `steps:` and below it `- { path: /a, expect: admitted }`");
        for (const yaml::Item& step : items(fields, "steps")) {
            test.steps.push_back(
                this->step(step, fmt::format("step {} of {}", test.steps.size() + 1, owner)));
        }
        return test;
    }

    CaseStep step(const yaml::Item& item, const std::string& owner)
    {
        CaseStep step;
        step.place = placeOf(item.value.at);
        step.attributes = attributes(item.value, owner, m_defaults);
        yaml::Node known = item.value; // without attributes, which may be called anything
        std::erase_if(known.items, [](const yaml::Item& entry) {
            return std::find(kStepFields.begin(), kStepFields.end(), entry.key.text)
                == kStepFields.end();
        });
        if (known.kind != yaml::Kind::Map) {
            return step; // told by attributes()
        }
        const Fields fields(m_report, known, owner, kStepFields);
        step.at = text(fields, "at", "+1s");
        step.times = text(fields, "times", "60");
        step.every = text(fields, "every", "1s");
        step.duration = text(fields, "duration", "250ms");
        text(fields, "note", "TEXT");
        if (const yaml::Item* expect = fields.item("expect")) {
            readExpected(expect->value, fields.subject("expect"), step);
        }
        return step;
    }

    void readExpected(const yaml::Node& node, const std::string& subject, CaseStep& step)
    {
        if (node.kind == yaml::Kind::Map) {
            for (const yaml::Item& item : node.items) {
                if (item.value.kind != yaml::Kind::Scalar) {
                    language::reportType(m_report, item.value,
                                         fmt::format("`{}` in {}", item.key.text, subject),
                                         "a number", "write `60` or `59..61`");
                    continue;
                }
                step.totals.emplace_back(CaseText {item.key.text, placeOf(item.key.at)},
                                         CaseText {item.value.text, placeOf(item.value.at)});
            }
        } else {
            for (const Word& word : language::wordsOf(m_report, node, subject, true)) {
                step.inOrder.push_back({word.text, placeOf(word.at)});
            }
        }
        const bool isEmpty = step.inOrder.empty() && step.totals.empty() && node.items.empty();
        if (isEmpty && node.kind != yaml::Kind::Scalar) {
            m_report.error("policy.empty-list", node.at, subject + " is empty",
                           std::string(kExpectHelp));
        }
    }

    std::string m_file;
    language::Report& m_report;
    std::vector<std::pair<CaseText, CaseText>> m_defaults;
};

/// As a value of YAML.
std::string valueText(const Expected& expected)
{
    std::vector<std::string> parts;
    if (!expected.totals.empty()) {
        for (const auto& [outcome, count] : expected.totals) {
            parts.push_back(fmt::format("{}: {}", writing::scalar(outcome), count));
        }
        return fmt::format("{{ {} }}", fmt::join(parts, ", "));
    }
    for (const std::string& outcome : expected.inOrder) {
        parts.push_back(writing::scalar(outcome));
    }
    return parts.size() == 1 ? parts.front() : fmt::format("[{}]", fmt::join(parts, ", "));
}

engine::Status expect(editing::Draft& draft, const Expected& expected)
{
    const auto tests = editing::fieldIndex(draft.root(), "tests");
    const editing::NodePath test {tests.value_or(0), expected.test};
    const auto steps = editing::fieldIndex(editing::nodeAt(draft.root(), test), "steps");
    const editing::NodePath step
        = editing::below(editing::below(test, steps.value_or(0)), expected.step);
    const yaml::Node& map = editing::nodeAt(draft.root(), step);
    engine::Result<editing::Written> value = editing::readValue(valueText(expected));
    if (!value) {
        return engine::fail(value.error());
    }
    const auto field = editing::fieldIndex(map, "expect");
    return field ? editing::replaceValue(draft, editing::below(step, *field), *value)
                 : editing::addField(draft, step, map.items.size(), "expect", *value);
}

} // namespace

CheckedCases readCases(std::string fileName, std::string_view bytes)
{
    CheckedCases checked;
    Cases cases;
    checked.diagnostics
        = language::readDocument(fileName, bytes, "cases.", "begin with `cases: 1` and `tests:`",
                                 [&](language::Report& report, const yaml::Node& root) {
                                     cases = Reader(fileName, report).read(root);
                                 });
    if (checked.diagnostics.empty()) {
        checked.cases = std::move(cases);
    }
    return checked;
}

engine::Result<Edits> withExpected(std::string_view text, const std::vector<Expected>& expected)
{
    engine::Result<editing::Draft> draft = editing::Draft::open(text);
    if (!draft) {
        return engine::fail(draft.error());
    }
    for (const Expected& one : expected) {
        if (const engine::Status status = expect(*draft, one); !status) {
            return engine::fail(status.error());
        }
    }
    return draft->take();
}

} // namespace policies
