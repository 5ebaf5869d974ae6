#include "app/console/replay/log_view.h"

#include "app/console/look/theme.h"
#include "app/console/replay/log_model.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>

namespace app::console {

namespace {

constexpr double kBox = 14;

/// The check box; all else is painted as in every table.
class CheckDelegate final : public QStyledItemDelegate {
public:
    CheckDelegate(QAbstractItemDelegate* others, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_others(others)
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        m_others->paint(painter, option, index);
        const QVariant state = index.data(Qt::CheckStateRole);
        if (!state.isValid()) {
            return;
        }
        const Theme& t = theme();
        const bool isChecked = state.toInt() == Qt::Checked;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        QRectF box(0, 0, kBox, kBox);
        box.moveCenter(QRectF(option.rect).center());
        painter->setPen(QPen(isChecked ? t.accent : t.control, 1));
        painter->setBrush(isChecked ? t.accent : t.base);
        painter->drawRoundedRect(box, 3, 3);
        if (isChecked) {
            QPainterPath tick(box.topLeft() + QPointF(3.5, 7.2));
            tick.lineTo(box.topLeft() + QPointF(6, 9.8));
            tick.lineTo(box.topLeft() + QPointF(10.5, 4.4));
            painter->setBrush(Qt::NoBrush);
            painter->setPen(QPen(t.onAccent, 1.8));
            painter->drawPath(tick);
        }
        painter->restore();
    }

    /// Clicks are the view's affair, else a box would be toggled twice.
    bool editorEvent(QEvent*, QAbstractItemModel*, const QStyleOptionViewItem&,
                     const QModelIndex&) override
    {
        return false;
    }

private:
    QAbstractItemDelegate* m_others;
};

} // namespace

LogView::LogView(QWidget* parent)
    : FigureView(QStringLiteral("Logs"), parent)
{
    setItemDelegate(new CheckDelegate(itemDelegate(), this));
    setSelectionMode(QAbstractItemView::SingleSelection);
}

void LogView::toggle(int row)
{
    const QModelIndex box = model()->index(row, LogModel::Chosen);
    const bool isChecked = box.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    model()->setData(box, isChecked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

void LogView::keyPressEvent(QKeyEvent* event)
{
    const int row = currentIndex().row();
    if (event->key() == Qt::Key_Space && row >= 0) {
        toggle(row);
        return;
    }
    if (event->key() == Qt::Key_Delete && row >= 0) {
        Q_EMIT removeAsked(row);
        return;
    }
    FigureView::keyPressEvent(event);
}

void LogView::mouseReleaseEvent(QMouseEvent* event)
{
    const QModelIndex index = indexAt(event->position().toPoint());
    FigureView::mouseReleaseEvent(event);
    if (index.isValid() && index.column() == LogModel::Chosen
        && event->button() == Qt::LeftButton) {
        toggle(index.row());
    }
}

} // namespace app::console
