#pragma once

#include "app/console/author/rule_cards.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>

#include <vector>

namespace app::console {

/// The rules of a policy as cards, by tier and as written. The board's lanes filter it by tier.
class PolicyModel : public QAbstractListModel {
    Q_OBJECT

public:
    explicit PolicyModel(QObject* parent = nullptr);

    /// Cards of the same rules in the same order change in place, so that views keep what is
    /// selected; else all is new.
    void set(std::vector<RuleCard> cards);

    [[nodiscard]] const RuleCard& at(int row) const
    {
        return m_cards.at(static_cast<std::size_t>(row));
    }

    /// -1: there is none of that name.
    [[nodiscard]] int rowOf(const std::string& rule) const;
    [[nodiscard]] int countOf(engine::Tier tier) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::vector<RuleCard> m_cards;
};

/// The rules of one tier.
class LaneModel : public QSortFilterProxyModel {
    Q_OBJECT

public:
    LaneModel(PolicyModel& model, engine::Tier tier, QObject* parent = nullptr);

    [[nodiscard]] engine::Tier tier() const { return m_tier; }

    [[nodiscard]] const RuleCard& at(int row) const;
    [[nodiscard]] int rowOf(const std::string& rule) const; ///< -1: not in this tier

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    PolicyModel& m_model;
    engine::Tier m_tier;
};

} // namespace app::console
