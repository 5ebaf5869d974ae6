// What the board changes in the policy; how it looks and is walked is in board.cpp.
#include "app/console/author/board.h"
#include "app/console/author/lane.h"
#include "app/workbench/rule_edits.h"

#include <QAction>
#include <QMenu>

#include <algorithm>

namespace app::console {

std::optional<engine::Tier> neighbourOf(engine::Tier tier, int step)
{
    const int at = static_cast<int>(tier) + step;
    return at < 0 || at >= static_cast<int>(engine::kTierCount)
        ? std::nullopt
        : std::optional(static_cast<engine::Tier>(at));
}

void Board::addRule(engine::Tier tier)
{
    const std::string text = m_desk.text();
    if (m_desk.policy() == nullptr) {
        return;
    }
    const std::string name = freeRuleName(*m_desk.policy(), "new-rule");
    if (m_desk.apply(app::addRule(text, tier, name))) {
        choose(name);
        Q_EMIT formAsked(true);
    }
}

void Board::duplicate()
{
    const std::string text = m_desk.text();
    const std::string name = freeRuleName(*m_desk.policy(), m_selected + "-copy");
    if (m_desk.apply(policies::duplicatePart(text, policies::Part::ofRule(m_selected), name))) {
        choose(name);
    }
}

/// The card after it, or before it, is selected then. Undo brings it back.
void Board::remove()
{
    const int row = m_model->rowOf(m_selected);
    const LaneModel& tier = lane(m_model->at(row).tier).view().tier();
    const int at = tier.rowOf(m_selected);
    const int next = at + 1 < tier.rowCount() ? at + 1 : at - 1;
    const std::string heir = next < 0 ? std::string() : tier.at(next).id;
    if (m_desk.apply(policies::removePart(m_desk.text(), policies::Part::ofRule(m_selected)))) {
        choose(heir);
    }
}

void Board::move(int step)
{
    const std::string text = m_desk.text();
    const int row = m_model->rowOf(m_selected);
    const engine::Tier tier = m_model->at(row).tier;
    const int at = lane(tier).view().tier().rowOf(m_selected) + step;
    m_desk.apply(policies::movePart(text, policies::Part::ofRule(m_selected), tier,
                                    static_cast<std::size_t>(std::max(0, at))));
    focusCard();
}

void Board::moveTier(int step)
{
    const std::string text = m_desk.text();
    const auto tier = neighbourOf(m_model->at(m_model->rowOf(m_selected)).tier, step);
    m_desk.apply(policies::movePart(text, policies::Part::ofRule(m_selected), tier, std::nullopt));
    focusCard();
}

void Board::drop(engine::Tier tier, const std::string& rule, int before)
{
    const std::string text = m_desk.text();
    if (m_desk.rule(rule) == nullptr) {
        return; // of another window, or gone since
    }
    const auto position
        = dropPosition(*m_desk.policy(), rule, tier, static_cast<std::size_t>(std::max(0, before)));
    if (position
        && m_desk.apply(policies::movePart(text, policies::Part::ofRule(rule), tier, *position))) {
        choose(rule);
    }
}

void Board::setMode(engine::Mode mode)
{
    const std::string text = m_desk.text();
    if (const policies::Rule* const rule = m_desk.rule(m_selected)) {
        m_desk.apply(app::setMode(text, *rule, mode));
    }
}

void Board::showModes(const QPoint& at)
{
    QMenu menu(this);
    for (const ActionId id : {ActionId::Enforce, ActionId::Shadow, ActionId::Off}) {
        menu.addAction(m_actions.at(id));
    }
    menu.addSeparator();
    for (const ActionId id :
         {ActionId::RenameRule, ActionId::DuplicateRule, ActionId::DeleteRule}) {
        menu.addAction(m_actions.at(id));
    }
    const int row = m_model->rowOf(m_selected);
    if (row >= 0) {
        const ActionId modes[] {ActionId::Enforce, ActionId::Shadow, ActionId::Off};
        menu.setActiveAction(m_actions.at(modes[static_cast<std::size_t>(m_model->at(row).mode)]));
    }
    menu.exec(at);
}

} // namespace app::console
