#include "app/console/runs/run_list.h"

#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kPadding = 12;
constexpr int kGap = 8;

QString stateText(storage::RunState state)
{
    return state == storage::RunState::Complete ? QString() : words(storage::nameOf(state));
}

QString figuresText(const storage::RunSummary& run)
{
    if (run.totals.requests == 0) {
        return QStringLiteral("no requests");
    }
    return QStringLiteral("%1 rejected").arg(shareText(run.totals.rejected, run.totals.requests));
}

/// Two lines: number and name, what it was and how much it rejected.
class RunDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {200,
                QFontMetrics(fontOf(Type::Strong)).height()
                    + QFontMetrics(fontOf(Type::Small)).height() + 14};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& t = theme();
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        painter->save();
        painter->fillRect(option.rect, isSelected ? t.sel : t.base);
        QRect place = option.rect.adjusted(kPadding, 6, -kPadding, -6);
        const QString state = index.data(RunListModel::StateRole).toString();
        painter->setFont(fontOf(Type::Small));
        const int stateWidth
            = state.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(state);
        painter->setPen(t.advice);
        painter->drawText(place, Qt::AlignRight | Qt::AlignTop, state);
        painter->setFont(fontOf(Type::Strong));
        painter->setPen(t.text);
        painter->drawText(
            place, Qt::AlignLeft | Qt::AlignTop,
            painter->fontMetrics().elidedText(index.data(RunListModel::NameRole).toString(),
                                              Qt::ElideRight, place.width() - stateWidth - kGap));
        painter->setFont(fontOf(Type::Small));
        painter->setPen(t.text2);
        const QString figures = index.data(RunListModel::FiguresRole).toString();
        const int width = painter->fontMetrics().horizontalAdvance(figures);
        painter->drawText(place, Qt::AlignRight | Qt::AlignBottom, figures);
        painter->drawText(
            place, Qt::AlignLeft | Qt::AlignBottom,
            painter->fontMetrics().elidedText(index.data(RunListModel::DetailRole).toString(),
                                              Qt::ElideMiddle, place.width() - width - kGap));
        painter->setPen(t.grid);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        painter->restore();
    }
};

} // namespace

void RunListModel::setRuns(const std::vector<storage::RunSummary>& runs)
{
    beginResetModel();
    m_runs = runs;
    show();
    endResetModel();
}

void RunListModel::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text;
    show();
    endResetModel();
}

void RunListModel::show()
{
    m_shown.clear();
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const storage::RunSummary& run = m_runs[i];
        const QString text = QString::number(run.id) + QLatin1Char('\n') + shown(run.name)
            + QLatin1Char('\n') + shown(run.policyName) + QLatin1Char('\n') + shown(run.source);
        if (m_filter.isEmpty() || text.contains(m_filter, Qt::CaseInsensitive)) {
            m_shown.push_back(i);
        }
    }
}

std::optional<storage::RunId> RunListModel::idAt(int row) const
{
    if (row < 0 || row >= rowCount()) {
        return std::nullopt;
    }
    return m_runs[m_shown[static_cast<std::size_t>(row)]].id;
}

int RunListModel::rowOf(storage::RunId run) const
{
    for (std::size_t row = 0; row < m_shown.size(); ++row) {
        if (m_runs[m_shown[row]].id == run) {
            return static_cast<int>(row);
        }
    }
    return -1;
}

int RunListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant RunListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) {
        return {};
    }
    const storage::RunSummary& run = m_runs[m_shown[static_cast<std::size_t>(index.row())]];
    const QString name = QStringLiteral("%1: %2").arg(run.id).arg(shown(run.name, 200));
    const QString detail
        = QStringLiteral("%1 on %2").arg(shown(run.policyName, 100), fileNames(run.source));
    switch (role) {
    case Qt::EditRole:
        return QString::fromStdString(run.name);
    case Qt::DisplayRole:
    case NameRole:
        return name;
    case DetailRole:
        return detail;
    case StateRole:
        return stateText(run.state);
    case FiguresRole:
        return figuresText(run);
    case IdRole:
        return static_cast<qlonglong>(run.id);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3, replayed %4%5")
            .arg(name, detail, figuresText(run), momentText(run.startedNs, TimeForm::Full),
                 run.state == storage::RunState::Complete
                     ? QString()
                     : QStringLiteral(", ") + stateText(run.state))
            .toHtmlEscaped();
    default:
        return {};
    }
}

Qt::ItemFlags RunListModel::flags(const QModelIndex& index) const
{
    return QAbstractListModel::flags(index) | Qt::ItemIsEditable;
}

bool RunListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const std::optional<storage::RunId> run = idAt(index.row());
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || !run || name.isEmpty()) {
        return false;
    }
    if (name != data(index, Qt::EditRole).toString()) {
        Q_EMIT renameAsked(*run, name);
    }
    return true;
}

RunList::RunList(QWidget* parent)
    : Panel(QStringLiteral("Runs"), parent)
    , m_model(new RunListModel(this))
    , m_view(new QListView(this))
    , m_filter(new QLineEdit(this))
{
    m_view->setAccessibleName(QStringLiteral("Runs, newest first"));
    m_view->setModel(m_model);
    m_view->setItemDelegate(new RunDelegate(m_view));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->installEventFilter(this);
    m_filter->setAccessibleName(QStringLiteral("Filter of runs"));
    m_filter->setPlaceholderText(QStringLiteral("Filter by name, policy or log"));
    m_filter->setClearButtonEnabled(true);
    m_filter->installEventFilter(this);
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(8);
    auto* const margins = new QVBoxLayout;
    margins->setContentsMargins(kPadding, 0, kPadding, 0);
    margins->addWidget(m_filter);
    column->addLayout(margins);
    column->addWidget(m_view, 1);
    setBody(content);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        m_view->setCurrentIndex(m_model->index(0));
        showCaption();
    });
    connect(m_model, &RunListModel::renameAsked, this, &RunList::renameAsked);
    connect(m_view, &QListView::activated, this, [this](const QModelIndex& index) {
        if (const auto run = m_model->idAt(index.row())) {
            Q_EMIT opened(*run);
        }
    });
    connect(m_view, &QListView::clicked, m_view, &QListView::activated);
}

void RunList::setRuns(const std::vector<storage::RunSummary>& runs,
                      std::optional<storage::RunId> current)
{
    m_model->setRuns(runs);
    const int row = current ? m_model->rowOf(*current) : -1;
    m_view->setCurrentIndex(m_model->index(std::max(row, 0)));
    showCaption();
}

void RunList::showCaption()
{
    const auto shownCount = static_cast<std::uint64_t>(m_model->rowCount());
    setCaption(
        shownCount == m_model->all()
            ? countText(shownCount)
            : QStringLiteral("%1 of %2").arg(countText(shownCount), countText(m_model->all())));
}

void RunList::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void RunList::edit()
{
    if (m_view->currentIndex().isValid()) {
        m_view->edit(m_view->currentIndex());
    }
}

std::optional<storage::RunId> RunList::current() const
{
    return m_model->idAt(m_view->currentIndex().row());
}

/// Down goes from the filter to the list, Escape clears the filter, then leaves.
bool RunList::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress) {
        return Panel::eventFilter(watched, event);
    }
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Escape) {
        if (m_filter->text().isEmpty()) {
            Q_EMIT escaped();
        } else {
            m_filter->clear();
        }
        return true;
    }
    const bool isReturn = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (watched == m_filter && (key == Qt::Key_Down || isReturn)) {
        m_view->setFocus();
        if (isReturn && m_view->currentIndex().isValid()) {
            Q_EMIT m_view->activated(m_view->currentIndex());
        }
        return true;
    }
    return Panel::eventFilter(watched, event);
}

} // namespace app::console
