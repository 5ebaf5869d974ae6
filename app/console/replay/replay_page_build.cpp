#include "app/console/frame/button.h"
#include "app/console/frame/empty_state.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/replay/conditions_form.h"
#include "app/console/replay/job_table.h"
#include "app/console/replay/log_model.h"
#include "app/console/replay/log_view.h"
#include "app/console/replay/preview_panel.h"
#include "app/console/replay/replay_form.h"
#include "app/console/replay/replay_page.h"
#include "app/console/replay/replay_words.h"
#include "app/console/session/session.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

/// Of which parts the page of replays is made, and how they hang together.
namespace app::console {

namespace {

constexpr int kOptionsWidth = 340;

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
    connect(
        &m_form->conditions(), &ConditionsForm::opened, this,
        [this] { m_options->ensureWidgetVisible(&m_form->conditions()); },
        Qt::QueuedConnection); // when it has its height
    connect(m_form, &ReplayForm::readingChanged, this, [this] {
        if (checkOptions(m_form->reading(), nullptr)) {
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

} // namespace app::console
