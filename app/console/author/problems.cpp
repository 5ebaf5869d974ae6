#include "app/console/author/problems.h"

#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"
#include "app/console/look/marks.h"
#include "policies/policy.h"

#include <algorithm>

namespace app::console {

namespace {

struct RuleLines {
    std::int64_t first = 0;
    std::int64_t last = 0;
    const std::string* name = nullptr;
};

/// By their lines: where the span of a block reaches into the line that the next one begins in,
/// that line is the next one's. Goes through the text once.
std::vector<RuleLines> ruleLines(const policies::Policy& policy)
{
    const std::string& text = policy.text;
    std::vector<RuleLines> all;
    for (const auto& tier : policy.tiers) {
        for (const policies::Rule& rule : tier) {
            const auto begin = static_cast<std::ptrdiff_t>(std::min(rule.at.begin, text.size()));
            const auto end = static_cast<std::ptrdiff_t>(std::min(rule.at.end, text.size()));
            const auto lines
                = std::count(text.begin() + begin, text.begin() + std::max(begin, end), '\n');
            all.push_back({rule.at.line, rule.at.line + lines, &rule.name.value});
        }
    }
    std::sort(all.begin(), all.end(),
              [](const RuleLines& a, const RuleLines& b) { return a.first < b.first; });
    return all;
}

QString nameAt(const std::vector<RuleLines>& rules, std::int64_t line)
{
    auto next = std::upper_bound(
        rules.begin(), rules.end(), line,
        [](std::int64_t wanted, const RuleLines& rule) { return wanted < rule.first; });
    if (next == rules.begin() || (--next)->last < line) {
        return {};
    }
    return QString::fromStdString(*next->name);
}

} // namespace

QString ruleOfLine(const policies::Policy& policy, std::int64_t line)
{
    return nameAt(ruleLines(policy), line);
}

ProblemsModel::ProblemsModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void ProblemsModel::set(std::vector<engine::Diagnostic> problems, const policies::Policy* policy)
{
    beginResetModel();
    m_problems = std::move(problems);
    m_rules.clear();
    const std::vector<RuleLines> rules
        = policy == nullptr ? std::vector<RuleLines> {} : ruleLines(*policy);
    for (int row = 0; row < rowCount(); ++row) {
        m_rules.push_back(nameAt(rules, at(row).place.line));
    }
    endResetModel();
}

std::size_t ProblemsModel::left() const
{
    return m_problems.size() - static_cast<std::size_t>(rowCount());
}

QString ProblemsModel::ruleAt(int row) const
{
    return m_rules.at(static_cast<std::size_t>(row));
}

QString ProblemsModel::summary() const
{
    const auto errors = static_cast<std::uint64_t>(
        std::count_if(m_problems.begin(), m_problems.end(), [](const engine::Diagnostic& one) {
            return one.severity == engine::Severity::Error;
        }));
    QString text = plural(errors, QStringLiteral("error"), QStringLiteral("errors"))
        + QStringLiteral(", %1 advice").arg(countText(m_problems.size() - errors));
    if (left() > 0) {
        text += QStringLiteral("; %1 more, mend some to see them").arg(countText(left()));
    }
    return text;
}

int ProblemsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : std::min(kMost, static_cast<int>(m_problems.size()));
}

int ProblemsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant ProblemsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const engine::Diagnostic& problem = at(index.row());
    const bool isError = problem.severity == engine::Severity::Error;
    if (role == Qt::DisplayRole || role == WholeRole) {
        switch (index.column()) {
        case Kind:
            return isError ? QStringLiteral("error") : QStringLiteral("advice");
        case Message:
            return sentence(problem);
        case Rule:
            return shown(ruleAt(index.row()).toStdString(), 100);
        case Line:
            return problem.place.line > 0 ? QVariant(QString::number(problem.place.line))
                                          : QVariant();
        case Code:
            return shown(problem.code, 100);
        default:
            return {};
        }
    }
    if (role == MarkRole && index.column() == Kind) {
        return static_cast<int>(isError ? Mark::Error : Mark::Advice);
    }
    if (role == KindRole) {
        return static_cast<int>(index.column() == Code ? Cell::Kind::Value : Cell::Kind::Words);
    }
    if (role == Qt::TextAlignmentRole && index.column() == Line) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    return {};
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        static const QStringList kTitles {
            QString(), QStringLiteral("What and what to write instead"), QStringLiteral("Rule"),
            QStringLiteral("Line"), QStringLiteral("Code")};
        return kTitles.value(section);
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((section == Line ? Qt::AlignRight : Qt::AlignLeft)
                                | Qt::AlignVCenter);
    }
    return {};
}

} // namespace app::console
