#include "app/console/console.h"

#include "app/console/frame/values.h"
#include "app/console/look/theme.h"
#include "app/console/pages.h"
#include "app/console/session/session.h"
#include "app/console/window/window.h"
#include "app/workbench/store_path.h"
#include "app/workbench/version.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTextDocument>
#include <QTimer>

#include <cstdio>

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

/// The run that is asked for. 0 is none: runs count from 1.
std::optional<storage::RunId> runOf(const QCommandLineParser& parser)
{
    return parser.isSet(QStringLiteral("run"))
        ? std::optional<storage::RunId>(parser.value(QStringLiteral("run")).toLongLong())
        : std::nullopt;
}

/// What was not saved when the program ended last; `file` is what the command line asks for
/// meanwhile. What was typed since then is asked for before it goes.
void offerRecovered(Window& window, Session& session, const QString& time, const QString& file)
{
    Document& document = session.document();
    Banners& banners = window.page(PageId::Author)->banners();
    BannerText banner {
        QStringLiteral("recovered"),
        BannerKind::Advice,
        QStringLiteral("Changes of %1 from the last session were recovered and are not saved.")
            .arg(time),
        {{QStringLiteral("Save"), [&window] { window.actions().at(ActionId::Save)->trigger(); }},
         {QStringLiteral("Discard"), [&window, &document, &banners, text = document.currentText()] {
              const bool isAsIs = document.currentText() == text;
              if (isAsIs) {
                  document.text().setModified(false); // nothing was typed: no question
              }
              const ActionId way
                  = document.path().isEmpty() ? ActionId::ClosePolicy : ActionId::Reload;
              window.actions().at(way)->trigger();
              if (isAsIs && banners.has(QStringLiteral("recovered"))) {
                  document.text().setModified(true); // its file cannot be read: nothing is lost
              }
          }}}};
    if (!file.isEmpty()) {
        const QString name = shown(file.toStdString(), 200);
        banner.text += QStringLiteral(" So %1 was not opened.").arg(name);
        banner.actions.emplace_back(QStringLiteral("Open it"),
                                    [&window, file] { window.openPolicy(file); });
    }
    banners.show(std::move(banner));
}

/// What the command line asks for, once the window is there.
void begin(Window& window, Session& session, const QCommandLineParser& parser)
{
    const QStringList files = parser.positionalArguments();
    const QString file = parser.isSet(QStringLiteral("open")) ? parser.value(QStringLiteral("open"))
                                                              : files.value(0);
    if (const std::optional<QString> time = session.document().recover()) {
        offerRecovered(window, session, *time, file);
    } else if (!file.isEmpty()) {
        window.openPolicy(file);
    }
    if (const auto run = runOf(parser)) {
        session.openRun(*run);
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
    if (const auto run = runOf(parser); run && *run < 1) {
        const std::string given = parser.value(QStringLiteral("run")).toStdString();
        std::fprintf(stderr,
                     "weir-console: --run %s: this is no number of a run; write one such as "
                     "--run 3\n",
                     given.c_str());
        return 2;
    }
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
