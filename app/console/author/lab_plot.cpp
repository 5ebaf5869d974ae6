#include "app/console/author/lab_plot.h"

#include "app/console/author/rule_card_delegate.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"
#include "app/workbench/figures_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::console {

namespace {

constexpr double kNsPerSecond = 1e9;
constexpr int kMostTicks = 6;

/// Ticks of time at whole 1, 2, 5 of a unit, or steps of the clock.
class TimeTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override
    {
        static constexpr std::array kSteps {
            1e-3,    2e-3,    5e-3,     0.01,     0.02,      0.05,     0.1,     0.2,
            0.5,     1.0,     2.0,      5.0,      10.0,      15.0,     30.0,    60.0,
            120.0,   300.0,   600.0,    900.0,    1800.0,    3600.0,   10800.0, 21600.0,
            43200.0, 86400.0, 172800.0, 604800.0, 1209600.0, 2419200.0};
        for (const double step : kSteps) {
            if (range.size() / step <= kMostTicks) {
                return step;
            }
        }
        return std::ceil(range.size() / kMostTicks / 604800.0) * 604800.0;
    }

    int getSubTickCount(double) override { return 0; }

    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        const auto ns = static_cast<std::int64_t>(std::llround(tick * kNsPerSecond));
        return ns == 0 ? QStringLiteral("0 s") : words(durationText(ns));
    }
};

/// Ticks of counts: whole numbers, with commas.
class CountTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override
    {
        const double rough = std::max(1.0, range.size() / 4);
        const double power = std::pow(10.0, std::floor(std::log10(rough)));
        for (const double part : {1.0, 2.0, 5.0, 10.0}) {
            if (part * power >= rough) {
                return part * power;
            }
        }
        return 10 * power;
    }

    int getSubTickCount(double) override { return 0; }

    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return countText(static_cast<std::uint64_t>(std::llround(std::max(0.0, tick))));
    }
};

QCPItemText* textItem(QCustomPlot* plot)
{
    auto* item = new QCPItemText(plot);
    item->setSelectable(false);
    item->setClipToAxisRect(false);
    item->setPadding(QMargins(2, 0, 2, 2));
    return item;
}

void addStyle(QCPAxisRect* rect, const Theme& t)
{
    for (QCPAxis* const axis : {rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft)}) {
        axis->setBasePen(QPen(Qt::NoPen));
        axis->setTickPen(QPen(Qt::NoPen));
        axis->setSubTickPen(QPen(Qt::NoPen));
        axis->setTickLabelFont(fontOf(Type::Axis));
        axis->setTickLabelColor(t.text2);
        axis->grid()->setPen(QPen(t.grid, 1));
        axis->grid()->setZeroLinePen(QPen(t.grid, 1));
    }
    rect->axis(QCPAxis::atBottom)->grid()->setVisible(false);
    rect->setBackground(QBrush(t.base));
}

} // namespace

LabPlot::LabPlot(QWidget* parent)
    : QCustomPlot(parent)
{
    setAccessibleName(QStringLiteral("Lab chart"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(220, 100);
    build();
    applyTheme();
    connect(this, &QCustomPlot::afterLayout, this, &LabPlot::placeLabels);
}

void LabPlot::build()
{
    plotLayout()->clear();
    m_top = new QCPAxisRect(this);
    m_bottom = new QCPAxisRect(this);
    plotLayout()->addElement(0, 0, m_top);
    plotLayout()->addElement(1, 0, m_bottom);
    plotLayout()->setRowStretchFactor(0, 1.5);
    plotLayout()->setRowSpacing(0);
    auto* margins = new QCPMarginGroup(this);
    for (QCPAxisRect* const rect : {m_top, m_bottom}) {
        rect->setMarginGroup(QCP::msLeft, margins);
        rect->setAutoMargins(QCP::msLeft | QCP::msBottom);
        rect->setMargins(QMargins(0, 20, 14, 0));
        rect->setMinimumMargins(QMargins(0, 20, 14, 0));
        rect->setupFullAxesBox(false);
        rect->axis(QCPAxis::atRight)->setVisible(false);
        rect->axis(QCPAxis::atTop)->setVisible(false);
        rect->axis(QCPAxis::atBottom)->setTicker(QSharedPointer<TimeTicker>::create());
        rect->axis(QCPAxis::atLeft)->setTicker(QSharedPointer<CountTicker>::create());
        for (QCPAxis* const axis : rect->axes()) {
            axis->setLayer(QStringLiteral("axes"));
            axis->grid()->setLayer(QStringLiteral("grid"));
        }
    }
    m_top->axis(QCPAxis::atBottom)->setTickLabels(false);
    const auto graph = [this](QCPAxisRect* rect) {
        QCPGraph* const made = addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        made->setAdaptiveSampling(true);
        made->setAntialiased(false);
        return made;
    };
    m_offered = graph(m_top);
    m_attempts = graph(m_top);
    m_admitted = graph(m_top);
    m_rejected = graph(m_top);
    m_state = graph(m_bottom);
    m_limit = graph(m_bottom);
    m_topTitle = textItem(this);
    m_stateTitle = textItem(this);
    m_note = textItem(this);
    m_offeredLabel = textItem(this);
    m_attemptsLabel = textItem(this);
    m_admittedLabel = textItem(this);
    m_rejectedLabel = textItem(this);
}

void LabPlot::applyTheme()
{
    const Theme& t = theme();
    setBackground(QBrush(t.base));
    addStyle(m_top, t);
    addStyle(m_bottom, t);
    const auto faded = [this](QColor colour) {
        colour.setAlphaF(m_isStale ? 0.35F : 1.0F);
        return colour;
    };
    m_offered->setPen(QPen(faded(t.offered), 1));
    QPen dotted(faded(t.delayed), 1.5);
    dotted.setDashPattern({1, 2});
    m_attempts->setPen(dotted);
    m_admitted->setPen(QPen(faded(t.admitted), 2));
    QPen dashed(faded(t.rejected), 1.5);
    dashed.setDashPattern({6, 3});
    m_rejected->setPen(dashed);
    m_state->setPen(QPen(faded(hueOf(m_tier)), 1.5));
    QPen limit(faded(t.text), 1);
    limit.setDashPattern({6, 3});
    m_limit->setPen(limit);
    for (QCPItemText* const item : {m_topTitle, m_stateTitle, m_note}) {
        item->setFont(fontOf(Type::Axis));
        item->setColor(t.text2);
        item->setBrush(QBrush(t.base));
    }
    m_offeredLabel->setColor(t.offered);
    m_attemptsLabel->setColor(t.delayed);
    m_admittedLabel->setColor(t.admitted);
    m_rejectedLabel->setColor(t.rejected);
    for (QCPItemText* const item :
         {m_offeredLabel, m_attemptsLabel, m_admittedLabel, m_rejectedLabel}) {
        item->setFont(fontOf(Type::Axis));
        item->setBrush(QBrush(t.base)); // names lie over lines, not under them
    }
}

double LabPlot::showLine(QCPGraph& graph, const std::vector<LabState>& line)
{
    QVector<double> times;
    QVector<double> values;
    double most = 0;
    for (const LabState& state : line) {
        times << static_cast<double>(state.atNs) / kNsPerSecond;
        values << static_cast<double>(state.value);
        most = std::max(most, values.back());
    }
    graph.setData(times, values, true);
    return most;
}

void LabPlot::show(const LabResult& result, engine::Tier tier, const QString& note)
{
    m_tier = tier;
    QVector<double> times;
    QVector<double> offered;
    QVector<double> attempts;
    QVector<double> admitted;
    QVector<double> rejected;
    for (const LabPoint& point : result.soFar) {
        times << static_cast<double>(point.atNs) / kNsPerSecond;
        offered << static_cast<double>(point.offered);
        attempts << static_cast<double>(point.attempts);
        admitted << static_cast<double>(point.admitted);
        rejected << static_cast<double>(point.rejected);
    }
    m_offered->setData(times, offered, true);
    m_attempts->setData(times, attempts, true);
    m_attempts->setVisible(result.attempts != result.offered);
    m_admitted->setData(times, admitted, true);
    m_rejected->setData(times, rejected, true);
    std::vector<LabState> limit = result.limit;
    if (limit.empty() && result.most) {
        limit = {{0, result.most->limit}, {result.lengthNs, result.most->limit}};
    }
    m_stateMost = std::max({1.0, static_cast<double>(result.stateMost),
                            showLine(*m_state, result.state), showLine(*m_limit, limit)});
    m_length = static_cast<double>(result.lengthNs) / kNsPerSecond;
    const auto told = [](const char* what, std::uint64_t count) {
        return QStringLiteral("%1 %2").arg(QString::fromLatin1(what), countText(count));
    };
    m_topTitle->setText(QStringLiteral("requests so far"));
    m_stateTitle->setText(words(result.stateName)
                          + (limit.empty() ? QString() : QStringLiteral(", dashed: the limit")));
    m_note->setText(note);
    m_offeredLabel->setText(told("offered", result.offered));
    m_attemptsLabel->setText(told("attempts", result.attempts));
    m_admittedLabel->setText(told("admitted", result.admitted));
    m_rejectedLabel->setText(told("rejected", result.rejected));
    m_isStale = false;
    applyTheme();
    fit();
}

void LabPlot::fit()
{
    const auto most = static_cast<double>(
        m_attempts->data()->isEmpty()
            ? 1
            : std::max(1.0, (m_attempts->data()->constEnd() - 1)->value)); // all that is counted
    for (QCPAxisRect* const rect : {m_top, m_bottom}) {
        rect->axis(QCPAxis::atBottom)->setRange(0, m_length);
    }
    m_top->axis(QCPAxis::atLeft)->setRange(0, most * 1.04);
    m_bottom->axis(QCPAxis::atLeft)->setRange(0, m_stateMost * 1.08);
    replot(QCustomPlot::rpQueuedReplot);
}

void LabPlot::setStale(bool isStale)
{
    if (m_isStale != isStale) {
        m_isStale = isStale;
        applyTheme();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

void LabPlot::label(QCPItemText* item, QCPAxisRect* rect, double value, const QString& text,
                    const QColor& colour)
{
    item->setText(text);
    item->setColor(colour);
    item->position->setAxisRect(rect);
    item->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
    const double most = rect->axis(QCPAxis::atLeft)->range().upper;
    item->position->setCoords(1.0, 1.0 - value / most);
    item->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
}

/// Each series is named at its end; names that would lie on each other part.
void LabPlot::placeLabels()
{
    const auto title = [](QCPItemText* item, QCPAxisRect* rect, double x, Qt::Alignment side) {
        item->position->setAxisRect(rect);
        item->position->setType(QCPItemPosition::ptAxisRectRatio);
        item->position->setCoords(x, 0);
        item->setPositionAlignment(side | Qt::AlignBottom);
    };
    title(m_topTitle, m_top, 0, Qt::AlignLeft);
    title(m_stateTitle, m_bottom, 0, Qt::AlignLeft);
    title(m_note, m_bottom, 1, Qt::AlignRight);
    m_note->setVisible(!m_note->text().isEmpty());
    const auto last = [](QCPGraph* graph) {
        return graph->data()->isEmpty() ? 0.0 : (graph->data()->constEnd() - 1)->value;
    };

    struct End {
        QCPItemText* item;
        double value;
        QColor colour;
    };

    std::vector<End> ends {{m_offeredLabel, last(m_offered), theme().offered},
                           {m_attemptsLabel, last(m_attempts), theme().delayed},
                           {m_admittedLabel, last(m_admitted), theme().admitted},
                           {m_rejectedLabel, last(m_rejected), theme().rejected}};
    std::stable_sort(ends.begin(), ends.end(),
                     [](const End& a, const End& b) { return a.value > b.value; });
    const double most = m_top->axis(QCPAxis::atLeft)->range().upper;
    const double line = QFontMetrics(fontOf(Type::Axis)).height()
        / std::max(20.0, static_cast<double>(m_top->height())) * most;
    double above = most * 2;
    for (End& end : ends) {
        const double value = std::max(0.0, std::min(end.value, above - line));
        label(end.item, m_top, value, end.item->text(), end.colour);
        end.item->setVisible(end.item == m_attemptsLabel
                                 ? m_attempts->visible()
                                 : end.value > 0 || end.item == m_offeredLabel);
        above = end.item->visible() ? value : above;
    }
}

void LabPlot::paintEvent(QPaintEvent* event)
{
    QCustomPlot::paintEvent(event);
    if (hasFocus()) {
        QPainter painter(this);
        painter.setPen(QPen(theme().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void LabPlot::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyTheme();
        replot(QCustomPlot::rpQueuedReplot);
    }
}

} // namespace app::console
