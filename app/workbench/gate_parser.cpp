#include "app/workbench/figures_text.h"
#include "app/workbench/gate.h"
#include "app/workbench/gate_cursor.h"
#include "app/workbench/gate_figure_parser.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace app {
namespace {

constexpr int kDeepest = 100;
constexpr std::size_t kMostDecimals = 6;

} // namespace

/// Recursive descent over the bytes of the text. The first mistake ends it.
class GateParser {
public:
    GateParser(std::string_view text, const GateNames& names)
        : m_cursor(text)
        , m_names(names)
    {
        m_gate.m_text = text;
    }

    engine::Result<Gate> parse()
    {
        const auto root = disjunction(0);
        if (!root) {
            return engine::fail(*m_cursor.mistake());
        }
        m_cursor.skipBlanks();
        if (!m_cursor.isAtEnd()) {
            const bool chained
                = std::string_view("<>=!").find(m_cursor.rest().front()) != std::string_view::npos;
            m_cursor.mistake("gate.syntax",
                             fmt::format("`{}` is not expected here", m_cursor.rest()),
                             m_cursor.at(),
                             chained ? "compare two at a time: a > 1 and a < 5"
                                     : "join conditions by `and` or `or`");
            return engine::fail(*m_cursor.mistake());
        }
        m_gate.m_root = *root;
        return std::move(m_gate);
    }

private:
    using NodeIndex = std::optional<std::size_t>;

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
        while (left && m_cursor.takeWord("or")) {
            left = joined(Gate::NodeKind::Or, left, conjunction(depth));
        }
        return left;
    }

    NodeIndex conjunction(int depth)
    {
        NodeIndex left = condition(depth);
        while (left && m_cursor.takeWord("and")) {
            left = joined(Gate::NodeKind::And, left, condition(depth));
        }
        return left;
    }

    NodeIndex condition(int depth)
    {
        if (depth > kDeepest) {
            return m_cursor.mistake("gate.syntax", "the expression is nested too deeply",
                                    m_cursor.at(), "write it flatter");
        }
        if (m_cursor.takeWord("not")) {
            const NodeIndex inner = condition(depth + 1);
            return joined(Gate::NodeKind::Not, inner, inner);
        }
        if (m_cursor.take("(")) {
            const NodeIndex inner = disjunction(depth + 1);
            if (inner && !m_cursor.take(")")) {
                return m_cursor.mistake("gate.syntax", "a closing `)` is missing", m_cursor.at(),
                                        "close what `(` opened");
            }
            return inner;
        }
        return comparison();
    }

    NodeIndex comparison()
    {
        Gate::Node node;
        m_cursor.skipBlanks();
        const std::size_t start = m_cursor.at();
        const auto a = operand();
        if (!a) {
            return std::nullopt;
        }
        const auto comparator = takeComparator();
        if (!comparator) {
            return m_cursor.mistake(
                "gate.syntax", fmt::format("`{}` is compared with nothing", m_cursor.since(start)),
                m_cursor.at(),
                a->isShare ? "write a comparison: rejected_share > 1%"
                           : "write a comparison: rejected > 0");
        }
        const auto b = operand();
        if (!b) {
            return std::nullopt;
        }
        if (a->isShare != b->isShare) {
            return m_cursor.mistake(
                "gate.type",
                fmt::format("`{}` compares a share with a count", m_cursor.since(start)), start,
                "a share is compared with N%, a count with N");
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
            if (m_cursor.take(symbol)) {
                return comparator;
            }
        }
        return std::nullopt;
    }

    std::optional<Gate::Operand> operand()
    {
        m_cursor.skipBlanks();
        if (m_cursor.isAtDigit()) {
            return number();
        }
        return figure();
    }

    std::optional<Gate::Operand> number()
    {
        const std::size_t start = m_cursor.at();
        const std::string_view written = m_cursor.takeAllOf("0123456789.");
        const std::size_t dot = std::min(written.find('.'), written.size());
        const std::string_view decimals = written.substr(std::min(dot + 1, written.size()));
        const auto digits = parseWhole(std::string(written.substr(0, dot)).append(decimals));
        const bool isShare = m_cursor.rest().starts_with('%') && m_cursor.take("%");
        const bool isWhole = dot == written.size();
        const bool isRuntogether = !m_cursor.isAtEnd()
            && GateCursor::kWord.find(m_cursor.rest().front()) != std::string_view::npos;
        if (!digits || isRuntogether
            || (!isWhole && (!isShare || decimals.empty() || decimals.size() > kMostDecimals))) {
            return m_cursor.mistake("gate.syntax", fmt::format("`{}` is no number here", written),
                                    start,
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
        std::optional<GateFigure> figure = parseGateFigure(m_cursor, m_names);
        if (!figure) {
            return std::nullopt;
        }
        Gate::Operand operand;
        operand.isShare = figure->isShare;
        operand.figure = m_gate.m_figures.size();
        m_gate.m_figures.push_back(std::move(*figure));
        return operand;
    }

    GateCursor m_cursor;
    const GateNames& m_names;
    Gate m_gate;
};

engine::Result<Gate> Gate::parse(std::string_view text, const GateNames& names)
{
    return GateParser(text, names).parse();
}

} // namespace app
