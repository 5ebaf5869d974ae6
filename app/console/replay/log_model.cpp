#include "app/console/replay/log_model.h"

#include "app/console/frame/values.h"
#include "app/console/replay/replay_words.h"

#include <algorithm>

namespace app::console {

namespace {

QString formatText(const LogRow& row)
{
    if (row.failure) {
        return QStringLiteral("cannot be read");
    }
    if (!row.preview) {
        return {};
    }
    const ReadLog& log = row.preview->log;
    const QString name = formatName(log.format);
    return log.isTold ? QStringLiteral("%1, as told").arg(name) : name;
}

QString requestsText(const LogRow& row)
{
    if (row.figures) {
        return countText(row.figures->requests);
    }
    return row.counting ? QStringLiteral("counting, %1 %").arg(*row.counting) : QString();
}

QString stampsText(const LogRow& row)
{
    if (!row.figures || row.figures->requests == 0) {
        return {};
    }
    return row.figures->coarse == 0                    ? QStringLiteral("below 1 s")
        : row.figures->coarse == row.figures->requests ? QStringLiteral("1 s")
                                                       : QStringLiteral("1 s in part");
}

QString nameText(const LogRow& row)
{
    const QString name = shown(row.name());
    return row.files > 1 ? QStringLiteral("%1 (%2 files)").arg(name, countText(row.files)) : name;
}

QString textAt(const LogRow& row, int column)
{
    switch (column) {
    case LogModel::Name:
        return nameText(row);
    case LogModel::Format:
        return formatText(row);
    case LogModel::Requests:
        return requestsText(row);
    case LogModel::Span:
        return row.figures && row.figures->firstNs
            ? spanText(*row.figures->firstNs, *row.figures->lastNs)
            : QString();
    case LogModel::Stamps:
        return stampsText(row);
    case LogModel::NotRead:
        return row.figures ? countText(row.figures->notRead) : QString();
    case LogModel::Size:
        return sizeText(row.bytes);
    default:
        return {};
    }
}

Ink inkAt(const LogRow& row, int column)
{
    if (column == LogModel::Format && row.failure) {
        return Ink::Error;
    }
    const bool isZero = column == LogModel::NotRead && row.figures && row.figures->notRead == 0;
    return isZero || (column == LogModel::Requests && !row.figures) ? Ink::Second : Ink::Normal;
}

} // namespace

QString spanText(std::int64_t fromNs, std::int64_t toNs)
{
    const QString fromDay = momentText(fromNs, TimeForm::Date);
    const QString toDay = momentText(toNs, TimeForm::Date);
    if (fromDay != toDay) {
        return QStringLiteral("%1 – %2").arg(fromDay, toDay);
    }
    return QStringLiteral("%1 %2 – %3")
        .arg(fromDay, momentText(fromNs, TimeForm::Minute), momentText(toNs, TimeForm::Minute));
}

LogModel::LogModel(LogCollection& logs, QObject* parent)
    : CellModel({{QString(), false},
                 {QStringLiteral("Log"), false},
                 {QStringLiteral("Format"), false},
                 {QStringLiteral("Requests")},
                 {QStringLiteral("Time span"), false},
                 {QStringLiteral("Stamps"), false},
                 {QStringLiteral("Lines not read")},
                 {QStringLiteral("Size")}},
                parent)
    , m_logs(logs)
    , m_known(static_cast<int>(logs.rows().size()))
{
    connect(&logs, &LogCollection::rowsChanged, this, [this] {
        beginResetModel();
        m_known = static_cast<int>(m_logs.rows().size());
        endResetModel();
    });
    for (const auto signal : {&LogCollection::rowChanged, &LogCollection::progressed}) {
        connect(&logs, signal, this, [this](int row) {
            if (row < m_known) {
                Q_EMIT dataChanged(index(row, 0), index(row, Columns - 1));
            }
        });
    }
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_known;
}

ShownCell LogModel::cellAt(std::size_t row, int column) const
{
    const LogRow& log = m_logs.rows()[row];
    ShownCell cell;
    cell.text = textAt(log, column);
    cell.ink = inkAt(log, column);
    cell.tip = log.failure                ? failureText(*log.failure)
        : column == Format && log.preview ? shown(log.preview->log.format)
                                          : shown(log.path);
    return cell;
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.column() != Chosen) {
        return CellModel::data(index, role);
    }
    const LogRow& row = m_logs.rows()[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::CheckStateRole:
        return row.isChosen ? Qt::Checked : Qt::Unchecked;
    case Qt::AccessibleTextRole:
        return nameText(row)
            + (row.isChosen ? QStringLiteral(", chosen") : QStringLiteral(", not chosen"));
    default:
        return CellModel::data(index, role);
    }
}

bool LogModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || index.column() != Chosen || role != Qt::CheckStateRole) {
        return false;
    }
    m_logs.choose(index.row(), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags LogModel::flags(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return index.column() == Chosen ? flags | Qt::ItemIsUserCheckable : flags;
}

/// The zone is chosen while the program runs.
QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return section == Span && orientation == Qt::Horizontal && role == Qt::DisplayRole
        ? QVariant(QStringLiteral("Time span (%1)").arg(zoneName()))
        : CellModel::headerData(section, orientation, role);
}

} // namespace app::console
