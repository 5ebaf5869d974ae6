#include "app/console/frame/help.h"
#include "app/console/frame/values.h"
#include "app/console/look/theme.h"
#include "app/console/session/session.h"
#include "app/console/window/rail.h"
#include "app/console/window/window.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTextDocument>

#include <algorithm>
#include <map>

// What the window does when an action is asked for, and which can be.
namespace app::console {

namespace {

bool offers(const Page* page, ActionId id)
{
    if (page == nullptr) {
        return false;
    }
    const std::vector<ActionId> all = page->offers();
    return std::find(all.begin(), all.end(), id) != all.end();
}

/// Actions of the widget that has the focus, and its methods.
const std::map<ActionId, const char*> kOfText {
    {ActionId::Undo, "undo"}, {ActionId::Redo, "redo"},   {ActionId::Cut, "cut"},
    {ActionId::Copy, "copy"}, {ActionId::Paste, "paste"}, {ActionId::SelectAll, "selectAll"}};

ThemeChoice nextTheme()
{
    return static_cast<ThemeChoice>((static_cast<int>(themeChoice()) + 1) % 3);
}

} // namespace

/// What the window does itself. Everything else is a page's, or whoever took it over.
void Window::fillOwn()
{
    m_own = {{ActionId::NewFromTemplate, [this] { closePolicy(); }}, // the first page has them
             {ActionId::OpenPolicy, [this] { askForPolicy(); }},
             {ActionId::OpenRecent, [this] { popupRecent(); }},
             {ActionId::Save, [this] { save(); }},
             {ActionId::SaveAs, [this] { saveAs(); }},
             {ActionId::Reload, [this] { reload(); }},
             {ActionId::ClosePolicy, [this] { closePolicy(); }},
             {ActionId::OpenStore, [this] { askForStore(); }},
             {ActionId::AddLogs, [this] { askForLogs(); }},
             {ActionId::Replay, [this] { showPage(PageId::Replay); }},
             {ActionId::Quit, [this] { close(); }},
             {ActionId::NextPane, [this] { walkPanes(1); }},
             {ActionId::PreviousPane, [this] { walkPanes(-1); }},
             {ActionId::ThemeSystem, [this] { setTheme(ThemeChoice::System); }},
             {ActionId::ThemeLight, [this] { setTheme(ThemeChoice::Light); }},
             {ActionId::ThemeDark, [this] { setTheme(ThemeChoice::Dark); }},
             {ActionId::NextTheme, [this] { setTheme(nextTheme()); }},
             {ActionId::TimesInUtc, [this] { changeZone(); }},
             {ActionId::FullScreen, [this] { isFullScreen() ? showNormal() : showFullScreen(); }},
             {ActionId::HelpContents, [this] { showHelp(this); }},
             {ActionId::HelpKeys, [this] { showKeys(this); }},
             {ActionId::About, [this] { showAbout(this); }}};
    for (const RailRow& row : kRail) {
        m_own[row.action] = [this, page = row.page] { showPage(page); };
    }
    for (const auto& [id, name] : kOfText) {
        m_own[id] = [this, id = id] { performOnText(id); };
    }
}

void Window::perform(ActionId id)
{
    if (!kOfText.contains(id)) {
        settleTyped();
    }
    if (const auto own = m_own.find(id); own != m_own.end()) {
        own->second();
    } else if (m_session.handles(id)) {
        m_session.perform(id);
    } else if (Page* shownPage = currentPage(); offers(shownPage, id) && shownPage->can(id)) {
        shownPage->perform(id);
    }
}

/// What was typed into the field that has the focus counts from now on, as when it is left: an
/// action may save it, or go on to another rule, and leave the focus where it is.
void Window::settleTyped()
{
    QWidget* const focus = QApplication::focusWidget();
    if (auto* const number = qobject_cast<QAbstractSpinBox*>(focus)) {
        Q_EMIT number->editingFinished();
    } else if (auto* const line = qobject_cast<QLineEdit*>(focus)) {
        Q_EMIT line->editingFinished();
    }
}

void Window::changeZone()
{
    setTimesInUtc(m_actions->at(ActionId::TimesInUtc)->isChecked());
    updateStatus();
    Q_EMIT m_session.timesChanged();
}

/// Edit actions go to the widget that has the focus, as in every program. Undo is one for all
/// faces.
void Window::performOnText(ActionId id)
{
    QWidget* focus = QApplication::focusWidget();
    const bool isUndo = id == ActionId::Undo || id == ActionId::Redo;
    if (isUndo && qobject_cast<QLineEdit*>(focus) == nullptr) {
        QTextDocument& text = m_session.document().text();
        id == ActionId::Undo ? text.undo() : text.redo();
        m_session.say(
            QStringLiteral("%1 in %2")
                .arg(id == ActionId::Undo ? QStringLiteral("Undone") : QStringLiteral("Done again"),
                     m_session.document().fileName()));
        return;
    }
    const char* slot = kOfText.at(id);
    if (focus != nullptr && focus->metaObject()->indexOfMethod(QByteArray(slot) + "()") >= 0) {
        QMetaObject::invokeMethod(focus, slot);
    } else if (id == ActionId::Copy && focus != nullptr) {
        QKeyEvent press(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
        // Not by sendEvent(): that looks for a shortcut first and finds this one, without end.
        static_cast<QObject*>(focus)->event(&press);
    }
}

void Window::updateActions()
{
    const Page* shownPage = currentPage();
    for (const ActionRow& row : actionTable()) {
        QAction* action = m_actions->at(row.id);
        if (m_session.handles(row.id)) {
            action->setVisible(true);
            action->setEnabled(m_session.can(row.id));
        } else if (row.owner != ActionOwner::Window) {
            action->setVisible(std::any_of(m_pages.begin(), m_pages.end(), [&](const auto& each) {
                return offers(each.second, row.id);
            }));
            action->setEnabled(offers(shownPage, row.id) && shownPage->can(row.id));
        } else if (!m_own.contains(row.id)) {
            action->setVisible(false);
            action->setEnabled(false);
        }
    }
    const Document& document = m_session.document();
    const bool isOpen = document.isOpen();
    const bool hasReplay = page(PageId::Replay) != nullptr;
    m_actions->at(ActionId::Undo)->setEnabled(isOpen && document.text().isUndoAvailable());
    m_actions->at(ActionId::Redo)->setEnabled(isOpen && document.text().isRedoAvailable());
    m_actions->at(ActionId::Save)->setEnabled(isOpen);
    m_actions->at(ActionId::SaveAs)->setEnabled(isOpen);
    m_actions->at(ActionId::ClosePolicy)->setEnabled(isOpen);
    m_actions->at(ActionId::Reload)->setEnabled(isOpen && !document.path().isEmpty());
    for (const ActionId id : {ActionId::Replay, ActionId::AddLogs}) {
        m_actions->at(id)->setVisible(hasReplay);
        m_actions->at(id)->setEnabled(hasReplay);
    }
}

} // namespace app::console
