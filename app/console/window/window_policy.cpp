#include "app/console/frame/values.h"
#include "app/console/session/recent.h"
#include "app/console/session/session.h"
#include "app/console/window/window.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>

// The window's doors for policies: what is opened, saved and closed, and the guard before each.
namespace app::console {

namespace {

constexpr QPoint kUnderFile(72, 40);

bool isPolicy(const QString& path)
{
    return path.endsWith(QLatin1String(".yaml"), Qt::CaseInsensitive)
        || path.endsWith(QLatin1String(".yml"), Qt::CaseInsensitive);
}

} // namespace

/// Policies that were open. The list is made anew whenever it is seen.
void Window::buildRecent()
{
    auto* recent = new QMenu(this);
    m_actions->at(ActionId::OpenRecent)->setMenu(recent);
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
}

void Window::popupRecent()
{
    m_actions->at(ActionId::OpenRecent)->menu()->popup(mapToGlobal(kUnderFile));
}

void Window::askForPolicy()
{
    const QStringList paths = askOpenPaths(
        QStringLiteral("Open policy"), QStringLiteral("Policies (*.yaml *.yml);;All (*)"), false);
    if (!paths.isEmpty()) {
        openPolicy(paths.front());
    }
}

void Window::askForStore()
{
    const QStringList paths = askOpenPaths(QStringLiteral("Open run store"),
                                           QStringLiteral("Run stores (*.db);;All (*)"), false);
    if (!paths.isEmpty()) {
        m_session.setStorePath(paths.front().toStdString());
    }
}

void Window::askForLogs()
{
    const QStringList paths
        = askOpenPaths(QStringLiteral("Add logs"), QStringLiteral("All (*)"), true);
    if (!paths.isEmpty()) {
        m_session.showLogs(paths);
    }
}

void Window::closePolicy()
{
    if (maySwitchPolicy()) {
        m_session.document().close();
        showPage(PageId::Author);
    }
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
    settleTyped();
    Document& document = m_session.document();
    if (!document.isModified()) {
        return true;
    }
    switch (askToSave(QStringLiteral("Save changes to %1?").arg(document.fileName()))) {
    case Answer::Save:
        return save();
    case Answer::Discard: // what takes its place ends its recovery, once it is there
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

void Window::openDraft(const std::string& text, const QString& name)
{
    if (maySwitchPolicy()) {
        m_session.document().openDraft(text, name);
        showPage(PageId::Author);
    }
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
