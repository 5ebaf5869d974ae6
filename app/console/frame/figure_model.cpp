#include "app/console/frame/figure_model.h"

#include "app/console/frame/values.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace app::console {

namespace {

bool isNumber(Cell::Kind kind)
{
    return kind == Cell::Kind::Count || kind == Cell::Kind::Share || kind == Cell::Kind::Duration;
}

/// Shares compare as fractions: a/b < c/d as a*d < c*b, in long double, which is exact enough to
/// order what is shown.
bool isLess(const Cell& a, const Cell& b)
{
    if (a.kind != b.kind) {
        return a.kind < b.kind;
    }
    switch (a.kind) {
    case Cell::Kind::Share:
        return static_cast<long double>(a.count) * static_cast<long double>(b.whole)
            < static_cast<long double>(b.count) * static_cast<long double>(a.whole);
    case Cell::Kind::Count:
        return a.count < b.count;
    case Cell::Kind::Duration:
    case Cell::Kind::Time:
        return a.ns < b.ns;
    default:
        return a.text < b.text;
    }
}

} // namespace

QString figureText(const Cell& cell)
{
    switch (cell.kind) {
    case Cell::Kind::Empty:
        return {};
    case Cell::Kind::Words:
        return words(cell.text);
    case Cell::Kind::Value:
        return shown(cell.text);
    case Cell::Kind::Count:
        return countText(cell.count);
    case Cell::Kind::Share:
        return shareText(cell.count, cell.whole);
    case Cell::Kind::Duration:
        return lengthText(cell.ns);
    case Cell::Kind::Time:
        return momentText(cell.ns, TimeForm::Second);
    }
    return {};
}

FigureModel::FigureModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void FigureModel::setTable(FigureTable table)
{
    beginResetModel();
    m_table = std::move(table);
    m_order.resize(m_table.rows.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t {0});
    endResetModel();
}

int FigureModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int FigureModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant FigureModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const FigureTable::Row& row = m_table.rows[rowAt(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    if (column >= row.cells.size()) {
        return {};
    }
    const Cell& cell = row.cells[column];
    const bool isRight = m_table.columns[column].align == TextTable::Align::Right;
    switch (role) {
    case Qt::DisplayRole:
        return figureText(cell);
    case WholeRole:
        return figureText(cell);
    case Qt::ToolTipRole:
        return plainTip(figureText(cell));
    case Qt::TextAlignmentRole:
        return static_cast<int>((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case KindRole:
        return static_cast<int>(cell.kind);
    case InkRole: {
        const bool isZero = isNumber(cell.kind) && cell.count == 0 && cell.ns == 0;
        return static_cast<int>(isZero ? Ink::Second : Ink::Normal);
    }
    default:
        return {};
    }
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section >= columnCount()) {
        return {};
    }
    const FigureTable::Column& column = m_table.columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole) {
        return shown(column.title);
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isRight = column.align == TextTable::Align::Right;
        return static_cast<int>((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

void FigureModel::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= columnCount()) {
        return;
    }
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> rows;
    for (const QModelIndex& index : before) {
        rows.push_back(rowAt(index.row()));
    }
    const auto at = static_cast<std::size_t>(column);
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) {
        const Cell& one = m_table.rows[a].cells[at];
        const Cell& other = m_table.rows[b].cells[at];
        return order == Qt::AscendingOrder ? isLess(one, other) : isLess(other, one);
    });
    QModelIndexList after;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto place = std::find(m_order.begin(), m_order.end(), rows[i]);
        after << createIndex(static_cast<int>(place - m_order.begin()),
                             before[static_cast<qsizetype>(i)].column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

} // namespace app::console
