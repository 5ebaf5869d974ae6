#include "app/console/explain/explain_page.h"

#include "app/console/explain/customer_panel.h"
#include "app/console/explain/finder_panel.h"
#include "app/console/explain/found_model.h"
#include "app/console/explain/key_view.h"
#include "app/console/explain/request_view.h"
#include "app/console/explain/tier_flow.h"
#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/empty_state.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/values.h"
#include "app/console/replay/replay_words.h"
#include "app/console/session/session.h"
#include "app/workbench/explanation_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/verdict_text.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

#include <chrono>
#include <thread>

namespace app::console {

namespace {

constexpr int kPatienceMs = 500; // before progress is shown

QString workingId()
{
    return QStringLiteral("working");
}

QString failedId()
{
    return QStringLiteral("failed");
}

/// "rejected by search", or all that can be said.
std::string shortOutcome(const Explanation& explanation)
{
    const std::optional<std::size_t> telling = tellingRule(explanation);
    return explanation.verdict.outcome == engine::Outcome::Rejected && telling
        ? "rejected by " + fullName(explanation.rules[*telling].rule)
        : outcomeText(explanation);
}

unsigned threads()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

} // namespace

/// Per cent of a log that is read again, ten times a second at most.
class ExplainPage::Reporter final : public Progress {
public:
    explicit Reporter(ExplainPage& page)
        : m_page(page)
    {
    }

    void update(const ProgressState& state) override
    {
        const auto now = std::chrono::steady_clock::now();
        if (state.bytesTotal == 0 || now - m_last < std::chrono::milliseconds(100)) {
            return;
        }
        m_last = now;
        const auto percent = static_cast<int>(std::min(state.bytesRead, state.bytesTotal) * 100
                                              / state.bytesTotal);
        m_page.m_worker.post([page = &m_page, percent] { page->progressed(percent); });
    }

private:
    ExplainPage& m_page;
    std::chrono::steady_clock::time_point m_last;
};

ExplainPage::ExplainPage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Explain, parent)
    , m_stack(new QStackedWidget)
    , m_nothing(new EmptyState(QStringLiteral("Open a run first, or replay a policy: Ctrl+R.")))
    , m_finder(new FinderPanel)
    , m_request(new RequestView)
    , m_key(new KeyView)
    , m_goTo(new QLineEdit)
    , m_patience(new QTimer(this))
{
    askLogs = [this] {
        return askForPaths(this, QStringLiteral("Where are the logs of this run now?"),
                           QStringLiteral("All (*)"), true);
    };
    askSavePath = [this](const QString& title, const QString& proposal, const QString& filter) {
        return askForSavePath(this, title, proposal, filter);
    };
    m_nothing->add(new ActionButton(actions.at(ActionId::Replay)));
    for (QWidget* view : std::initializer_list<QWidget*> {m_nothing, m_finder, m_request, m_key}) {
        m_stack->addWidget(view);
    }
    setBody(m_stack);
    m_goTo->setAccessibleName(QStringLiteral("Number of a request, or who sent it"));
    m_goTo->setPlaceholderText(QStringLiteral("Number or key, Ctrl+G"));
    m_goTo->setFixedWidth(190);
    head().add(m_goTo);
    for (const ActionId id : {ActionId::Find, ActionId::PreviousRejected, ActionId::NextRejected}) {
        auto* button = new ActionButton(actions.at(id));
        button->setLabel(id == ActionId::Find               ? QStringLiteral("Find requests")
                             : id == ActionId::NextRejected ? QStringLiteral("Next")
                                                            : QStringLiteral("Previous"));
        head().add(button);
    }
    for (CustomerPanel* panel : {&m_request->customer(), &m_key->customer()}) {
        auto* button = new ActionButton(actions.at(ActionId::CopyForCustomer));
        button->setLabel(QStringLiteral("Copy"));
        button->setAccessibleName(QStringLiteral("Copy for the customer"));
        button->hideKeys();
        panel->addTool(button);
    }
    auto* copy = new ActionButton(actions.at(ActionId::CopyAsText));
    copy->hideKeys();
    head().add(copy);
    auto* history = new ActionButton(actions.at(ActionId::KeyHistory));
    m_request->addFillTool(history);
    for (const ActionId id : {ActionId::PreviousRejected, ActionId::NextRejected,
                              ActionId::PreviousOfKey, ActionId::NextOfKey}) {
        bind(id, m_stack);
    }
    m_patience->setSingleShot(true);
    m_patience->setInterval(kPatienceMs);
    connectAll();
    showView(Nothing);
}

ExplainPage::~ExplainPage() = default;

void ExplainPage::connectAll()
{
    connect(&session(), &Session::explainAsked, this,
            [this](storage::RunId run, const ExplainTarget& target) {
                chooseRun(run);
                explain(target);
            });
    connect(&session(), &Session::explainKeyAsked, this,
            [this](storage::RunId run, const std::string& rule, const std::string& key) {
                chooseRun(run);
                explainKey({rule, key});
            });
    connect(&session(), &Session::findAsked, this,
            [this](storage::RunId run, qint64 fromNs, qint64 toNs) {
                chooseRun(run);
                m_finder->clearForm();
                m_finder->setPeriod(fromNs, toNs);
                Q_EMIT m_finder->findAsked();
            });
    connect(&session(), &Session::runOpened, this, [this](storage::RunId run) { chooseRun(run); });
    connect(&session(), &Session::storeChanged, this, [this] {
        takeRun(std::nullopt);
        showView(Nothing);
    });
    connect(&session(), &Session::runsChanged, this, [this] {
        if (isVisible() && m_stack->currentIndex() == Nothing) {
            entered();
        }
    });
    connect(&session(), &Session::timesChanged, this, [this] {
        m_request->refresh();
        m_key->refresh();
        m_finder->list().viewport()->update();
        showHead();
    });
    connect(m_finder, &FinderPanel::findAsked, this, [this] {
        const engine::Result<RequestQuery> query = m_finder->query();
        if (query) {
            list(*query);
        } else {
            showFailure(query.error());
        }
    });
    connect(m_finder, &FinderPanel::requestAsked, this, &ExplainPage::explainNumber);
    connect(m_request, &RequestView::requestAsked, this, &ExplainPage::explainNumber);
    connect(m_key, &KeyView::requestAsked, this, &ExplainPage::explainNumber);
    connect(m_goTo, &QLineEdit::returnPressed, this, &ExplainPage::goTo);
    connect(m_patience, &QTimer::timeout, this, [this] {
        if (m_worker.isBusy()) {
            progressed(m_percent.value_or(0));
        }
    });
}

QWidget* ExplainPage::shownView() const
{
    return m_stack->currentWidget();
}

void ExplainPage::showView(View view)
{
    m_stack->setCurrentIndex(view);
    showHead();
    Q_EMIT actionsChanged();
}

void ExplainPage::showHead()
{
    head().setTitle(QStringLiteral("Explain"));
    const QString run = m_run ? QStringLiteral("run %1").arg(*m_run) : QString();
    const storage::RunSummary* summary = m_run ? session().run(*m_run) : nullptr;
    switch (m_stack->currentIndex()) {
    case Request: {
        const auto& explanation = m_request->explanation();
        if (explanation) {
            head().setTitle(QStringLiteral("Request %1").arg(countText(explanation->n)));
            head().setCaption(
                QStringLiteral("%1, %2").arg(shown(shortOutcome(*explanation), 120), run));
            return;
        }
        if (m_answer.stored) {
            head().setTitle(QStringLiteral("Request %1").arg(countText(m_answer.stored->n)));
            head().setCaption(QStringLiteral("%1, %2").arg(outcomeText(*m_answer.stored), run));
            return;
        }
        break;
    }
    case Key:
        if (const auto& history = m_key->history(); history) {
            head().setTitle(QStringLiteral("Key %1").arg(history->key.empty()
                                                             ? QStringLiteral("of all")
                                                             : shown(joinedKey(history->key), 40)));
            head().setCaption(
                QStringLiteral("at %1, %2").arg(shown(fullName(history->rule), 80), run));
            return;
        }
        break;
    default:
        break;
    }
    head().setCaption(
        summary == nullptr ? run : QStringLiteral("%1, %2").arg(run, shown(summary->name, 80)));
}

void ExplainPage::chooseRun(storage::RunId run)
{
    if (m_run != run) {
        takeRun(run);
        if (m_stack->currentIndex() != Nothing) {
            showView(Finder);
        }
    }
}

void ExplainPage::takeRun(std::optional<storage::RunId> run)
{
    m_worker.stop(); // its answer is of the run before
    endWork();
    m_run = run;
    m_recordings.clear();
    m_isListed = false;
    m_answer = {};
    m_request->forget();
    m_key->setHistory(std::nullopt);
    banners().clearAll();
    m_finder->clearForm();
    m_finder->setMessage({});
}

void ExplainPage::entered()
{
    if (!m_run) {
        if (const auto current = session().currentRun()) {
            chooseRun(*current);
        } else {
            for (const storage::RunSummary& run : session().runs()) {
                if (run.totals.requests > 0) {
                    chooseRun(run.id);
                    break;
                }
            }
        }
    }
    const int view = m_stack->currentIndex();
    if (m_run && !m_worker.isBusy() && (view == Nothing || (view == Finder && !m_isListed))) {
        list(std::nullopt);
    }
}

template <typename Work, typename Done>
void ExplainPage::ask(std::function<void()> again, Work work, Done done)
{
    m_again = std::move(again);
    m_percent.reset();
    banners().clear(failedId());
    banners().clear(workingId());
    m_patience->start();
    auto reporter = std::make_shared<Reporter>(*this);
    m_worker.start(
        [work = std::move(work), reporter, recordings = m_recordings](const StopFlag& stop) {
            return work(ReadAgain {recordings, threads(), &stop, reporter.get()});
        },
        [this, done = std::move(done)](auto value) {
            endWork();
            done(std::move(value));
        });
}

void ExplainPage::endWork()
{
    m_patience->stop();
    banners().clear(workingId());
    m_finder->setLoading(false);
    m_request->setLoading(false);
    m_key->setLoading(false);
}

void ExplainPage::cancel()
{
    m_worker.stop();
    endWork();
    session().say(QStringLiteral("Stopped."));
}

void ExplainPage::progressed(int percent)
{
    m_percent = percent;
    if (!m_worker.isBusy() || m_patience->isActive()) {
        return;
    }
    banners().show({workingId(),
                    BannerKind::Advice,
                    QStringLiteral("Reading the log again: %1 %").arg(percent),
                    {{QStringLiteral("Cancel"), [this] { cancel(); }}},
                    true});
}

void ExplainPage::list(const std::optional<RequestQuery>& query)
{
    showView(Finder);
    m_finder->setLoading(true);
    ask([this, query] { list(query); },
        [store = session().storePath(), run = *m_run, query](const ReadAgain& again) {
            return listRequests(store, run, query, again);
        },
        [this](const ListAnswer& answer) {
            m_isListed = !answer.failure;
            if (answer.failure) {
                m_finder->setMessage(QStringLiteral("The list could not be made."));
                showFailure(*answer.failure);
            } else {
                m_finder->setAnswer(answer);
                m_finder->list().setFocus();
            }
            showHead();
            Q_EMIT actionsChanged();
        });
}

void ExplainPage::explain(const ExplainTarget& target)
{
    showView(Request);
    m_request->setLoading(true);
    const auto began = std::chrono::steady_clock::now();
    ask([this, target] { explain(target); },
        [store = session().storePath(), run = *m_run, target](const ReadAgain& again) {
            return explainRequest(store, run, target, again);
        },
        [this, began, run = *m_run](RequestAnswer answer) {
            m_answer = std::move(answer);
            m_request->setAnswer(m_answer, run);
            if (m_answer.failure) {
                showFailure(*m_answer.failure);
            } else {
                const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
                    std::chrono::steady_clock::now() - began);
                session().say(QStringLiteral("Explained in %1 from run %2.")
                                  .arg(lengthText(took.count() * 1'000'000), QString::number(run)));
                if (!m_goTo->hasFocus()) {
                    m_request->tiers().setFocus();
                }
            }
            showHead();
            Q_EMIT actionsChanged();
        });
}

void ExplainPage::explainNumber(std::uint64_t n)
{
    ExplainTarget target;
    target.n = n;
    explain(target);
}

void ExplainPage::explainKey(const KeyTarget& target)
{
    showView(Key);
    m_key->setLoading(true);
    ask([this, target] { explainKey(target); },
        [store = session().storePath(), run = *m_run, target](const ReadAgain& again) {
            return explainKeyOf(store, run, target, again);
        },
        [this](engine::Result<KeyHistory> history) {
            if (history) {
                m_key->setHistory(std::move(*history));
                m_key->episodes().setFocus();
            } else {
                m_key->setHistory(std::nullopt);
                showFailure(history.error());
            }
            showHead();
            Q_EMIT actionsChanged();
        });
}

void ExplainPage::showFailure(const engine::Diagnostic& failure)
{
    BannerText banner {failedId(), BannerKind::Error, failureText(failure), {}};
    if (isAboutTheLog(failure) && failure.code != "recording.unknown") {
        banner.actions.emplace_back(QStringLiteral("Find..."), [this] {
            const QStringList paths = askLogs();
            if (paths.isEmpty()) {
                return;
            }
            // Several are found by their names in their folder: a dialog has an order of its own.
            m_recordings
                = {paths.size() == 1 ? paths.front().toStdString()
                                     : QFileInfo(paths.front()).absolutePath().toStdString()};
            const std::function<void()> again = m_again; // asking sets it anew
            again();
        });
    }
    banners().show(std::move(banner));
}

void ExplainPage::keepState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("across"), m_request->across().saveState());
}

void ExplainPage::restoreState(QSettings& settings)
{
    m_request->across().restoreState(settings.value(QStringLiteral("across")).toByteArray());
}

} // namespace app::console
