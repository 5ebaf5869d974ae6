#include "app/console/explain/customer_panel.h"
#include "app/console/explain/explain_page.h"
#include "app/console/explain/finder_panel.h"
#include "app/console/explain/key_view.h"
#include "app/console/explain/request_view.h"
#include "app/console/frame/button.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/empty_state.h"
#include "app/console/frame/figure_view.h"
#include "app/console/session/session.h"

#include <QLineEdit>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>

/// How the page of explanations is put together, and whom it listens to.
namespace app::console {

namespace {

constexpr int kPatienceMs = 500; // before progress is shown

} // namespace

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

void ExplainPage::keepState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("across"), m_request->across().saveState());
}

void ExplainPage::restoreState(QSettings& settings)
{
    m_request->across().restoreState(settings.value(QStringLiteral("across")).toByteArray());
}

} // namespace app::console
