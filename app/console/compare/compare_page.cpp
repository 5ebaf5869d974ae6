#include "app/console/compare/compare_page.h"

#include "app/console/charts/time_chart.h"
#include "app/console/compare/changes_model.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/save_figures.h"
#include "app/console/frame/tile.h"
#include "app/console/frame/two_panels.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

#include <algorithm>

namespace app::console {

namespace {

const QString kProblem = QStringLiteral("problem");

CompareBase sideAt(const QComboBox& box, int index)
{
    const QVariant id = box.itemData(index);
    return id.isValid() ? CompareBase(id.toLongLong()) : std::nullopt;
}

void addSide(QComboBox& box, const CompareBase& side, const Session& session)
{
    box.addItem(sideName(side, session),
                side ? QVariant(static_cast<qlonglong>(*side)) : QVariant());
}

} // namespace

/// Both boxes and the figures; the boxes offer what fits.
void ComparePage::compare(CompareBase base, storage::RunId candidate)
{
    m_isNew = true;
    m_isFilling = true;
    m_candidate->setCurrentIndex(m_candidate->findData(static_cast<qlonglong>(candidate)));
    m_isFilling = false;
    fillBases();
    m_isFilling = true;
    for (int i = 0; i < m_base->count(); ++i) {
        if (sideAt(*m_base, i) == base) {
            m_base->setCurrentIndex(i);
        }
    }
    m_isFilling = false;
    start();
}

void ComparePage::showRuns()
{
    const std::optional<storage::RunId> before = candidate();
    const CompareBase baseBefore = base();
    const bool hadBase = m_base->count() > 0;
    m_isFilling = true;
    m_candidate->clear();
    for (const storage::RunSummary& run : session().runs()) {
        if (run.state == storage::RunState::Complete) {
            addSide(*m_candidate, run.id, session());
        }
    }
    const int at = before ? m_candidate->findData(static_cast<qlonglong>(*before)) : -1;
    m_candidate->setCurrentIndex(std::max(at, 0));
    m_isFilling = false;
    fillBases();
    m_isFilling = true;
    for (int i = 0; hadBase && i < m_base->count(); ++i) {
        if (sideAt(*m_base, i) == baseBefore) {
            m_base->setCurrentIndex(i);
        }
    }
    m_isFilling = false;
    // The figures, and those that are being read, are of the sides before.
    const bool isOther = candidate() != before || (hadBase && base() != baseBefore);
    if (isOther && (m_compared || m_comparer.isBusy())) {
        forgetFigures();
    }
    if (isVisible() && !m_compared && !m_comparer.isBusy() && !m_isCancelled) {
        start();
    }
    Q_EMIT actionsChanged();
}

void ComparePage::forgetFigures()
{
    m_comparer.stop();
    m_attributeReader.stop();
    m_chartPanel->setLoading(false);
    m_changesPanel->setLoading(false);
    m_cancel->hide();
    clearFigures();
}

/// Another store: its runs have other numbers.
void ComparePage::forget()
{
    forgetFigures();
    m_isFilling = true;
    m_candidate->clear();
    m_base->clear();
    m_isFilling = false;
    m_isCancelled = false;
    showEmpty(QString());
}

/// Of the candidate's recording; `recorded` first, but a run is chosen where there is one.
void ComparePage::fillBases()
{
    const std::optional<storage::RunId> chosen = candidate();
    const storage::RunSummary* const run = chosen ? session().run(*chosen) : nullptr;
    const CompareBase before = base();
    const bool hadBase = m_base->count() > 0;
    m_isFilling = true;
    m_base->clear();
    int at = -1;
    if (run != nullptr) {
        for (const CompareBase& side : basesFor(*run, session())) {
            addSide(*m_base, side, session());
            const bool isFirstRun = side && at <= 0 && !hadBase;
            at = (hadBase && side == before) || isFirstRun || at < 0 ? m_base->count() - 1 : at;
        }
    }
    m_base->setCurrentIndex(at);
    m_isFilling = false;
}

std::optional<storage::RunId> ComparePage::candidate() const
{
    return m_candidate->currentIndex() < 0 ? std::nullopt
                                           : sideAt(*m_candidate, m_candidate->currentIndex());
}

CompareBase ComparePage::base() const
{
    return m_base->currentIndex() < 0 ? std::nullopt : sideAt(*m_base, m_base->currentIndex());
}

void ComparePage::start()
{
    m_isCancelled = false;
    m_attributeReader.stop();
    clearFigures();
    const std::optional<storage::RunId> run = candidate();
    if (!run) {
        showEmpty(QStringLiteral("No runs yet. Replay a policy: Ctrl+R."));
        return;
    }
    if (m_base->count() == 0) {
        showEmpty(QStringLiteral("Compare needs a second run of this recording. Replay another "
                                 "policy over it: Ctrl+R."));
        return;
    }
    m_stack->setCurrentIndex(1);
    m_chartPanel->setLoading(true);
    m_cancel->show();
    using Result = engine::Result<std::shared_ptr<const ComparedRuns>>;
    m_comparer.start(
        [store = session().storePath(), base = base(), run = *run](const StopFlag& stop) -> Result {
            return readComparison(store, base, run, stop);
        },
        [this](Result compared) {
            m_chartPanel->setLoading(false);
            m_cancel->hide();
            if (compared) {
                show(std::move(*compared));
            } else {
                report(compared.error());
            }
        });
    Q_EMIT actionsChanged();
}

void ComparePage::swapSides()
{
    const CompareBase newCandidate = base();
    const std::optional<storage::RunId> newBase = candidate();
    if (newCandidate && newBase) {
        compare(newBase, *newCandidate);
    }
}

void ComparePage::readAttribute()
{
    const QString attribute = m_attribute->currentText().trimmed();
    if (!m_compared || attribute.isEmpty() || m_tabs->currentIndex() != ByAttribute) {
        return;
    }
    m_changesPanel->setLoading(true);
    m_changesPanel->setCaption(QStringLiteral("reading the log again"));
    m_attributeReader.start(
        [store = session().storePath(), base = m_compared->base, run = m_compared->candidate,
         attribute = attribute.toStdString()](const StopFlag& stop) {
            return readByAttribute(store, base, run, attribute, stop);
        },
        [this](engine::Result<FigureTable> table) {
            m_changesPanel->setLoading(false);
            m_changesPanel->setCaption(QString());
            if (!table) {
                report(table.error());
                return;
            }
            banners().clear(kProblem);
            shorten(*table);
            m_others[ByAttribute]->setTable(std::move(*table));
            m_changes[ByAttribute]->fitColumns(0);
        });
}

void ComparePage::explainSelected()
{
    const int row = m_newly->currentIndex().row();
    if (m_compared && row >= 0 && row < m_newlyModel->rowCount()) {
        ExplainTarget target;
        target.n = m_newlyModel->at(row).firstN;
        session().explain(m_compared->candidate, target);
    }
}

std::vector<ActionId> ComparePage::offers() const
{
    return {ActionId::SaveList,        ActionId::CopyAsText, ActionId::Find,    ActionId::SwapSides,
            ActionId::ExplainSelected, ActionId::ZoomIn,     ActionId::ZoomOut, ActionId::Fit,
            ActionId::WhatChanged,     ActionId::LogScale};
}

bool ComparePage::can(ActionId action) const
{
    switch (action) {
    case ActionId::SwapSides:
        return base().has_value() && candidate().has_value();
    case ActionId::WhatChanged:
        return m_compared && m_tabs->isTabVisible(OfPolicy);
    case ActionId::ExplainSelected:
        return m_compared && m_newly->currentIndex().isValid();
    default:
        return m_compared != nullptr;
    }
}

void ComparePage::perform(ActionId action)
{
    switch (action) {
    case ActionId::SaveList:
        saveList();
        break;
    case ActionId::CopyAsText:
        QApplication::clipboard()->setText(tilesText() + QLatin1Char('\n')
                                           + m_changes[ByRule]->plainText());
        break;
    case ActionId::Find:
        m_tables->show(1);
        m_filter->setFocus();
        m_filter->selectAll();
        break;
    case ActionId::WhatChanged:
        m_tables->show(0);
        m_tabs->setCurrentIndex(OfPolicy);
        m_changes[OfPolicy]->setFocus();
        break;
    case ActionId::SwapSides:
        swapSides();
        break;
    case ActionId::ExplainSelected:
        explainSelected();
        break;
    case ActionId::ZoomIn:
        m_chart->zoom(2);
        break;
    case ActionId::ZoomOut:
        m_chart->zoom(0.5);
        break;
    case ActionId::Fit:
        m_chart->fit();
        break;
    case ActionId::LogScale:
        m_chart->setLogScale(!m_chart->isLogScale());
        m_log->setChecked(m_chart->isLogScale());
        break;
    default:
        break;
    }
}

void ComparePage::entered()
{
    if (!m_compared && !m_comparer.isBusy()) {
        m_isNew = true;
        start();
    }
}

/// Of the chart its values or picture, of changed decisions the tab that is seen, else the list of
/// who is newly rejected: all of it.
void ComparePage::saveList()
{
    const QWidget* const focus = QApplication::focusWidget();
    const bool isChart = m_chartPanel->isAncestorOf(focus);
    const bool isChanges = m_changesPanel->isAncestorOf(focus);
    const QString what = isChart ? QStringLiteral("timeline")
        : isChanges              ? QStringLiteral("changes")
                                 : QStringLiteral("newly-rejected");
    QString filters = figureFilters();
    filters += isChart ? QStringLiteral(";;Picture (*.png);;PDF (*.pdf)") : QString();
    const QString path = askSavePath(QStringLiteral("Save list"),
                                     QStringLiteral("compare-%1.csv").arg(what), filters);
    if (path.isEmpty()) {
        return;
    }
    if (isChart && isPicture(path)) {
        showSaved(pictureSaved(m_chart->savePicture(path), path), path);
        return;
    }
    std::function<engine::Result<FigureTable>()> table = m_newlyModel->wholeTable();
    if (isChart || isChanges) {
        const int tab = m_tabs->currentIndex();
        FigureTable made = isChart ? m_chart->visibleTable()
            : tab == ByRule        ? m_rules->table()
                                   : m_others.at(static_cast<std::size_t>(tab))->table();
        table = [made = std::move(made)]() -> engine::Result<FigureTable> { return made; };
    }
    m_writes.add(
        [table = std::move(table), path]() -> engine::Status {
            const auto made = table();
            return made ? saveFigures(path, {*made}) : engine::Status(engine::fail(made.error()));
        },
        [this, path](const engine::Status& written) { showSaved(written, path); });
}

void ComparePage::showSaved(const engine::Status& saved, const QString& path)
{
    if (saved) {
        session().say(QStringLiteral("Saved %1.").arg(shown(path.toStdString())));
    } else {
        report(saved.error());
    }
}

void ComparePage::report(const engine::Diagnostic& why)
{
    banners().show({kProblem, BannerKind::Error, sentence(why), {}});
}

bool ComparePage::isBusy() const
{
    return m_comparer.isBusy() || m_attributeReader.isBusy() || m_writes.isBusy()
        || m_newlyModel->isBusy() || m_patience.isActive();
}

QList<QWidget*> ComparePage::panes() const
{
    QList<QWidget*> panes {m_changesPanel, m_newlyPanel, m_base, m_tiles.front(), m_chartPanel};
    panes.erase(std::remove_if(panes.begin(), panes.end(),
                               [](const QWidget* pane) { return pane->isHidden(); }),
                panes.end());
    return panes;
}

void ComparePage::keepState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("down"), m_down->saveState());
    settings.setValue(QStringLiteral("tables"), m_tables->saveState());
}

void ComparePage::restoreState(QSettings& settings)
{
    m_down->restoreState(settings.value(QStringLiteral("down")).toByteArray());
    m_tables->restoreState(settings.value(QStringLiteral("tables")).toByteArray());
}

} // namespace app::console
