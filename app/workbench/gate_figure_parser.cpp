#include "app/workbench/gate_figure_parser.h"

#include "app/workbench/near_miss.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace app {
namespace {

struct KnownFigure {
    std::string_view name;
    bool isShare;
    bool onlyInComparisons;
    /// A comparison knows of each request who rejected it, not which rules judged it.
    bool ofRuleInComparisons;
};

constexpr std::array kKnown {KnownFigure {"requests", false, false, false},
                             KnownFigure {"admitted", false, false, false},
                             KnownFigure {"rejected", false, false, true},
                             KnownFigure {"rejected_share", true, false, false},
                             KnownFigure {"would_reject", false, false, false},
                             KnownFigure {"newly_rejected", false, true, true},
                             KnownFigure {"newly_admitted", false, true, true},
                             KnownFigure {"still_rejected", false, true, true},
                             KnownFigure {"still_admitted", false, true, false},
                             KnownFigure {"newly_rejected_keys", false, true, true},
                             KnownFigure {"newly_rejected_share", true, true, true}};

std::vector<std::string> namesIn(GateContext context)
{
    std::vector<std::string> names;
    for (const KnownFigure& known : kKnown) {
        if (!known.onlyInComparisons || context == GateContext::Compare) {
            names.emplace_back(known.name);
        }
    }
    return names;
}

/// Each part gives true, or nothing where it is a mistake.
class FigureParser {
public:
    FigureParser(GateCursor& cursor, const GateNames& names)
        : m_cursor(cursor)
        , m_names(names)
    {
    }

    std::optional<GateFigure> parse()
    {
        GateFigure figure;
        figure.column = m_cursor.at() + 1;
        if (m_cursor.takeWord("rule") && !ruleName(figure)) {
            return std::nullopt;
        }
        if (m_cursor.takeWord("class") && !className(figure)) {
            return std::nullopt;
        }
        if (!figureName(figure) || (m_cursor.take("[") && !narrowing(figure))) {
            return std::nullopt;
        }
        return figure;
    }

private:
    /// ("search"). behind `rule` or `class`.
    std::optional<std::string> owner()
    {
        auto name = m_cursor.take("(") ? m_cursor.quoted() : std::nullopt;
        return name && m_cursor.take(")") && m_cursor.take(".") ? std::move(name) : std::nullopt;
    }

    std::optional<bool> ruleName(GateFigure& figure)
    {
        const std::size_t start = m_cursor.at();
        const std::optional<std::string> name = owner();
        if (!name) {
            return m_cursor.mistake("gate.syntax", "a rule is named like rule(\"search\").rejected",
                                    start, "write rule(\"NAME\").FIGURE");
        }
        if (std::find(m_names.rules.begin(), m_names.rules.end(), *name) == m_names.rules.end()) {
            return m_cursor.mistake("gate.rule", fmt::format("there is no rule `{}`", *name), start,
                                    suggest(*name, m_names.rules,
                                            m_names.rules.empty()
                                                ? "the policy has no rules"
                                                : "the rules are " + choices(m_names.rules)));
        }
        figure.rule = *name;
        return true;
    }

    std::optional<bool> className(GateFigure& figure)
    {
        const std::size_t start = m_cursor.at();
        const std::optional<std::string> name = owner();
        if (!name) {
            return m_cursor.mistake("gate.syntax",
                                    "a class is named like class(\"batch\").rejected", start,
                                    "write class(\"NAME\").FIGURE");
        }
        std::vector<std::string> classes; // of the rule, else of all
        for (const RuleClass& one : m_names.classes) {
            if ((!figure.rule || one.rule == *figure.rule)
                && std::find(classes.begin(), classes.end(), one.name) == classes.end()) {
                classes.push_back(one.name);
            }
        }
        if (std::find(classes.begin(), classes.end(), *name) == classes.end()) {
            return m_cursor.mistake(
                "gate.class",
                figure.rule ? fmt::format("rule `{}` has no class `{}`", *figure.rule, *name)
                            : fmt::format("there is no class `{}`", *name),
                start,
                suggest(*name, classes,
                        classes.empty() ? "classes are those of a load_shedder"
                                        : "the classes are " + choices(classes)));
        }
        figure.className = *name;
        return true;
    }

    std::optional<bool> figureName(GateFigure& figure)
    {
        const std::string_view word = m_cursor.peekWord();
        const std::size_t start = m_cursor.at();
        if (word.empty()) {
            return m_cursor.mistake("gate.syntax", "a figure or a number is missing", start,
                                    "write one of " + choices(namesIn(m_names.context)));
        }
        m_cursor.takeWord(word);
        const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                        [word](const KnownFigure& k) { return k.name == word; });
        if (known == kKnown.end()) {
            const std::vector<std::string> names = namesIn(m_names.context);
            return m_cursor.mistake("gate.name", fmt::format("there is no figure `{}`", word),
                                    start, suggest(word, names, "write one of " + choices(names)));
        }
        if (known->onlyInComparisons && m_names.context == GateContext::Replay) {
            return m_cursor.mistake("gate.context",
                                    fmt::format("`{}` is a figure of comparisons", word), start,
                                    "use it with `weir compare`, or write `rejected`");
        }
        if ((figure.rule || figure.className) && !known->ofRuleInComparisons
            && m_names.context == GateContext::Compare) {
            return m_cursor.mistake(
                "gate.context",
                fmt::format("a comparison does not count `{}` of one {}", word,
                            figure.className ? "class" : "rule"),
                start, "use it with `weir replay`, or ask for `rejected` or a newly_ figure");
        }
        figure.name = word;
        figure.isShare = known->isShare;
        return true;
    }

    std::optional<bool> narrowing(GateFigure& figure)
    {
        m_cursor.skipBlanks();
        const std::size_t start = m_cursor.at();
        const std::string attribute(m_cursor.takeAllOf(GateCursor::kAttribute));
        if (attribute.empty() || !m_cursor.take("=")) {
            return m_cursor.mistake("gate.syntax", "a narrowing names an attribute and its value",
                                    start, "write NAME[plan=pro]");
        }
        const auto value = narrowedValue();
        if (!value || !m_cursor.take("]")) {
            return m_cursor.mistake(
                "gate.syntax", "the value of the narrowing does not end", start,
                "write NAME[plan=pro] or NAME[plan=\"two words\"], one attribute only");
        }
        if (std::find(m_names.attributes.begin(), m_names.attributes.end(), attribute)
            == m_names.attributes.end()) {
            return m_cursor.mistake(
                "gate.attribute", fmt::format("there is no attribute `{}`", attribute), start,
                suggest(attribute, m_names.attributes, "name one that the log or the policy has"));
        }
        figure.attribute = attribute;
        figure.value = *value;
        return true;
    }

    std::optional<std::string> narrowedValue()
    {
        m_cursor.skipBlanks();
        return m_cursor.rest().starts_with('"') ? m_cursor.quoted() : m_cursor.takeUntil("],\" \t");
    }

    GateCursor& m_cursor;
    const GateNames& m_names;
};

} // namespace

std::optional<GateFigure> parseGateFigure(GateCursor& cursor, const GateNames& names)
{
    return FigureParser(cursor, names).parse();
}

} // namespace app
