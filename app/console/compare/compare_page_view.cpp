#include "app/console/charts/legend.h"
#include "app/console/charts/ticks.h"
#include "app/console/charts/time_chart.h"
#include "app/console/compare/changes_model.h"
#include "app/console/compare/compare_page.h"
#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/segments.h"
#include "app/console/frame/tile.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"
#include "app/workbench/compare_tables.h"
#include "app/workbench/figures_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace app::console {

namespace {

constexpr int kNarrow = 1'080;
constexpr int kBox = 230; ///< width of a side's box
constexpr int kPatience = 150; ///< ms after the last key
constexpr std::size_t kMostRows = 1'000; ///< by path and by who
const QString kSame = QStringLiteral("same");

/// "+921 (+1.6 %)".
QString changeText(std::uint64_t base, std::uint64_t candidate)
{
    const bool isMore = candidate >= base;
    const std::uint64_t change = isMore ? candidate - base : base - candidate;
    const QString sign = isMore ? QStringLiteral("+") : QString(QChar(0x2212));
    const QString count = sign + countText(change);
    return base == 0 || change == 0
        ? count
        : QStringLiteral("%1 (%2%3)").arg(count, sign, shareText(change, base, 1));
}

} // namespace

/// Titles that leave the room to the values.
void shorten(FigureTable& table)
{
    for (FigureTable::Column& column : table.columns) {
        for (const auto& [from, to] : {std::pair {"newly rejected", "Newly rej."},
                                       std::pair {"newly admitted", "Newly adm."},
                                       std::pair {"still rejected", "Still rej."},
                                       std::pair {"still admitted", "Still adm."}}) {
            column.title = column.title == from ? to : column.title;
        }
    }
}

namespace {

QString whosText(std::uint64_t count, const QString& who)
{
    return QStringLiteral("%1 %2").arg(countText(count), who);
}

} // namespace

ComparePage::ComparePage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Compare, parent)
    , askSavePath([this](const QString& title, const QString& proposal, const QString& filter) {
        return askForSavePath(this, title, proposal, filter);
    })
    , m_base(new QComboBox(this))
    , m_candidate(new QComboBox(this))
    , m_cancel(plainButton(QStringLiteral("Cancel"), Rank::Outlined, this))
    , m_stack(new QStackedWidget(this))
    , m_empty(plainLabel({}, this))
    , m_chartPanel(new Panel(QStringLiteral("Rejected per minute"), this))
    , m_chart(new TimeChart(QStringLiteral("Rejected requests per minute on both sides"), this))
    , m_legend(new Legend(true, this))
    , m_log(plainButton(QStringLiteral("Log scale"), Rank::Outlined, this))
    , m_changesPanel(new Panel(QString(), this))
    , m_tabs(new QTabBar(this))
    , m_tabStack(new QStackedWidget(this))
    , m_attribute(new QComboBox(this))
    , m_rules(new RuleChangesModel(this))
    , m_newlyPanel(new Panel(QStringLiteral("Newly rejected"), this))
    , m_filter(new QLineEdit(this))
    , m_newly(new FigureView(QStringLiteral("Newly rejected"), this))
    , m_newlyModel(new NewlyRejectedModel(this))
{
    buildHead();
    buildChart();
    buildChanges();
    buildNewly();
    auto* const empty = new Panel(QStringLiteral("Compare"), this);
    m_empty->setAlignment(Qt::AlignCenter);
    empty->setBody(m_empty);
    m_stack->addWidget(empty);
    m_stack->addWidget(buildBody());
    setBody(m_stack);
    bind(ActionId::Fit, m_chart);
    connectParts();
    showRuns();
}

void ComparePage::buildHead()
{
    head().setTitle(QStringLiteral("Compare"));
    const auto add = [this](const QString& name, QComboBox* box) {
        QLabel* const label = captionLabel(name, this);
        label->setBuddy(box);
        box->setAccessibleName(name);
        box->view()->setAccessibleName(name);
        box->setMinimumWidth(120);
        box->setMaximumWidth(kBox);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        head().add(label);
        head().add(box);
    };
    add(QStringLiteral("base"), m_base);
    auto* const swap = new ActionButton(actions().at(ActionId::SwapSides), Rank::Outlined, this);
    swap->setLabel(QStringLiteral("\u21c4"));
    swap->setAccessibleName(QStringLiteral("Swap base and candidate"));
    head().add(swap);
    add(QStringLiteral("candidate"), m_candidate);
    head().add(m_cancel);
    m_cancel->hide();
}

QWidget* ComparePage::buildTiles()
{
    auto* const tiles = new QWidget(this);
    auto* const row = new QHBoxLayout(tiles);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_tiles = {new Tile(QStringLiteral("Newly rejected"), Mark::Rejected, tiles),
               new Tile(QStringLiteral("Newly admitted"), Mark::Admitted, tiles),
               new Tile(QStringLiteral("Still rejected"), std::nullopt, tiles),
               new Tile(QStringLiteral("Still admitted"), std::nullopt, tiles),
               new Tile(QStringLiteral("Rejected in all"), std::nullopt, tiles)};
    for (Tile* const tile : m_tiles) {
        row->addWidget(tile, 1);
    }
    tiles->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(m_tiles[0], &Tile::asked, this, [this] {
        m_side = 1;
        arrange();
        m_newly->sortByColumn(NewlyRejectedModel::Requests, Qt::DescendingOrder);
        m_newly->setFocus();
    });
    for (std::size_t i = 1; i < m_tiles.size(); ++i) {
        connect(m_tiles[i], &Tile::asked, this, [this] {
            m_side = 0;
            arrange();
            m_tabs->setCurrentIndex(ByRule);
            m_changes[ByRule]->setFocus();
        });
    }
    return tiles;
}

void ComparePage::buildChart()
{
    m_log->setCheckable(true);
    m_log->setToolTip(actions().at(ActionId::LogScale)->shortcut().toString());
    auto* const fit = plainButton(QStringLiteral("Fit"), Rank::Outlined, this);
    fit->setToolTip(actions().at(ActionId::Fit)->shortcut().toString());
    connect(fit, &QPushButton::clicked, m_chart, &TimeChart::fit);
    m_chartPanel->addTool(m_legend);
    m_chartPanel->addTool(m_log);
    m_chartPanel->addTool(fit);
    m_chartPanel->setBody(m_chart);
}

void ComparePage::buildChanges()
{
    m_tabs->setAccessibleName(QStringLiteral("Changed decisions by"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    const std::array<QString, 4> names {QStringLiteral("By rule"), QStringLiteral("By key"),
                                        QStringLiteral("By path"), QStringLiteral("By attribute")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_tabs->addTab(names[i]);
        m_changes[i]
            = new FigureView(QStringLiteral("Changed decisions ") + names[i].toLower(), this);
        if (i == ByRule) {
            m_changes[i]->setModel(m_rules);
        } else {
            m_others[i] = new FigureModel(this);
            m_changes[i]->setModel(m_others[i]);
            m_changes[i]->setSortingEnabled(true);
            m_changes[i]->horizontalHeader()->setSortIndicator(1, Qt::DescendingOrder);
        }
        m_tabStack->addWidget(i == ByAttribute ? buildAttribute() : m_changes[i]);
    }
    m_changesPanel->addHeadWidget(m_tabs);
    m_changesPanel->setBody(m_tabStack);
}

/// Which attribute, above what it comes to: the log is read again for it.
QWidget* ComparePage::buildAttribute()
{
    m_attribute->setObjectName(QStringLiteral("attribute"));
    m_attribute->setAccessibleName(QStringLiteral("Attribute"));
    m_attribute->view()->setAccessibleName(QStringLiteral("Attributes"));
    m_attribute->setEditable(true);
    m_attribute->lineEdit()->setAccessibleName(QStringLiteral("Attribute"));
    m_attribute->setInsertPolicy(QComboBox::NoInsert);
    QLabel* const label = captionLabel(QStringLiteral("Attribute"), this);
    label->setBuddy(m_attribute);
    auto* const row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(m_attribute, 1);
    auto* const content = new QWidget(this);
    auto* const column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(m_changes[ByAttribute], 1);
    return content;
}

void ComparePage::buildNewly()
{
    m_newly->setModel(m_newlyModel);
    m_newly->setSortingEnabled(true);
    m_newly->horizontalHeader()->setSortIndicator(NewlyRejectedModel::Requests,
                                                  Qt::DescendingOrder);
    m_newly->installEventFilter(this);
    m_filter->setAccessibleName(QStringLiteral("Filter of newly rejected"));
    m_filter->setPlaceholderText(QStringLiteral("Filter, Ctrl+F"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(140);
    m_filter->installEventFilter(this);
    m_newlyPanel->addTool(m_filter);
    auto* const save = new ActionButton(actions().at(ActionId::SaveList), Rank::Outlined, this);
    save->setLabel(QStringLiteral("Save list..."));
    m_newlyPanel->addTool(save);
    m_newlyPanel->setBody(m_newly);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
}

QWidget* ComparePage::buildBody()
{
    for (Panel* const panel : {m_changesPanel, m_newlyPanel}) {
        auto* const side = new Segments({QStringLiteral("Changes"), QStringLiteral("Keys")},
                                        QStringLiteral("Table"), panel);
        panel->addTool(side);
        side->hide();
        m_sides.push_back(side);
        connect(side, &Segments::chosen, this, [this](int which) {
            m_side = which;
            arrange();
        });
    }
    m_tables = splitter(Qt::Horizontal, {m_changesPanel, m_newlyPanel});
    m_tables->setSizes({430, 870});
    m_down = splitter(Qt::Vertical, {m_chartPanel, m_tables});
    m_down->setSizes({300, 400});
    auto* const body = new QWidget(this);
    auto* const column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(buildTiles());
    column->addWidget(m_down, 1);
    return body;
}

void ComparePage::connectParts()
{
    connect(&session(), &Session::runsChanged, this, &ComparePage::showRuns);
    connect(&session(), &Session::compareAsked, this, &ComparePage::compare);
    connect(&session(), &Session::timesChanged, this, [this] {
        if (m_compared) {
            show(m_compared);
        }
    });
    connect(m_candidate, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling) {
            fillBases();
            start();
        }
    });
    connect(m_base, &QComboBox::currentIndexChanged, this, [this] {
        if (!m_isFilling) {
            start();
        }
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_comparer.stop();
        m_chartPanel->setLoading(false);
        m_cancel->hide();
        session().say(QStringLiteral("The comparison was cancelled."));
    });
    connect(m_log, &QPushButton::clicked, m_chart, &TimeChart::setLogScale);
    connect(m_legend, &Legend::hiddenChanged, m_chart, &TimeChart::setSeriesHidden);
    connect(m_chart, &TimeChart::menuAsked, this, [this](const QPoint& place) {
        QMenu menu(this);
        menu.addAction(QStringLiteral("Copy values"), m_chart, &TimeChart::copy);
        menu.addAction(QStringLiteral("Save picture..."), this, [this] {
            m_chart->setFocus();
            saveList();
        });
        menu.addAction(actions().at(ActionId::LogScale));
        menu.addAction(actions().at(ActionId::Fit));
        menu.exec(place);
    });
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_tabStack->setCurrentIndex(tab);
        m_changesPanel->setCaption(QString());
        if (tab == ByAttribute && m_others[ByAttribute]->rowCount() == 0) {
            readAttribute();
        }
    });
    connect(m_attribute, &QComboBox::activated, this, &ComparePage::readAttribute);
    connect(m_attribute->lineEdit(), &QLineEdit::returnPressed, this, &ComparePage::readAttribute);
    connect(m_filter, &QLineEdit::textChanged, &m_patience, qOverload<>(&QTimer::start));
    connect(&m_patience, &QTimer::timeout, this,
            [this] { m_newlyModel->setFilter(m_filter->text()); });
    connect(m_newlyModel, &NewlyRejectedModel::orderChanged, this, &ComparePage::showNewlyCaption);
    connect(m_newly->verticalScrollBar(), &QScrollBar::valueChanged, this,
            &ComparePage::showNewlyCaption);
    connect(m_newly, &FigureView::rowAsked, this, &ComparePage::explainSelected);
    connect(m_newly, &FigureView::currentRowChanged, this, &ComparePage::actionsChanged);
}

void ComparePage::show(std::shared_ptr<const ComparedRuns> compared)
{
    m_compared = std::move(compared);
    const ComparedRuns& sides = *m_compared;
    banners().clear(QStringLiteral("problem"));
    const storage::RunSummary* const run = session().run(sides.candidate);
    head().setCaption(run == nullptr
                          ? QString()
                          : QStringLiteral("%1, %2").arg(
                              fileNames(run->source, 100),
                              plural(sides.detail.outcome.comparison->totals().total(),
                                     QStringLiteral("request"), QStringLiteral("requests"))));
    showTiles(sides);
    const QString base = sides.base ? QStringLiteral("base, run %1").arg(*sides.base)
                                    : QStringLiteral("base, recorded");
    const QString candidate = QStringLiteral("candidate, run %1").arg(sides.candidate);
    m_legend->setEntries({{base, Mark::Offered, Dash::Short}, {candidate, Mark::Rejected}});
    m_chart->setLimits(static_cast<double>(wholeMinutes(sides.first, false)),
                       static_cast<double>(wholeMinutes(sides.last, true)));
    m_chart->setData(rejectedBands(sides, base, candidate));
    m_chartPanel->setCaption(QStringLiteral("linked axes, ") + zoneName());
    showTables(sides);
    if (std::exchange(m_isNew, false) && isVisible()) {
        m_changes[ByRule]->setFocus();
    }
    if (sides.detail.outcome.skipped > 0) {
        banners().show({QStringLiteral("skipped"),
                        BannerKind::Advice,
                        QStringLiteral("%1 take no part: one side has them in its warm-up, or the "
                                       "log does not say what production did.")
                            .arg(plural(sides.detail.outcome.skipped, QStringLiteral("request"),
                                        QStringLiteral("requests"))),
                        {}});
    }
    session().say(QStringLiteral("Compared in %1").arg(lengthText(sides.milliseconds * 1'000'000)));
    Q_EMIT actionsChanged();
}

void ComparePage::showTiles(const ComparedRuns& compared)
{
    using engine::Change;
    const engine::Comparison& comparison = *compared.detail.outcome.comparison;
    const engine::ChangeCounts& totals = comparison.totals();
    const std::uint64_t all = totals.total();
    const QString who = shown(compared.detail.outcome.who, 40);
    const auto changed = [&](Change change) {
        return QStringLiteral("%1, %2 of requests")
            .arg(whosText(distinctWho(comparison, change), who), shareText(totals[change], all));
    };
    m_tiles[0]->setFigure(countText(totals[Change::NewlyRejected]), changed(Change::NewlyRejected),
                          totals[Change::NewlyRejected] > 0);
    m_tiles[1]->setFigure(countText(totals[Change::NewlyAdmitted]), changed(Change::NewlyAdmitted),
                          totals[Change::NewlyAdmitted] > 0);
    m_tiles[2]->setFigure(countText(totals[Change::StillRejected]),
                          compared.base ? QStringLiteral("%1 of them by another rule")
                                              .arg(countText(compared.detail.byAnotherRule))
                                        : shareText(totals[Change::StillRejected], all)
                                  + QStringLiteral(" of requests"));
    m_tiles[3]->setFigure(countText(totals[Change::StillAdmitted]),
                          shareText(totals[Change::StillAdmitted], all)
                              + QStringLiteral(" of requests"));
    const std::uint64_t before = totals[Change::NewlyAdmitted] + totals[Change::StillRejected];
    const std::uint64_t after = totals[Change::NewlyRejected] + totals[Change::StillRejected];
    m_tiles[4]->setFigure(QStringLiteral("%1 \u2192 %2").arg(countText(before), countText(after)),
                          changeText(before, after));
    banners().clear(kSame);
    if (totals[Change::NewlyRejected] + totals[Change::NewlyAdmitted] == 0) {
        banners().show({kSame,
                        BannerKind::Done,
                        QStringLiteral("No decision differs. %1 rejected in both.")
                            .arg(plural(totals[Change::StillRejected], QStringLiteral("request is"),
                                        QStringLiteral("requests are"))),
                        {}});
    }
}

void ComparePage::showTables(const ComparedRuns& compared)
{
    m_rules->setCompared(m_compared);
    m_changes[ByRule]->fitColumns(0);
    const std::vector<std::string> noFacets;
    const KeyNames names(compared.secrets);
    for (Tab tab : {ByWho, ByPath, ByAttribute}) {
        m_others.at(static_cast<std::size_t>(tab))->setTable({});
    }
    for (FigureTable& table :
         compareTables(compared.detail.outcome, {noFacets, kMostRows, names})) {
        const Tab tab = table.id == "who" ? ByWho : table.id == "path" ? ByPath : ByRule;
        if (tab != ByRule) {
            shorten(table);
            m_others.at(static_cast<std::size_t>(tab))->setTable(std::move(table));
            m_changes.at(static_cast<std::size_t>(tab))->fitColumns(0);
        }
    }
    m_tabs->setTabText(ByWho, QStringLiteral("By ") + shown(compared.detail.outcome.who, 20));
    m_newlyPanel->setTitle(QStringLiteral("Newly rejected ")
                           + shown(compared.detail.outcome.who, 40));
    const QSignalBlocker quiet(m_filter);
    m_filter->clear();
    m_newlyModel->setCompared(m_compared);
    m_newly->horizontalHeader()->setSortIndicator(NewlyRejectedModel::Requests,
                                                  Qt::DescendingOrder);
    m_newly->fitColumns(NewlyRejectedModel::Who);
    m_attribute->clear();
    for (const std::string& attribute : compared.attributes) {
        m_attribute->addItem(shown(attribute, 60));
    }
    if (m_tabs->currentIndex() == ByAttribute) {
        readAttribute();
    }
}

void ComparePage::showNewlyCaption()
{
    const auto rows = static_cast<std::uint64_t>(m_newlyModel->rowCount());
    QString text = QStringLiteral("none");
    if (rows > 0) {
        const int first = std::max(m_newly->rowAt(0), 0);
        const int below = m_newly->rowAt(m_newly->viewport()->height() - 1);
        const int last = below < 0 ? static_cast<int>(rows) - 1 : below;
        text = QStringLiteral("%1\u2013%2 of %3")
                   .arg(countText(static_cast<std::uint64_t>(first) + 1),
                        countText(static_cast<std::uint64_t>(last) + 1), countText(rows));
    }
    if (!m_filter->text().isEmpty()) {
        text += QStringLiteral(", filtered from ") + countText(m_newlyModel->all());
    }
    m_newlyPanel->setCaption(text);
}

/// No figure stays while others are worked out: half of them would be of other sides.
void ComparePage::clearFigures()
{
    m_compared.reset();
    banners().clearAll();
    for (Tile* const tile : m_tiles) {
        tile->setFigure(QString(), QString());
    }
    m_rules->setCompared(nullptr);
    m_newlyModel->setCompared(nullptr);
    m_chart->setData({});
    Q_EMIT actionsChanged();
}

void ComparePage::showEmpty(const QString& why)
{
    m_comparer.stop();
    m_cancel->hide();
    m_empty->setText(why);
    head().setCaption(QString());
    m_stack->setCurrentIndex(0);
}

QString ComparePage::tilesText() const
{
    QStringList lines;
    for (const Tile* const tile : m_tiles) {
        lines << tile->plainText();
    }
    return lines.join(QLatin1Char('\n'));
}

void ComparePage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    arrange();
}

/// Where there is no room for both tables, one is seen and both heads offer the other.
void ComparePage::arrange()
{
    const bool isNarrow = width() < kNarrow;
    m_changesPanel->setVisible(!isNarrow || m_side == 0);
    m_newlyPanel->setVisible(!isNarrow || m_side == 1);
    for (Segments* const side : m_sides) {
        side->setVisible(isNarrow);
        side->setCurrent(m_side);
    }
}

/// Escape clears the filter, then goes back to the list.
bool ComparePage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && watched == m_newly) {
        showNewlyCaption();
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape && !m_filter->text().isEmpty()) {
            m_filter->clear();
            return true;
        }
        const bool leaves = key == Qt::Key_Escape || key == Qt::Key_Down || key == Qt::Key_Return;
        if (watched == m_filter && leaves) {
            m_newly->setFocus();
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

} // namespace app::console
