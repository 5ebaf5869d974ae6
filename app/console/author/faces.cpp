#include "app/console/author/faces.h"

#include "app/console/author/board.h"
#include "app/console/author/lab_panel.h"
#include "app/console/author/rule_form.h"
#include "app/console/frame/page.h"

#include <QSettings>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kLab = 0;
constexpr int kText = 1;

} // namespace

Faces::Faces(Document& document, Actions& actions, QWidget* parent)
    : QWidget(parent)
    , m_desk(document)
    , m_board(new Board(m_desk, actions))
    , m_form(new RuleForm(m_desk))
    , m_lab(new LabPanel(m_desk))
    , m_tabs(new QTabBar)
    , m_side(new QStackedLayout)
{
    m_tabs->addTab(QStringLiteral("Lab"));
    m_tabs->addTab(QStringLiteral("Text"));
    m_tabs->setAccessibleName(QStringLiteral("Lab or text"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->hide();
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_tabs);
    column->addLayout(m_side, 1);
    m_side->addWidget(m_lab);
    m_form->setMinimumWidth(320);
    m_below = splitter(Qt::Horizontal, {m_form, side});
    m_below->setStretchFactor(1, 1);
    m_below->setSizes({374, 520});
    m_all = splitter(Qt::Vertical, {m_board, m_below});
    m_all->setStretchFactor(0, 1); // both give way where there is little height
    m_all->setStretchFactor(1, 1);
    m_all->setSizes({340, 300});
    m_below->setMinimumHeight(200);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_all);
    connectFaces();
    for (const ActionId id :
         {ActionId::RenameRule, ActionId::DeleteRule, ActionId::RuleUp, ActionId::RuleDown,
          ActionId::RuleToTierBefore, ActionId::RuleToTierAfter}) {
        m_board->addAction(actions.at(id));
    }
}

void Faces::connectFaces()
{
    connect(m_tabs, &QTabBar::currentChanged, this, &Faces::showTab);
    connect(m_board, &Board::ruleChosen, this, &Faces::ruleChosen);
    connect(m_board, &Board::formAsked, this,
            [this](bool isForName) { isForName ? m_form->focusName() : m_form->focusFirst(); });
    connect(m_form, &RuleForm::left, m_board, &Board::focusCard);
    connect(m_form, &RuleForm::valueFocused, this, &Faces::valueFocused);
    connect(m_form, &RuleForm::renaming, this, [this](const QString&, const QString& after) {
        m_rule = after.toStdString();
        m_board->follow(m_rule);
        m_lab->follow(m_rule);
    });
    connect(m_form, &RuleForm::renamed, this, &Faces::ruleChosen);
}

void Faces::showRule(const QString& rule)
{
    m_form->showRule(rule.toStdString()); // first: it may have something to write still
    m_rule = rule.toStdString();
    m_board->select(m_rule);
    m_lab->showRule(m_rule);
}

void Faces::refresh()
{
    m_board->refresh();
    m_form->refresh();
    m_lab->refresh();
}

QList<QWidget*> Faces::panes() const
{
    return {m_board, m_form, m_lab};
}

std::vector<ActionId> Faces::offers()
{
    std::vector<ActionId> all = Board::offers();
    all.insert(
        all.end(),
        {ActionId::LabPattern, ActionId::ShowForm, ActionId::ShowLab, ActionId::ChartAsTable});
    return all;
}

bool Faces::can(ActionId action) const
{
    const std::vector<ActionId> ofBoard = Board::offers();
    const bool isBoards = std::find(ofBoard.begin(), ofBoard.end(), action) != ofBoard.end();
    return !isBoards || m_board->can(action);
}

bool Faces::perform(ActionId action)
{
    switch (action) {
    case ActionId::LabPattern:
        showTab(kLab);
        m_lab->nextPattern();
        return true;
    case ActionId::ChartAsTable:
        showTab(kLab);
        m_lab->toggleTable();
        return true;
    case ActionId::ShowForm:
        m_form->focusFirst();
        return true;
    case ActionId::ShowLab:
        showTab(kLab);
        m_lab->focusPattern();
        return true;
    default:
        break;
    }
    const std::vector<ActionId> ofBoard = Board::offers();
    if (std::find(ofBoard.begin(), ofBoard.end(), action) == ofBoard.end()) {
        return false;
    }
    m_board->perform(action);
    return true;
}

void Faces::takeText(Panel* text)
{
    if (text == m_text) {
        return;
    }
    if (text == nullptr) {
        m_side->removeWidget(m_text);
    } else {
        m_side->addWidget(text);
    }
    m_text = text;
    m_tabs->setVisible(text != nullptr);
    m_lab->setTitle(text == nullptr ? QStringLiteral("Lab") : QString());
    showTab(kLab);
}

void Faces::showText()
{
    showTab(kText);
}

void Faces::showTab(int index)
{
    const int at = m_text == nullptr ? kLab : index;
    m_tabs->setCurrentIndex(at);
    m_side->setCurrentIndex(at);
}

void Faces::keepState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("faces"), m_all->saveState());
    settings.setValue(QStringLiteral("below"), m_below->saveState());
}

void Faces::restoreState(QSettings& settings)
{
    m_all->restoreState(settings.value(QStringLiteral("faces")).toByteArray());
    m_below->restoreState(settings.value(QStringLiteral("below")).toByteArray());
}

} // namespace app::console
