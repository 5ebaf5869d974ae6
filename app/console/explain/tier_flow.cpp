#include "app/console/explain/tier_flow.h"

#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kBar = 3;
constexpr int kLeft = 12;
constexpr int kIndent = 20;
constexpr int kGap = 8;
constexpr int kBetween = 6; // tiers

std::optional<Mark> markOf(const TierRow& row)
{
    switch (row.verdict) {
    case TierRow::Verdict::Admitted:
        return Mark::Admitted;
    case TierRow::Verdict::Rejected:
        return Mark::Rejected;
    case TierRow::Verdict::Shadow:
        return Mark::Shadow;
    case TierRow::Verdict::None:
        break;
    }
    return std::nullopt;
}

/// One row over the whole width; cells of a note run into each other.
class TierDelegate final : public QStyledItemDelegate {
public:
    explicit TierDelegate(const TierFlowModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , m_model(model)
    {
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& whole,
               const QModelIndex& index) const override
    {
        const TierRow& row = m_model.at(index.row());
        const Theme& t = theme();
        QStyleOptionViewItem option = whole;
        painter->save();
        if (row.kind == TierRow::Kind::Tier && index.row() > 0) {
            painter->fillRect(whole.rect, t.base);
            option.rect.setTop(whole.rect.top() + kBetween);
        }
        const bool isSelected = (option.state & QStyle::State_Selected) != 0;
        painter->fillRect(option.rect,
                          isSelected              ? t.sel
                              : row.isInRejecting ? t.rejectedGround
                                                  : t.base);
        if (index.column() == TierFlowModel::Name) {
            painter->fillRect(
                QRect(option.rect.left() + kLeft, option.rect.top(), kBar, option.rect.height()),
                hueOf(row.tier));
        }
        if (row.kind == TierRow::Kind::Note) {
            paintNote(*painter, option, index, row);
        } else {
            paintCell(*painter, option, index, row);
        }
        painter->restore();
    }

private:
    static void paintNote(QPainter& painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index, const TierRow& row)
    {
        if (index.column() != TierFlowModel::Name) {
            return; // painted with the first
        }
        QRect place = option.rect;
        place.setLeft(place.left() + kLeft + kIndent);
        painter.setPen(theme().text2);
        painter.drawText(place, Qt::AlignVCenter, shown(row.name));
    }

    static void paintCell(QPainter& painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index, const TierRow& row)
    {
        const Theme& t = theme();
        const bool isHead = row.kind == TierRow::Kind::Tier;
        const bool isFaint = !isHead && row.verdict == TierRow::Verdict::None;
        QRect place = option.rect.adjusted(kGap, 0, -kGap, 0);
        QFont font = fontOf(Type::Body);
        painter.setPen(isFaint || index.column() >= TierFlowModel::Before ? t.text2 : t.text);
        int align = Qt::AlignVCenter;
        if (index.column() == TierFlowModel::Name) {
            place.setLeft(option.rect.left() + kLeft + (isHead ? 10 : kIndent));
            font.setBold(isHead);
        } else if (index.column() == TierFlowModel::What) {
            if (const std::optional<Mark> mark = markOf(row); mark) {
                painter.setPen(colourOf(*mark));
                paintMark(painter, QRectF(place.left(), place.center().y() - 4.5, 10, 10), *mark);
                place.setLeft(place.left() + 16);
            } else {
                painter.setPen(t.text2);
            }
            font.setBold(isHead && row.isInRejecting);
        } else if (index.column() == TierFlowModel::After && isHead) {
            align |= Qt::AlignRight;
            font = fontOf(Type::Small);
        } else if (!isFaint) {
            painter.setPen(t.text);
        }
        painter.setFont(font);
        painter.drawText(
            place, align,
            QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, place.width()));
        if (!isHead) {
            painter.setPen(row.isInRejecting ? t.border : t.grid);
            const int left = index.column() == TierFlowModel::Name ? kLeft + kIndent : 0;
            painter.drawLine(option.rect.left() + left, option.rect.top(), option.rect.right(),
                             option.rect.top());
        }
    }

    const TierFlowModel& m_model;
};

} // namespace

TierFlowModel::TierFlowModel(QObject* parent)
    : QAbstractTableModel(parent)
{
}

void TierFlowModel::setRows(std::vector<TierRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int TierFlowModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TierFlowModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QVariant TierFlowModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const TierRow& row = at(index.row());
    if (role == Qt::AccessibleTextRole) {
        return QStringLiteral("%1 %2 %3 %4")
            .arg(shown(row.name), shown(row.what), shown(row.before), shown(row.after));
    }
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) {
        return {};
    }
    QString text;
    switch (index.column()) {
    case Name:
        text = shown(row.name);
        break;
    case What:
        text = shown(row.what);
        break;
    case Before:
        text = shown(row.before);
        break;
    case After:
        text = shown(row.after);
        break;
    default:
        break;
    }
    return role == Qt::ToolTipRole ? text.toHtmlEscaped() : text;
}

TierFlow::TierFlow(QWidget* parent)
    : QTableView(parent)
    , m_model(new TierFlowModel(this))
{
    setAccessibleName(QStringLiteral("Through the tiers"));
    setModel(m_model);
    setItemDelegate(new TierDelegate(*m_model, this));
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    horizontalHeader()->hide();
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(app::console::rowHeight() + 1);
}

void TierFlow::setRows(std::vector<TierRow> rows)
{
    clearSpans();
    m_model->setRows(std::move(rows));
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const TierRow& one = m_model->at(row);
        if (one.kind == TierRow::Kind::Tier && row > 0) {
            setRowHeight(row, verticalHeader()->defaultSectionSize() + kBetween);
        }
        if (one.kind == TierRow::Kind::Note) {
            setSpan(row, TierFlowModel::Name, 1, TierFlowModel::Columns);
        } else if (one.after.empty()) { // a reason runs on
            setSpan(row, TierFlowModel::Before, 1, TierFlowModel::Columns - TierFlowModel::Before);
        }
    }
    fit();
}

/// Names and verdicts as wide as they are, up to a third; the states share what is left.
void TierFlow::fit()
{
    const QFontMetrics body(fontOf(Type::Strong));
    int name = 0;
    int what = 0;
    int after = 0;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const TierRow& one = m_model->at(row);
        if (one.kind != TierRow::Kind::Note) {
            name = std::max(name, body.horizontalAdvance(shown(one.name)) + kLeft + kIndent + kGap);
            what = std::max(what, body.horizontalAdvance(shown(one.what)) + 16 + 3 * kGap);
            after = std::max(after, body.horizontalAdvance(shown(one.after)) + 2 * kGap);
        }
    }
    const int width = viewport()->width();
    name = std::min(name, width / 3);
    what = std::min(what, width / 3);
    const int rest = std::max(0, width - name - what);
    setColumnWidth(TierFlowModel::Name, name);
    setColumnWidth(TierFlowModel::What, what);
    after = std::clamp(after, rest / 3, std::max(rest / 3, rest / 2));
    setColumnWidth(TierFlowModel::Before, rest - after);
    setColumnWidth(TierFlowModel::After, after);
}

void TierFlow::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    fit();
}

QString TierFlow::plainText() const
{
    QStringList lines;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < TierFlowModel::Columns; ++column) {
            cells << m_model->index(row, column).data().toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace app::console
