#include "app/console/explain/found_model.h"

#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"
#include "app/console/look/marks.h"

#include <array>

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
    : QAbstractTableModel(parent)
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

int FoundModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant FoundModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const FoundRequest& request = at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case WholeRole:
        switch (index.column()) {
        case Number:
            return countText(request.n);
        case Time: {
            const QString time = momentText(request.timeNs, TimeForm::Millisecond);
            return m_areOfOneDay
                ? time
                : momentText(request.timeNs, TimeForm::Date) + QLatin1Char(' ') + time;
        }
        case Who:
            return shown(request.who);
        case Path:
            return shown(request.path);
        default:
            return outcomeText(request);
        }
    case Qt::ToolTipRole:
        return index.column() == Who || index.column() == Path
            ? QVariant(shown(index.column() == Who ? request.who : request.path).toHtmlEscaped())
            : QVariant();
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Number ? Qt::AlignRight : Qt::AlignLeft)
                                | Qt::AlignVCenter);
    case KindRole:
        return static_cast<int>(index.column() == Number || index.column() == Outcome
                                    ? Cell::Kind::Words
                                    : Cell::Kind::Value);
    case InkRole:
        return static_cast<int>(index.column() == Outcome ? inkOf(request.outcome) : Ink::Normal);
    case MarkRole:
        return index.column() == Outcome ? QVariant(static_cast<int>(markOf(request.outcome)))
                                         : QVariant();
    default:
        return {};
    }
}

QVariant FoundModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= Columns) {
        return {};
    }
    if (role == Qt::TextAlignmentRole) {
        return static_cast<int>((section == Number ? Qt::AlignRight : Qt::AlignLeft)
                                | Qt::AlignVCenter);
    }
    static constexpr std::array<const char*, Columns> kTitles {"n", "Time", "Who", "Path",
                                                               "Outcome"};
    return role == Qt::DisplayRole
        ? QVariant(QString::fromLatin1(kTitles.at(static_cast<std::size_t>(section))))
        : QVariant();
}

} // namespace app::console
