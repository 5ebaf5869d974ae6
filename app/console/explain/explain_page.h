#pragma once

#include "app/console/explain/explain_work.h"
#include "app/console/frame/page.h"
#include "app/console/session/worker.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class QLineEdit;
class QStackedWidget;
class QTimer;

namespace app::console {

class EmptyState;
class FinderPanel;
class KeyView;
class RequestView;

/// Why a request was decided as it was, found by who, when, path, rule or id; and what one key met.
/// What is not stored is worked out from the log, which is read again.
class ExplainPage : public Page {
    Q_OBJECT

public:
    ExplainPage(Session& session, Actions& actions, QWidget* parent = nullptr);
    ~ExplainPage() override;

    [[nodiscard]] QList<QWidget*> panes() const override;
    [[nodiscard]] std::vector<ActionId> offers() const override;
    [[nodiscard]] bool can(ActionId action) const override;
    void perform(ActionId action) override;
    void entered() override;
    void keepState(QSettings& settings) const override;
    void restoreState(QSettings& settings) override;

    [[nodiscard]] FinderPanel& finder() const { return *m_finder; }

    [[nodiscard]] RequestView& request() const { return *m_request; }

    [[nodiscard]] KeyView& key() const { return *m_key; }

    [[nodiscard]] bool isBusy() const { return m_worker.isBusy(); }

    [[nodiscard]] QWidget* shownView() const;

    /// Where the logs are now, where they moved; tests set their own. Empty: cancelled.
    std::function<QStringList()> askLogs;

private:
    enum View { Nothing, Finder, Request, Key };

    void connectAll();
    void showView(View view);
    void showHead();
    void chooseRun(storage::RunId run);
    /// Forgets what is known of the run before, also what is being read.
    void takeRun(std::optional<storage::RunId> run);
    void list(const std::optional<RequestQuery>& query);
    void explain(const ExplainTarget& target);
    void explainNumber(std::uint64_t n);
    void explainKey(const KeyTarget& target);
    void goTo();
    void step(const std::optional<std::uint64_t>& n);
    void showFailure(const engine::Diagnostic& failure);
    void copyText();
    void openHistory();
    void saveList();
    /// Runs `work` in the background; `again` asks the same once more.
    template <typename Work, typename Done>
    void ask(std::function<void()> again, Work work, Done done);
    void progressed(int percent);
    void endWork();
    void cancel();

    std::optional<storage::RunId> m_run;
    std::vector<std::string> m_recordings; ///< where its logs are now, if they moved
    RequestAnswer m_answer;
    std::function<void()> m_again;
    std::optional<int> m_percent;
    bool m_isListed = false; ///< the finder has a list of this run
    QStackedWidget* m_stack;
    EmptyState* m_nothing;
    FinderPanel* m_finder;
    RequestView* m_request;
    KeyView* m_key;
    QLineEdit* m_goTo;
    QTimer* m_patience;
    Worker m_worker; ///< last: it ends before what its values go to
};

} // namespace app::console
