#pragma once

#include "app/console/author/policy_desk.h"
#include "app/console/author/policy_model.h"
#include "app/console/frame/actions.h"
#include "app/console/session/worker.h"

#include <QFrame>

#include <array>
#include <optional>
#include <string>
#include <vector>

class QLabel;
class QScrollArea;

namespace app::console {

class Lane;
class LaneView;
class RuleCardDelegate;

/// The tier so many steps on; nothing beyond the first and the last.
std::optional<engine::Tier> neighbourOf(engine::Tier tier, int step);

/// The policy as four lanes, from edge to tenant as a request passes them; a card for each rule.
/// Rules are added, copied, moved by drag and by keys, taken away, and switched here.
class Board : public QFrame {
    Q_OBJECT

public:
    explicit Board(PolicyDesk& desk, Actions& actions, QWidget* parent = nullptr);

    /// Takes in what the desk has now.
    void refresh();
    /// The card that is selected; "" for none. select() does not say ruleChosen().
    void select(const std::string& rule);

    /// The rule that is selected is about to be called so.
    void follow(const std::string& rule) { m_selected = rule; }

    [[nodiscard]] const std::string& selected() const { return m_selected; }

    [[nodiscard]] Lane& lane(engine::Tier tier) const;
    /// Puts the focus on the selected card, or the first.
    void focusCard();

    static std::vector<ActionId> offers();
    [[nodiscard]] bool can(ActionId action) const;
    void perform(ActionId action);

    void addRule(engine::Tier tier);

Q_SIGNALS:
    void ruleChosen(const QString& rule);
    void formAsked(bool isForName); ///< Return on a card, or a new rule that wants a name

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void take(std::vector<RuleCard> cards);
    void buildLane(engine::Tier tier);
    void choose(const std::string& rule);
    void stepLane(engine::Tier from, int step);
    void drop(engine::Tier tier, const std::string& rule, int before);
    void move(int step);
    void moveTier(int step);
    void setMode(engine::Mode mode);
    void duplicate();
    void remove();
    void showModes(const QPoint& at);

    PolicyDesk& m_desk;
    Actions& m_actions;
    PolicyModel* m_model;
    RuleCardDelegate* m_delegate;
    QLabel* m_exempt;
    QScrollArea* m_scroll;
    std::array<Lane*, engine::kTierCount> m_lanes {};
    std::string m_selected;
    Worker m_worker; ///< of many rules
};

} // namespace app::console
