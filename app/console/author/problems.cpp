#include "app/console/author/problems.h"

#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"
#include "app/console/look/marks.h"
#include "policies/policy.h"

#include <algorithm>

namespace app::console {

namespace {

std::int64_t lastLineOf(const policies::Rule& rule, const std::string& text)
{
    const std::size_t end = std::min(rule.at.end, text.size());
    return rule.at.line
        + std::count(text.begin() + static_cast<std::ptrdiff_t>(rule.at.begin),
                     text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
}

} // namespace

QString ruleOfLine(const policies::Policy& policy, std::int64_t line)
{
    for (const auto& tier : policy.tiers) {
        for (const policies::Rule& rule : tier) {
            if (rule.at.line <= line && line <= lastLineOf(rule, policy.text)) {
                return shown(rule.name.value, 100);
            }
        }
    }
    return {};
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
    for (int row = 0; row < rowCount(); ++row) {
        m_rules.push_back(policy == nullptr ? QString() : ruleOfLine(*policy, at(row).place.line));
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
            return ruleAt(index.row());
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
