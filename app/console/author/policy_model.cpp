#include "app/console/author/policy_model.h"

#include "app/console/frame/values.h"

#include <algorithm>

namespace app::console {

namespace {

QString spoken(const RuleCard& card)
{
    QStringList parts {card.name, card.matches, card.key, card.limit, modeName(card.mode)};
    if (!card.overrides.isEmpty()) {
        parts << plural(static_cast<std::uint64_t>(card.overrides.size()),
                        QStringLiteral("override"), QStringLiteral("overrides"));
    }
    if (!card.errors.isEmpty()) {
        parts << plural(static_cast<std::uint64_t>(card.errors.size()), QStringLiteral("error"),
                        QStringLiteral("errors"));
    }
    if (!card.advice.isEmpty()) {
        parts << QStringLiteral("%1 advice").arg(card.advice.size());
    }
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString told(const RuleCard& card)
{
    QStringList lines {card.name};
    if (!card.sentence.isEmpty()) {
        lines << card.sentence << card.more;
    }
    lines << card.overrides << card.errors << card.advice;
    return plainTip(lines.join(QLatin1Char('\n')));
}

} // namespace

PolicyModel::PolicyModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void PolicyModel::set(std::vector<RuleCard> cards)
{
    const bool isSameRules = std::equal(
        cards.begin(), cards.end(), m_cards.begin(), m_cards.end(),
        [](const RuleCard& a, const RuleCard& b) { return a.id == b.id && a.tier == b.tier; });
    if (!isSameRules) {
        beginResetModel();
        m_cards = std::move(cards);
        endResetModel();
        return;
    }
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (!(m_cards[i] == cards[i])) {
            m_cards[i] = std::move(cards[i]);
            const QModelIndex changed = index(static_cast<int>(i));
            Q_EMIT dataChanged(changed, changed);
        }
    }
}

int PolicyModel::rowOf(const std::string& rule) const
{
    const auto found = std::find_if(m_cards.begin(), m_cards.end(),
                                    [&](const RuleCard& card) { return card.id == rule; });
    return found == m_cards.end() ? -1 : static_cast<int>(found - m_cards.begin());
}

int PolicyModel::countOf(engine::Tier tier) const
{
    return static_cast<int>(std::count_if(m_cards.begin(), m_cards.end(),
                                          [&](const RuleCard& card) { return card.tier == tier; }));
}

int PolicyModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_cards.size());
}

QVariant PolicyModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const RuleCard& card = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return card.name;
    case Qt::AccessibleTextRole:
        return spoken(card);
    case Qt::ToolTipRole:
        return told(card);
    default:
        return {};
    }
}

Qt::ItemFlags PolicyModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags own = QAbstractListModel::flags(index);
    return index.isValid() ? own | Qt::ItemIsDragEnabled : own | Qt::ItemIsDropEnabled;
}

LaneModel::LaneModel(PolicyModel& model, engine::Tier tier, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_model(model)
    , m_tier(tier)
{
    setSourceModel(&model);
}

const RuleCard& LaneModel::at(int row) const
{
    return m_model.at(mapToSource(index(row, 0)).row());
}

int LaneModel::rowOf(const std::string& rule) const
{
    const int row = m_model.rowOf(rule);
    return row < 0 ? -1 : mapFromSource(m_model.index(row)).row();
}

bool LaneModel::filterAcceptsRow(int row, const QModelIndex&) const
{
    return m_model.at(row).tier == m_tier;
}

} // namespace app::console
