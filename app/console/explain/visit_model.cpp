#include "app/console/explain/visit_model.h"

#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"
#include "app/console/look/marks.h"

namespace app::console {

QString visitText(const KeyVisit& visit)
{
    const QString counted = visit.counted ? QStringLiteral("counted %1").arg(visit.cost)
                                          : QStringLiteral("not counted");
    const QString what = visit.isAdmitted ? QStringLiteral("admitted")
        : visit.admits                    ? QStringLiteral("rejected by another rule")
                                          : QStringLiteral("denied here");
    return what + QStringLiteral(", ") + counted;
}

VisitModel::VisitModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void VisitModel::setVisits(const std::vector<KeyVisit>& visits)
{
    beginResetModel();
    m_visits = visits;
    endResetModel();
}

int VisitModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_visits.size());
}

int VisitModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant VisitModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const KeyVisit& visit = at(index.row());
    const bool isRight = index.column() == Number || index.column() == Used;
    switch (role) {
    case Qt::DisplayRole:
    case WholeRole:
        switch (index.column()) {
        case Number:
            return countText(visit.n);
        case Time:
            return momentText(visit.atNs, TimeForm::Millisecond);
        case Request:
            return shown(visit.path);
        case Used:
            return QStringLiteral("%1 of %2")
                .arg(countText(static_cast<std::uint64_t>(std::max<std::int64_t>(0, visit.before))),
                     countText(static_cast<std::uint64_t>(visit.capacity)));
        default:
            return visitText(visit);
        }
    case Qt::TextAlignmentRole:
        return static_cast<int>((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case KindRole:
        return static_cast<int>(index.column() == Request || index.column() == Time
                                    ? Cell::Kind::Value
                                    : Cell::Kind::Words);
    case InkRole:
        return static_cast<int>(index.column() != Outcome ? Ink::Normal
                                    : visit.isAdmitted    ? Ink::Admitted
                                                          : Ink::Rejected);
    case MarkRole:
        return index.column() == Outcome
            ? QVariant(static_cast<int>(visit.isAdmitted ? Mark::Admitted : Mark::Rejected))
            : QVariant();
    default:
        return {};
    }
}

QVariant VisitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isRight = section == Number || section == Used;
        return static_cast<int>((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    static constexpr std::array<const char*, Columns> kTitles {"n", "Time", "Path", "Found used",
                                                               "Outcome"};
    return role == Qt::DisplayRole
        ? QVariant(QString::fromLatin1(kTitles.at(static_cast<std::size_t>(section))))
        : QVariant();
}

} // namespace app::console
