#include "app/console/replay/replay_page.h"

#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/empty_state.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/replay/job_table.h"
#include "app/console/replay/log_model.h"
#include "app/console/replay/log_view.h"
#include "app/console/replay/preview_panel.h"
#include "app/console/replay/preview_tables.h"
#include "app/console/replay/replay_form.h"
#include "app/console/replay/replay_words.h"
#include "app/console/session/session.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kOptionsWidth = 340;
constexpr int kFolded = 32; // a panel's head
constexpr int kNotReadHeight = 130;

} // namespace

ReplayPage::ReplayPage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Replay, parent)
    , m_jobs(session)
    , m_last(session, m_jobs)
    , m_logModel(new LogModel(m_logs, this))
    , m_logView(new LogView)
    , m_logPanel(new Panel(QStringLiteral("Logs")))
    , m_logStack(new QStackedWidget)
    , m_preview(new PreviewPanel)
    , m_notReadPanel(new Panel(QStringLiteral("Lines not read")))
    , m_notRead(new FigureView(QStringLiteral("Lines not read, by reason")))
    , m_notReadModel(new FigureModel(this))
    , m_form(new ReplayForm)
    , m_sentence(plainLabel({}))
    , m_jobPanel(new Panel(QStringLiteral("Jobs")))
    , m_jobModel(new JobModel(m_jobs, this))
    , m_jobView(new JobView)
    , m_jobStack(new QStackedWidget)
{
    m_left = splitter(Qt::Vertical, {buildLogs(), m_preview, buildNotRead()});
    m_left->setSizes({150, 330, 130});
    m_left->setStretchFactor(1, 1);
    m_across = splitter(Qt::Horizontal, {m_left, buildOptions()});
    m_across->setStretchFactor(0, 1);
    m_across->setSizes({1030, kOptionsWidth});
    m_down = splitter(Qt::Vertical, {m_across, buildJobs()});
    m_down->setStretchFactor(0, 1);
    m_down->setSizes({640, 130});
    setBody(m_down);
    head().setTitle(QStringLiteral("Replay"));
    head().add(new ActionButton(actions.at(ActionId::StartPolicyFromLog)));
    head().add(new ActionButton(actions.at(ActionId::AddLogs)));
    connectAll();
    showLogs();
    showJobs();
    showReady();
}

QWidget* ReplayPage::buildLogs()
{
    auto* empty
        = new EmptyState(QStringLiteral("Add logs of requests: Ctrl+Shift+O, or drop files here."));
    empty->add(new ActionButton(actions().at(ActionId::AddLogs)));
    m_logView->setModel(m_logModel);
    m_logStack->addWidget(empty);
    m_logStack->addWidget(m_logView);
    m_logPanel->addTool(captionLabel(QStringLiteral("Space chooses, Delete takes out")));
    m_logPanel->setBody(m_logStack);
    m_logPanel->setMinimumHeight(110);
    return m_logPanel;
}

QWidget* ReplayPage::buildNotRead()
{
    m_notRead->setModel(m_notReadModel);
    auto* save = new ActionButton(actions().at(ActionId::SaveList));
    save->setLabel(QStringLiteral("Save all"));
    m_notReadPanel->addTool(save);
    m_notReadPanel->setBody(m_notRead);
    return m_notReadPanel;
}

QWidget* ReplayPage::buildOptions()
{
    auto* panel = new Panel(QStringLiteral("Options"));
    auto* body = new QWidget;
    m_options = new QScrollArea;
    auto* inner = new QWidget;
    auto* innerLayout = new QVBoxLayout(inner);
    innerLayout->setContentsMargins(12, 8, 12, 8);
    innerLayout->setSpacing(12);
    m_sentence->setObjectName(QStringLiteral("sentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setProperty("sentence", true);
    innerLayout->addWidget(m_form);
    innerLayout->addStretch(1);
    m_options->setWidget(inner);
    m_options->setWidgetResizable(true);
    m_options->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_options->setFocusPolicy(Qt::NoFocus);
    m_options->viewport()->setAutoFillBackground(false); // the panel's ground
    inner->setAutoFillBackground(false);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(12, 0, 12, 12);
    buttons->setSpacing(8);
    buttons->addStretch(1);
    auto* copy = new ActionButton(actions().at(ActionId::CopyCommand));
    copy->setLabel(QStringLiteral("Copy as command"));
    copy->hideKeys();
    buttons->addWidget(copy);
    auto* start = new ActionButton(actions().at(ActionId::StartReplay), Rank::Primary);
    start->setLabel(QStringLiteral("Replay"));
    buttons->addWidget(start);

    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_options, 1);
    auto* said = new QVBoxLayout;
    said->setContentsMargins(12, 0, 12, 0);
    said->addWidget(m_sentence);
    layout->addLayout(said);
    layout->addLayout(buttons);
    panel->setBody(body);
    panel->setMinimumWidth(290);
    return panel;
}

QWidget* ReplayPage::buildJobs()
{
    m_jobView->setModel(m_jobModel);
    m_jobStack->addWidget(new EmptyState(QStringLiteral("No jobs. Replay starts one.")));
    m_jobStack->addWidget(m_jobView);
    m_jobPanel->addTool(captionLabel(QStringLiteral("Return does what the last column says")));
    m_jobPanel->setBody(m_jobStack);
    m_jobPanel->setMinimumHeight(88);
    for (const ActionId id : {ActionId::JobUp, ActionId::JobDown, ActionId::RemoveJob}) {
        bind(id, m_jobView);
    }
    return m_jobPanel;
}

void ReplayPage::connectAll()
{
    connect(&session(), &Session::logsAsked, this, &ReplayPage::addLogs);
    connect(&session(), &Session::timesChanged, this, [this] {
        m_logView->viewport()->update();
        m_logView->horizontalHeader()->viewport()->update();
        m_preview->setLog(nullptr);
        showLog();
    });
    connect(&m_logs, &LogCollection::rowsChanged, this, &ReplayPage::showLogs);
    connect(&m_logs, &LogCollection::rowChanged, this, [this](int row) {
        if (row == m_logView->currentIndex().row()) {
            showLog();
        }
        m_logView->fitColumns(LogModel::Name);
        m_logPanel->setLoading(m_logs.isBusy());
        showReady();
    });
    connect(m_logView, &FigureView::currentRowChanged, this, &ReplayPage::showLog);
    connect(m_logView, &LogView::removeAsked, this, [this](int row) { m_logs.remove(row); });
    connect(m_preview, &PreviewPanel::formatAsked, this, &ReplayPage::chooseFormat);
    connect(m_form, &ReplayForm::changed, this, &ReplayPage::showReady);
    connect(m_form, &ReplayForm::readingChanged, this, [this] {
        if (checkOptions(m_form->reading())) {
            m_preview->setLog(nullptr);
            m_logs.setReading(m_form->reading());
        }
    });
    Document& document = session().document();
    for (const auto signal : {&Document::opened, &Document::closed, &Document::stateChanged,
                              &Document::checkedChanged}) {
        connect(&document, signal, this, &ReplayPage::showReady);
    }
    connect(&m_jobs, &Jobs::listChanged, this, &ReplayPage::showJobs);
    connect(&m_jobs, &Jobs::jobChanged, this, &ReplayPage::showJobs);
    connect(&m_jobs, &Jobs::ended, this, [this](std::uint64_t id) {
        const Job* job = m_jobs.job(id);
        if (job->result.failure) {
            banners().show({QStringLiteral("job"), BannerKind::Error,
                            QStringLiteral("%1: %2").arg(shown(job->order.name(), 80),
                                                         failureText(*job->result.failure))});
        }
    });
    connect(m_jobView, &JobView::actAsked, this, &ReplayPage::actOn);
    connect(m_jobView, &FigureView::rowAsked, this,
            [this](const QModelIndex& index) { actOn(index.row()); });
    connect(m_jobView, &FigureView::currentRowChanged, this, &Page::actionsChanged);
}

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
    const engine::Status options = checkOptions(given);
    QString text = obstacle();

    if (!options) {
        text = failureText(options.error());
    } else if (text.isEmpty() && checked && checked->loaded.plan) {
        text = whatWillHappen(m_logs.rows(), *checked->loaded.plan, given);
    }
    m_isReady = options.has_value() && obstacle().isEmpty();
    m_form->setWrong(options ? QString() : optionOf(options.error(), given));
    m_sentence->setText(text);
    Q_EMIT actionsChanged();
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
