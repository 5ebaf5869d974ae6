#include "app/console/frame/dialogs.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/replay/job_table.h"
#include "app/console/replay/log_view.h"
#include "app/console/replay/preview_panel.h"
#include "app/console/replay/replay_form.h"
#include "app/console/replay/replay_page.h"
#include "app/console/replay/replay_words.h"
#include "app/console/session/session.h"
#include "app/workbench/log_options.h"
#include "app/workbench/policy_from_log.h"
#include "app/workbench/replay_options.h"

#include <QApplication>
#include <QClipboard>

/// What the page of replays does when it is asked to.
namespace app::console {

namespace {

QString policyFile(const Document& document)
{
    return document.path().isEmpty() ? document.fileName() : document.path();
}

} // namespace

JobOrder ReplayPage::order() const
{
    const Document& document = session().document();
    std::string name = m_form->runName();
    if (name.empty() && document.checked() && document.checked()->loaded.plan) {
        name = document.checked()->loaded.plan->name; // what the run would be called anyway
    }
    JobOrder order;
    order.policies.push_back(
        {policyFile(document).toStdString(), document.bytes(), name, document.lookups()});
    order.logs = m_logs.chosenPaths();
    order.given = m_form->given();
    order.seed = m_form->seed();
    return order;
}

void ReplayPage::start()
{
    Document& document = session().document();
    if (!document.isCurrent()) {
        document.checkNow(); // what was typed last may be wrong
        showReady();
        if (!m_isReady) {
            return;
        }
    }
    banners().clear(QStringLiteral("job"));
    m_jobs.add(order());
    m_jobView->selectRow(m_jobModel->rowCount() - 1);
    m_jobView->scrollToBottom();
}

void ReplayPage::actOn(int row)
{
    const Job& job = m_jobModel->at(row);
    const bool hasRuns = job.isOver() && !job.result.runs.empty();
    if (hasRuns && job.store != session().storePath()) {
        banners().show({QStringLiteral("store"), BannerKind::Advice,
                        QStringLiteral("Its runs are in another store, %1. Choose that one to see "
                                       "them: Ctrl+Shift+B.")
                            .arg(shown(job.store, 200))});
    } else if (hasRuns) {
        session().openRun(job.result.runs.back());
    } else if (job.isOver()) {
        m_jobs.remove(job.id);
    } else {
        m_jobs.cancel(job.id);
    }
}

void ReplayPage::copyCommand()
{
    const Document& document = session().document();
    GivenOptions given;
    if (const std::string name = m_form->runName(); !name.empty()) {
        given.add("name", name);
    }
    const GivenOptions asked = m_form->given();
    for (const storage::Option& option : asked.inOrder()) {
        given.add(option.name, option.value);
    }
    if (m_form->seed() != 1) {
        given.add("seed", std::to_string(m_form->seed()));
    }
    given.add("db", session().storePath());
    QApplication::clipboard()->setText(QString::fromStdString(
        replayCommand(policyFile(document).toStdString(), m_logs.chosenPaths(), given)));
    session().say(document.isModified() || document.path().isEmpty()
                      ? QStringLiteral("Copied. The command reads the file on disk, which lacks "
                                       "your last changes.")
                      : QStringLiteral("Copied as a command."));
}

void ReplayPage::draftPolicy()
{
    banners().clear(QStringLiteral("draft"));
    m_logPanel->setLoading(true);
    session().say(QStringLiteral("Reading the log for a policy."));
    const std::string path = currentLog()->path;
    m_drafter.start(
        [path, reading = m_form->reading()](const StopFlag& stop) -> engine::Result<PolicyDraft> {
            auto choice = logChoiceOf(reading, path, storage::Spread::Even);
            if (!choice) {
                return engine::fail(choice.error());
            }
            return policyFromLog({{std::move(*choice)}, 2, &stop, nullptr});
        },
        [this](engine::Result<PolicyDraft> draft) {
            m_logPanel->setLoading(m_logs.isBusy());
            if (!draft) {
                banners().show(
                    {QStringLiteral("draft"), BannerKind::Error, failureText(draft.error())});
                return;
            }
            offerDraft(draft->text);
        });
}

/// Reading took a while: what is open, and may have been begun meanwhile, stays until it is asked
/// for.
void ReplayPage::offerDraft(const std::string& text)
{
    const QString what = QStringLiteral("A policy in shadow that rejects nothing of this log");
    const auto open = [this, text] { session().openDraft(text, QStringLiteral("from-log.yaml")); };
    if (!session().document().isOpen()) {
        open();
        session().say(what + QLatin1Char('.'));
        return;
    }
    session().say(QStringLiteral("The policy from the log is ready, on the page Replay."));
    banners().show({QStringLiteral("draft"),
                    BannerKind::Done,
                    QStringLiteral("%1 is ready. Opening it closes %2.")
                        .arg(what, session().document().fileName()),
                    {{QStringLiteral("Open it"), [this, open, text] {
                          open();
                          if (session().document().currentText() == text) {
                              banners().clear(QStringLiteral("draft"));
                          }
                      }}}});
}

/// All of them, not the examples alone: the log is read once more.
void ReplayPage::saveNotRead()
{
    const LogRow& log = *currentLog();
    const QString path = askSavePath(QStringLiteral("Save lines that were not read"),
                                     QString::fromStdString(log.name() + ".not-read.jsonl"),
                                     QStringLiteral("JSON Lines (*.jsonl);;All (*)"));
    if (path.isEmpty()) {
        return;
    }
    m_notReadPanel->setLoading(true);
    m_saver.start(
        [from = log.path, reading = m_form->reading(), to = path.toStdString()](
            const StopFlag& stop) { return saveNotReadLines(from, reading, to, stop); },
        [this, path](const engine::Status& saved) {
            m_notReadPanel->setLoading(false);
            if (saved) {
                session().say(QStringLiteral("Saved %1.").arg(shown(path.toStdString(), 200)));
            } else {
                banners().show(
                    {QStringLiteral("save"), BannerKind::Error, failureText(saved.error())});
            }
            Q_EMIT actionsChanged();
        });
}

QList<QWidget*> ReplayPage::panes() const
{
    return {m_logs.rows().empty() ? static_cast<QWidget*>(m_logPanel) : m_logView,
            &m_preview->view(), m_notRead, m_form, m_jobView};
}

std::vector<ActionId> ReplayPage::offers() const
{
    return {ActionId::SaveList,           ActionId::StartReplay, ActionId::CopyCommand,
            ActionId::StartPolicyFromLog, ActionId::JobUp,       ActionId::JobDown,
            ActionId::RemoveJob};
}

bool ReplayPage::can(ActionId action) const
{
    const int row = m_jobView->currentIndex().row();
    const Job* job = row >= 0 && row < m_jobModel->rowCount() ? &m_jobModel->at(row) : nullptr;
    switch (action) {
    case ActionId::StartReplay:
    case ActionId::CopyCommand:
        return m_isReady;
    case ActionId::StartPolicyFromLog: {
        const LogRow* log = currentLog();
        return log != nullptr && log->preview && !log->failure && !m_drafter.isBusy();
    }
    case ActionId::SaveList:
        return m_notReadModel->rowCount() > 0 && !m_saver.isBusy();
    case ActionId::JobUp:
    case ActionId::JobDown:
        return job != nullptr && job->state == JobState::Waiting;
    case ActionId::RemoveJob:
        return job != nullptr && job != m_jobs.running();
    default:
        return true;
    }
}

void ReplayPage::perform(ActionId action)
{
    const int row = m_jobView->currentIndex().row();
    switch (action) {
    case ActionId::StartReplay:
        start();
        break;
    case ActionId::CopyCommand:
        copyCommand();
        break;
    case ActionId::SaveList:
        saveNotRead();
        break;
    case ActionId::StartPolicyFromLog:
        draftPolicy();
        break;
    case ActionId::JobUp:
    case ActionId::JobDown: {
        const std::uint64_t id = m_jobModel->at(row).id;
        if (m_jobs.move(id, action == ActionId::JobUp ? -1 : 1)) {
            m_jobView->selectRow(m_jobModel->rowOf(id));
        }
        break;
    }
    case ActionId::RemoveJob:
        m_jobs.remove(m_jobModel->at(row).id);
        break;
    default:
        break;
    }
}

} // namespace app::console
