#include "app/console/author/author_page.h"

#include "app/console/author/faces.h"
#include "app/console/author/lab_panel.h"
#include "app/console/author/policy_editor.h"
#include "app/console/author/problem_fixes.h"
#include "app/console/author/problems.h"
#include "app/console/author/rule_cards.h"
#include "app/console/author/rule_form.h"
#include "app/console/frame/button.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/help.h"
#include "app/console/frame/mark_label.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/marks.h"
#include "app/console/session/session.h"
#include "app/console/start/start_view.h"
#include "app/workbench/line_diff.h"
#include "policies/diff.h"
#include "policies/read.h"

#include <QAction>
#include <QLineEdit>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBlock>
#include <QTextDocument>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

AuthorPage::AuthorPage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Author, parent)
    , m_stack(new QStackedWidget)
    , m_start(new StartView(session, actions))
    , m_editor(new PolicyEditor(session.document()))
    , m_faces(new Faces(session.document(), actions))
    , m_textPanel(new Panel(QStringLiteral("Text")))
    , m_problemsPanel(new Panel(QStringLiteral("Problems")))
    , m_problems(new FigureView(QStringLiteral("Problems")))
    , m_problemsModel(new ProblemsModel(this))
    , m_state(new MarkLabel)
    , m_find(new QLineEdit)
    , m_across(nullptr)
    , m_down(nullptr)
{
    m_stack->addWidget(m_start);
    m_start->setAccessibleName(QStringLiteral("What to begin with"));
    m_stack->addWidget(buildFaces());
    setBody(m_stack);

    head().add(m_state);
    for (const ActionId id : {ActionId::NewRule, ActionId::TryAgainstLastLog, ActionId::Save}) {
        head().add(new ActionButton(actions.at(id)));
    }
    head().add(new ActionButton(actions.at(ActionId::Replay), Rank::Primary));

    Document& document = session.document();
    connect(&document, &Document::opened, this, [this] {
        banners().clearAll();
        selectRule({});
        showState();
    });
    connect(&document, &Document::closed, this, [this] {
        banners().clearAll();
        selectRule({});
        showState();
    });
    connect(&document, &Document::saved, this, [this] {
        banners().clear(QStringLiteral("recovered"));
        banners().clear(QStringLiteral("outside"));
    });
    connect(&document, &Document::stateChanged, this, &AuthorPage::showState);
    connect(&document, &Document::checkedChanged, this, &AuthorPage::showChecked);
    connect(&document, &Document::changedOutside, this, &AuthorPage::showOutside);
    connectFaces();
    connect(m_start, &StartView::openAsked, this,
            [this](const QString& path) { Q_EMIT this->session().openAsked(path); });
    showState();
}

QList<QWidget*> AuthorPage::panes() const
{
    if (!session().document().isOpen()) {
        return {&m_start->templateList()};
    }
    return m_faces->panes() + QList<QWidget*> {m_editor, m_problems};
}

std::vector<ActionId> AuthorPage::offers() const
{
    std::vector<ActionId> all {
        ActionId::Find,        ActionId::FindNext,        ActionId::FindPrevious,
        ActionId::GoTo,        ActionId::Complete,        ActionId::CommentLines,
        ActionId::NextProblem, ActionId::PreviousProblem, ActionId::SilenceAdvice,
        ActionId::ShowText,    ActionId::ShowProblems,    ActionId::ApplyFix,
        ActionId::AdvicePage,  ActionId::WhatChanged};
    const std::vector<ActionId> ofFaces = Faces::offers();
    all.insert(all.end(), ofFaces.begin(), ofFaces.end());
    return all;
}

bool AuthorPage::can(ActionId action) const
{
    if (!session().document().isOpen()) {
        return false;
    }
    switch (action) {
    case ActionId::NextProblem:
    case ActionId::PreviousProblem:
        return m_problemsModel->rowCount() > 0;
    case ActionId::SilenceAdvice: {
        const int row = m_problems->currentIndex().row();
        return row >= 0 && m_problemsModel->at(row).severity == engine::Severity::Advice
            && !m_problemsModel->ruleAt(row).isEmpty();
    }
    case ActionId::ApplyFix:
        return fixOfCurrent().has_value();
    case ActionId::AdvicePage: {
        const int row = m_problems->currentIndex().row();
        return row >= 0 && m_problemsModel->at(row).severity == engine::Severity::Advice;
    }
    case ActionId::WhatChanged:
        return session().document().isModified();
    default:
        return m_faces->can(action);
    }
}

void AuthorPage::perform(ActionId action)
{
    if (m_faces->perform(action)) {
        return;
    }
    switch (action) {
    case ActionId::Find:
        openFind(false);
        break;
    case ActionId::GoTo:
        openFind(true);
        break;
    case ActionId::FindNext:
        m_editor->find(m_find->text());
        break;
    case ActionId::FindPrevious:
        m_editor->find(m_find->text(), true);
        break;
    case ActionId::Complete:
        m_editor->complete();
        break;
    case ActionId::CommentLines:
        m_editor->commentLines();
        break;
    case ActionId::NextProblem:
        stepProblem(1);
        break;
    case ActionId::PreviousProblem:
        stepProblem(-1);
        break;
    case ActionId::SilenceAdvice:
        silence();
        break;
    case ActionId::ApplyFix:
        session().document().apply(*fixOfCurrent());
        break;
    case ActionId::AdvicePage:
        showAdvice(this, m_problemsModel->at(m_problems->currentIndex().row()).code);
        break;
    case ActionId::WhatChanged:
        showChanges(session().document().savedBytes(), QStringLiteral("What changed"));
        break;
    case ActionId::ShowText:
        m_faces->showText();
        m_editor->setFocus();
        break;
    case ActionId::ShowProblems:
        m_problems->setFocus();
        break;
    default:
        break;
    }
}

void AuthorPage::openFind(bool isGoTo)
{
    m_isGoTo = isGoTo;
    m_faces->showText();
    m_find->setPlaceholderText(isGoTo ? QStringLiteral("Line") : QStringLiteral("Find"));
    m_find->show();
    m_find->selectAll();
    m_find->setFocus();
}

void AuthorPage::showState()
{
    const Document& document = session().document();
    const bool isOpen = document.isOpen();
    m_stack->setCurrentIndex(isOpen ? 1 : 0);
    if (!isOpen) {
        head().setTitle(QStringLiteral("Weir Console"));
        head().setCaption({});
        m_state->setText({}, Mark::Ok);
        Q_EMIT actionsChanged();
        return;
    }
    const auto& good = document.lastGood();
    head().setTitle(good ? shown(good->loaded.policy->name.value, 80) : document.fileName());
    const QString state = document.path().isEmpty() ? QStringLiteral(", never saved")
        : document.isModified()                     ? QStringLiteral(", changed, not saved")
                                                    : QString();
    head().setCaption(document.fileName() + state);
    m_textPanel->setCaption(QStringLiteral("%1, %2").arg(
        document.fileName(),
        plural(static_cast<std::uint64_t>(document.text().blockCount()), QStringLiteral("line"),
               QStringLiteral("lines"))));
    m_editor->setAccessibleName(QStringLiteral("Policy text, %1").arg(document.fileName()));
    Q_EMIT actionsChanged();
}

void AuthorPage::showChecked()
{
    const Document& document = session().document();
    if (!document.checked()) {
        return;
    }
    const auto held = document.checked(); // what follows may have it checked anew
    const CheckedText& checked = *held;
    const auto& good = document.lastGood();
    const PolicyDesk& desk = m_faces->desk();
    m_problemsModel->set(checked.loaded.diagnostics, desk.policy());
    m_problems->fitColumns(ProblemsModel::Message);
    m_problemsPanel->setCaption(m_problemsModel->summary());
    if (document.isCurrent()) {
        m_editor->setProblems(checked.loaded.diagnostics);
    }
    const std::size_t errors = checked.errors();
    m_state->setText(
        errors == 0 ? QStringLiteral("ready to replay")
                    : QStringLiteral("%1: fix line %2 to replay")
                          .arg(plural(errors, QStringLiteral("error"), QStringLiteral("errors")))
                          .arg(checked.loaded.diagnostics.front().place.line),
        errors == 0 ? Mark::Ok : Mark::Error);
    if (desk.isReadable()) {
        banners().clear(QStringLiteral("unreadable"));
    } else if (good && !checked.loaded.diagnostics.empty()) {
        banners().show({QStringLiteral("unreadable"),
                        BannerKind::Error,
                        QStringLiteral("Line %1 cannot be read; mend it to use board and form.")
                            .arg(checked.loaded.diagnostics.front().place.line),
                        {{QStringLiteral("Go to the line"), [this] { goToProblem(0); }}}});
    }
    m_faces->refresh();
    if (m_rule.isEmpty() && desk.policy() != nullptr) {
        selectFirstRule(*desk.policy());
    }
    showRuleLines();
    showState();
}

/// Form and lab have something to show from the start.
void AuthorPage::selectFirstRule(const policies::Policy& policy)
{
    for (const std::vector<policies::Rule>& rules : policy.tiers) {
        if (!rules.empty()) {
            selectRule(QString::fromStdString(rules.front().name.value));
            return;
        }
    }
}

void AuthorPage::showRuleLines()
{
    const PolicyDesk& desk = m_faces->desk();
    const policies::Rule* const rule = desk.rule(m_rule.toStdString());
    if (rule == nullptr || !desk.isReadable()) {
        m_editor->setRuleLines({});
        return;
    }
    const Lines lines = linesOf(*desk.policy(), rule->at);
    m_editor->setRuleLines({static_cast<int>(lines.first), static_cast<int>(lines.last)});
}

void AuthorPage::selectRule(const QString& name)
{
    if (m_rule == name) {
        return;
    }
    m_rule = name;
    showRuleLines();
    Q_EMIT ruleSelected(name);
    Q_EMIT actionsChanged();
}

void AuthorPage::showOutside()
{
    const QString name = session().document().fileName();
    banners().show({QStringLiteral("outside"),
                    BannerKind::Advice,
                    QStringLiteral("%1 was changed by another program.").arg(name),
                    {{QStringLiteral("Reload"), [this] { session().reload(); }},
                     {QStringLiteral("Show differences"),
                      [this] {
                          const auto theirs
                              = readPolicyText(session().document().path().toStdString());
                          showChanges(theirs ? *theirs : std::string(),
                                      QStringLiteral("From the file to this text"));
                      }},
                     {QStringLiteral("Keep mine"), [this] {
                          banners().clear(QStringLiteral("outside"));
                          session().document().keepMine();
                      }}}});
}

void AuthorPage::goToProblem(int row)
{
    const engine::Diagnostic& problem = m_problemsModel->at(row);
    m_editor->goTo(static_cast<int>(problem.place.line), static_cast<int>(problem.place.column));
    const QString rule = m_problemsModel->ruleAt(row);
    if (!rule.isEmpty()) {
        selectRule(rule);
    }
    m_editor->setFocus();
}

void AuthorPage::stepProblem(int step)
{
    const int rows = m_problemsModel->rowCount();
    const int at = m_problems->currentIndex().row();
    const int next = at < 0 ? (step > 0 ? 0 : rows - 1) : (at + step + rows) % rows;
    m_problems->selectRow(next);
    goToProblem(next);
}

/// What the help of the problem that is selected proposes, as edits of the text as it stands.
std::optional<policies::Edits> AuthorPage::fixOfCurrent() const
{
    const int row = m_problems->currentIndex().row();
    if (row < 0 || !session().document().isCurrent()) {
        return std::nullopt;
    }
    return fixOf(session().document().checked()->text, m_problemsModel->at(row));
}

/// What another text and the one that is open differ in.
void AuthorPage::showChanges(const std::string& before, const QString& title)
{
    const Document& document = session().document();
    const std::string name = document.fileName().toStdString();
    const std::string now = document.bytes();
    FigureTable table {"differences", "In words", {{"what", "What", TextTable::Align::Left}}};
    const policies::Checked old = policies::read(name, before);
    const policies::Checked changed = policies::read(name, now);
    if (old.policy && changed.policy) {
        for (const policies::Difference& one : policies::diff(*old.policy, *changed.policy)) {
            table.add({Cell::value(one.text)});
        }
    } else {
        table.add({Cell::words("One of the two texts has errors: only its lines are compared.")});
    }
    showDifferences(this, title, std::move(table), lineDiff(name, before, now));
}

/// Adds the code to the rule's `allow`.
void AuthorPage::silence()
{
    const int row = m_problems->currentIndex().row();
    const QString rule = m_problemsModel->ruleAt(row);
    Document& document = session().document();
    PolicyDesk& desk = m_faces->desk();
    const std::string code = m_problemsModel->at(row).code; // bringing the desk up to the text
    const std::string text = desk.text(); // lists the problems anew
    std::string codes;
    const policies::Rule* const known = desk.isCurrent() ? desk.rule(rule.toStdString()) : nullptr;
    if (known == nullptr) {
        return; // there is no such rule by now, or nothing can be said of it
    }
    if (known->allow) {
        for (const policies::Word& word : known->allow->value) {
            codes += word.text + ", ";
        }
    }
    document.apply(policies::setValue(text, policies::Part::ofRule(rule.toStdString()), {"allow"},
                                      "[" + codes + code + "]"));
}

} // namespace app::console
