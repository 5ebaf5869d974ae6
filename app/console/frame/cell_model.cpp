#include "app/console/frame/cell_model.h"

#include "app/console/frame/values.h"

#include <utility>

namespace app::console {

namespace {

constexpr std::size_t kWhole = std::size_t {64} * 1024; ///< of a value in a tool tip or a copy

int alignment(bool isRight)
{
    return static_cast<int>((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

} // namespace

ShownCell countCell(std::uint64_t count, Ink ink)
{
    ShownCell cell;
    cell.text = countText(count);
    cell.ink = count == 0 ? Ink::Second : ink;
    return cell;
}

ShownCell shareCell(std::uint64_t part, std::uint64_t whole, int digits)
{
    ShownCell cell;
    cell.text = shareText(part, whole, digits);
    cell.ink = part == 0 ? Ink::Second : Ink::Normal;
    return cell;
}

ShownCell valueCell(std::string_view bytes)
{
    ShownCell cell;
    cell.text = shown(bytes, 200);
    cell.whole = shown(bytes, kWhole);
    cell.isValue = true;
    return cell;
}

CellModel::CellModel(std::vector<ShownColumn> columns, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
{
}

void CellModel::setColumns(std::vector<ShownColumn> columns)
{
    m_columns = std::move(columns);
}

int CellModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant CellModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return alignment(m_columns[static_cast<std::size_t>(index.column())].isRight);
    }
    const ShownCell cell = cellAt(static_cast<std::size_t>(index.row()), index.column());
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case WholeRole:
        return cell.whole.isEmpty() ? cell.text : cell.whole;
    case Qt::ToolTipRole:
        // Escaped for the tool tip's sake: it takes what looks like markup for markup.
        return (cell.tip.isEmpty() ? (cell.whole.isEmpty() ? cell.text : cell.whole.left(2'000))
                                   : cell.tip)
            .toHtmlEscaped();
    case KindRole:
        return static_cast<int>(cell.isValue ? Cell::Kind::Value : Cell::Kind::Words);
    case InkRole:
        return static_cast<int>(cell.ink);
    case MarkRole:
        return cell.mark ? QVariant(static_cast<int>(*cell.mark)) : QVariant();
    case SquareRole:
        return cell.tier ? QVariant(static_cast<int>(*cell.tier)) : QVariant();
    case BarRole:
        return cell.bar ? QVariant(*cell.bar) : QVariant();
    default:
        return {};
    }
}

QVariant CellModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const ShownColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.tip.isEmpty() ? QVariant() : QVariant(column.tip.toHtmlEscaped());
    case Qt::TextAlignmentRole:
        return alignment(column.isRight);
    default:
        return {};
    }
}

} // namespace app::console
