#pragma once
#include "app/console/compare/compare_data.h"
#include "app/console/frame/cell_model.h"
#include "app/console/session/worker.h"

#include <memory>
#include <vector>

namespace app::console {

/// Rejections of both sides by rule, and the changed decisions, each under the rule that rejects
/// it. The last row, bold, has all of them.
class RuleChangesModel final : public CellModel {
    Q_OBJECT

public:
    explicit RuleChangesModel(QObject* parent = nullptr);

    void setCompared(std::shared_ptr<const ComparedRuns> compared);
    [[nodiscard]] FigureTable table() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    std::vector<RuleChange> m_rules;
    RuleChange m_all;
};

/// Who has requests that only the candidate rejects: sorted and filtered on a thread of its own,
/// cells made when they are looked at.
class NewlyRejectedModel final : public CellModel {
    Q_OBJECT

public:
    enum Column { Who, Rule, Requests, FirstAt, WorstMinuteAt, LongestStreak, Share };

    explicit NewlyRejectedModel(QObject* parent = nullptr);

    void setCompared(std::shared_ptr<const ComparedRuns> compared);
    void setFilter(const QString& text);

    [[nodiscard]] std::size_t all() const;

    [[nodiscard]] bool isBusy() const { return m_sorter.isBusy(); }

    [[nodiscard]] const NewlyRejectedWho& at(int row) const;
    /// A job that makes a table of all rows that are let through, for any thread.
    [[nodiscard]] std::function<engine::Result<FigureTable>()> wholeTable() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order) override;

Q_SIGNALS:
    void orderChanged();

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    void order();

    std::shared_ptr<const ComparedRuns> m_compared;
    std::vector<std::uint32_t> m_rows; ///< places in the list of the comparison
    QString m_filter;
    int m_column = Requests;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    Worker m_sorter;
};

} // namespace app::console
