#include "app/console/charts/time_chart.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/save_figures.h"
#include "app/console/frame/two_panels.h"
#include "app/console/frame/values.h"
#include "app/console/runs/keys_panel.h"
#include "app/console/runs/rules_model.h"
#include "app/console/runs/run_list.h"
#include "app/console/runs/run_timeline.h"
#include "app/console/runs/runs_page.h"
#include "app/console/session/session.h"
#include "app/workbench/files.h"
#include "app/workbench/run_sheet.h"
#include "app/workbench/text.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>

namespace app::console {

namespace {

/// The HTML report of a run, written to a file.
engine::Status writeReport(const std::string& store, storage::RunId run, const QString& path)
{
    const auto open = storage::RunStore::open(store, storage::Access::Read);
    if (!open) {
        return engine::fail(open.error());
    }
    const storage::RunReader reader(**open);
    const auto detail = reader.detail(run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const KeyNames names(secretsOf(*detail));
    const auto sheet = runSheet(reader, run, {10, names, {}});
    if (!sheet) {
        return engine::fail(sheet.error());
    }
    return writeFile(QFile::encodeName(path).toStdString(), htmlReport(*sheet));
}

} // namespace

std::vector<ActionId> RunsPage::offers() const
{
    return {ActionId::SaveList,        ActionId::CopyAsText,     ActionId::Find,
            ActionId::RenameRun,       ActionId::DeleteRun,      ActionId::CompareWith,
            ActionId::ExplainSelected, ActionId::SuggestForRule, ActionId::Report,
            ActionId::ZoomIn,          ActionId::ZoomOut,        ActionId::Fit,
            ActionId::LogScale,        ActionId::TiersOrRules,   ActionId::ChartAsTable};
}

bool RunsPage::can(ActionId action) const
{
    switch (action) {
    case ActionId::RenameRun:
    case ActionId::DeleteRun:
        return !session().runs().empty();
    case ActionId::SuggestForRule:
        return m_run && selectedRule().has_value();
    default:
        return m_run != nullptr;
    }
}

void RunsPage::perform(ActionId action)
{
    TimeChart& chart = m_timeline->chart();
    switch (action) {
    case ActionId::SaveList:
        saveList();
        break;
    case ActionId::CopyAsText:
        QApplication::clipboard()->setText(m_rules->plainText());
        break;
    case ActionId::Find:
        if (m_list->isAncestorOf(QApplication::focusWidget())) {
            m_list->focusFilter();
        } else {
            m_tables->show(1);
            m_keys->focusFilter();
        }
        break;
    case ActionId::RenameRun:
        showList(true);
        m_list->edit();
        break;
    case ActionId::DeleteRun:
        remove();
        break;
    case ActionId::CompareWith:
        compareWith();
        break;
    case ActionId::ExplainSelected:
        explainSelected();
        break;
    case ActionId::SuggestForRule:
        if (const auto rule = selectedRule()) {
            session().suggestFor(QString::fromStdString(m_run->detail.rules.at(*rule).rule));
        }
        break;
    case ActionId::Report:
        saveReport();
        break;
    case ActionId::ZoomIn:
        chart.zoom(2);
        break;
    case ActionId::ZoomOut:
        chart.zoom(0.5);
        break;
    case ActionId::Fit:
        chart.fit();
        break;
    case ActionId::LogScale:
        m_timeline->setLogScale(!chart.isLogScale());
        break;
    case ActionId::TiersOrRules:
        m_timeline->setByRules(!m_timeline->isByRules());
        break;
    case ActionId::ChartAsTable:
        m_timeline->setAsTable(!m_timeline->isAsTable());
        break;
    default:
        break;
    }
}

/// Of the chart the bin that the line is on, of the keys the key.
void RunsPage::explainSelected()
{
    if (!m_run) {
        return;
    }
    if (m_keys->isAncestorOf(QApplication::focusWidget())) {
        explainKey(m_keys->view().currentIndex().row());
        return;
    }
    const TimeChart& chart = m_timeline->chart();
    if (const std::optional<std::int64_t> second = chart.line()) {
        session().findRequests(m_run->detail.summary.id, *second * kNs,
                               (*second + chart.data().bins.width) * kNs);
    }
}

void RunsPage::explainKey(int row)
{
    if (const auto named = m_keys->keys().namedAt(row); named && m_run) {
        session().explainKey(m_run->detail.summary.id, named->rule, escaped(named->key));
    }
}

/// With what production did where the log says it, else with the newest other run of the recording.
void RunsPage::compareWith()
{
    const storage::RunSummary& run = m_run->detail.summary;
    CompareBase base;
    for (const storage::RunSummary& other : session().runs()) {
        if (other.id != run.id && other.recordingFingerprint == run.recordingFingerprint
            && other.state == storage::RunState::Complete) {
            base = other.id;
            break;
        }
    }
    session().compare(run.totals.recordedKnown > 0 ? std::nullopt : base, run.id);
}

std::optional<std::uint32_t> RunsPage::selectedRule() const
{
    const QModelIndex current = m_rules->currentIndex();
    if (!current.isValid()) {
        return m_keys->rule();
    }
    return m_rulesModel->ruleAt(current.row()).index;
}

void RunsPage::write(std::function<engine::Status()> work, const QString& done)
{
    m_writes.add(std::move(work), [this, done](const engine::Status& written) {
        showWritten(written, done);
        session().refreshRuns();
    });
}

void RunsPage::showWritten(const engine::Status& written, const QString& done)
{
    if (written) {
        session().say(done);
    } else {
        report(written.error());
    }
}

/// What the pane with the focus shows: the chart's values or its picture, rules, or a tab of keys.
void RunsPage::saveList()
{
    const QWidget* const focus = QApplication::focusWidget();
    const bool isChart = m_timeline->isAncestorOf(focus);
    const bool isKeys = m_keys->isAncestorOf(focus);
    const QString what = isChart ? QStringLiteral("timeline")
        : isKeys                 ? QStringLiteral("keys")
                                 : QStringLiteral("rules");
    QString filters = figureFilters();
    filters += isChart ? QStringLiteral(";;Picture (*.png);;PDF (*.pdf)") : QString();
    const QString path = askSavePath(
        QStringLiteral("Save %1 of run %2").arg(what).arg(m_run->detail.summary.id),
        QStringLiteral("run-%1-%2.csv").arg(m_run->detail.summary.id).arg(what), filters);
    if (path.isEmpty()) {
        return;
    }
    const QString done = QStringLiteral("Saved %1.").arg(shown(path.toStdString()));
    if (isChart && isPicture(path)) {
        showWritten(pictureSaved(m_timeline->chart().savePicture(path), path), done);
        return;
    }
    std::function<engine::Result<FigureTable>()> table;
    if (isKeys) {
        table = m_keys->table();
    } else {
        table = [made = isChart
                     ? m_timeline->table()
                     : m_rulesModel->table()]() -> engine::Result<FigureTable> { return made; };
    }
    write(
        [table = std::move(table), path]() -> engine::Status {
            const auto made = table();
            return made ? saveFigures(path, {*made}) : engine::Status(engine::fail(made.error()));
        },
        done);
}

void RunsPage::savePicture()
{
    m_timeline->chart().setFocus();
    saveList();
}

void RunsPage::saveReport()
{
    const storage::RunId run = m_run->detail.summary.id;
    const QString path
        = askSavePath(QStringLiteral("Save report of run %1").arg(run),
                      QStringLiteral("run-%1.html").arg(run), QStringLiteral("HTML (*.html)"));
    if (!path.isEmpty()) {
        write([store = session().storePath(), run, path] { return writeReport(store, run, path); },
              QStringLiteral("Saved %1.").arg(shown(path.toStdString())));
    }
}

void RunsPage::remove()
{
    const std::optional<storage::RunId> run = m_list->current();
    const storage::RunSummary* const summary = run ? session().run(*run) : nullptr;
    if (summary == nullptr
        || !askToDelete(
            QStringLiteral("Delete run %1, %2? Its log stays; the run cannot be brought "
                           "back.")
                .arg(summary->id)
                .arg(shown(summary->name, 120)))) {
        return;
    }
    write(
        [store = session().storePath(), id = *run]() -> engine::Status {
            const auto open = storage::RunStore::open(store, storage::Access::Write);
            return open ? (*open)->remove({id}) : engine::Status(engine::fail(open.error()));
        },
        QStringLiteral("Run %1 was deleted.").arg(*run));
}

void RunsPage::rename(storage::RunId run, const QString& name)
{
    write(
        [store = session().storePath(), run, name = name.toStdString()]() -> engine::Status {
            const auto open = storage::RunStore::open(store, storage::Access::Write);
            return open ? (*open)->rename(run, name) : engine::Status(engine::fail(open.error()));
        },
        QStringLiteral("Run %1 is called %2.").arg(run).arg(shown(name.toStdString(), 120)));
}

} // namespace app::console
