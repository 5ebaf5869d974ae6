#pragma once
#include "app/console/frame/cell_model.h"
#include "app/console/runs/run_data.h"

#include <memory>
#include <vector>

namespace app::console {

/// The rules of a run with what they judged and denied: of the whole run, or of a range of it.
class RulesModel final : public CellModel {
    Q_OBJECT

public:
    enum Column { Tier, Rule, Judged, Denied, Share, KeysHit, WorstMinuteAt, Skipped };

    explicit RulesModel(QObject* parent = nullptr);

    void setRun(std::vector<storage::RuleTotals> rules);
    void setWorstMinutes(std::vector<WorstMinute> minutes); ///< by rule
    /// nullptr: the whole run. Keys and skips are known of the whole run only.
    void setRange(std::shared_ptr<const RangeView> range);

    /// The rule behind a row, and the row of a rule (-1: none).
    [[nodiscard]] const storage::RuleTotals& ruleAt(int row) const;
    [[nodiscard]] int rowOf(std::uint32_t rule) const;
    /// As a table for other programs, in the order that is seen.
    [[nodiscard]] FigureTable table() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order) override;

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    [[nodiscard]] const storage::RuleTotals& totalsAt(std::size_t row) const;
    [[nodiscard]] const WorstMinute* worstAt(std::size_t row) const;
    [[nodiscard]] bool isLess(std::size_t a, std::size_t b, int column) const;

    std::vector<storage::RuleTotals> m_rules;
    std::vector<WorstMinute> m_minutes;
    std::shared_ptr<const RangeView> m_range;
    std::vector<std::size_t> m_order; ///< places in m_rules
};

/// "7,959 at 14:03"; empty where there is none.
QString worstMinuteText(const WorstMinute& worst);

} // namespace app::console
