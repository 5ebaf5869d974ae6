#include "app/console/runs/runs_page.h"

#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/segments.h"
#include "app/console/frame/tile.h"
#include "app/console/frame/values.h"
#include "app/console/runs/keys_panel.h"
#include "app/console/runs/rules_model.h"
#include "app/console/runs/run_list.h"
#include "app/console/runs/run_tiles.h"
#include "app/console/runs/run_timeline.h"
#include "app/console/session/session.h"

#include <QApplication>
#include <QHeaderView>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kListWidth = 300;
constexpr int kNarrow = 1'080; ///< width of the page below which one table is seen at a time
const QString kLimits = QStringLiteral("limits");
const QString kProblem = QStringLiteral("problem");

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
    , askSavePath([this](const QString& title, const QString& proposal, const QString& filter) {
        return askForSavePath(this, title, proposal, filter);
    })
    , askToDelete([this](const QString& question) { return confirmDeletion(this, question); })
    , m_stack(new QStackedWidget(this))
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
    m_rules->setSortingEnabled(true);
    m_rules->horizontalHeader()->setSortIndicator(RulesModel::Tier, Qt::AscendingOrder);
    m_rulesPanel->setBody(m_rules);
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
    QLabel* const label = plainLabel(QStringLiteral("No runs yet. Replay a policy: Ctrl+R."), this);
    label->setAlignment(Qt::AlignCenter);
    empty->setBody(label);
    return empty;
}

QWidget* RunsPage::buildBody()
{
    for (Panel* const panel : {m_rulesPanel, static_cast<Panel*>(m_keys)}) {
        auto* const side = new Segments({QStringLiteral("Rules"), QStringLiteral("Keys")},
                                        QStringLiteral("Table"), panel);
        panel->addTool(side);
        side->hide();
        m_sides.push_back(side);
        connect(side, &Segments::chosen, this, [this](int which) {
            m_side = which;
            arrange();
        });
    }
    m_tables = splitter(Qt::Horizontal, {m_rulesPanel, m_keys});
    m_tables->setSizes({540, 460});
    m_down = splitter(Qt::Vertical, {m_timeline, m_tables});
    m_down->setSizes({420, 280});
    m_down->setStretchFactor(0, 3);
    m_down->setStretchFactor(1, 2);
    auto* const run = new QWidget(this);
    auto* const column = new QVBoxLayout(run);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
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
    connect(&session(), &Session::runsChanged, this, &RunsPage::showRuns);
    connect(&session(), &Session::runOpened, this, &RunsPage::open);
    connect(&session(), &Session::timesChanged, this, [this] {
        if (m_run) {
            open(m_run->detail.summary.id);
        }
    });
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
        m_side = 1;
        arrange();
        m_keys->view().setFocus();
    });
    connect(m_rules, &FigureView::currentRowChanged, this, &RunsPage::actionsChanged);
    connect(&m_opener, &Worker::busyChanged, this, &RunsPage::actionsChanged);
}

void RunsPage::showRuns()
{
    const std::vector<storage::RunSummary>& runs = session().runs();
    m_list->setRuns(runs, session().currentRun());
    banners().clear(kProblem);
    if (const auto& problem = session().storeProblem()) {
        report(*problem);
    }
    const bool isGone = m_run && session().run(m_run->detail.summary.id) == nullptr;
    if (isGone) {
        m_run.reset();
    }
    if (runs.empty()) {
        m_stack->setCurrentIndex(0);
        head().setTitle(QStringLiteral("Runs"));
        head().setCaption(QString());
        banners().clear(kLimits);
    } else if (isVisible() && !m_run && !m_opener.isBusy()) {
        open(runs.front().id);
    } else if (m_run) {
        head().setTitle(
            titleOf(*session().run(m_run->detail.summary.id))); // it may have a new name
    }
    Q_EMIT actionsChanged();
}

void RunsPage::entered()
{
    if (!m_run && !m_opener.isBusy() && !session().runs().empty()) {
        open(session().runs().front().id);
    }
}

void RunsPage::open(storage::RunId id)
{
    using Result = engine::Result<RunOverview>;
    m_counter.stop();
    m_ranger.stop();
    m_opener.start([store = session().storePath(),
                    id](const StopFlag&) -> Result { return readOverview(store, id); },
                   [this](Result run) {
                       if (run) {
                           show(std::make_shared<const RunOverview>(std::move(*run)));
                       } else {
                           report(run.error());
                       }
                   });
}

void RunsPage::show(std::shared_ptr<const RunOverview> run)
{
    m_run = std::move(run);
    const storage::RunDetail& detail = m_run->detail;
    const std::string store = session().storePath();
    banners().clearAll();
    if (const QString limits = limitsOf(detail); !limits.isEmpty()) {
        BannerText banner {kLimits, BannerKind::Advice, limits, {}};
        if (!detail.badLines.empty()) {
            banner.actions.emplace_back(QStringLiteral("Show lines"), [this] {
                m_side = 1;
                arrange();
                m_keys->showTab(KeysPanel::BadLines);
            });
        }
        banners().show(std::move(banner));
    }
    head().setTitle(titleOf(detail.summary));
    head().setCaption(captionOf(detail.summary));
    m_stack->setCurrentIndex(1);
    m_worstSecond.reset();
    m_tiles->setRun(detail);
    m_rulesModel->setRun(detail.rules);
    m_rules->fitColumns(RulesModel::Rule);
    m_rulesPanel->setCaption(countText(detail.rules.size()));
    m_keys->setRun(store, m_run);
    m_timeline->setRun(store, m_run);
    m_list->setRuns(session().runs(), detail.summary.id);
    if (isVisible() && !m_stack->isAncestorOf(QApplication::focusWidget())) {
        m_timeline->chart().setFocus();
    }
    using Result = engine::Result<RunMoments>;
    m_counter.start(
        [store, run = m_run](const StopFlag& stop) -> Result {
            return readMoments(store, run->detail, stop);
        },
        [this](const Result& moments) {
            if (moments) {
                showMoments(*moments);
            } else {
                report(moments.error());
            }
        });
    Q_EMIT actionsChanged();
}

void RunsPage::showMoments(const RunMoments& moments)
{
    m_tiles->setWorstSecond(moments.worstSecond);
    m_worstSecond.reset();
    if (moments.worstSecond) {
        m_worstSecond = moments.worstSecond->second;
    }
    m_rulesModel->setWorstMinutes(moments.worstMinutes);
    m_rules->fitColumns(RulesModel::Rule);
    m_keys->setMoments(moments.keys);
}

void RunsPage::showRange()
{
    const std::optional<TimeChart::Range> range = m_timeline->chart().range();
    if (!range || !m_run) {
        clearRange();
        return;
    }
    m_rulesPanel->setLoading(true);
    using Result = engine::Result<std::shared_ptr<const RangeView>>;
    m_ranger.start(
        [store = session().storePath(), run = m_run, range = *range](const StopFlag& stop)
            -> Result { return readRange(store, run->detail, range.first, range.second, stop); },
        [this, range = *range](const Result& view) {
            m_rulesPanel->setLoading(false);
            if (!view) {
                report(view.error());
                return;
            }
            constexpr std::int64_t kNs = 1'000'000'000;
            m_rulesModel->setRange(*view);
            m_rules->setColumnHidden(RulesModel::KeysHit, true);
            m_rules->setColumnHidden(RulesModel::Skipped, true);
            m_keys->setRange(*view);
            m_rulesPanel->setCaption(QStringLiteral("from %1 to %2, Esc shows the whole run")
                                         .arg(momentText(range.first * kNs, TimeForm::Second),
                                              momentText(range.second * kNs, TimeForm::Second)));
            Q_EMIT actionsChanged();
        });
}

void RunsPage::clearRange()
{
    m_ranger.stop();
    m_rulesPanel->setLoading(false);
    if (m_timeline->chart().range()) {
        m_timeline->chart().setRange(std::nullopt);
    }
    if (m_run) {
        m_rulesModel->setRange(nullptr);
        m_rules->setColumnHidden(RulesModel::KeysHit, false);
        m_rules->setColumnHidden(RulesModel::Skipped, false);
        m_keys->setRange(nullptr);
        m_rulesPanel->setCaption(countText(m_run->detail.rules.size()));
    }
}

void RunsPage::askTile(int which)
{
    switch (static_cast<RunTiles::Which>(which)) {
    case RunTiles::Requests:
    case RunTiles::Admitted:
        m_rules->sortByColumn(RulesModel::Judged, Qt::DescendingOrder);
        m_keys->sortBy(KeyColumn::Judged);
        break;
    case RunTiles::Rejected:
        m_rules->sortByColumn(RulesModel::Denied, Qt::DescendingOrder);
        m_keys->sortBy(KeyColumn::Denied);
        break;
    case RunTiles::WouldBeRejected:
        for (const storage::RuleTotals& rule : m_run->detail.rules) {
            if (rule.mode == engine::Mode::Shadow && rule.denied > 0) {
                m_keys->setRule(rule.index);
                m_rules->selectRow(m_rulesModel->rowOf(rule.index));
                break;
            }
        }
        break;
    case RunTiles::Delayed:
        m_keys->showTab(KeysPanel::Delays);
        break;
    case RunTiles::KeysHit:
        m_rules->sortByColumn(RulesModel::KeysHit, Qt::DescendingOrder);
        m_keys->sortBy(KeyColumn::Share);
        break;
    case RunTiles::WorstSecondOf:
        if (m_worstSecond) {
            m_timeline->goTo(*m_worstSecond);
        }
        break;
    }
}

void RunsPage::showList(bool isShown)
{
    m_list->setVisible(isShown);
    arrange();
    if (isShown) {
        m_list->view().setFocus();
    } else {
        m_timeline->chart().setFocus();
    }
}

void RunsPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    arrange();
}

/// Where there is no room for both tables, one is seen and both heads offer the other.
void RunsPage::arrange()
{
    const int room = width() - (m_list->isHidden() ? 0 : kListWidth);
    const bool isNarrow = room < kNarrow;
    m_rulesPanel->setVisible(!isNarrow || m_side == 0);
    m_keys->setVisible(!isNarrow || m_side == 1);
    for (Segments* const side : m_sides) {
        side->setVisible(isNarrow);
        side->setCurrent(m_side);
    }
}

void RunsPage::report(const engine::Diagnostic& why)
{
    banners().show({kProblem, BannerKind::Error, sentence(why), {}});
}

bool RunsPage::isBusy() const
{
    return m_opener.isBusy() || m_counter.isBusy() || m_ranger.isBusy() || m_writer.isBusy()
        || m_timeline->isBusy() || m_keys->keys().isBusy();
}

QList<QWidget*> RunsPage::panes() const
{
    QList<QWidget*> panes;
    for (QWidget* const pane : {static_cast<QWidget*>(m_timeline),
                                static_cast<QWidget*>(m_rulesPanel), static_cast<QWidget*>(m_keys),
                                static_cast<QWidget*>(m_list), static_cast<QWidget*>(m_tiles)}) {
        if (!pane->isHidden()) {
            panes << pane;
        }
    }
    return panes;
}

void RunsPage::keepState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("across"), m_across->saveState());
    settings.setValue(QStringLiteral("down"), m_down->saveState());
    settings.setValue(QStringLiteral("tables"), m_tables->saveState());
    settings.setValue(QStringLiteral("list"), !m_list->isHidden());
}

void RunsPage::restoreState(QSettings& settings)
{
    m_across->restoreState(settings.value(QStringLiteral("across")).toByteArray());
    m_down->restoreState(settings.value(QStringLiteral("down")).toByteArray());
    m_tables->restoreState(settings.value(QStringLiteral("tables")).toByteArray());
    m_list->setVisible(settings.value(QStringLiteral("list"), false).toBool());
    arrange();
}

} // namespace app::console
