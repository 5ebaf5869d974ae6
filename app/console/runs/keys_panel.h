#pragma once
#include "app/console/frame/panel.h"
#include "app/console/runs/keys_model.h"

#include <QTimer>

#include <memory>
#include <optional>

class QComboBox;
class QLineEdit;
class QStackedWidget;
class QTabBar;

namespace app::console {

class FigureModel;
class FigureView;

/// The keys of a run; beside them, as tabs, delays, lines that were not read, notes, what came of
/// servers, outages and clients, and what the states of its rules took.
class KeysPanel : public Panel {
    Q_OBJECT

public:
    enum Tab { Keys, Delays, BadLines, Notes, Conditions, Memory };

    explicit KeysPanel(QWidget* parent = nullptr);

    void setRun(const std::string& store, const std::shared_ptr<const RunOverview>& run);
    void setMoments(std::shared_ptr<const KeyMoments> moments);
    void setRange(std::shared_ptr<const RangeView> range);
    /// Keys of this rule only; nothing: of all that enforce.
    void setRule(std::optional<std::uint32_t> rule);

    [[nodiscard]] std::optional<std::uint32_t> rule() const { return m_keys->choice().rule; }

    void sortBy(KeyColumn column);
    void showTab(Tab tab);
    /// Of what came of the conditions, the table of that id ("servers", "lockouts").
    void showConditions(const std::string& table);
    void focusFilter();

    [[nodiscard]] KeysModel& keys() const { return *m_keys; }

    [[nodiscard]] FigureView& view() const { return *m_view; }

    [[nodiscard]] FigureView& currentView() const;
    /// A job that makes the table of the tab that is seen, for any thread.
    [[nodiscard]] std::function<engine::Result<FigureTable>()> table() const;

Q_SIGNALS:
    void keyAsked(int row);
    void escaped(); ///< with nothing to clear
    void failed(const engine::Diagnostic& why);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTabs();
    void buildConditions();
    void setConditions();
    void chooseConditions();
    void showCaption();
    void fitOnce();
    [[nodiscard]] QString keysCaption() const;
    [[nodiscard]] QString conditionsCaption() const;

    std::shared_ptr<const RunOverview> m_run;
    QTabBar* m_tabs;
    QLineEdit* m_filter;
    QStackedWidget* m_stack;
    KeysModel* m_keys;
    FigureView* m_view;
    std::array<FigureModel*, 5> m_others {}; ///< from Delays on
    std::array<FigureView*, 5> m_otherViews {};
    QComboBox* m_which; ///< of the tables about conditions
    QTimer m_patience; ///< after the last key of the filter
    bool m_isFitted = false;
};

} // namespace app::console
