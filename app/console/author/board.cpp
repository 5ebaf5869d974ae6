#include "app/console/author/board.h"

#include "app/console/author/lane.h"
#include "app/console/author/rule_card_delegate.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace app::console {

namespace {

constexpr int kDenseBelow = 200; ///< of height: cards have three lines

constexpr std::size_t kAtOnce = 1000; ///< rules: more are put into words off the GUI thread

std::size_t ruleCount(const policies::Policy& policy)
{
    return std::accumulate(policy.tiers.begin(), policy.tiers.end(), std::size_t {0},
                           [](std::size_t sum, const auto& rules) { return sum + rules.size(); });
}

std::size_t numberOf(engine::Tier tier)
{
    return static_cast<std::size_t>(tier);
}

std::optional<engine::Mode> modeOf(ActionId action)
{
    switch (action) {
    case ActionId::Enforce:
        return engine::Mode::Enforce;
    case ActionId::Shadow:
        return engine::Mode::Shadow;
    case ActionId::Off:
        return engine::Mode::Off;
    default:
        return std::nullopt;
    }
}

} // namespace

Board::Board(PolicyDesk& desk, Actions& actions, QWidget* parent)
    : QFrame(parent)
    , m_desk(desk)
    , m_actions(actions)
    , m_model(new PolicyModel(this))
    , m_delegate(new RuleCardDelegate(this))
    , m_exempt(captionLabel({}))
    , m_scroll(new QScrollArea)
{
    auto* row = new QWidget;
    auto* lanes = new QHBoxLayout(row);
    lanes->setContentsMargins(0, 0, 0, 0);
    lanes->setSpacing(6);
    for (std::size_t i = 0; i < engine::kTierCount; ++i) {
        buildLane(static_cast<engine::Tier>(i));
        if (i > 0) {
            auto* arrow = captionLabel(QStringLiteral("›"));
            arrow->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
            arrow->setContentsMargins(0, 6, 0, 0);
            lanes->addWidget(arrow);
        }
        lanes->addWidget(m_lanes[i], 1);
    }
    row->setAutoFillBackground(false);
    m_scroll->setWidget(row);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_exempt->setContentsMargins(4, 0, 0, 0);
    m_exempt->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_exempt->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);
    layout->addWidget(m_exempt);
    layout->addWidget(m_scroll, 1);
    setMinimumHeight(130);
    setAccessibleName(QStringLiteral("Board"));
    setFocusPolicy(Qt::ClickFocus); // what has the focus then is a card
}

void Board::buildLane(engine::Tier tier)
{
    auto* model = new LaneModel(*m_model, tier, this);
    auto* lane = new Lane(*model, *m_delegate);
    m_lanes[numberOf(tier)] = lane;
    connect(lane, &Lane::addAsked, this, &Board::addRule);
    LaneView* view = &lane->view();
    connect(view, &LaneView::cardChosen, this, &Board::choose);
    connect(view, &LaneView::dropped, this,
            [this, tier](const std::string& rule, int before) { drop(tier, rule, before); });
    connect(view, &LaneView::stepAsked, this, [this, tier](int step) { stepLane(tier, step); });
    connect(view, &LaneView::formAsked, this, [this] { Q_EMIT formAsked(false); });
    connect(view, &LaneView::modesAsked, this, &Board::showModes);
    connect(view, &QListView::doubleClicked, this, [this] { Q_EMIT formAsked(false); });
}

Lane& Board::lane(engine::Tier tier) const
{
    return *m_lanes[numberOf(tier)];
}

void Board::refresh()
{
    const policies::Policy* const policy = m_desk.policy();
    m_worker.stop();
    if (policy != nullptr && ruleCount(*policy) > kAtOnce) {
        m_worker.start([policy = *policy, problems = m_desk.problems()](
                           const StopFlag&) { return ruleCards(policy, problems); },
                       [this](std::vector<RuleCard> cards) { take(std::move(cards)); });
    } else {
        take(policy == nullptr ? std::vector<RuleCard> {} : ruleCards(*policy, m_desk.problems()));
    }
    const QString exempt = policy == nullptr ? QString() : exemptionWords(*policy);
    m_exempt->setText(exempt);
    m_exempt->setToolTip(plainTip(exempt));
    m_exempt->setVisible(!exempt.isEmpty());
    setEnabled(policy == nullptr || m_desk.isReadable());
}

void Board::take(std::vector<RuleCard> cards)
{
    m_model->set(std::move(cards));
    const bool isGone = !m_selected.empty() && m_model->rowOf(m_selected) < 0;
    select(m_selected);
    if (isGone) {
        Q_EMIT ruleChosen({});
    }
}

void Board::select(const std::string& rule)
{
    const bool isKnown = m_model->rowOf(rule) >= 0 || m_worker.isBusy(); // or will be
    m_selected = isKnown ? rule : std::string();
    for (Lane* const one : m_lanes) {
        one->view().selectRow(m_selected.empty() ? -1 : one->view().tier().rowOf(m_selected));
    }
}

void Board::choose(const std::string& rule)
{
    if (rule == m_selected) {
        return;
    }
    select(rule);
    Q_EMIT ruleChosen(QString::fromStdString(rule));
}

void Board::focusCard()
{
    const int row = m_model->rowOf(m_selected);
    if (row >= 0) {
        lane(m_model->at(row).tier).view().setFocus(Qt::ShortcutFocusReason);
        return;
    }
    for (Lane* const one : m_lanes) {
        if (one->view().tier().rowCount() > 0) {
            one->view().setFocus(Qt::ShortcutFocusReason);
            return;
        }
    }
    m_lanes[0]->view().setFocus(Qt::ShortcutFocusReason);
}

/// To the card of the next lane with any that is nearest in height.
void Board::stepLane(engine::Tier from, int step)
{
    const LaneView& old = lane(from).view();
    const int y = old.visualRect(old.currentIndex()).center().y();
    for (auto tier = neighbourOf(from, step); tier; tier = neighbourOf(*tier, step)) {
        LaneView& view = lane(*tier).view();
        const int rows = view.tier().rowCount();
        if (rows == 0) {
            continue;
        }
        int nearest = 0;
        const auto distance = [&](int row) {
            return std::abs(view.visualRect(view.tier().index(row, 0)).center().y() - y);
        };
        for (int row = 1; row < rows; ++row) {
            nearest = distance(row) < distance(nearest) ? row : nearest;
        }
        view.setFocus(Qt::OtherFocusReason);
        choose(view.tier().at(nearest).id);
        return;
    }
}

std::vector<ActionId> Board::offers()
{
    return {ActionId::NewRule,
            ActionId::DuplicateRule,
            ActionId::RenameRule,
            ActionId::DeleteRule,
            ActionId::RuleUp,
            ActionId::RuleDown,
            ActionId::RuleToTierBefore,
            ActionId::RuleToTierAfter,
            ActionId::Enforce,
            ActionId::Shadow,
            ActionId::Off};
}

bool Board::can(ActionId action) const
{
    if (!m_desk.isReadable()) {
        return false;
    }
    const int row = m_model->rowOf(m_selected);
    if (action == ActionId::NewRule || row < 0) {
        return action == ActionId::NewRule;
    }
    const RuleCard& card = m_model->at(row);
    const LaneModel& tier = lane(card.tier).view().tier();
    switch (action) {
    case ActionId::RuleUp:
        return tier.rowOf(m_selected) > 0;
    case ActionId::RuleDown:
        return tier.rowOf(m_selected) + 1 < tier.rowCount();
    case ActionId::RuleToTierBefore:
        return neighbourOf(card.tier, -1).has_value();
    case ActionId::RuleToTierAfter:
        return neighbourOf(card.tier, 1).has_value();
    default:
        return true;
    }
}

void Board::perform(ActionId action)
{
    if (!can(action)) {
        return;
    }
    if (const auto mode = modeOf(action)) {
        setMode(*mode);
        return;
    }
    const int row = m_model->rowOf(m_selected);
    switch (action) {
    case ActionId::NewRule:
        addRule(row < 0 ? engine::Tier::Gateway : m_model->at(row).tier);
        break;
    case ActionId::DuplicateRule:
        duplicate();
        break;
    case ActionId::RenameRule:
        Q_EMIT formAsked(true);
        break;
    case ActionId::DeleteRule:
        remove();
        break;
    case ActionId::RuleUp:
        move(-1);
        break;
    case ActionId::RuleDown:
        move(1);
        break;
    case ActionId::RuleToTierBefore:
        moveTier(-1);
        break;
    case ActionId::RuleToTierAfter:
        moveTier(1);
        break;
    default:
        break;
    }
}

void Board::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme().border);
    painter.setBrush(theme().window);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void Board::focusInEvent(QFocusEvent*)
{
    focusCard();
}

void Board::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    m_delegate->setDense(height() < kDenseBelow);
    for (Lane* const one : m_lanes) {
        one->view().doItemsLayout();
    }
}

} // namespace app::console
