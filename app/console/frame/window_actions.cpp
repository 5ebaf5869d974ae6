#include "app/console/frame/help.h"
#include "app/console/frame/rail.h"
#include "app/console/frame/values.h"
#include "app/console/frame/window.h"
#include "app/console/look/theme.h"
#include "app/console/session/session.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTextDocument>

#include <algorithm>
#include <array>

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

/// Actions of the window that others have to take over to be there at all.
bool isOurs(ActionId id)
{
    static constexpr std::array kOthers {ActionId::SampleData, ActionId::TryAgainstLastLog,
                                         ActionId::CancelJob, ActionId::RunList};
    return std::find(kOthers.begin(), kOthers.end(), id) == kOthers.end();
}

} // namespace

void Window::perform(ActionId id)
{
    if (performOnText(id)) {
        return;
    }
    switch (id) {
    case ActionId::OpenPolicy: {
        const QStringList paths
            = askOpenPaths(QStringLiteral("Open policy"),
                           QStringLiteral("Policies (*.yaml *.yml);;All (*)"), false);
        if (!paths.isEmpty()) {
            openPolicy(paths.front());
        }
        break;
    }
    case ActionId::Save:
        save();
        break;
    case ActionId::SaveAs:
        saveAs();
        break;
    case ActionId::Reload:
        reload();
        break;
    case ActionId::ClosePolicy:
        if (maySwitchPolicy()) {
            m_session.document().close();
            showPage(PageId::Author);
        }
        break;
    case ActionId::NewFromTemplate:
        if (maySwitchPolicy()) {
            m_session.document().close(); // the first page has the templates
            showPage(PageId::Author);
        }
        break;
    case ActionId::OpenStore: {
        const QStringList paths = askOpenPaths(QStringLiteral("Open run store"),
                                               QStringLiteral("Run stores (*.db);;All (*)"), false);
        if (!paths.isEmpty()) {
            m_session.setStorePath(paths.front().toStdString());
        }
        break;
    }
    case ActionId::AddLogs: {
        const QStringList paths
            = askOpenPaths(QStringLiteral("Add logs"), QStringLiteral("All (*)"), true);
        if (!paths.isEmpty()) {
            m_session.showLogs(paths);
        }
        break;
    }
    case ActionId::Replay:
        showPage(PageId::Replay);
        break;
    case ActionId::Quit:
        close();
        break;
    case ActionId::NextPane:
        walkPanes(1);
        break;
    case ActionId::PreviousPane:
        walkPanes(-1);
        break;
    case ActionId::ThemeSystem:
        setTheme(0);
        break;
    case ActionId::ThemeLight:
        setTheme(1);
        break;
    case ActionId::ThemeDark:
        setTheme(2);
        break;
    case ActionId::NextTheme:
        setTheme((static_cast<int>(themeChoice()) + 1) % 3);
        break;
    case ActionId::TimesInUtc:
        setTimesInUtc(m_actions->at(ActionId::TimesInUtc)->isChecked());
        updateStatus();
        Q_EMIT m_session.timesChanged();
        break;
    case ActionId::FullScreen:
        isFullScreen() ? showNormal() : showFullScreen();
        break;
    case ActionId::HelpContents:
        showHelp(this);
        break;
    case ActionId::HelpKeys:
        showKeys(this);
        break;
    case ActionId::About:
        showAbout(this);
        break;
    default:
        for (const RailRow& row : kRail) {
            if (row.action == id) {
                showPage(row.page);
                return;
            }
        }
        if (m_session.handles(id)) {
            m_session.perform(id);
        } else if (Page* shownPage = currentPage(); offers(shownPage, id) && shownPage->can(id)) {
            shownPage->perform(id);
        }
    }
}

/// Edit actions go to the widget that has the focus, as in every program.
bool Window::performOnText(ActionId id)
{
    static const std::map<ActionId, const char*> kSlots {
        {ActionId::Undo, "undo"}, {ActionId::Redo, "redo"},   {ActionId::Cut, "cut"},
        {ActionId::Copy, "copy"}, {ActionId::Paste, "paste"}, {ActionId::SelectAll, "selectAll"}};
    const auto slot = kSlots.find(id);
    if (slot == kSlots.end()) {
        return false;
    }
    QWidget* focus = QApplication::focusWidget();
    const bool isUndo = id == ActionId::Undo || id == ActionId::Redo;
    if (isUndo && qobject_cast<QLineEdit*>(focus) == nullptr) {
        // One undo for all faces.
        QTextDocument& text = m_session.document().text();
        id == ActionId::Undo ? text.undo() : text.redo();
        return true;
    }
    if (focus != nullptr
        && focus->metaObject()->indexOfMethod(QByteArray(slot->second) + "()") >= 0) {
        QMetaObject::invokeMethod(focus, slot->second);
    } else if (id == ActionId::Copy && focus != nullptr) {
        QKeyEvent press(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
        // Not by sendEvent(): that looks for a shortcut first and finds this one, without end.
        static_cast<QObject*>(focus)->event(&press);
    }
    return true;
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
        } else if (!isOurs(row.id)) {
            action->setVisible(false);
            action->setEnabled(false);
        }
    }
    const Document& document = m_session.document();
    const bool isOpen = document.isOpen();
    const bool hasReplay = page(PageId::Replay) != nullptr;
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
