#pragma once

#include "app/console/frame/actions.h"
#include "app/console/frame/dialogs.h"
#include "app/console/frame/page.h"
#include "app/console/look/theme.h"

#include <QMainWindow>
#include <QPointer>

#include <functional>
#include <map>
#include <vector>

namespace engine {
struct Diagnostic;
}

class QActionGroup;
class QLabel;
class QStackedWidget;
class QToolBar;

namespace app::console {

class Session;

/// Makes the pages of a window; the window owns them. Which there are is said in pages.cpp.
using PageMaker = std::function<std::vector<Page*>(Session&, Actions&, QWidget* parent)>;

/// The window: menus, the rail of pages, the page that is seen, the status bar. It guards the text
/// that is not saved on every way out.
class Window : public QMainWindow {
    Q_OBJECT

public:
    Window(Session& session, const PageMaker& pages, QWidget* parent = nullptr);
    ~Window() override;

    [[nodiscard]] Actions& actions() { return *m_actions; }

    [[nodiscard]] Page* page(PageId id) const; ///< nullptr: there is none
    [[nodiscard]] Page* currentPage() const;
    void showPage(PageId id);

    /// Opens a policy, after the guard. False where it was not opened.
    bool openPolicy(const QString& path);

    /// What the user answers to "Save changes?"; tests set their own. Save, Discard or Cancel.
    using Answer = SaveAnswer;
    std::function<Answer(const QString& question)> askToSave;
    /// Where to save, or what to open; tests set their own. Empty: cancelled.
    std::function<QString(const QString& title, const QString& proposal, const QString& filter)>
        askSavePath;
    std::function<QStringList(const QString& title, const QString& filter, bool many)> askOpenPaths;

    /// Geometry, page, splitters, theme: kept between sessions.
    void keepState() const;
    void restoreState();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildRail();
    void buildStatus();
    void buildRecent();
    void fillOwn();
    void perform(ActionId id);
    void performOnText(ActionId id);
    void changeZone();
    void settleTyped();
    void updateActions();
    void updateTitle();
    void updateStatus();
    bool maySwitchPolicy();
    void popupRecent();
    void askForPolicy();
    void askForStore();
    void askForLogs();
    void closePolicy();
    bool save();
    bool saveAs();
    void reload();
    void openDraft(const std::string& text, const QString& name);
    void walkPanes(int step);
    void setTheme(ThemeChoice choice);
    void report(const engine::Diagnostic& diagnostic);

    Session& m_session;
    Actions* m_actions;
    QToolBar* m_rail;
    QActionGroup* m_railGroup;
    QStackedWidget* m_stack;
    QLabel* m_said;
    QLabel* m_kept;
    QLabel* m_zone;
    QLabel* m_store;
    std::map<PageId, Page*> m_pages;
    std::map<ActionId, std::function<void()>> m_own; ///< what the window does itself
    std::map<Page*, QPointer<QWidget>> m_lastFocus;
};

} // namespace app::console
