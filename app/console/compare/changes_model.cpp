#include "app/console/compare/changes_model.h"

#include "app/console/frame/values.h"

#include <algorithm>
#include <numeric>

namespace app::console {

namespace {

std::vector<ShownColumn> ruleColumns()
{
    return {{QStringLiteral("Rule"), false},
            {QStringLiteral("Base"), true, QStringLiteral("rejected by it on the base")},
            {QStringLiteral("Candidate"), true, QStringLiteral("rejected by it on the candidate")},
            {QStringLiteral("Newly rej."), true, QStringLiteral("only the candidate rejects them")},
            {QStringLiteral("Newly adm."), true, QStringLiteral("only the base rejects them")}};
}

std::vector<ShownColumn> whoColumns(const QString& who)
{
    return {{who, false},
            {QStringLiteral("Rejected by"), false, QStringLiteral("the rule that rejects most")},
            {QStringLiteral("Requests"), true, QStringLiteral("newly rejected")},
            {QStringLiteral("First at")},
            {QStringLiteral("Worst minute")},
            {QStringLiteral("Longest streak"), true,
             QStringLiteral("newly rejected one right behind the other")},
            {QStringLiteral("Share of its requests")}};
}

ShownCell textCell(const QString& text, Ink ink = Ink::Normal)
{
    ShownCell cell;
    cell.text = text;
    cell.ink = ink;
    return cell;
}

QString whoText(const ComparedRuns& compared, const NewlyRejectedWho& who)
{
    return who.who.empty() ? QStringLiteral("(none)")
                           : shown(compared.secrets.shown(compared.detail.outcome.who, who.who));
}

double shareOf(const NewlyRejectedWho& who)
{
    return who.all == 0 ? 0 : static_cast<double>(who.requests) / static_cast<double>(who.all);
}

bool isLess(const NewlyRejectedWho& a, const NewlyRejectedWho& b, int column)
{
    switch (column) {
    case NewlyRejectedModel::Who:
        return a.who < b.who;
    case NewlyRejectedModel::Rule:
        return a.rule < b.rule;
    case NewlyRejectedModel::FirstAt:
        return a.firstNs < b.firstNs;
    case NewlyRejectedModel::WorstMinuteAt:
        return a.worst.count < b.worst.count;
    case NewlyRejectedModel::LongestStreak:
        return a.longest.requests < b.longest.requests;
    case NewlyRejectedModel::Share:
        return shareOf(a) < shareOf(b);
    default:
        return a.requests < b.requests;
    }
}

/// Rows that the filter lets through, sorted; equal ones by most requests.
std::vector<std::uint32_t> orderedRows(const ComparedRuns& compared, const QString& filter,
                                       int column, Qt::SortOrder order)
{
    const std::vector<NewlyRejectedWho>& whos = compared.detail.newlyRejected;
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < whos.size(); ++i) {
        if (filter.isEmpty() || whoText(compared, whos[i]).contains(filter, Qt::CaseInsensitive)
            || shown(whos[i].rule).contains(filter, Qt::CaseInsensitive)) {
            rows.push_back(i);
        }
    }
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        return order == Qt::AscendingOrder ? isLess(whos[a], whos[b], column)
                                           : isLess(whos[b], whos[a], column);
    });
    return rows;
}

} // namespace

RuleChangesModel::RuleChangesModel(QObject* parent)
    : CellModel(ruleColumns(), parent)
{
}

void RuleChangesModel::setCompared(std::shared_ptr<const ComparedRuns> compared)
{
    beginResetModel();
    m_rules = compared ? compared->detail.rules : std::vector<RuleChange>();
    m_all = {};
    for (const RuleChange& rule : m_rules) {
        m_all.base += rule.base;
        m_all.candidate += rule.candidate;
        m_all.newlyRejected += rule.newlyRejected;
        m_all.newlyAdmitted += rule.newlyAdmitted;
    }
    endResetModel();
}

int RuleChangesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_rules.empty() ? 0 : static_cast<int>(m_rules.size()) + 1;
}

ShownCell RuleChangesModel::cellAt(std::size_t row, int column) const
{
    const bool isAll = row == m_rules.size();
    const RuleChange& rule = isAll ? m_all : m_rules[row];
    ShownCell cell;
    switch (column) {
    case 0:
        cell = textCell(isAll                   ? QStringLiteral("all")
                            : rule.rule.empty() ? QStringLiteral("(production)")
                                                : shown(rule.rule, 100));
        break;
    case 1:
        cell = countCell(rule.base);
        break;
    case 2:
        cell = countCell(rule.candidate);
        break;
    case 3:
        cell = countCell(rule.newlyRejected, Ink::Rejected);
        break;
    default:
        cell = countCell(rule.newlyAdmitted, Ink::Admitted);
    }
    cell.ink = isAll ? Ink::Strong : cell.ink;
    return cell;
}

FigureTable RuleChangesModel::table() const
{
    FigureTable table {"rules",
                       "Changed decisions by rule",
                       {{"rule", "Rule", TextTable::Align::Left},
                        {"base", "Base"},
                        {"candidate", "Candidate"},
                        {"newly_rejected", "Newly rejected"},
                        {"newly_admitted", "Newly admitted"}}};
    for (const RuleChange& rule : m_rules) {
        table.add({Cell::value(rule.rule), Cell::number(rule.base), Cell::number(rule.candidate),
                   Cell::number(rule.newlyRejected), Cell::number(rule.newlyAdmitted)},
                  rule.newlyRejected > 0);
    }
    return table;
}

NewlyRejectedModel::NewlyRejectedModel(QObject* parent)
    : CellModel(whoColumns(QStringLiteral("Who")), parent)
{
}

void NewlyRejectedModel::setCompared(std::shared_ptr<const ComparedRuns> compared)
{
    m_sorter.stop();
    beginResetModel();
    m_compared = std::move(compared);
    m_filter.clear();
    m_rows.clear();
    if (m_compared) {
        setColumns(whoColumns(shown(m_compared->detail.outcome.who, 40)));
        m_rows.resize(m_compared->detail.newlyRejected.size());
        std::iota(m_rows.begin(), m_rows.end(), 0U); // most requests first, as they come
    }
    endResetModel();
    Q_EMIT orderChanged();
}

void NewlyRejectedModel::setFilter(const QString& text)
{
    m_filter = text;
    order();
}

void NewlyRejectedModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    this->order();
}

void NewlyRejectedModel::order()
{
    if (!m_compared) {
        return;
    }
    m_sorter.start([compared = m_compared, filter = m_filter, column = m_column, order = m_order](
                       const StopFlag&) { return orderedRows(*compared, filter, column, order); },
                   [this](std::vector<std::uint32_t> rows) {
                       beginResetModel();
                       m_rows = std::move(rows);
                       endResetModel();
                       Q_EMIT orderChanged();
                   });
}

std::size_t NewlyRejectedModel::all() const
{
    return m_compared ? m_compared->detail.newlyRejected.size() : 0;
}

const NewlyRejectedWho& NewlyRejectedModel::at(int row) const
{
    return m_compared->detail.newlyRejected.at(m_rows.at(static_cast<std::size_t>(row)));
}

int NewlyRejectedModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

ShownCell NewlyRejectedModel::cellAt(std::size_t row, int column) const
{
    const NewlyRejectedWho& who = at(static_cast<int>(row));
    switch (column) {
    case Who: {
        ShownCell cell = textCell(whoText(*m_compared, who));
        cell.isValue = !who.who.empty();
        return cell;
    }
    case Rule:
        return textCell(shown(who.rule, 100));
    case Requests:
        return countCell(who.requests, Ink::Rejected);
    case FirstAt: {
        ShownCell cell = textCell(momentText(who.firstNs, TimeForm::Second));
        cell.tip = momentText(who.firstNs, TimeForm::Full);
        return cell;
    }
    case WorstMinuteAt:
        return textCell(QStringLiteral("%1 at %2")
                            .arg(countText(who.worst.count),
                                 momentText(who.worst.second * kNs, TimeForm::Minute)));
    case LongestStreak:
        return textCell(who.longest.requests < 2 ? countText(who.longest.requests)
                                                 : QStringLiteral("%1 in %2")
                                                       .arg(countText(who.longest.requests),
                                                            lengthText(who.longest.lengthNs)));
    default:
        break;
    }
    if (who.all == 0) {
        return notRecorded();
    }
    ShownCell cell = textCell(shareText(who.requests, who.all, 1));
    cell.bar = shareOf(who);
    cell.tip = QStringLiteral("%1 of %2 requests").arg(countText(who.requests), countText(who.all));
    return cell;
}

std::function<engine::Result<FigureTable>()> NewlyRejectedModel::wholeTable() const
{
    return [compared = m_compared, rows = m_rows]() -> engine::Result<FigureTable> {
        const std::string& attribute = compared->detail.outcome.who;
        FigureTable table {"newly_rejected",
                           "Newly rejected " + attribute,
                           {{"who", attribute, TextTable::Align::Left},
                            {"rejected_by", "Rejected by", TextTable::Align::Left},
                            {"newly_rejected", "Newly rejected"},
                            {"requests", "Requests"},
                            {"first_at", "First at", TextTable::Align::Left},
                            {"worst_minute", "Worst minute", TextTable::Align::Left},
                            {"worst_minute_rejected", "Newly rejected in it"},
                            {"longest_streak", "Longest streak"},
                            {"longest_streak_ns", "Its length"}}};
        for (const std::uint32_t row : rows) {
            const NewlyRejectedWho& who = compared->detail.newlyRejected[row];
            table.add({Cell::value(compared->secrets.shown(attribute, who.who)),
                       Cell::value(who.rule), Cell::number(who.requests),
                       who.all > 0 ? Cell::number(who.all) : Cell {}, Cell::time(who.firstNs),
                       Cell::time(who.worst.second * kNs), Cell::number(who.worst.count),
                       Cell::number(who.longest.requests), Cell::duration(who.longest.lengthNs)},
                      true);
        }
        return table;
    };
}

} // namespace app::console
