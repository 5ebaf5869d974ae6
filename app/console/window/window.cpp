#include "app/console/window/window.h"

#include "app/console/frame/dialogs.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"
#include "app/console/session/session.h"
#include "app/console/window/rail.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStatusTipEvent>
#include <QTextDocument>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>

namespace app::console {

namespace {

constexpr int kRailWidth = 72;
constexpr int kNarrowRail = 48;
constexpr int kNarrow = 1160; // below: the rail has icons only

void focusPane(QWidget* pane)
{
    QWidget* target = pane->focusPolicy() == Qt::NoFocus ? firstFocusable(pane) : pane;
    target->setFocus(Qt::TabFocusReason);
}

/// Puts what a part says by a status tip where everything is said. Empty ones, of menus that are
/// walked through, say nothing.
class TipReader final : public QObject {
public:
    TipReader(Session& session, QObject* parent)
        : QObject(parent)
        , m_session(session)
    {
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::StatusTip) {
            return QObject::eventFilter(watched, event);
        }
        if (const QString tip = static_cast<QStatusTipEvent*>(event)->tip(); !tip.isEmpty()) {
            m_session.say(tip);
        }
        return true;
    }

private:
    Session& m_session;
};

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
    fillOwn();
    buildRecent();
    installEventFilter(new TipReader(session, this));
    m_actions->fill(*menuBar());
    setCentralWidget(m_stack);
    for (Page* page : pages(session, *m_actions, m_stack)) {
        m_pages.emplace(page->id(), page);
        m_stack->addWidget(page);
        connect(page, &Page::actionsChanged, this, &Window::updateActions);
    }
    buildRail();
    buildStatus();
    connect(m_actions, &Actions::triggered, this, &Window::perform);
    connect(&session, &Session::pageAsked, this, &Window::showPage);
    connect(&session, &Session::openAsked, this, &Window::openPolicy);
    connect(&session, &Session::draftAsked, this, &Window::openDraft);
    connect(&session, &Session::reloadAsked, this, &Window::reload);
    connect(&session, &Session::said, m_said, &QLabel::setText);
    connect(&session, &Session::runsChanged, this, &Window::updateStatus);
    connect(&session, &Session::runsChanged, this, &Window::updateActions);
    connect(&session, &Session::actionsChanged, this, &Window::updateActions);
    Document& document = session.document();
    connect(&document, &Document::stateChanged, this, &Window::updateTitle);
    connect(&document.text(), &QTextDocument::undoAvailable, this, &Window::updateActions);
    connect(&document.text(), &QTextDocument::redoAvailable, this, &Window::updateActions);
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

void Window::updateTitle()
{
    const Document& document = m_session.document();
    // A name may hold the very mark that Qt puts the star in place of; doubled, it stands for
    // itself.
    QString name = document.fileName();
    name.replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
    setWindowTitle(document.isOpen() ? QStringLiteral("%1[*] - Weir Console").arg(name)
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

void Window::setTheme(ThemeChoice choice)
{
    auto* application = qobject_cast<QApplication*>(QApplication::instance());
    applyTheme(*application, choice);
    m_actions->at(ActionId::ThemeSystem)->setChecked(choice == ThemeChoice::System);
    m_actions->at(ActionId::ThemeLight)->setChecked(choice == ThemeChoice::Light);
    m_actions->at(ActionId::ThemeDark)->setChecked(choice == ThemeChoice::Dark);
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
    setTheme(static_cast<ThemeChoice>(
        std::clamp(settings.value(QStringLiteral("window/theme"), 0).toInt(), 0, 2)));
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

} // namespace app::console
