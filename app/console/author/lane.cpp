#include "app/console/author/lane.h"

#include "app/console/author/rule_card_delegate.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QContextMenuEvent>
#include <QDrag>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace app::console {

namespace {

constexpr int kHead = 28;
constexpr int kCap = 3;
constexpr int kLeastWidth = 184;

std::optional<std::string> draggedRule(const QMimeData* data)
{
    const QString mime = QString::fromLatin1(LaneView::kMime);
    return data->hasFormat(mime) ? std::optional(data->data(mime).toStdString()) : std::nullopt;
}

} // namespace

LaneView::LaneView(LaneModel& model, RuleCardDelegate& delegate, QWidget* parent)
    : QListView(parent)
    , m_model(model)
    , m_delegate(delegate)
{
    setModel(&model);
    setItemDelegate(&delegate);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setResizeMode(QListView::Adjust);
    setDragEnabled(true);
    setAcceptDrops(true);
    setDragDropMode(QAbstractItemView::DragDrop);
    setMouseTracking(true);
    setUniformItemSizes(true);
    setFrameShape(QFrame::NoFrame);
    viewport()->setAutoFillBackground(false);
    setProperty("lane", true); // theme.cpp: no ground of its own
}

const RuleCard* LaneView::currentCard() const
{
    const QModelIndex index = currentIndex();
    return index.isValid() ? &m_model.at(index.row()) : nullptr;
}

void LaneView::selectRow(int row)
{
    const QSignalBlocker quiet(this);
    if (row < 0) {
        selectionModel()->clear();
    } else {
        setCurrentIndex(m_model.index(row, 0));
        scrollTo(currentIndex());
    }
    viewport()->update();
}

void LaneView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QListView::currentChanged(current, previous);
    if (current.isValid()) {
        Q_EMIT cardChosen(m_model.at(current.row()).id);
    }
}

void LaneView::keyPressEvent(QKeyEvent* event)
{
    if (event->modifiers() == Qt::NoModifier) {
        switch (event->key()) {
        case Qt::Key_Left:
            Q_EMIT stepAsked(-1);
            return;
        case Qt::Key_Right:
            Q_EMIT stepAsked(1);
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            Q_EMIT formAsked();
            return;
        case Qt::Key_Space:
            if (currentIndex().isValid()) {
                Q_EMIT modesAsked(viewport()->mapToGlobal(visualRect(currentIndex()).center()));
            }
            return;
        default:
            break;
        }
    }
    QListView::keyPressEvent(event);
}

void LaneView::focusInEvent(QFocusEvent* event)
{
    QListView::focusInEvent(event);
    if (!currentIndex().isValid() && m_model.rowCount() > 0
        && event->reason() != Qt::MouseFocusReason) {
        setCurrentIndex(m_model.index(0, 0));
    }
}

void LaneView::startDrag(Qt::DropActions)
{
    const RuleCard* const card = currentCard();
    if (card == nullptr) {
        return;
    }
    auto* payload = new QMimeData;
    payload->setData(QString::fromLatin1(kMime), QByteArray::fromStdString(card->id));
    m_delegate.setDragged(card->id);
    viewport()->update();
    auto* drag = new QDrag(this);
    drag->setMimeData(payload);
    drag->exec(Qt::MoveAction);
    m_delegate.setDragged({});
    viewport()->update();
}

void LaneView::dragEnterEvent(QDragEnterEvent* event)
{
    if (draggedRule(event->mimeData())) {
        event->acceptProposedAction();
    }
}

void LaneView::dragMoveEvent(QDragMoveEvent* event)
{
    if (draggedRule(event->mimeData())) {
        showDropAt(dropRow(event->position().toPoint()));
        event->acceptProposedAction();
    }
}

void LaneView::dragLeaveEvent(QDragLeaveEvent* event)
{
    showDropAt(std::nullopt);
    event->accept();
}

void LaneView::dropEvent(QDropEvent* event)
{
    showDropAt(std::nullopt);
    if (const auto rule = draggedRule(event->mimeData())) {
        event->acceptProposedAction();
        Q_EMIT dropped(*rule, dropRow(event->position().toPoint()));
    }
}

void LaneView::contextMenuEvent(QContextMenuEvent* event)
{
    if (indexAt(event->pos()).isValid()) {
        Q_EMIT modesAsked(event->globalPos());
    }
}

/// The card before which something dropped at this place comes to stand.
int LaneView::dropRow(const QPoint& at) const
{
    for (int row = 0; row < m_model.rowCount(); ++row) {
        if (at.y() < visualRect(m_model.index(row, 0)).center().y()) {
            return row;
        }
    }
    return m_model.rowCount();
}

void LaneView::showDropAt(std::optional<int> row)
{
    if (m_dropRow != row) {
        m_dropRow = row;
        viewport()->update();
    }
}

void LaneView::paintEvent(QPaintEvent* event)
{
    QListView::paintEvent(event);
    QPainter painter(viewport());
    if (m_model.rowCount() == 0) {
        painter.setFont(fontOf(Type::Small));
        painter.setPen(theme().text2);
        painter.drawText(viewport()->rect().adjusted(6, 10, -6, 0),
                         Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                         QStringLiteral("No rules. + adds one."));
    }
    if (m_dropRow) {
        const int rows = m_model.rowCount();
        const int y = rows == 0 ? 2
            : *m_dropRow < rows ? visualRect(m_model.index(*m_dropRow, 0)).top() - 2
                                : visualRect(m_model.index(rows - 1, 0)).bottom() - 4;
        painter.fillRect(QRect(2, std::max(0, y), viewport()->width() - 4, 2), theme().accent);
    }
}

Lane::Lane(LaneModel& model, RuleCardDelegate& delegate, QWidget* parent)
    : QWidget(parent)
    , m_tier(model.tier())
    , m_view(new LaneView(model, delegate))
    , m_count(captionLabel({}))
    , m_add(new QToolButton)
{
    const QString name = words(engine::nameOf(m_tier));
    auto* title = plainLabel(name);
    title->setFont(fontOf(Type::Strong));
    m_add->setText(QStringLiteral("+"));
    m_add->setAutoRaise(true);
    m_add->setFocusPolicy(Qt::TabFocus);
    m_add->setAccessibleName(QStringLiteral("Add a rule to %1").arg(name));
    m_add->setToolTip(m_add->accessibleName());
    auto* head = new QHBoxLayout;
    head->setContentsMargins(4, kCap, 0, 0);
    head->setSpacing(8);
    head->addWidget(title);
    head->addWidget(m_count);
    head->addStretch(1);
    head->addWidget(m_add);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(m_view, 1);
    head->setSizeConstraint(QLayout::SetDefaultConstraint);
    m_add->setFixedHeight(kHead - kCap - 2);
    setMinimumWidth(kLeastWidth);
    connect(m_add, &QToolButton::clicked, this, [this] { Q_EMIT addAsked(m_tier); });
    connect(&model, &QAbstractItemModel::modelReset, this, &Lane::follow);
    connect(&model, &QAbstractItemModel::rowsInserted, this, &Lane::follow);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, &Lane::follow);
    follow();
}

void Lane::follow()
{
    const QString rules = plural(static_cast<std::uint64_t>(m_view->model()->rowCount()),
                                 QStringLiteral("rule"), QStringLiteral("rules"));
    m_count->setText(rules);
    m_view->setAccessibleName(
        QStringLiteral("Tier %1, %2").arg(words(engine::nameOf(m_tier)), rules));
}

void Lane::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(QRect(0, 0, width(), kCap), hueOf(m_tier));
}

} // namespace app::console
