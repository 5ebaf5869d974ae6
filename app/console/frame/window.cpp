#include "app/console/frame/window.h"

#include "app/console/frame/dialogs.h"
#include "app/console/frame/help.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/icons.h"
#include "app/console/look/theme.h"
#include "app/console/session/recent.h"
#include "app/console/session/session.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTextDocument>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace app::console {

namespace {

constexpr int kRailWidth = 72;
constexpr int kNarrowRail = 48;
constexpr int kNarrow = 1160; // below: the rail has icons only

struct RailRow {
    PageId page;
    RailIcon icon;
    ActionId action;
    const char* name;
    bool beginsGroup = false;
};

constexpr std::array kRail {
    RailRow {PageId::Author, RailIcon::Author, ActionId::PageAuthor, "Author"},
    RailRow {PageId::Replay, RailIcon::Replay, ActionId::PageReplay, "Replay", true},
    RailRow {PageId::Runs, RailIcon::Runs, ActionId::PageRuns, "Runs", true},
    RailRow {PageId::Compare, RailIcon::Compare, ActionId::PageCompare, "Compare"},
    RailRow {PageId::Explain, RailIcon::Explain, ActionId::PageExplain, "Explain"},
    RailRow {PageId::Suggest, RailIcon::Suggest, ActionId::PageSuggest, "Suggest", true},
    RailRow {PageId::Export, RailIcon::Export, ActionId::PageExport, "Export"}};

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

void focusPane(QWidget* pane)
{
    QWidget* target = pane->focusPolicy() == Qt::NoFocus ? firstFocusable(pane) : pane;
    target->setFocus(Qt::TabFocusReason);
}

bool isPolicy(const QString& path)
{
    return path.endsWith(QLatin1String(".yaml"), Qt::CaseInsensitive)
        || path.endsWith(QLatin1String(".yml"), Qt::CaseInsensitive);
}

} // namespace

Window::Window(Session& session, const PageMaker& pages, QWidget* parent)
    : QMainWindow(parent)
    , askToSave([this](const QString& question) { return askWhetherToSave(this, question); })
    , askSavePath([this](const QString& title, const QString& proposal, const QString& filter) {
        return askForSavePath(this, title, proposal, filter);
    })
    , askOpenPaths([this](const QString& title, const QString& filter, bool many) {
        return askForPaths(this, title, filter, many);
    })
    , m_session(session)
    , m_actions(new Actions(this))
    , m_rail(new QToolBar(this))
    , m_railGroup(new QActionGroup(this))
    , m_stack(new QStackedWidget(this))
    , m_said(plainLabel({}, this))
    , m_kept(plainLabel({}, this))
    , m_zone(plainLabel({}, this))
    , m_store(plainLabel({}, this))
{
    setObjectName(QStringLiteral("window"));
    setMinimumSize(1024, 700);
    setAcceptDrops(true);
    m_actions->fill(*menuBar());
    setCentralWidget(m_stack);
    for (Page* page : pages(session, *m_actions, m_stack)) {
        m_pages.emplace(page->id(), page);
        m_stack->addWidget(page);
        connect(page, &Page::actionsChanged, this, &Window::updateActions);
    }
    buildRail();
    buildStatus();
    buildRecent();
    connect(m_actions, &Actions::triggered, this, &Window::perform);
    connect(&session, &Session::pageAsked, this, &Window::showPage);
    connect(&session, &Session::openAsked, this, &Window::openPolicy);
    connect(&session, &Session::said, m_said, &QLabel::setText);
    connect(&session, &Session::runsChanged, this, &Window::updateStatus);
    connect(&session, &Session::runsChanged, this, &Window::updateActions);
    connect(&session, &Session::actionsChanged, this, &Window::updateActions);
    Document& document = session.document();
    connect(&document, &Document::stateChanged, this, &Window::updateTitle);
    connect(&document, &Document::checkedChanged, this, &Window::updateStatus);
    connect(&document, &Document::failed, this, &Window::report);
    connect(&document, &Document::autosaved, this, [this](const QString& time) {
        m_kept->setText(QStringLiteral("Autosaved %1").arg(time));
    });
    m_actions->at(ActionId::TimesInUtc)->setChecked(timesInUtc());
    updateTitle();
    updateStatus();
    showPage(PageId::Author);
}

Window::~Window() = default;

void Window::buildRail()
{
    m_rail->setObjectName(QStringLiteral("rail"));
    m_rail->setMovable(false);
    m_rail->setFloatable(false);
    m_rail->setContextMenuPolicy(Qt::PreventContextMenu);
    m_rail->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    m_rail->setIconSize({20, 20});
    m_railGroup->setExclusive(true);
    for (const RailRow& row : kRail) {
        QAction* action = m_actions->at(row.action);
        const bool isThere = m_pages.contains(row.page);
        action->setVisible(isThere);
        action->setEnabled(isThere);
        if (!isThere) {
            continue;
        }
        if (row.beginsGroup) {
            m_rail->addSeparator();
        }
        action->setIcon(iconOf(row.icon));
        action->setIconText(QString::fromLatin1(row.name));
        action->setIconVisibleInMenu(false);
        m_railGroup->addAction(action);
        m_rail->addAction(action);
    }
    addToolBar(Qt::LeftToolBarArea, m_rail);
}

void Window::buildStatus()
{
    for (QLabel* label : {m_said, m_kept, m_zone, m_store}) {
        label->setFont(fontOf(Type::Small));
        label->setContentsMargins(4, 0, 12, 0);
    }
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_said);
    statusBar()->addWidget(m_kept, 1);
    statusBar()->addPermanentWidget(m_zone);
    statusBar()->addPermanentWidget(m_store);
}

/// Policies that were open, below "Open policy...". The list is made anew whenever it is seen.
void Window::buildRecent()
{
    QAction* open = m_actions->at(ActionId::OpenPolicy);
    QMenu* file = menuBar()->findChild<QMenu*>(QStringLiteral("&File"));
    auto* recent = new QMenu(QStringLiteral("Open &recent"), file);
    recent->menuAction()->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+F")));
    const QList<QAction*> all = file->actions();
    file->insertMenu(all.value(all.indexOf(open) + 1), recent);
    connect(recent, &QMenu::aboutToShow, this, [this, recent] {
        recent->clear();
        for (const QString& path : recentPolicies()) {
            QString text = shown(path.toStdString(), 120);
            recent->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")), this,
                              [this, path] { openPolicy(path); });
        }
        if (recent->isEmpty()) {
            recent->addAction(QStringLiteral("none yet"))->setEnabled(false);
        }
    });
    connect(recent->menuAction(), &QAction::triggered, this,
            [this, recent] { recent->popup(mapToGlobal(QPoint(kRailWidth, 40))); });
}

Page* Window::page(PageId id) const
{
    const auto found = m_pages.find(id);
    return found == m_pages.end() ? nullptr : found->second;
}

Page* Window::currentPage() const
{
    return qobject_cast<Page*>(m_stack->currentWidget());
}

void Window::showPage(PageId id)
{
    Page* shownPage = page(id);
    if (shownPage == nullptr) {
        return;
    }
    Page* before = currentPage();
    if (before != nullptr && before->isAncestorOf(QApplication::focusWidget())) {
        m_lastFocus[before] = QApplication::focusWidget();
    }
    m_stack->setCurrentWidget(shownPage);
    for (const RailRow& row : kRail) {
        if (row.page == id) {
            m_actions->at(row.action)->setChecked(true);
        }
    }
    shownPage->entered();
    const QList<QWidget*> panes = shownPage->panes();
    const QPointer<QWidget> last = m_lastFocus[shownPage];
    if (before != shownPage && last != nullptr && last->isVisible()) {
        last->setFocus(Qt::OtherFocusReason);
    } else if (before != shownPage && !panes.isEmpty()) {
        focusPane(panes.front());
    }
    updateActions();
    updateStatus();
}

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
        QApplication::sendEvent(focus, &press);
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

void Window::updateTitle()
{
    const Document& document = m_session.document();
    setWindowTitle(document.isOpen()
                       ? QStringLiteral("%1[*] - Weir Console").arg(document.fileName())
                       : QStringLiteral("Weir Console"));
    setWindowModified(document.isModified());
    if (!document.isModified()) {
        m_kept->clear();
    }
    updateActions();
    updateStatus();
}

void Window::updateStatus()
{
    const Document& document = m_session.document();
    if (!document.isOpen()) {
        m_said->setText(QStringLiteral("No policy open"));
    } else if (document.checked() && document.isCurrent()) {
        m_said->setText(QStringLiteral("Checked in %1 ms").arg(document.checked()->milliseconds));
    }
    m_zone->setText(QStringLiteral("times in %1").arg(zoneName()));
    const QString name = shown(
        QFileInfo(QString::fromStdString(m_session.storePath())).fileName().toStdString(), 60);
    m_store->setToolTip(shown(m_session.storePath()).toHtmlEscaped());
    m_store->setText(
        m_session.storeProblem() ? QStringLiteral("%1: not readable").arg(name)
            : m_session.runs().empty()
            ? QStringLiteral("no runs yet")
            : QStringLiteral("%1: %2").arg(
                name,
                plural(m_session.runs().size(), QStringLiteral("run"), QStringLiteral("runs"))));
}

bool Window::openPolicy(const QString& path)
{
    if (!maySwitchPolicy()) {
        return false;
    }
    const engine::Status opened = m_session.document().open(path);
    showPage(PageId::Author);
    if (!opened) {
        report(opened.error());
        return false;
    }
    addRecent(m_session.document().path());
    return true;
}

bool Window::maySwitchPolicy()
{
    Document& document = m_session.document();
    if (!document.isModified()) {
        return true;
    }
    switch (askToSave(QStringLiteral("Save changes to %1?").arg(document.fileName()))) {
    case Answer::Save:
        return save();
    case Answer::Discard:
        document.discardRecovery();
        return true;
    case Answer::Cancel:
        return false;
    }
    return false;
}

bool Window::save()
{
    Document& document = m_session.document();
    if (document.path().isEmpty()) {
        return saveAs();
    }
    const engine::Status saved = document.save();
    if (!saved) {
        report(saved.error());
        return false;
    }
    m_session.say(QStringLiteral("Saved %1").arg(document.fileName()));
    return true;
}

bool Window::saveAs()
{
    Document& document = m_session.document();
    const QString path = askSavePath(QStringLiteral("Save policy as"), document.fileName(),
                                     QStringLiteral("Policies (*.yaml *.yml)"));
    if (path.isEmpty()) {
        return false;
    }
    const engine::Status saved = document.saveAs(path);
    if (!saved) {
        report(saved.error());
        return false;
    }
    addRecent(document.path());
    return true;
}

void Window::reload()
{
    if (!maySwitchPolicy()) {
        return;
    }
    if (const engine::Status read = m_session.document().reload(); !read) {
        report(read.error());
    }
}

void Window::report(const engine::Diagnostic& diagnostic)
{
    if (Page* shownPage = currentPage()) {
        shownPage->banners().show(
            {QString::fromStdString(diagnostic.code), BannerKind::Error, sentence(diagnostic)});
    }
}

void Window::walkPanes(int step)
{
    const Page* shownPage = currentPage();
    if (shownPage == nullptr) {
        return;
    }
    QList<QWidget*> panes = shownPage->panes();
    panes.removeIf([](const QWidget* pane) { return !pane->isVisible(); });
    if (panes.isEmpty()) {
        return;
    }
    const QWidget* focus = QApplication::focusWidget();
    qsizetype at = -1;
    for (qsizetype i = 0; i < panes.size(); ++i) {
        if (focus != nullptr && (panes[i] == focus || panes[i]->isAncestorOf(focus))) {
            at = i;
        }
    }
    const qsizetype next = at < 0 ? 0 : (at + step + panes.size()) % panes.size();
    focusPane(panes[next]);
}

void Window::setTheme(int choice)
{
    auto* application = qobject_cast<QApplication*>(QApplication::instance());
    applyTheme(*application, static_cast<ThemeChoice>(choice));
    m_actions->at(ActionId::ThemeSystem)->setChecked(choice == 0);
    m_actions->at(ActionId::ThemeLight)->setChecked(choice == 1);
    m_actions->at(ActionId::ThemeDark)->setChecked(choice == 2);
}

void Window::keepState() const
{
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/theme"), static_cast<int>(themeChoice()));
    settings.setValue(QStringLiteral("window/utc"), timesInUtc());
    for (const auto& [id, each] : m_pages) {
        settings.beginGroup(QStringLiteral("page%1").arg(static_cast<int>(id)));
        each->keepState(settings);
        settings.endGroup();
    }
}

void Window::restoreState()
{
    QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    setTheme(settings.value(QStringLiteral("window/theme"), 0).toInt());
    setTimesInUtc(settings.value(QStringLiteral("window/utc"), true).toBool());
    m_actions->at(ActionId::TimesInUtc)->setChecked(timesInUtc());
    for (const auto& [id, each] : m_pages) {
        settings.beginGroup(QStringLiteral("page%1").arg(static_cast<int>(id)));
        each->restoreState(settings);
        settings.endGroup();
    }
    updateStatus();
}

void Window::closeEvent(QCloseEvent* event)
{
    if (!maySwitchPolicy()) {
        event->ignore();
        return;
    }
    m_session.document().discardRecovery();
    keepState();
    event->accept();
}

void Window::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    const bool isPalette = event->type() == QEvent::ApplicationPaletteChange;
    if (isPalette) {
        update();
    }
}

void Window::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    const bool isNarrow = width() < kNarrow;
    m_rail->setToolButtonStyle(isNarrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
    m_rail->setFixedWidth(isNarrow ? kNarrowRail : kRailWidth);
    for (QToolButton* button : m_rail->findChildren<QToolButton*>()) {
        button->setFixedWidth(isNarrow ? kNarrowRail - 6 : kRailWidth - 6);
    }
}

void Window::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    }
}

void Window::dropEvent(QDropEvent* event)
{
    QStringList logs;
    QString policy;
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) {
            continue;
        }
        isPolicy(url.toLocalFile()) ? static_cast<void>(policy = url.toLocalFile())
                                    : static_cast<void>(logs << url.toLocalFile());
    }
    event->acceptProposedAction();
    if (!policy.isEmpty()) {
        openPolicy(policy);
    }
    if (!logs.isEmpty()) {
        m_session.showLogs(logs);
    }
}

} // namespace app::console
