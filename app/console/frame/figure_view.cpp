#include "app/console/frame/figure_view.h"

#include "app/console/frame/figure_header.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStatusTipEvent>
#include <QStyledItemDelegate>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kPadding = 8;
constexpr int kFirstRows = 200;
constexpr int kMostCharacters = 40;
constexpr int kBarWidth = 48;
constexpr int kMostCopied = 10'000; // rows, that nobody waits for

QColor inkOf(Ink ink)
{
    const Theme& t = theme();
    switch (ink) {
    case Ink::Normal:
    case Ink::Strong:
        return t.text;
    case Ink::Second:
        return t.text2;
    case Ink::Admitted:
        return t.admitted;
    case Ink::Rejected:
        return t.rejected;
    case Ink::Shadow:
        return t.shadow;
    case Ink::Delayed:
        return t.delayed;
    case Ink::Error:
        return t.error;
    case Ink::Advice:
        return t.advice;
    }
    return t.text;
}

bool isValue(const QModelIndex& index)
{
    return index.data(KindRole).toInt() == static_cast<int>(Cell::Kind::Value);
}

/// Paints figures: ground, mark, square or bar, text, hairline. Text never passes a rich text
/// engine.
class FigureDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const Theme& t = theme();
        painter->save();
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        painter->fillRect(option.rect, isSelected ? t.sel : t.base);
        QRect place = option.rect.adjusted(kPadding, 0, -kPadding, 0);
        paintBefore(*painter, place, index);
        const auto ink = static_cast<Ink>(index.data(InkRole).toInt());
        QFont font = isValue(index) ? fontOf(Type::Mono) : option.font;
        font.setBold(ink == Ink::Strong);
        painter->setFont(font);
        painter->setPen(inkOf(ink));
        const int align = index.data(Qt::TextAlignmentRole).toInt();
        const QString text = QFontMetrics(font).elidedText(
            index.data(Qt::DisplayRole).toString(),
            isValue(index) ? Qt::ElideMiddle : Qt::ElideRight, place.width());
        painter->drawText(place, align == 0 ? static_cast<int>(Qt::AlignVCenter) : align, text);
        painter->setPen(t.grid);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        painter->restore();
    }

private:
    static void paintBefore(QPainter& painter, QRect& place, const QModelIndex& index)
    {
        if (const QVariant mark = index.data(MarkRole); mark.isValid()) {
            paintMark(painter, QRectF(place.left(), place.center().y() - 5, 10, 10),
                      static_cast<Mark>(mark.toInt()));
            place.setLeft(place.left() + 16);
        }
        if (const QVariant tier = index.data(SquareRole); tier.isValid()) {
            painter.fillRect(QRect(place.left(), place.center().y() - 3, 8, 8),
                             hueOf(static_cast<engine::Tier>(tier.toInt())));
            place.setLeft(place.left() + 14);
        }
        if (const QVariant bar = index.data(BarRole); bar.isValid()) {
            const QRect ground(place.left(), place.center().y() - 3, kBarWidth, 8);
            painter.fillRect(ground, theme().grid);
            const double part = std::clamp(bar.toDouble(), 0.0, 1.0);
            painter.fillRect(ground.adjusted(0, 0, -static_cast<int>(kBarWidth * (1 - part)), 0),
                             theme().rejected);
        }
    }
};

} // namespace

FigureView::FigureView(const QString& name, QWidget* parent)
    : QTableView(parent)
{
    setAccessibleName(name);
    setHorizontalHeader(new FigureHeader(this));
    setItemDelegate(new FigureDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(console::rowHeight());
    setSortingEnabled(false);
    connect(this, &QTableView::doubleClicked, this, &FigureView::rowAsked);
}

void FigureView::setModel(QAbstractItemModel* model)
{
    QTableView::setModel(model);
}

void FigureView::fitColumns(int stretch)
{
    if (model() == nullptr) {
        return;
    }
    const QFontMetrics header(fontOf(Type::Small));
    const QFontMetrics body(font());
    const QFontMetrics mono(fontOf(Type::Mono));
    const QFontMetrics strong(fontOf(Type::Strong));
    const int most = body.averageCharWidth() * kMostCharacters;
    for (int column = 0; column < model()->columnCount(); ++column) {
        const QString title = model()->headerData(column, Qt::Horizontal).toString();
        int width = header.horizontalAdvance(title) + (isSortingEnabled() ? 12 : 0);
        const int rows = std::min(model()->rowCount(), kFirstRows);
        for (int row = 0; row < rows; ++row) {
            const QModelIndex index = model()->index(row, column);
            const bool isStrong = static_cast<Ink>(index.data(InkRole).toInt()) == Ink::Strong;
            const QFontMetrics& size = isValue(index) ? mono : isStrong ? strong : body;
            int wanted = size.horizontalAdvance(index.data().toString().left(200));
            wanted += index.data(MarkRole).isValid() ? 16 : 0;
            wanted += index.data(SquareRole).isValid() ? 14 : 0;
            wanted += index.data(BarRole).isValid() ? kBarWidth + 10 : 0;
            width = std::max(width, wanted);
        }
        setColumnWidth(column, std::min(width, most) + 2 * kPadding + 2);
    }
    if (stretch >= 0) {
        horizontalHeader()->setSectionResizeMode(stretch, QHeaderView::Stretch);
    }
}

void FigureView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isReturn && event->modifiers() == Qt::NoModifier && currentIndex().isValid()) {
        Q_EMIT rowAsked(currentIndex());
        return;
    }
    QTableView::keyPressEvent(event);
}

void FigureView::currentChanged(const QModelIndex& current, const QModelIndex& previous)
{
    QTableView::currentChanged(current, previous);
    if (current.row() != previous.row()) {
        Q_EMIT currentRowChanged(current.row());
    }
}

namespace {

/// A model that reads its rows in pages has nothing in those that it did not read.
bool isRead(const QAbstractItemModel& model, int row)
{
    for (int column = 0; column < model.columnCount(); ++column) {
        if (!model.index(row, column).data().toString().isEmpty()) {
            return true;
        }
    }
    return false;
}

} // namespace

QString FigureView::asText(const QList<int>& rows) const
{
    QStringList lines;
    QStringList cells;
    const int columns = model() == nullptr ? 0 : model()->columnCount();
    for (int column = 0; column < columns; ++column) {
        cells << model()->headerData(column, Qt::Horizontal).toString();
    }
    lines << cells.join(QLatin1Char('\t'));
    for (const int row : rows) {
        cells.clear();
        for (int column = 0; column < columns; ++column) {
            const QModelIndex index = model()->index(row, column);
            const QVariant whole = index.data(WholeRole);
            cells << (whole.isValid() ? whole : index.data()).toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void FigureView::copySelection() const
{
    if (selectionModel() == nullptr) {
        return;
    }
    QList<int> rows;
    std::uint64_t chosen = 0;
    for (const QItemSelectionRange& range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom() && rows.size() < kMostCopied; ++row) {
            rows << row;
        }
        chosen += static_cast<std::uint64_t>(range.height());
    }
    rows.removeIf([this](int row) { return !isRead(*model(), row); });
    std::sort(rows.begin(), rows.end());
    QApplication::clipboard()->setText(asText(rows));
    const auto copied = static_cast<std::uint64_t>(rows.size());
    if (copied < chosen) {
        QStatusTipEvent said(
            QStringLiteral("Copied %1 of %2 rows: those that were read, at most "
                           "%3. Save the list to have them all.")
                .arg(countText(copied), countText(chosen), countText(std::uint64_t {kMostCopied})));
        QApplication::sendEvent(viewport(), &said); // goes up to the window
    }
}

QString FigureView::plainText() const
{
    QList<int> rows;
    for (int row = 0; model() != nullptr && row < model()->rowCount(); ++row) {
        rows << row;
    }
    return asText(rows);
}

} // namespace app::console
