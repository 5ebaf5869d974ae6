#pragma once
#include "app/console/frame/figure_model.h"
#include "app/console/look/marks.h"
#include "engine/plan.h"

#include <QAbstractTableModel>
#include <QString>

#include <optional>
#include <vector>

namespace app::console {

/// A cell as it is seen.
struct ShownCell {
    QString text {};
    Ink ink = Ink::Normal;
    QString whole {}; ///< for tool tip and copy; empty: the text
    bool isValue = false; ///< of a log or a policy: in mono, elided in the middle
    std::optional<Mark> mark {};
    std::optional<engine::Tier> tier {}; ///< a square in its hue
    std::optional<double> bar {}; ///< from 0 to 1
    QString tip {}; ///< why it is empty; empty: the whole
};

/// Texts of a cell that stand for what is not known: never 0, never a dash.
inline ShownCell notRecorded()
{
    ShownCell cell;
    cell.tip = QStringLiteral("not recorded");
    return cell;
}

/// A count: 0 in the second rank's ink.
ShownCell countCell(std::uint64_t count, Ink ink = Ink::Normal);
ShownCell shareCell(std::uint64_t part, std::uint64_t whole, int digits);
/// Bytes of a log or a policy.
ShownCell valueCell(std::string_view bytes);

struct ShownColumn {
    QString title;
    bool isRight = true;
    QString tip {}; ///< what the figure means
};

/// A table whose cells a subclass makes when they are looked at: for rows that are many or come in
/// pages.
class CellModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit CellModel(std::vector<ShownColumn> columns, QObject* parent = nullptr);

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

protected:
    [[nodiscard]] virtual ShownCell cellAt(std::size_t row, int column) const = 0;
    void setColumns(std::vector<ShownColumn> columns); ///< within a reset of the model

private:
    std::vector<ShownColumn> m_columns;
};

} // namespace app::console
