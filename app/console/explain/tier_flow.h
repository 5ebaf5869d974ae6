#pragma once

#include "app/console/explain/tier_rows.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace app::console {

/// The rows of tierRows() as a model.
class TierFlowModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, What, Before, After, Columns };

    explicit TierFlowModel(QObject* parent = nullptr);

    void setRows(std::vector<TierRow> rows);

    [[nodiscard]] const TierRow& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<TierRow> m_rows;
};

/// The way through the tiers: a bar in each tier's hue, the tier that rejected on its own ground.
class TierFlow : public QTableView {
    Q_OBJECT

public:
    explicit TierFlow(QWidget* parent = nullptr);

    void setRows(std::vector<TierRow> rows);
    /// All rows, cells set apart by tabs.
    [[nodiscard]] QString plainText() const;

    [[nodiscard]] TierFlowModel& rows() const { return *m_model; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    TierFlowModel* m_model;
};

} // namespace app::console
