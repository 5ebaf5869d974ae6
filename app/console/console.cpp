#include "app/console/console.h"

#include "app/console/frame/window.h"
#include "app/console/look/theme.h"
#include "app/console/pages.h"
#include "app/console/session/session.h"
#include "app/workbench/store_path.h"
#include "app/workbench/version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>

namespace app::console {

namespace {

std::optional<std::string> environment(const char* name)
{
    const QByteArray value = qgetenv(name);
    return value.isEmpty() ? std::nullopt : std::optional<std::string>(value.toStdString());
}

std::string storePath(const QCommandLineParser& parser)
{
    if (parser.isSet(QStringLiteral("db"))) {
        return parser.value(QStringLiteral("db")).toStdString();
    }
    return defaultStorePath(environment("XDG_DATA_HOME"), environment("HOME")).value_or("runs.db");
}

void describe(QCommandLineParser& parser)
{
    parser.setApplicationDescription(
        QStringLiteral("A dry run for API rate limits, on the desktop."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption(
        {QStringLiteral("open"), QStringLiteral("Open a policy."), QStringLiteral("FILE")});
    parser.addOption(
        {QStringLiteral("run"), QStringLiteral("Show a stored run."), QStringLiteral("N")});
    parser.addOption(
        {QStringLiteral("db"), QStringLiteral("The store of runs."), QStringLiteral("FILE")});
    parser.addPositionalArgument(QStringLiteral("FILE"), QStringLiteral("A policy to open."),
                                 QStringLiteral("[FILE]"));
}

/// What the command line asks for, once the window is there.
void begin(Window& window, Session& session, const QCommandLineParser& parser)
{
    const QStringList files = parser.positionalArguments();
    const QString file = parser.isSet(QStringLiteral("open")) ? parser.value(QStringLiteral("open"))
                                                              : files.value(0);
    if (const std::optional<QString> time = session.document().recover()) {
        Document& document = session.document();
        Page& page = *window.page(PageId::Author);
        const auto done = [&page](auto act) {
            return [&page, act] {
                page.banners().clear(QStringLiteral("recovered"));
                act();
            };
        };
        page.banners().show(
            {QStringLiteral("recovered"),
             BannerKind::Advice,
             QStringLiteral("Changes of %1 from the last session were recovered and are not saved.")
                 .arg(*time),
             {{QStringLiteral("Save"),
               done([&window] { window.actions().at(ActionId::Save)->trigger(); })},
              {QStringLiteral("Discard"), done([&document] {
                   document.discardRecovery();
                   document.path().isEmpty() ? document.close()
                                             : static_cast<void>(document.reload());
               })}}});
    } else if (!file.isEmpty()) {
        window.openPolicy(file);
    }
    if (parser.isSet(QStringLiteral("run"))) {
        session.openRun(parser.value(QStringLiteral("run")).toLongLong());
    }
}

} // namespace

int run(int& argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("weir-console"));
    QApplication::setOrganizationName(QStringLiteral("weir"));
    QApplication::setApplicationVersion(
        QString::fromUtf8(kVersion.data(), static_cast<qsizetype>(kVersion.size())));
    QApplication::setDesktopFileName(QStringLiteral("weir-console"));
    QCommandLineParser parser;
    describe(parser);
    parser.process(application);
    applyTheme(application, ThemeChoice::System);

    Session session;
    Window window(session, makePages);
    window.restoreState();
    session.setStorePath(storePath(parser));
    window.show();
    QTimer::singleShot(0, &window, [&] { begin(window, session, parser); });
    return QApplication::exec();
}

} // namespace app::console
