#include "app/console/runs/run_timeline.h"

#include "app/console/charts/legend.h"
#include "app/console/charts/span_strip.h"
#include "app/console/charts/ticks.h"
#include "app/console/frame/button.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/segments.h"
#include "app/console/frame/values.h"
#include "app/console/runs/timeline_bands.h"

#include <QAction>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace app::console {

namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kAround = 300; ///< seconds on either side of what is gone to
constexpr int kPatience = 40; ///< ms
constexpr std::size_t kMostRows = 2'000; ///< of the chart as a table

QString timeOf(double second, bool isLong)
{
    const std::int64_t ns = static_cast<std::int64_t>(std::floor(second)) * kNs;
    const QString minute = momentText(ns, TimeForm::Minute);
    return isLong ? momentText(ns, TimeForm::Date) + QLatin1Char(' ') + minute : minute;
}

QString rangeText(double from, double to, bool isLong)
{
    QString end = timeOf(to, isLong);
    if (end == QStringLiteral("00:00")) {
        end = QStringLiteral("24:00"); // of the day that ends
    }
    return timeOf(from, isLong) + QStringLiteral(" \u2013 ") + end;
}

/// The bands' series by name, in the order of the first band that has each.
std::vector<Legend::Entry> entriesOf(const ChartData& data)
{
    std::vector<Legend::Entry> entries;
    for (const ChartBand& band : data.bands) {
        for (const ChartSeries& series : band.series) {
            const bool isNew
                = std::none_of(entries.begin(), entries.end(), [&](const Legend::Entry& entry) {
                      return entry.name == series.name;
                  });
            if (isNew) {
                entries.push_back({series.name, series.mark, series.dash});
            }
        }
    }
    return entries;
}

} // namespace

RunTimeline::RunTimeline(const Actions& actions, QWidget* parent)
    : Panel(QStringLiteral("Requests"), parent)
    , m_strip(new SpanStrip(QStringLiteral("Whole recording: the part that the chart shows"), this))
    , m_chart(new TimeChart(QStringLiteral("Requests over time"), this))
    , m_scroll(new QScrollArea(this))
    , m_stack(new QStackedWidget(this))
    , m_table(new FigureView(QStringLiteral("Requests over time as a table"), this))
    , m_tableModel(new FigureModel(this))
    , m_legend(new Legend(false, this))
{
    m_scroll->setWidget(m_chart);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setModel(m_tableModel);
    m_stack->addWidget(m_scroll);
    m_stack->addWidget(m_table);
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(0);
    column->addWidget(m_strip);
    column->addWidget(m_stack, 1);
    setBody(content);
    setFocusProxy(m_chart);
    buildHead(actions);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
    connect(&m_patience, &QTimer::timeout, this, &RunTimeline::readView);
    connect(m_strip, &SpanStrip::frameMoved, this, [this](double from, double to) {
        m_chart->setView(from, to);
        follow();
    });
    connect(m_chart, &TimeChart::viewChanged, this, [this] {
        m_strip->setFrame(m_chart->view().from, m_chart->view().to);
        follow();
    });
}

void RunTimeline::buildHead(const Actions& actions)
{
    m_segments = new Segments({QStringLiteral("Tiers"), QStringLiteral("Rules")},
                              QStringLiteral("Bands of"), this);
    m_segments->setCurrent(0);
    connect(m_segments, &Segments::chosen, this, [this](int which) { setByRules(which == 1); });
    m_log = plainButton(QStringLiteral("Log scale"), Rank::Outlined, this);
    m_log->setCheckable(true);
    m_log->setToolTip(actions.at(ActionId::LogScale)->shortcut().toString());
    connect(m_log, &QPushButton::clicked, this, &RunTimeline::setLogScale);
    connect(m_legend, &Legend::hiddenChanged, m_chart, &TimeChart::setSeriesHidden);
    auto* const fit = plainButton(QStringLiteral("Fit"), Rank::Outlined, this);
    fit->setToolTip(actions.at(ActionId::Fit)->shortcut().toString());
    connect(fit, &QPushButton::clicked, m_chart, &TimeChart::fit);
    addTool(m_legend);
    addTool(m_segments);
    addTool(m_log);
    addTool(fit);
}

void RunTimeline::setRun(const std::string& store, std::shared_ptr<const RunOverview> run)
{
    m_store = store;
    m_run = std::move(run);
    m_patience.stop();
    m_loaded.reset();
    readWhole();
}

/// Off the GUI thread: reads what `asked` says of level and range, and makes bands of it.
engine::Result<RunTimeline::Loaded> RunTimeline::load(const std::string& store,
                                                      const RunOverview& run,
                                                      const RunPoints& asked, bool isByRules,
                                                      bool withWhole)
{
    const auto points = readPoints(store, run.detail, asked.level, asked.from, asked.to);
    if (!points) {
        return engine::fail(points.error());
    }
    ChartData data = isByRules ? ruleBands(run.detail, *points) : tierBands(run.detail, *points);
    std::vector<ChartBand> more = conditionBands(run.detail, *points);
    std::move(more.begin(), more.end(), std::back_inserter(data.bands));
    return Loaded {asked.level,
                   isByRules,
                   static_cast<double>(asked.from),
                   static_cast<double>(asked.to),
                   std::move(data),
                   withWhole ? wholeSeries(*points) : std::vector<ChartSeries>()};
}

void RunTimeline::readWhole()
{
    const auto [first, last] = limits();
    const double perPixel
        = static_cast<double>(last - first) / std::max(m_chart->view().columns, 600);
    const storage::TimelineLevel level = levelFor(perPixel);
    m_chart->setLimits(static_cast<double>(first), static_cast<double>(last));
    setLoading(true);
    m_reader.start(
        [store = m_store, run = m_run, level, from = first, to = last,
         isByRules = m_isByRules](const StopFlag&) {
            return load(store, *run, {level, from, to}, isByRules, true);
        },
        [this, first = first, last = last](engine::Result<Loaded> loaded) {
            setLoading(false);
            if (!loaded) {
                Q_EMIT failed(loaded.error());
                return;
            }
            m_strip->setData(std::move(loaded->whole), loaded->data.bins,
                             static_cast<double>(first), static_cast<double>(last));
            take(std::move(*loaded));
        });
}

/// Whole minutes, so that what is counted by the minute begins and ends with the view.
std::pair<std::int64_t, std::int64_t> RunTimeline::limits() const
{
    const auto [first, last] = secondsOf(m_run->detail.summary.totals);
    return {wholeMinutes(first, false), wholeMinutes(last, true)};
}

storage::TimelineLevel RunTimeline::wantedLevel() const
{
    const View view = m_chart->view();
    return levelFor((view.to - view.from) / std::max(view.columns, 1));
}

/// What is drawn serves as long as it is of the right level and reaches over the view.
void RunTimeline::follow()
{
    showCaption();
    const View view = m_chart->view();
    const bool isThere = m_loaded && m_loaded->level == wantedLevel()
        && m_loaded->isByRules == m_isByRules && m_loaded->from <= view.from
        && m_loaded->to >= view.to;
    if (isThere) {
        m_patience.stop();
    } else if (m_run) {
        m_patience.start();
    }
    if (isAsTable()) {
        showTable();
    }
    Q_EMIT timesShown();
}

/// The view and as much again on either side.
void RunTimeline::readView()
{
    const View view = m_chart->view();
    const auto [first, last] = limits();
    const auto span = static_cast<std::int64_t>(std::ceil(view.to - view.from));
    const std::int64_t from = std::max(first, static_cast<std::int64_t>(view.from) - span);
    const std::int64_t to = std::min(last, static_cast<std::int64_t>(std::ceil(view.to)) + span);
    setLoading(true);
    m_reader.start(
        [store = m_store, run = m_run, level = wantedLevel(), from, to,
         isByRules = m_isByRules](const StopFlag&) {
            return load(store, *run, {level, from, to}, isByRules, false);
        },
        [this](engine::Result<Loaded> loaded) {
            setLoading(false);
            if (loaded) {
                take(std::move(*loaded));
            } else {
                Q_EMIT failed(loaded.error());
            }
        });
}

void RunTimeline::take(Loaded loaded)
{
    const bool isOther = !m_loaded || m_loaded->isByRules != loaded.isByRules;
    if (isOther) {
        m_legend->setEntries(entriesOf(loaded.data));
    }
    m_chart->setData(std::move(loaded.data));
    m_loaded = std::move(loaded);
    follow();
}

void RunTimeline::showCaption()
{
    const View view = m_chart->view();
    const auto [first, last] = limits();
    const bool isLong = last - first > kDay + kDay / 24;
    const QString unit = m_chart->data().unit;
    setTitle(QStringLiteral("Requests ") + unit);
    QString caption = m_isByRules ? QStringLiteral("per rule, ") : QStringLiteral("per tier, ");
    caption += rangeText(view.from, view.to, isLong) + QLatin1Char(' ') + zoneName();
    caption += m_chart->isLogScale() ? QStringLiteral(", log scale") : QString();
    setCaption(caption);
    m_chart->setAccessibleName(title() + QLatin1Char(' ') + caption);
    m_strip->setLabels(QStringLiteral("Whole recording"),
                       QStringLiteral("log scale, frame ") + rangeText(view.from, view.to, false));
}

void RunTimeline::setByRules(bool isByRules)
{
    m_isByRules = isByRules;
    m_segments->setCurrent(isByRules ? 1 : 0);
    if (m_run) {
        follow();
    }
}

void RunTimeline::setLogScale(bool isLog)
{
    m_log->setChecked(isLog);
    m_chart->setLogScale(isLog);
    if (m_run) {
        showCaption();
    }
}

bool RunTimeline::isAsTable() const
{
    return m_stack->currentWidget() == m_table;
}

void RunTimeline::setAsTable(bool isTable)
{
    if (isTable) {
        showTable();
    }
    m_stack->setCurrentWidget(isTable ? static_cast<QWidget*>(m_table) : m_scroll);
    setFocusProxy(isTable ? static_cast<QWidget*>(m_table) : m_chart);
    focusProxy()->setFocus();
}

void RunTimeline::showTable()
{
    FigureTable table = m_chart->visibleTable(kMostRows);
    if (table.more > 0) {
        setCaption(
            caption()
            + QStringLiteral(", the first %1 of %2 rows: zoom in to see others")
                  .arg(countText(table.rows.size()), countText(table.rows.size() + table.more)));
    }
    m_tableModel->setTable(std::move(table));
    m_table->fitColumns();
}

void RunTimeline::showTimes()
{
    if (m_run) {
        m_chart->setView(m_chart->view().from, m_chart->view().to);
        follow();
    }
}

void RunTimeline::goTo(std::int64_t second)
{
    m_chart->setView(static_cast<double>(second - kAround), static_cast<double>(second + kAround));
    m_chart->setLine(second);
    m_strip->setFrame(m_chart->view().from, m_chart->view().to);
    follow();
}

} // namespace app::console
