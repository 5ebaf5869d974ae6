#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/tile.h"
#include "app/console/frame/two_panels.h"
#include "app/console/frame/values.h"
#include "app/console/runs/keys_panel.h"
#include "app/console/runs/rules_model.h"
#include "app/console/runs/run_list.h"
#include "app/console/runs/run_tiles.h"
#include "app/console/runs/run_timeline.h"
#include "app/console/runs/runs_page.h"
#include "app/console/session/session.h"

#include <QHeaderView>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace app::console {

namespace {

constexpr int kListWidth = 300;
constexpr int kNarrow = 1'064; ///< width of both tables below which one is seen at a time
constexpr int kKeys = 1; ///< of the two tables

bool confirmDeletion(QWidget* parent, const QString& question)
{
    QMessageBox box(QMessageBox::NoIcon, QStringLiteral("Weir Console"), question,
                    QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText);
    const QPushButton* const remove
        = box.addButton(QStringLiteral("Delete"), QMessageBox::DestructiveRole);
    box.setDefaultButton(box.addButton(QStringLiteral("Keep"), QMessageBox::RejectRole));
    box.exec();
    return box.clickedButton() == remove;
}

} // namespace

RunsPage::RunsPage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Runs, parent)
    , askToDelete([this](const QString& question) { return confirmDeletion(this, question); })
    , m_stack(new QStackedWidget(this))
    , m_empty(plainLabel(QString(), this))
    , m_asIf(captionLabel(QString(), this))
    , m_list(new RunList(this))
    , m_tiles(new RunTiles(this))
    , m_timeline(new RunTimeline(actions, this))
    , m_rulesPanel(new Panel(QStringLiteral("Rules"), this))
    , m_rules(new FigureView(QStringLiteral("Rules"), this))
    , m_rulesModel(new RulesModel(this))
    , m_keys(new KeysPanel(this))
{
    head().setTitle(QStringLiteral("Runs"));
    head().add(new ActionButton(actions.at(ActionId::RunList), Rank::Outlined, this));
    head().add(new ActionButton(actions.at(ActionId::CompareWith), Rank::Outlined, this));
    head().add(new ActionButton(actions.at(ActionId::Report), Rank::Outlined, this));
    m_rules->setModel(m_rulesModel);
    m_rules->installEventFilter(this);
    m_rules->setSortingEnabled(true);
    m_rules->horizontalHeader()->setSortIndicator(RulesModel::Tier, Qt::AscendingOrder);
    m_rulesPanel->setBody(m_rules);
    m_rulesPanel->setFocusProxy(m_rules);
    m_stack->addWidget(buildEmpty());
    m_stack->addWidget(buildBody());
    setBody(m_stack);
    bind(ActionId::Fit, &m_timeline->chart());
    bind(ActionId::RenameRun, &m_list->view());
    bind(ActionId::DeleteRun, &m_list->view());
    session.handle(
        ActionId::RunList, [] { return true; },
        [this] {
            this->session().show(PageId::Runs);
            showList(m_list->isHidden());
        });
    connectParts();
    showRuns();
}

QWidget* RunsPage::buildEmpty()
{
    auto* const empty = new Panel(QStringLiteral("Runs"), this);
    m_empty->setAlignment(Qt::AlignCenter);
    empty->setBody(m_empty);
    return empty;
}

QWidget* RunsPage::buildBody()
{
    m_tables = new TwoPanels({m_rulesPanel, m_keys},
                             {QStringLiteral("Rules"), QStringLiteral("Keys")}, kNarrow, this);
    m_tables->setSizes({540, 460});
    m_down = splitter(Qt::Vertical, {m_timeline, m_tables});
    m_down->setSizes({420, 280});
    m_down->setStretchFactor(0, 3);
    m_down->setStretchFactor(1, 2);
    auto* const run = new QWidget(this);
    auto* const column = new QVBoxLayout(run);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_asIf->setWordWrap(true);
    m_asIf->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_asIf->setContentsMargins(4, 0, 4, 0);
    column->addWidget(m_asIf);
    column->addWidget(m_tiles);
    column->addWidget(m_down, 1);
    m_across = splitter(Qt::Horizontal, {m_list, run});
    m_across->setSizes({kListWidth, 1'000});
    m_across->setStretchFactor(0, 0);
    m_across->setStretchFactor(1, 1);
    m_list->hide();
    return m_across;
}

void RunsPage::connectParts()
{
    connect(&session(), &Session::storeChanged, this, &RunsPage::forget);
    connect(&session(), &Session::runsChanged, this, &RunsPage::showRuns);
    connect(&session(), &Session::runOpened, this, &RunsPage::open);
    connect(&session(), &Session::timesChanged, this, [this] { showTimes(); });
    connect(m_list, &RunList::opened, &session(), &Session::openRun);
    connect(m_list, &RunList::renameAsked, this, &RunsPage::rename);
    connect(m_list, &RunList::escaped, this, [this] { showList(false); });
    connect(m_tiles, &RunTiles::asked, this, &RunsPage::askTile);
    TimeChart& chart = m_timeline->chart();
    connect(&chart, &TimeChart::rangeChanged, this, &RunsPage::showRange);
    connect(&chart, &TimeChart::binAsked, this, &RunsPage::explainSelected);
    connect(&chart, &TimeChart::lineMoved, this, &RunsPage::actionsChanged);
    connect(&chart, &TimeChart::menuAsked, this, [this](const QPoint& place) {
        QMenu menu(this);
        menu.addAction(QStringLiteral("Copy values"), &m_timeline->chart(), &TimeChart::copy);
        menu.addAction(QStringLiteral("Save picture..."), this, &RunsPage::savePicture);
        menu.addAction(actions().at(ActionId::LogScale));
        menu.addAction(actions().at(ActionId::ChartAsTable));
        menu.addAction(actions().at(ActionId::Fit));
        menu.exec(place);
    });
    connect(m_timeline, &RunTimeline::failed, this, &RunsPage::report);
    connect(m_keys, &KeysPanel::failed, this, &RunsPage::report);
    connect(m_keys, &KeysPanel::keyAsked, this, &RunsPage::explainKey);
    connect(m_keys, &KeysPanel::escaped, this, &RunsPage::clearRange);
    connect(m_rules, &FigureView::rowAsked, this, [this](const QModelIndex& index) {
        m_keys->setRule(m_rulesModel->ruleAt(index.row()).index);
        m_tables->show(kKeys);
        m_keys->view().setFocus();
    });
    connect(m_rules, &FigureView::currentRowChanged, this, &RunsPage::actionsChanged);
    connect(&m_opener, &Worker::busyChanged, this, &RunsPage::actionsChanged);
}

} // namespace app::console
