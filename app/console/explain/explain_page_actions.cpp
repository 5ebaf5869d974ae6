#include "app/console/explain/customer_panel.h"
#include "app/console/explain/explain_page.h"
#include "app/console/explain/explain_tables.h"
#include "app/console/explain/finder_panel.h"
#include "app/console/explain/key_view.h"
#include "app/console/explain/request_view.h"
#include "app/console/frame/empty_state.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/save_figures.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"
#include "app/workbench/explanation_text.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/key_history_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/verdict_text.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QStackedWidget>

/// What the page of explanations does when it is asked to.
namespace app::console {

/// A number is a request; anything else is looked for as who.
void ExplainPage::goTo()
{
    const QString text = m_goTo->text().trimmed();
    if (text.isEmpty() || !m_run) {
        return;
    }
    QString digits = text;
    const std::optional<std::int64_t> n = parseWhole(digits.remove(QLatin1Char(',')).toStdString());
    if (n && *n > 0) {
        explainNumber(static_cast<std::uint64_t>(*n));
        return;
    }
    m_finder->clearForm();
    RequestQuery query;
    query.who = text.toStdString();
    list(query);
}

void ExplainPage::step(const std::optional<std::uint64_t>& n)
{
    if (n) {
        explainNumber(*n);
    }
}

void ExplainPage::openHistory()
{
    const Explanation& explanation = *m_request->explanation();
    const ExplainedRule& rule = explanation.rules[*tellingRule(explanation)];
    explainKey({fullName(rule.rule), joinedKey(shownKey(rule, explanation.secrets))});
}

void ExplainPage::copyText()
{
    QString text;
    switch (m_stack->currentIndex()) {
    case Request:
        text = QString::fromStdString(m_request->plainText());
        break;
    case Key:
        text = QString::fromStdString(keyHistoryText(*m_key->history()));
        break;
    default:
        text = m_finder->list().plainText();
        break;
    }
    QApplication::clipboard()->setText(text);
    session().say(QStringLiteral("Copied as text."));
}

void ExplainPage::saveList()
{
    std::vector<FigureTable> tables;
    QString name;
    switch (m_stack->currentIndex()) {
    case Request: {
        const Explanation& explanation = *m_request->explanation();
        name = QStringLiteral("request-%1.csv").arg(explanation.n);
        tables = {requestTable(explanation)};
        if (const auto telling = tellingRule(explanation)) {
            tables.push_back(visitsTable(explanation.rules[*telling].visits));
        }
        break;
    }
    case Key:
        name = QStringLiteral("key.csv");
        tables = {episodesTable(*m_key->history()), enoughTable(*m_key->history())};
        break;
    default:
        name = QStringLiteral("requests.csv");
        tables = {foundTable(m_finder->requests())};
        break;
    }
    const QString path = askSavePath(QStringLiteral("Save list as"), name, figureFilters());
    if (path.isEmpty()) {
        return;
    }
    if (const engine::Status saved = saveFigures(path, tables); !saved) {
        banners().show({QStringLiteral("save"), BannerKind::Error, sentence(saved.error())});
        return;
    }
    session().say(QStringLiteral("Saved %1.").arg(shown(path.toStdString(), 200)));
}

QList<QWidget*> ExplainPage::panes() const
{
    switch (m_stack->currentIndex()) {
    case Finder:
        return {&m_finder->list(), m_finder, m_goTo};
    case Request:
        return m_request->panes() << m_goTo;
    case Key:
        return m_key->panes() << m_goTo;
    default:
        return {m_nothing};
    }
}

std::vector<ActionId> ExplainPage::offers() const
{
    return {ActionId::SaveList,         ActionId::Find,         ActionId::GoTo,
            ActionId::PreviousRejected, ActionId::NextRejected, ActionId::PreviousOfKey,
            ActionId::NextOfKey,        ActionId::CopyAsText,   ActionId::CopyForCustomer,
            ActionId::KeyHistory};
}

bool ExplainPage::can(ActionId action) const
{
    const int view = m_stack->currentIndex();
    const bool isRequest = view == Request;
    const bool isExplained = isRequest && m_request->explanation();
    switch (action) {
    case ActionId::Find:
    case ActionId::GoTo:
        return m_run.has_value();
    case ActionId::PreviousRejected:
        return isRequest && m_answer.any.previous;
    case ActionId::NextRejected:
        return isRequest && m_answer.any.next;
    case ActionId::PreviousOfKey:
        return isRequest && m_answer.sameKey.previous;
    case ActionId::NextOfKey:
        return isRequest && m_answer.sameKey.next;
    case ActionId::SaveList:
    case ActionId::CopyAsText:
        return isExplained || (view == Key && m_key->history()) || (view == Finder && m_isListed);
    case ActionId::CopyForCustomer:
        return isExplained || (view == Key && m_key->history());
    case ActionId::KeyHistory:
        return isExplained && tellingRule(*m_request->explanation());
    default:
        return true;
    }
}

void ExplainPage::perform(ActionId action)
{
    switch (action) {
    case ActionId::Find:
        m_isListed ? showView(Finder) : list(std::nullopt);
        m_finder->firstField()->setFocus();
        break;
    case ActionId::GoTo:
        m_goTo->setFocus();
        m_goTo->selectAll();
        break;
    case ActionId::PreviousRejected:
        step(m_answer.any.previous);
        break;
    case ActionId::NextRejected:
        step(m_answer.any.next);
        break;
    case ActionId::PreviousOfKey:
        step(m_answer.sameKey.previous);
        break;
    case ActionId::NextOfKey:
        step(m_answer.sameKey.next);
        break;
    case ActionId::CopyAsText:
        copyText();
        break;
    case ActionId::SaveList:
        saveList();
        break;
    case ActionId::CopyForCustomer:
        (m_stack->currentIndex() == Key ? m_key->customer() : m_request->customer()).copy();
        session().say(QStringLiteral("Copied for the customer."));
        break;
    case ActionId::KeyHistory:
        openHistory();
        break;
    default:
        break;
    }
}

} // namespace app::console
