#include "app/workbench/gate.h"

#include "app/workbench/where.h"

#include <algorithm>

namespace app {
namespace {

__extension__ using Wide = unsigned __int128;

/// -1, 0 or 1: a / b against c / d, exact. 64 bits times 64 bits fit.
int compared(Ratio a, Ratio b)
{
    const auto whole = [](Ratio r) { return r.denominator == 0 ? Ratio {0, 1} : r; };
    const Ratio x = whole(a);
    const Ratio y = whole(b);
    const Wide left = Wide {x.numerator} * y.denominator;
    const Wide right = Wide {y.numerator} * x.denominator;
    return left < right ? -1 : left > right ? 1 : 0;
}

/// As the value of a narrowing: plain, where that would be read as the same.
std::string narrowedText(const std::string& value)
{
    const bool isPlain = !value.empty() && value.find_first_of("],\" \t") == value.npos;
    return isPlain ? value : doubleQuoted(value);
}

} // namespace

std::string GateFigure::text() const
{
    std::string out = rule ? "rule(" + doubleQuoted(*rule) + ")." : std::string();
    out += className ? "class(" + doubleQuoted(*className) + ")." : std::string();
    out += name;
    return attribute ? out + '[' + *attribute + '=' + narrowedText(value) + ']' : out;
}

std::vector<std::string> Gate::narrowedAttributes() const
{
    std::vector<std::string> attributes;
    for (const GateFigure& figure : m_figures) {
        if (figure.attribute
            && std::find(attributes.begin(), attributes.end(), *figure.attribute)
                == attributes.end()) {
            attributes.push_back(*figure.attribute);
        }
    }
    return attributes;
}

bool Gate::holds(const Lookup& lookup) const
{
    return holds(m_root, lookup);
}

bool Gate::holds(std::size_t index, const Lookup& lookup) const
{
    const Node& node = m_nodes[index];
    switch (node.kind) {
    case NodeKind::Or:
        return holds(node.left, lookup) || holds(node.right, lookup);
    case NodeKind::And:
        return holds(node.left, lookup) && holds(node.right, lookup);
    case NodeKind::Not:
        return !holds(node.left, lookup);
    case NodeKind::Compare:
        break;
    }
    const auto valueOf = [&](const Operand& operand) {
        return operand.figure ? lookup(m_figures[*operand.figure]) : operand.number;
    };
    const int order = compared(valueOf(node.a), valueOf(node.b));
    switch (node.comparator) {
    case Comparator::Less:
        return order < 0;
    case Comparator::LessOrEqual:
        return order <= 0;
    case Comparator::Greater:
        return order > 0;
    case Comparator::GreaterOrEqual:
        return order >= 0;
    case Comparator::Equal:
        return order == 0;
    case Comparator::NotEqual:
        return order != 0;
    }
    return false;
}

} // namespace app
