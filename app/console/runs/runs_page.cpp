#include "app/console/runs/runs_page.h"

#include "app/console/frame/button.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/two_panels.h"
#include "app/console/frame/values.h"
#include "app/console/runs/keys_panel.h"
#include "app/console/runs/rules_model.h"
#include "app/console/runs/run_list.h"
#include "app/console/runs/run_tiles.h"
#include "app/console/runs/run_timeline.h"
#include "app/console/session/session.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>

#include <utility>

namespace app::console {

namespace {

constexpr int kKeys = 1; ///< of the two tables
const QString kLimits = QStringLiteral("limits");
const QString kProblem = QStringLiteral("problem");

} // namespace

void RunsPage::showRuns()
{
    const std::vector<storage::RunSummary>& runs = session().runs();
    m_list->setRuns(runs, session().currentRun());
    banners().clear(kProblem);
    if (const auto& problem = session().storeProblem()) {
        report(*problem);
    }
    const bool isGone = m_run && session().run(m_run->detail.summary.id) == nullptr;
    if (isGone || runs.empty()) {
        forget();
    }
    m_empty->setText(runs.empty() ? QStringLiteral("No runs yet. Replay a policy: Ctrl+R.")
                                  : QString());
    if (isVisible() && !runs.empty() && !m_run && !m_opener.isBusy()) {
        open(runs.front().id);
    } else if (m_run && hasOtherFigures(*session().run(m_run->detail.summary.id))) {
        open(m_run->detail.summary.id); // it was being written
    } else if (m_run) {
        head().setTitle(
            titleOf(*session().run(m_run->detail.summary.id))); // it may have a new name
    }
    Q_EMIT actionsChanged();
}

void RunsPage::forget()
{
    for (Worker* const reader : {&m_opener, &m_counter, &m_ranger}) {
        reader->stop();
    }
    m_run.reset();
    m_worstSecond.reset();
    m_wasInList = m_wasInList || m_list->isAncestorOf(QApplication::focusWidget());
    m_empty->clear(); // until the runs are listed
    m_rulesPanel->setLoading(false);
    m_stack->setCurrentIndex(0);
    head().setTitle(QStringLiteral("Runs"));
    head().setCaption(QString());
    banners().clear(kLimits);
    Q_EMIT actionsChanged();
}

bool RunsPage::hasOtherFigures(const storage::RunSummary& now) const
{
    const storage::RunSummary& shown = m_run->detail.summary;
    return shown.state != now.state || shown.totals.requests != now.totals.requests;
}

/// Escape in the table of rules shows the whole run.
bool RunsPage::eventFilter(QObject* watched, QEvent* event)
{
    const bool isEscape = event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (isEscape && m_timeline->chart().range()) {
        clearRange();
        return true;
    }
    return Page::eventFilter(watched, event);
}

void RunsPage::entered()
{
    if (!m_run && !m_opener.isBusy() && !session().runs().empty()) {
        m_isEntered = true;
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
                m_tables->show(kKeys);
                m_keys->showTab(KeysPanel::BadLines);
            });
        }
        banners().show(std::move(banner));
    }
    head().setTitle(titleOf(detail.summary));
    head().setCaption(captionOf(detail.summary));
    m_stack->setCurrentIndex(1);
    m_worstSecond.reset();
    m_asIf->setText(asIfOf(m_run->asIf));
    m_asIf->setVisible(!m_run->asIf.empty());
    m_tiles->setRun(*m_run);
    m_rulesModel->setRun(detail.rules);
    m_rules->fitColumns(RulesModel::Rule);
    showRulesCaption();
    m_keys->setRun(store, m_run);
    m_timeline->setRun(store, m_run);
    m_list->setRuns(session().runs(), detail.summary.id);
    const bool isLost = !isAncestorOf(QApplication::focusWidget());
    if (std::exchange(m_wasInList, false) && isVisible()) {
        m_list->view().setFocus();
    } else if (isVisible() && (std::exchange(m_isEntered, false) || isLost)) {
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

void RunsPage::showRulesCaption()
{
    m_rulesPanel->setCaption(QStringLiteral("%1, Return shows the keys of one")
                                 .arg(countText(m_run->detail.rules.size())));
}

void RunsPage::showMoments(const RunMoments& moments)
{
    m_worstSecond = moments.worstSecond;
    m_tiles->setWorstSecond(m_worstSecond);
    m_rulesModel->setWorstMinutes(moments.worstMinutes);
    m_rules->fitColumns(RulesModel::Rule);
    m_keys->setMoments(moments.keys);
}

/// The same times in another zone.
void RunsPage::showTimes()
{
    if (!m_run) {
        return;
    }
    head().setCaption(captionOf(m_run->detail.summary));
    m_timeline->showTimes();
    m_rules->viewport()->update();
    m_keys->currentView().viewport()->update();
    if (!m_counter.isBusy()) {
        m_tiles->setWorstSecond(m_worstSecond);
    }
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
        showRulesCaption();
    }
}

void RunsPage::askTile(int which)
{
    if (!m_run) {
        return;
    }
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
            m_timeline->goTo(m_worstSecond->second);
        }
        break;
    case RunTiles::Attempts:
        showConditions("clients");
        break;
    case RunTiles::LockedOut:
        showConditions(m_run->detail.conditions.clients->lockouts > 0 ? "lockouts" : "attempts");
        break;
    case RunTiles::MostAdmitted:
        showConditions("admitted");
        break;
    }
}

void RunsPage::showConditions(const std::string& table)
{
    m_tables->show(kKeys);
    m_keys->showConditions(table);
}

QString RunsPage::asIfText() const
{
    return m_asIf->isHidden() ? QString() : m_asIf->text();
}

void RunsPage::showList(bool isShown)
{
    m_list->setVisible(isShown);
    if (isShown) {
        m_list->view().setFocus();
    } else {
        m_timeline->chart().setFocus();
    }
}

void RunsPage::report(const engine::Diagnostic& why)
{
    banners().show({kProblem, BannerKind::Error, sentence(why), {}});
}

bool RunsPage::isBusy() const
{
    return m_opener.isBusy() || m_counter.isBusy() || m_ranger.isBusy() || m_writes.isBusy()
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
}

} // namespace app::console
