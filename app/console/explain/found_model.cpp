#include "app/console/explain/found_model.h"

#include "app/console/frame/values.h"

namespace app::console {

QString outcomeText(const FoundRequest& request)
{
    switch (request.outcome) {
    case FoundOutcome::Rejected:
        return QStringLiteral("rejected by %1").arg(shown(request.rule, 200));
    case FoundOutcome::WouldReject:
        return QStringLiteral("admitted; %1 would have rejected it").arg(shown(request.rule, 200));
    case FoundOutcome::Admitted:
        break;
    }
    return QStringLiteral("admitted");
}

namespace {

Mark markOf(FoundOutcome outcome)
{
    switch (outcome) {
    case FoundOutcome::Rejected:
        return Mark::Rejected;
    case FoundOutcome::WouldReject:
        return Mark::Shadow;
    case FoundOutcome::Admitted:
        break;
    }
    return Mark::Admitted;
}

Ink inkOf(FoundOutcome outcome)
{
    switch (outcome) {
    case FoundOutcome::Rejected:
        return Ink::Rejected;
    case FoundOutcome::WouldReject:
        return Ink::Shadow;
    case FoundOutcome::Admitted:
        break;
    }
    return Ink::Admitted;
}

} // namespace

FoundModel::FoundModel(QObject* parent)
    : CellModel({{QStringLiteral("n")},
                 {QStringLiteral("Time"), false},
                 {QStringLiteral("Who"), false},
                 {QStringLiteral("Path"), false},
                 {QStringLiteral("Outcome"), false}},
                parent)
{
}

void FoundModel::setRequests(std::vector<FoundRequest> requests)
{
    beginResetModel();
    m_requests = std::move(requests);
    m_areOfOneDay = m_requests.empty()
        || momentText(m_requests.front().timeNs, TimeForm::Date)
            == momentText(m_requests.back().timeNs, TimeForm::Date);
    endResetModel();
}

int FoundModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_requests.size());
}

ShownCell FoundModel::cellAt(std::size_t row, int column) const
{
    const FoundRequest& request = m_requests[row];
    switch (column) {
    case Number:
        return countCell(request.n);
    case Time: {
        const QString time = momentText(request.timeNs, TimeForm::Millisecond);
        ShownCell cell;
        cell.text = m_areOfOneDay
            ? time
            : momentText(request.timeNs, TimeForm::Date) + QLatin1Char(' ') + time;
        cell.isValue = true; // in mono
        return cell;
    }
    case Who:
        return valueCell(request.who);
    case Path:
        return valueCell(request.path);
    default:
        break;
    }
    ShownCell cell;
    cell.text = outcomeText(request);
    cell.ink = inkOf(request.outcome);
    cell.mark = markOf(request.outcome);
    return cell;
}

} // namespace app::console
