#include "app/console/explain/visit_model.h"

#include "app/console/frame/values.h"

#include <algorithm>

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
    : CellModel({{QStringLiteral("n")},
                 {QStringLiteral("Time"), false},
                 {QStringLiteral("Path"), false},
                 {QStringLiteral("Found used")},
                 {QStringLiteral("Outcome"), false}},
                parent)
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

ShownCell VisitModel::cellAt(std::size_t row, int column) const
{
    const KeyVisit& visit = m_visits[m_visits.size() - 1 - row];
    ShownCell cell;
    switch (column) {
    case Number:
        return countCell(visit.n);
    case Time:
        cell.text = momentText(visit.atNs, TimeForm::Millisecond);
        cell.isValue = true; // in mono
        return cell;
    case Request:
        return valueCell(visit.path);
    case Used:
        cell.text = QStringLiteral("%1 of %2")
                        .arg(countText(static_cast<std::uint64_t>(
                                 std::max<std::int64_t>(0, visit.before))),
                             countText(static_cast<std::uint64_t>(visit.capacity)));
        return cell;
    default:
        break;
    }
    cell.text = visitText(visit);
    cell.ink = visit.isAdmitted ? Ink::Admitted : Ink::Rejected;
    cell.mark = visit.isAdmitted ? Mark::Admitted : Mark::Rejected;
    return cell;
}

} // namespace app::console
