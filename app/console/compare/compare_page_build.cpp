#include "app/console/charts/legend.h"
#include "app/console/charts/time_chart.h"
#include "app/console/compare/changes_model.h"
#include "app/console/compare/compare_page.h"
#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/tile.h"
#include "app/console/frame/two_panels.h"
#include "app/console/session/session.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

namespace app::console {

namespace {

constexpr int kNarrow = 1'064; ///< width of both tables below which one is seen at a time
constexpr int kChanges = 0; ///< of the two tables
constexpr int kNewly = 1;
constexpr int kBox = 230; ///< width of a side's box
constexpr int kPatience = 150; ///< ms after the last key

} // namespace

ComparePage::ComparePage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Compare, parent)
    , m_base(new QComboBox(this))
    , m_candidate(new QComboBox(this))
    , m_cancel(plainButton(QStringLiteral("Cancel"), Rank::Outlined, this))
    , m_stack(new QStackedWidget(this))
    , m_empty(plainLabel({}, this))
    , m_asIf(captionLabel(QString(), this))
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
        m_tables->show(kNewly);
        m_newly->sortByColumn(NewlyRejectedModel::Requests, Qt::DescendingOrder);
        m_newly->setFocus();
    });
    for (std::size_t i = 1; i < m_tiles.size(); ++i) {
        connect(m_tiles[i], &Tile::asked, this, [this] {
            m_tables->show(kChanges);
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
    const std::array<QString, 6> names {QStringLiteral("By rule"), QStringLiteral("By key"),
                                        QStringLiteral("By path"), QStringLiteral("By attribute"),
                                        QStringLiteral("Policy"),  QStringLiteral("Conditions")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_tabs->addTab(names[i]);
        m_changes[i]
            = new FigureView(QStringLiteral("Changed decisions ") + names[i].toLower(), this);
        if (i == ByRule) {
            m_changes[i]->setModel(m_rules);
        } else {
            m_others[i] = new FigureModel(this);
            m_changes[i]->setModel(m_others[i]);
            m_changes[i]->setSortingEnabled(i < OfPolicy);
            m_changes[i]->horizontalHeader()->setSortIndicator(1, Qt::DescendingOrder);
        }
        m_tabStack->addWidget(i == ByAttribute ? buildAttribute() : m_changes[i]);
    }
    m_changesPanel->addHeadWidget(m_tabs);
    m_changesPanel->setBody(m_tabStack);
    m_changesPanel->setFocusProxy(m_changes[ByRule]);
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
    m_newlyPanel->setFocusProxy(m_newly);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatience);
}

QWidget* ComparePage::buildBody()
{
    m_tables = new TwoPanels({m_changesPanel, m_newlyPanel},
                             {QStringLiteral("Changes"), QStringLiteral("Keys")}, kNarrow, this);
    m_tables->setSizes({480, 820});
    m_down = splitter(Qt::Vertical, {m_chartPanel, m_tables});
    m_down->setSizes({300, 400});
    auto* const body = new QWidget(this);
    auto* const column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_asIf->setWordWrap(true);
    m_asIf->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_asIf->setContentsMargins(4, 0, 4, 0);
    column->addWidget(m_asIf);
    column->addWidget(buildTiles());
    column->addWidget(m_down, 1);
    return body;
}

void ComparePage::connectParts()
{
    connect(&session(), &Session::storeChanged, this, &ComparePage::forget);
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
        m_isCancelled = true;
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
        m_changesPanel->setFocusProxy(m_changes.at(static_cast<std::size_t>(tab)));
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

} // namespace app::console
