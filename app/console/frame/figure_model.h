#pragma once

#include "app/workbench/figure_table.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace app::console {

/// What models of figures tell FigureView beside the text.
enum FigureRole {
    WholeRole = Qt::UserRole, ///< the text without elision, for tool tip and copy
    KindRole, ///< Cell::Kind as int
    MarkRole, ///< Mark as int: painted before the text
    InkRole, ///< Ink as int
    BarRole, ///< from 0 to 1: a bar before the figure
    SquareRole ///< engine::Tier as int: a square in the tier's hue before the text
};

/// How a figure is written: in the colour of an outcome, in the second rank's, or bold.
enum class Ink { Normal, Second, Strong, Admitted, Rejected, Shadow, Delayed, Error, Advice };

/// The text of a cell on screen: as textOf() has it, with the console's manners (times in the zone
/// that is chosen, values of logs through shown()).
QString figureText(const Cell& cell);

/// A table of figures from the workbench, as a model that is sorted by its values.
/// Zero is in the second rank's colour.
class FigureModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit FigureModel(QObject* parent = nullptr);

    void setTable(FigureTable table);

    [[nodiscard]] const FigureTable& table() const { return m_table; }

    /// The row of the table behind a row of the view.
    [[nodiscard]] std::size_t rowAt(int row) const
    {
        return m_order.at(static_cast<std::size_t>(row));
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    FigureTable m_table;
    std::vector<std::size_t> m_order;
};

} // namespace app::console
