#include "app/workbench/figures_text.h"
#include "app/workbench/gate.h"
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

constexpr int kDeepest = 100;
constexpr std::size_t kMostDecimals = 6;

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

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

/// Recursive descent over the bytes of the text. The first mistake ends it.
class GateParser {
public:
    GateParser(std::string_view text, const GateNames& names)
        : m_text(text)
        , m_names(names)
    {
        m_gate.m_text = text;
    }

    engine::Result<Gate> parse()
    {
        const auto root = disjunction(0);
        if (!root) {
            return engine::fail(*m_mistake);
        }
        skipBlanks();
        if (m_at < m_text.size()) {
            const bool chained
                = std::string_view("<>=!").find(m_text[m_at]) != std::string_view::npos;
            mistake("gate.syntax", fmt::format("`{}` is not expected here", m_text.substr(m_at)),
                    m_at,
                    chained ? "compare two at a time: a > 1 and a < 5"
                            : "join conditions by `and` or `or`");
            return engine::fail(*m_mistake);
        }
        m_gate.m_root = *root;
        return std::move(m_gate);
    }

private:
    using NodeIndex = std::optional<std::size_t>;

    std::nullopt_t mistake(const char* code, std::string message, std::size_t at, std::string help)
    {
        if (!m_mistake) {
            m_mistake = engine::fail(code, std::move(message), std::move(help)).diagnostic;
            m_mistake->place = {"--fail-if", 1, static_cast<std::int64_t>(at) + 1};
        }
        return std::nullopt;
    }

    void skipBlanks()
    {
        while (m_at < m_text.size()
               && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n')) {
            ++m_at;
        }
    }

    bool take(std::string_view symbol)
    {
        skipBlanks();
        if (!m_text.substr(m_at).starts_with(symbol)) {
            return false;
        }
        m_at += symbol.size();
        return true;
    }

    std::string_view peekWord()
    {
        skipBlanks();
        std::size_t end = m_at;
        while (end < m_text.size()
               && (isLetter(m_text[end]) || (end > m_at && isDigit(m_text[end])))) {
            ++end;
        }
        return m_text.substr(m_at, end - m_at);
    }

    bool takeWord(std::string_view word)
    {
        const bool isIt = peekWord() == word;
        m_at += isIt ? word.size() : 0;
        return isIt;
    }

    std::size_t add(Gate::Node node)
    {
        m_gate.m_nodes.push_back(node);
        return m_gate.m_nodes.size() - 1;
    }

    NodeIndex joined(Gate::NodeKind kind, NodeIndex left, NodeIndex right)
    {
        if (!left || !right) {
            return std::nullopt;
        }
        Gate::Node node;
        node.kind = kind;
        node.left = *left;
        node.right = *right;
        return add(node);
    }

    NodeIndex disjunction(int depth)
    {
        NodeIndex left = conjunction(depth);
        while (left && takeWord("or")) {
            left = joined(Gate::NodeKind::Or, left, conjunction(depth));
        }
        return left;
    }

    NodeIndex conjunction(int depth)
    {
        NodeIndex left = condition(depth);
        while (left && takeWord("and")) {
            left = joined(Gate::NodeKind::And, left, condition(depth));
        }
        return left;
    }

    NodeIndex condition(int depth)
    {
        if (depth > kDeepest) {
            return mistake("gate.syntax", "the expression is nested too deeply", m_at,
                           "write it flatter");
        }
        if (takeWord("not")) {
            const NodeIndex inner = condition(depth + 1);
            return joined(Gate::NodeKind::Not, inner, inner);
        }
        if (take("(")) {
            const NodeIndex inner = disjunction(depth + 1);
            if (inner && !take(")")) {
                return mistake("gate.syntax", "a closing `)` is missing", m_at,
                               "close what `(` opened");
            }
            return inner;
        }
        return comparison();
    }

    NodeIndex comparison()
    {
        Gate::Node node;
        skipBlanks();
        const std::size_t start = m_at;
        const auto a = operand();
        if (!a) {
            return std::nullopt;
        }
        const auto comparator = takeComparator();
        if (!comparator) {
            return mistake(
                "gate.syntax",
                fmt::format("`{}` is compared with nothing", m_text.substr(start, m_at - start)),
                m_at,
                a->isShare ? "write a comparison: rejected_share > 1%"
                           : "write a comparison: rejected > 0");
        }
        const auto b = operand();
        if (!b) {
            return std::nullopt;
        }
        if (a->isShare != b->isShare) {
            return mistake("gate.type",
                           fmt::format("`{}` compares a share with a count",
                                       m_text.substr(start, m_at - start)),
                           start, "a share is compared with N%, a count with N");
        }
        node.a = *a;
        node.b = *b;
        node.comparator = *comparator;
        return add(node);
    }

    std::optional<Gate::Comparator> takeComparator()
    {
        using C = Gate::Comparator;
        // The longer ones first.
        constexpr std::array<std::pair<std::string_view, C>, 7> symbols {{{"<=", C::LessOrEqual},
                                                                          {">=", C::GreaterOrEqual},
                                                                          {"==", C::Equal},
                                                                          {"!=", C::NotEqual},
                                                                          {"<", C::Less},
                                                                          {">", C::Greater},
                                                                          {"=", C::Equal}}};
        for (const auto& [symbol, comparator] : symbols) {
            if (take(symbol)) {
                return comparator;
            }
        }
        return std::nullopt;
    }

    std::optional<Gate::Operand> operand()
    {
        skipBlanks();
        if (m_at < m_text.size() && isDigit(m_text[m_at])) {
            return number();
        }
        return figure();
    }

    std::optional<Gate::Operand> number()
    {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (isDigit(m_text[m_at]) || m_text[m_at] == '.')) {
            ++m_at;
        }
        const std::string_view written = m_text.substr(start, m_at - start);
        const std::size_t dot = std::min(written.find('.'), written.size());
        const std::string_view decimals = written.substr(std::min(dot + 1, written.size()));
        const auto digits = parseWhole(std::string(written.substr(0, dot)).append(decimals));
        const bool isShare = m_at < m_text.size() && m_text[m_at] == '%';
        m_at += isShare ? 1 : 0;
        const bool isWhole = dot == written.size();
        const bool isRuntogether
            = m_at < m_text.size() && (isLetter(m_text[m_at]) || isDigit(m_text[m_at]));
        if (!digits || isRuntogether
            || (!isWhole && (!isShare || decimals.empty() || decimals.size() > kMostDecimals))) {
            return mistake("gate.syntax", fmt::format("`{}` is no number here", written), start,
                           "write whole numbers (1000) for counts, N% or 0.5% for shares");
        }
        Gate::Operand operand;
        operand.isShare = isShare;
        operand.number = {static_cast<std::uint64_t>(*digits), isShare ? 100U : 1U};
        for (std::size_t i = 0; i < decimals.size(); ++i) {
            operand.number.denominator *= 10;
        }
        return operand;
    }

    std::optional<Gate::Operand> figure()
    {
        GateFigure figure;
        figure.column = m_at + 1;
        if (takeWord("rule") && !ruleName(figure)) {
            return std::nullopt;
        }
        if (takeWord("class") && !className(figure)) {
            return std::nullopt;
        }
        if (!figureName(figure) || (take("[") && !narrowing(figure))) {
            return std::nullopt;
        }
        Gate::Operand operand;
        operand.isShare = figure.isShare;
        operand.figure = m_gate.m_figures.size();
        m_gate.m_figures.push_back(std::move(figure));
        return operand;
    }

    /// ("search"). behind `rule` or `class`.
    std::optional<std::string> owner()
    {
        auto name = take("(") ? quoted() : std::nullopt;
        return name && take(")") && take(".") ? std::move(name) : std::nullopt;
    }

    std::optional<bool> ruleName(GateFigure& figure)
    {
        const std::size_t start = m_at;
        const std::optional<std::string> name = owner();
        if (!name) {
            return mistake("gate.syntax", "a rule is named like rule(\"search\").rejected", start,
                           "write rule(\"NAME\").FIGURE");
        }
        if (std::find(m_names.rules.begin(), m_names.rules.end(), *name) == m_names.rules.end()) {
            return mistake("gate.rule", fmt::format("there is no rule `{}`", *name), start,
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
        const std::size_t start = m_at;
        const std::optional<std::string> name = owner();
        if (!name) {
            return mistake("gate.syntax", "a class is named like class(\"batch\").rejected", start,
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
            return mistake("gate.class",
                           figure.rule
                               ? fmt::format("rule `{}` has no class `{}`", *figure.rule, *name)
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
        const std::string_view word = peekWord();
        const std::size_t start = m_at;
        if (word.empty()) {
            return mistake("gate.syntax", "a figure or a number is missing", m_at,
                           "write one of " + choices(namesIn(m_names.context)));
        }
        m_at += word.size();
        const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                        [word](const KnownFigure& k) { return k.name == word; });
        if (known == kKnown.end()) {
            const std::vector<std::string> names = namesIn(m_names.context);
            return mistake("gate.name", fmt::format("there is no figure `{}`", word), start,
                           suggest(word, names, "write one of " + choices(names)));
        }
        if (known->onlyInComparisons && m_names.context == GateContext::Replay) {
            return mistake("gate.context", fmt::format("`{}` is a figure of comparisons", word),
                           start, "use it with `weir compare`, or write `rejected`");
        }
        if ((figure.rule || figure.className) && !known->ofRuleInComparisons
            && m_names.context == GateContext::Compare) {
            return mistake("gate.context",
                           fmt::format("a comparison does not count `{}` of one {}", word,
                                       figure.className ? "class" : "rule"),
                           start,
                           "use it with `weir replay`, or ask for `rejected` or a newly_ figure");
        }
        figure.name = word;
        figure.isShare = known->isShare;
        return true;
    }

    std::optional<bool> narrowing(GateFigure& figure)
    {
        skipBlanks();
        const std::size_t start = m_at;
        while (m_at < m_text.size()
               && (isLetter(m_text[m_at]) || isDigit(m_text[m_at]) || m_text[m_at] == '-')) {
            ++m_at;
        }
        const std::string attribute(m_text.substr(start, m_at - start));
        if (attribute.empty() || !take("=")) {
            return mistake("gate.syntax", "a narrowing names an attribute and its value", start,
                           "write NAME[plan=pro]");
        }
        const auto value = narrowedValue();
        if (!value || !take("]")) {
            return mistake("gate.syntax", "the value of the narrowing does not end", start,
                           "write NAME[plan=pro] or NAME[plan=\"two words\"], one attribute only");
        }
        if (std::find(m_names.attributes.begin(), m_names.attributes.end(), attribute)
            == m_names.attributes.end()) {
            return mistake(
                "gate.attribute", fmt::format("there is no attribute `{}`", attribute), start,
                suggest(attribute, m_names.attributes, "name one that the log or the policy has"));
        }
        figure.attribute = attribute;
        figure.value = *value;
        return true;
    }

    std::optional<std::string> narrowedValue()
    {
        skipBlanks();
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            return quoted();
        }
        const std::size_t end = m_text.find_first_of("],\" \t", m_at);
        if (end == m_text.npos || end == m_at) {
            return std::nullopt;
        }
        std::string value(m_text.substr(m_at, end - m_at));
        m_at = end;
        return value;
    }

    /// A text in double quotes; nothing if it does not start here or does not end.
    std::optional<std::string> quoted()
    {
        if (!take("\"")) {
            return std::nullopt;
        }
        std::string out;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '"') {
                ++m_at;
                return out;
            }
            if (c == '\\' && m_at + 1 < m_text.size()) {
                ++m_at;
            }
            out += m_text[m_at];
        }
        return std::nullopt;
    }

    std::string_view m_text;
    const GateNames& m_names;
    std::size_t m_at = 0;
    Gate m_gate;
    std::optional<engine::Diagnostic> m_mistake;
};

engine::Result<Gate> Gate::parse(std::string_view text, const GateNames& names)
{
    return GateParser(text, names).parse();
}

} // namespace app
