#include "app/console/explain/explain_page.h"

#include "app/console/explain/customer_panel.h"
#include "app/console/explain/finder_panel.h"
#include "app/console/explain/found_model.h"
#include "app/console/explain/key_view.h"
#include "app/console/explain/request_view.h"
#include "app/console/explain/tier_flow.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"
#include "app/console/session/worker_progress.h"
#include "app/workbench/explanation_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/verdict_text.h"

#include <QFileInfo>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTimer>

#include <chrono>
#include <thread>

namespace app::console {

namespace {

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

ExplainPage::~ExplainPage() = default;

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
    auto reporter = std::make_shared<WorkerProgress>(m_worker, [this](const ProgressState& state) {
        if (const std::optional<int> percent = percentOf(state)) {
            progressed(*percent);
        }
    });
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

} // namespace app::console
