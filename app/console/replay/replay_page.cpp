#include "app/console/replay/replay_page.h"

#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/replay/conditions_form.h"
#include "app/console/replay/job_table.h"
#include "app/console/replay/log_model.h"
#include "app/console/replay/log_view.h"
#include "app/console/replay/preview_panel.h"
#include "app/console/replay/preview_tables.h"
#include "app/console/replay/replay_form.h"
#include "app/console/replay/replay_words.h"
#include "app/console/session/session.h"

#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kFolded = 32; // a panel's head
constexpr int kNotReadHeight = 130;
const QString kClients = QStringLiteral("clients");

} // namespace

void ReplayPage::addLogs(const QStringList& paths)
{
    const int row = m_logs.add(paths);
    if (row >= 0) {
        m_logView->setCurrentIndex(m_logModel->index(row, LogModel::Name));
    }
}

const LogRow* ReplayPage::currentLog() const
{
    const int row = m_logView->currentIndex().row();
    return row < 0 ? nullptr : &m_logs.rows()[static_cast<std::size_t>(row)];
}

void ReplayPage::showLogs()
{
    const bool isEmpty = m_logs.rows().empty();
    m_logStack->setCurrentIndex(isEmpty ? 0 : 1);
    if (!isEmpty && !m_logView->currentIndex().isValid()) {
        m_logView->setCurrentIndex(m_logModel->index(0, LogModel::Name));
    }
    m_logView->fitColumns(LogModel::Name);
    m_logPanel->setLoading(m_logs.isBusy());
    showLog();
    showReady();
}

void ReplayPage::showLog()
{
    const LogRow* log = currentLog();
    m_preview->setLog(log);
    m_form->setLog(log);
    showNotRead(log);
    Q_EMIT actionsChanged();
}

void ReplayPage::showNotRead(const LogRow* log)
{
    const bool isKnown = log != nullptr && log->preview && !log->failure;
    const std::vector<LogPreview::Reason> reasons = !isKnown ? std::vector<LogPreview::Reason> {}
        : log->figures                                       ? log->figures->reasons
                                                             : log->preview->reasons;
    m_notReadModel->setTable(notReadTable(reasons));
    m_notRead->fitColumns(3); // the example takes what is left
    if (m_notReadPanel->isFolded() != reasons.empty()) {
        m_notReadPanel->setFolded(reasons.empty());
        QList<int> sizes = m_left->sizes();
        const int change = sizes[2] - (reasons.empty() ? kFolded : kNotReadHeight);
        m_left->setSizes({sizes[0], sizes[1] + change, sizes[2] - change});
    }
    if (!isKnown) {
        m_notReadPanel->setCaption({});
        return;
    }
    const storage::LogReport& first = log->preview->log.report;
    const std::uint64_t lines = log->figures ? log->figures->lines : first.lines;
    const std::uint64_t notRead = log->figures ? log->figures->notRead : first.rejected;
    m_notReadPanel->setCaption(
        notRead == 0 ? (log->figures ? QStringLiteral("every line was read")
                                     : QStringLiteral("none among the first lines"))
                     : QStringLiteral("%1 of %2 (%3), shown as plain text")
                           .arg(countText(notRead),
                                plural(lines, QStringLiteral("line"), QStringLiteral("lines")),
                                shareText(notRead, lines)));
    constexpr std::uint64_t kMany = 20; // more than one of so many
    if (notRead * kMany > lines) {
        banners().show({QStringLiteral("format"),
                        BannerKind::Advice,
                        QStringLiteral("%1 of the lines of %2 could not be read as %3.")
                            .arg(shareText(notRead, lines, 1), shown(log->name(), 80),
                                 formatName(log->preview->log.format)),
                        {{QStringLiteral("Choose the format..."), [this] { chooseFormat(); }}}});
    } else {
        banners().clear(QStringLiteral("format"));
    }
}

void ReplayPage::chooseFormat()
{
    auto* field = m_form->findChild<QWidget*>(QStringLiteral("log-format"));
    field->setFocus();
    m_options->ensureWidgetVisible(field);
}

QString ReplayPage::obstacle() const
{
    const Document& document = session().document();
    if (!document.isOpen()) {
        return m_logs.rows().empty()
            ? QStringLiteral("Open a policy to replay it.")
            : QStringLiteral("Open a policy to replay it, or start one from this log: "
                             "Ctrl+Shift+P.");
    }
    if (document.checked() && document.checked()->errors() > 0) {
        return QStringLiteral("Fix the error in line %1 to replay.")
            .arg(document.checked()->loaded.diagnostics.front().place.line);
    }
    if (m_logs.rows().empty()) {
        return QStringLiteral("Add a log to replay.");
    }
    if (m_logs.chosenPaths().empty()) {
        return QStringLiteral("Choose a log to replay: Space, or its box.");
    }
    for (const LogRow& log : m_logs.rows()) {
        if (log.isChosen && log.failure) {
            return QStringLiteral("%1 cannot be read: leave it out, or choose its format.")
                .arg(shown(log.name(), 80));
        }
    }
    return {};
}

void ReplayPage::showReady()
{
    const Document& document = session().document();
    const auto& checked = document.checked();
    const bool isOpen = document.isOpen();
    m_form->setPolicy(!isOpen ? QStringLiteral("no policy open")
                          : document.isModified()
                          ? QStringLiteral("%1, with unsaved changes").arg(document.fileName())
                          : document.fileName(),
                      checked && checked->loaded.plan ? shown(checked->loaded.plan->name, 80)
                                                      : QString());
    head().setCaption(isOpen
                          ? QStringLiteral("%1 against recorded requests").arg(document.fileName())
                          : QStringLiteral("a policy against recorded requests"));
    const auto chosen = m_logs.chosenPaths().size();
    m_logPanel->setCaption(m_logs.rows().empty()
                               ? QString()
                               : QStringLiteral("%1 of %2 chosen")
                                     .arg(countText(chosen), countText(m_logs.rows().size())));
    const GivenOptions given = m_form->given();
    const LoadedPolicy* const policy
        = checked && checked->loaded.isValid() ? &checked->loaded : nullptr;
    const engine::Result<CheckedOptions> options = checkOptions(given, policy);
    QString text = obstacle();
    if (!options) {
        text = failureText(options.error());
    } else if (text.isEmpty() && policy != nullptr) {
        text = whatWillHappen(m_logs.rows(), *policy->plan, given, options->conditions);
    }
    showClients(options ? &*options : nullptr);
    m_isReady = options.has_value() && obstacle().isEmpty();
    m_form->setWrong(options ? QString() : optionOf(options.error(), given));
    m_sentence->setText(text);
    Q_EMIT actionsChanged();
}

/// What the chosen profile says, and what is worth a second look in it.
void ReplayPage::showClients(const CheckedOptions* options)
{
    m_form->conditions().setProfile(options != nullptr ? options->conditions.clients
                                                       : std::nullopt);
    QStringList advice;
    if (options != nullptr) {
        for (const engine::Diagnostic& one : options->advice) {
            advice << sentence(one);
        }
    }
    if (advice.isEmpty()) {
        banners().clear(kClients);
    } else {
        banners().show({kClients, BannerKind::Advice, advice.join(QLatin1Char(' ')), {}, true});
    }
}

void ReplayPage::showJobs()
{
    const std::vector<Job>& all = m_jobs.all();
    m_jobStack->setCurrentIndex(all.empty() ? 0 : 1);
    const auto waiting = static_cast<std::uint64_t>(std::count_if(
        all.begin(), all.end(), [](const Job& job) { return job.state == JobState::Waiting; }));
    QStringList parts;
    if (m_jobs.running() != nullptr) {
        parts << QStringLiteral("1 running");
    }
    if (waiting > 0) {
        parts << QStringLiteral("%1 waiting").arg(countText(waiting));
    }
    m_jobPanel->setCaption(parts.join(QStringLiteral(", ")));
    m_jobView->fit();
    Q_EMIT actionsChanged();
}

void ReplayPage::keepState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("left"), m_left->saveState());
    settings.setValue(QStringLiteral("across"), m_across->saveState());
    settings.setValue(QStringLiteral("down"), m_down->saveState());
}

void ReplayPage::restoreState(QSettings& settings)
{
    m_left->restoreState(settings.value(QStringLiteral("left")).toByteArray());
    m_across->restoreState(settings.value(QStringLiteral("across")).toByteArray());
    m_down->restoreState(settings.value(QStringLiteral("down")).toByteArray());
}

QString ReplayPage::sentenceText() const
{
    return m_sentence->text();
}

} // namespace app::console
