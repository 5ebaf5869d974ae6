#include "app/console/runs/rules_model.h"

#include "app/console/frame/values.h"
#include "app/workbench/rule_name.h"

#include <algorithm>
#include <numeric>

namespace app::console {

namespace {

std::vector<ShownColumn> columns()
{
    return {{QStringLiteral("Tier"), false},
            {QStringLiteral("Rule"), false},
            {QStringLiteral("Judged"), true, QStringLiteral("requests that reached the rule")},
            {QStringLiteral("Denied"), true,
             QStringLiteral("in shadow: requests that it would have denied")},
            {QStringLiteral("Share"), true, QStringLiteral("denied of judged")},
            {QStringLiteral("Keys hit"), true, QStringLiteral("keys with a denial, of all keys")},
            {QStringLiteral("Worst minute"), true, QStringLiteral("most denied in a minute")},
            {QStringLiteral("Skipped"), true,
             QStringLiteral("requests without an attribute of the key: not judged")}};
}

std::uint64_t skippedBy(const storage::RuleTotals& rule)
{
    return std::accumulate(
        rule.skips.begin(), rule.skips.end(), std::uint64_t {0},
        [](std::uint64_t sum, const storage::SkipTotal& skip) { return sum + skip.count; });
}

QString skippedWords(const storage::RuleTotals& rule)
{
    QStringList parts;
    for (const storage::SkipTotal& skip : rule.skips) {
        parts << QStringLiteral("%1 without %2").arg(countText(skip.count), shown(skip.attribute));
    }
    return parts.join(QStringLiteral(", "));
}

Ink inkOf(const storage::RuleTotals& rule)
{
    return rule.mode == engine::Mode::Shadow ? Ink::Shadow : Ink::Rejected;
}

ShownCell ruleCell(const storage::RuleTotals& rule)
{
    ShownCell cell;
    cell.text = shown(fullName(rule), 200);
    if (rule.mode != engine::Mode::Enforce) {
        cell.text += QStringLiteral(" (%1)").arg(words(engine::nameOf(rule.mode)));
        cell.mark = rule.mode == engine::Mode::Shadow ? std::optional(Mark::Shadow) : std::nullopt;
    }
    return cell;
}

ShownCell unknownOfRange()
{
    ShownCell cell;
    cell.tip = QStringLiteral("known for the whole run only");
    return cell;
}

ShownCell plainCell(const QString& text)
{
    ShownCell cell;
    cell.text = text;
    return cell;
}

} // namespace

QString worstMinuteText(const WorstMinute& worst)
{
    return worst.count == 0
        ? QString()
        : QStringLiteral("%1 at %2")
              .arg(countText(worst.count), momentText(worst.second * kNs, TimeForm::Minute));
}

RulesModel::RulesModel(QObject* parent)
    : CellModel(columns(), parent)
{
}

void RulesModel::setRun(std::vector<storage::RuleTotals> rules)
{
    beginResetModel();
    m_rules = std::move(rules);
    m_minutes.clear();
    m_range.reset();
    m_order.resize(m_rules.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t {0});
    endResetModel();
}

void RulesModel::setWorstMinutes(std::vector<WorstMinute> minutes)
{
    m_minutes = std::move(minutes);
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, WorstMinuteAt), index(rowCount() - 1, WorstMinuteAt));
    }
}

void RulesModel::setRange(std::shared_ptr<const RangeView> range)
{
    m_range = std::move(range);
    if (rowCount() > 0) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }
}

const storage::RuleTotals& RulesModel::ruleAt(int row) const
{
    return m_rules.at(m_order.at(static_cast<std::size_t>(row)));
}

int RulesModel::rowOf(std::uint32_t rule) const
{
    for (std::size_t row = 0; row < m_order.size(); ++row) {
        if (m_rules[m_order[row]].index == rule) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

int RulesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

/// Of the range, where there is one.
const storage::RuleTotals& RulesModel::totalsAt(std::size_t row) const
{
    const std::size_t place = m_order[row];
    return m_range ? m_range->view.run.rules[place] : m_rules[place];
}

const WorstMinute* RulesModel::worstAt(std::size_t row) const
{
    const std::vector<WorstMinute>& minutes = m_range ? m_range->worstMinutes : m_minutes;
    const std::uint32_t rule = m_rules[m_order[row]].index;
    return rule < minutes.size() ? &minutes[rule] : nullptr;
}

ShownCell RulesModel::cellAt(std::size_t row, int column) const
{
    const storage::RuleTotals& whole = m_rules[m_order[row]];
    const storage::RuleTotals& rule = totalsAt(row);
    switch (column) {
    case Tier: {
        ShownCell cell = plainCell(words(engine::nameOf(whole.tier)));
        cell.tier = whole.tier;
        return cell;
    }
    case Rule:
        return ruleCell(whole);
    case Judged:
        return countCell(rule.judged);
    case Denied:
        return countCell(rule.denied, inkOf(whole));
    case Share:
        return shareCell(rule.denied, rule.judged, 2);
    case KeysHit:
        if (m_range) {
            return unknownOfRange();
        }
        return plainCell(whole.key.empty()
                             ? QStringLiteral("one bucket")
                             : QStringLiteral("%1 of %2")
                                   .arg(countText(whole.keysDenied), countText(whole.keys)));
    case WorstMinuteAt: {
        const WorstMinute* const worst = worstAt(row);
        return worst == nullptr ? ShownCell {} : plainCell(worstMinuteText(*worst));
    }
    case Skipped: {
        if (m_range) {
            return unknownOfRange();
        }
        ShownCell cell = countCell(skippedBy(whole));
        cell.tip = skippedWords(whole);
        return cell;
    }
    default:
        return {};
    }
}

bool RulesModel::isLess(std::size_t a, std::size_t b, int column) const
{
    const auto of = [this](std::size_t place) -> const storage::RuleTotals& {
        return m_range ? m_range->view.run.rules[place] : m_rules[place];
    };
    const auto worst = [this](std::size_t place) {
        const std::vector<WorstMinute>& minutes = m_range ? m_range->worstMinutes : m_minutes;
        return m_rules[place].index < minutes.size() ? minutes[m_rules[place].index].count : 0;
    };
    const auto share = [&](std::size_t place) {
        return static_cast<double>(of(place).denied)
            / static_cast<double>(std::max<std::uint64_t>(of(place).judged, 1));
    };
    switch (column) {
    case Rule:
        return m_rules[a].rule < m_rules[b].rule;
    case Judged:
        return of(a).judged < of(b).judged;
    case Denied:
        return of(a).denied < of(b).denied;
    case Share:
        return share(a) < share(b);
    case KeysHit:
        return m_rules[a].keysDenied < m_rules[b].keysDenied;
    case WorstMinuteAt:
        return worst(a) < worst(b);
    case Skipped:
        return skippedBy(m_rules[a]) < skippedBy(m_rules[b]);
    default:
        return m_rules[a].index < m_rules[b].index; // policy order
    }
}

void RulesModel::sort(int column, Qt::SortOrder order)
{
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> places;
    for (const QModelIndex& index : before) {
        places.push_back(m_order[static_cast<std::size_t>(index.row())]);
    }
    std::sort(m_order.begin(), m_order.end());
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        return order == Qt::AscendingOrder ? isLess(a, b, column) : isLess(b, a, column);
    });
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto found
            = std::find(m_order.begin(), m_order.end(), places[static_cast<std::size_t>(i)]);
        after << index(static_cast<int>(found - m_order.begin()), before[i].column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

FigureTable RulesModel::table() const
{
    using Align = TextTable::Align;
    FigureTable table {"rules",
                       "Rules",
                       {{"tier", "Tier", Align::Left},
                        {"rule", "Rule", Align::Left},
                        {"mode", "Mode", Align::Left},
                        {"judged", "Judged"},
                        {"denied", "Denied"},
                        {"", "Share"},
                        {"keys_denied", "Keys hit"},
                        {"keys", "Keys"},
                        {"worst_minute", "Worst minute", Align::Left},
                        {"worst_minute_denied", "Denied in it"},
                        {"skipped", "Skipped"}}};
    for (std::size_t row = 0; row < m_order.size(); ++row) {
        const storage::RuleTotals& whole = m_rules[m_order[row]];
        const storage::RuleTotals& rule = totalsAt(row);
        const WorstMinute* const worst = worstAt(row);
        const bool hasWorst = worst != nullptr && worst->count > 0;
        table.add({Cell::words(std::string(engine::nameOf(whole.tier))),
                   Cell::value(fullName(whole)),
                   Cell::words(std::string(engine::nameOf(whole.mode))), Cell::number(rule.judged),
                   Cell::number(rule.denied), Cell::share(rule.denied, rule.judged),
                   m_range ? Cell {} : Cell::number(whole.keysDenied),
                   m_range ? Cell {} : Cell::number(whole.keys),
                   hasWorst ? Cell::time(worst->second * kNs) : Cell {},
                   hasWorst ? Cell::number(worst->count) : Cell {},
                   m_range ? Cell {} : Cell::number(skippedBy(whole))},
                  rule.rejected > 0);
    }
    return table;
}

} // namespace app::console
