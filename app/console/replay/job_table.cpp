#include "app/console/replay/job_table.h"

#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"
#include "app/console/replay/replay_words.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>

#include <filesystem>

namespace app::console {

namespace {

constexpr int kBarWidth = 200;
constexpr int kBarHeight = 8;
constexpr int kPadding = 8;

QString logText(const Job& job)
{
    const std::vector<std::string>& logs = job.order.logs;
    const QString first = shown(std::filesystem::path(logs.front()).filename().string().empty()
                                    ? logs.front()
                                    : std::filesystem::path(logs.front()).filename().string());
    return logs.size() == 1
        ? first
        : QStringLiteral("%1 and %2 more").arg(first, countText(logs.size() - 1));
}

QString percentText(const Job& job)
{
    const std::optional<double> share = job.pace.share();
    return share ? QStringLiteral("%1 %").arg(static_cast<int>(*share * 100)) : QString();
}

QString progressText(const Job& job, const Job* running)
{
    switch (job.state) {
    case JobState::Waiting:
        return running == nullptr
            ? QStringLiteral("waiting")
            : QStringLiteral("waiting for %1").arg(shown(running->order.name(), 60));
    case JobState::Stopping:
        return QStringLiteral("stopping");
    case JobState::Running: {
        if (job.pace.state().lines == 0) {
            return QStringLiteral("starting");
        }
        const QString percent = percentText(job);
        const QString done = percent.isEmpty() ? sizeText(job.pace.state().bytesRead) : percent;
        return job.pace.state().secondPass ? QStringLiteral("%1, sorting").arg(done) : done;
    }
    case JobState::Complete:
        return QStringLiteral("complete");
    case JobState::Cancelled: {
        const QString percent = percentText(job);
        return percent.isEmpty() ? QStringLiteral("cancelled")
                                 : QStringLiteral("cancelled at %1").arg(percent);
    }
    case JobState::Failed:
        return failureText(*job.result.failure);
    }
    return {};
}

/// Requests are known at the end; until then lines, which are nearly as many.
QString requestsText(const Job& job)
{
    if (job.state == JobState::Complete || job.state == JobState::Cancelled) {
        return countText(job.result.requests);
    }
    return job.pace.state().lines > 0 && !job.isOver()
        ? QStringLiteral("%1 lines").arg(countText(job.pace.state().lines))
        : QString();
}

/// "3.9 M/s", "812 k/s", "940/s": the only figures that are rounded.
QString rateText(std::uint64_t perSecond)
{
    if (perSecond == 0) {
        return {};
    }
    const auto rate = static_cast<double>(perSecond);
    return rate >= 1e6 ? QStringLiteral("%1 M/s").arg(rate / 1e6, 0, 'f', 1)
        : rate >= 1e4  ? QStringLiteral("%1 k/s").arg(rate / 1e3, 0, 'f', 0)
                       : QStringLiteral("%1/s").arg(perSecond);
}

QString rateOf(const Job& job)
{
    if (job.state == JobState::Complete && job.tookNs > 0) {
        return rateText(static_cast<std::uint64_t>(static_cast<double>(job.result.requests) * 1e9
                                                   / static_cast<double>(job.tookNs)));
    }
    return job.state == JobState::Running ? rateText(job.pace.linesPerSecond()) : QString();
}

QString timeOf(const Job& job)
{
    if (job.isOver()) {
        constexpr std::int64_t kMs = 1'000'000;
        return lengthText(job.tookNs < kMs ? job.tookNs : job.tookNs / kMs * kMs);
    }
    const std::optional<std::int64_t> left = job.pace.secondsLeft();
    if (job.state != JobState::Running || !left) {
        return {};
    }
    return QStringLiteral("%1:%2 left").arg(*left / 60).arg(*left % 60, 2, 10, QLatin1Char('0'));
}

QString runText(const Job& job)
{
    QStringList runs;
    for (const storage::RunId run : job.result.runs) {
        runs << QString::number(run);
    }
    return runs.join(QStringLiteral(", "));
}

Ink inkAt(const Job& job, int column)
{
    if (column == JobModel::Name) {
        return job.state == JobState::Waiting ? Ink::Normal : Ink::Strong;
    }
    if (column == JobModel::Progress && job.state == JobState::Failed) {
        return Ink::Error;
    }
    if (column == JobModel::Progress && job.state == JobState::Cancelled) {
        return Ink::Advice;
    }
    return job.state == JobState::Waiting ? Ink::Second : Ink::Normal;
}

/// The bar of what runs, before its per cent; the last column as the button that it is.
class JobDelegate final : public QStyledItemDelegate {
public:
    JobDelegate(QAbstractItemDelegate* others, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_others(others)
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const QVariant share = index.data(JobModel::ShareRole);
        m_others->paint(painter, option, index);
        if (index.column() == JobModel::Act && !index.data().toString().isEmpty()) {
            paintButton(*painter, option, index.data().toString());
        } else if (share.isValid()) {
            paintBar(*painter, option, share.toDouble(), index.data().toString());
        }
    }

private:
    static void paintGround(QPainter& painter, const QStyleOptionViewItem& option)
    {
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        painter.fillRect(option.rect.adjusted(0, 0, 0, -1),
                         isSelected ? theme().sel : theme().base);
    }

    static void paintBar(QPainter& painter, const QStyleOptionViewItem& option, double share,
                         const QString& text)
    {
        const Theme& t = theme();
        painter.save();
        paintGround(painter, option);
        const int width = std::min(kBarWidth, option.rect.width() - 2 * kPadding - 60);
        const QRect ground(option.rect.left() + kPadding, option.rect.center().y() - kBarHeight / 2,
                           width, kBarHeight);
        painter.fillRect(ground, t.grid);
        QRect done = ground;
        done.setWidth(static_cast<int>(width * std::clamp(share, 0.0, 1.0)));
        painter.fillRect(done, t.accent);
        painter.setPen(t.text);
        painter.setFont(option.font);
        painter.drawText(option.rect.adjusted(kPadding + width + 8, 0, -kPadding, 0),
                         Qt::AlignVCenter, text);
        painter.restore();
    }

    static void paintButton(QPainter& painter, const QStyleOptionViewItem& option,
                            const QString& text)
    {
        const Theme& t = theme();
        painter.save();
        paintGround(painter, option);
        painter.setRenderHint(QPainter::Antialiasing);
        const int width = QFontMetrics(option.font).horizontalAdvance(text) + 20;
        const QRectF place(option.rect.right() - kPadding - width + 0.5, option.rect.top() + 2.5,
                           width, option.rect.height() - 6);
        painter.setPen(t.control);
        painter.setBrush(t.base);
        painter.drawRoundedRect(place, 4, 4);
        painter.setPen(t.text);
        painter.setFont(option.font);
        painter.drawText(place, Qt::AlignCenter, text);
        painter.restore();
    }

    QAbstractItemDelegate* m_others;
};

} // namespace

QString actText(const Job& job)
{
    switch (job.state) {
    case JobState::Waiting:
        return QStringLiteral("Remove");
    case JobState::Running:
        return QStringLiteral("Cancel");
    case JobState::Stopping:
        return {};
    case JobState::Complete:
    case JobState::Cancelled:
    case JobState::Failed:
        break;
    }
    return job.result.runs.empty() ? QStringLiteral("Remove") : QStringLiteral("Open run");
}

JobModel::JobModel(Jobs& jobs, QObject* parent)
    : CellModel({{QStringLiteral("Run")},
                 {QStringLiteral("Name"), false},
                 {QStringLiteral("Log"), false},
                 {QStringLiteral("Progress"), false},
                 {QStringLiteral("Requests")},
                 {QStringLiteral("Rate")},
                 {QStringLiteral("Time")},
                 {QString()}},
                parent)
    , m_jobs(jobs)
    , m_known(static_cast<int>(jobs.all().size()))
{
    connect(&jobs, &Jobs::listChanged, this, [this] {
        beginResetModel();
        m_known = static_cast<int>(m_jobs.all().size());
        endResetModel();
    });
    connect(&jobs, &Jobs::jobChanged, this, [this](std::uint64_t id) {
        const int row = rowOf(id);
        if (row >= 0 && row < m_known) {
            // What waits says for whom.
            Q_EMIT dataChanged(index(row, 0), index(m_known - 1, Columns - 1));
        }
    });
}

int JobModel::rowOf(std::uint64_t id) const
{
    const std::vector<Job>& all = m_jobs.all();
    for (std::size_t row = 0; row < all.size(); ++row) {
        if (all[row].id == id) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

int JobModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_known;
}

ShownCell JobModel::cellAt(std::size_t row, int column) const
{
    const Job& job = m_jobs.all()[row];
    ShownCell cell;
    cell.ink = inkAt(job, column);
    switch (column) {
    case Run:
        cell.text = runText(job);
        break;
    case Name:
        cell.text = shown(job.order.name(), 200);
        break;
    case Log:
        cell.text = logText(job);
        break;
    case Progress:
        cell.text = progressText(job, m_jobs.running());
        if (job.state == JobState::Complete || job.state == JobState::Failed) {
            cell.mark = job.state == JobState::Complete ? Mark::Ok : Mark::Error;
        }
        break;
    case Requests:
        cell.text = requestsText(job);
        break;
    case Rate:
        cell.text = rateOf(job);
        break;
    case Time:
        cell.text = timeOf(job);
        break;
    default:
        cell.text = actText(job);
        break;
    }
    return cell;
}

QVariant JobModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != ShareRole && role != Qt::AccessibleTextRole)) {
        return CellModel::data(index, role);
    }
    const Job& job = at(index.row());
    if (role == Qt::AccessibleTextRole) {
        return QStringLiteral("Run %1, %2, %3, %4")
            .arg(runText(job), shown(job.order.name(), 100), progressText(job, m_jobs.running()),
                 timeOf(job));
    }
    const std::optional<double> share = job.pace.share();
    return index.column() == Progress && job.state == JobState::Running && share ? QVariant(*share)
                                                                                 : QVariant();
}

JobView::JobView(QWidget* parent)
    : FigureView(QStringLiteral("Jobs"), parent)
{
    setItemDelegate(new JobDelegate(itemDelegate(), this));
    setSelectionMode(QAbstractItemView::SingleSelection);
}

void JobView::fit()
{
    fitColumns(JobModel::Progress);
    const int button = QFontMetrics(font()).horizontalAdvance(QStringLiteral("Open run")) + 20;
    setColumnWidth(JobModel::Act, button + 3 * kPadding);
}

void JobView::mouseReleaseEvent(QMouseEvent* event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    FigureView::mouseReleaseEvent(event);
    if (index.isValid() && index.column() == JobModel::Act && event->button() == Qt::LeftButton) {
        Q_EMIT actAsked(index.row());
    }
}

} // namespace app::console
