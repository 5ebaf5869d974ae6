#include "tests/console/console_fixture.h"

#include "app/console/look/theme.h"
#include "app/console/pages.h"
#include "storage/run_store.h"
#include "tests/console/demo_runs.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>

namespace tests::console {

using namespace app::console;

Fixture::Fixture()
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setOrganizationName(QStringLiteral("weir-test"));
    QApplication::setApplicationName(QStringLiteral("weir-console"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
    QSettings().clear();
    applyTheme(*qApp, ThemeChoice::Light);
    m_session = std::make_unique<Session>();
    m_session->document().setRecoveryFolder(path(QStringLiteral("recovery")));
    m_window = std::make_unique<Window>(*m_session, makePages);
    m_session->setStorePath(path(QStringLiteral("runs.db")).toStdString());
    m_window->resize(1440, 900);
    m_window->show();
    m_window->activateWindow();
    [[maybe_unused]] const bool isShown = QTest::qWaitForWindowActive(m_window.get());
}

Fixture::~Fixture() = default;

QString Fixture::copied(const QString& fromSource, const QString& name) const
{
    const QString from = QStringLiteral(WEIR_SOURCE_DIR "/") + fromSource;
    const QString to = path(name.isEmpty() ? QFileInfo(from).fileName() : name);
    QFile::copy(from, to);
    return to;
}

storage::RunId Fixture::replayDemo(const std::string& policy)
{
    const auto store = storage::RunStore::open(session().storePath(), storage::Access::Write);
    if (!store) {
        qFatal("%s", store.error().message.c_str());
    }
    const storage::RunId run = tests::replayDemo(**store, policy, policy);
    session().refreshRuns();
    [[maybe_unused]] const bool isListed
        = QTest::qWaitFor([&] { return session().run(run) != nullptr; });
    return run;
}

void Fixture::useStore(const QString& from)
{
    const QString copy = path(QStringLiteral("runs.db"));
    QFile::remove(copy);
    QFile::copy(from, copy);
    QSignalSpy listed(m_session.get(), &Session::runsChanged);
    m_session->setStorePath(copy.toStdString());
    listed.wait(10'000);
}

void Fixture::trigger(ActionId id)
{
    window().actions().at(id)->trigger();
}

void Fixture::picture(const QString& name, Look look)
{
    applyTheme(*qApp, look.isDark ? ThemeChoice::Dark : ThemeChoice::Light);
    keepPicture(name, look);
    applyTheme(*qApp, ThemeChoice::Light);
}

void Fixture::keepPicture(const QString& name, Look look)
{
    window().resize(look.size);
    QTest::qWait(60);
    const QString folder = QStringLiteral(WEIR_BUILD_DIR "/pictures");
    QDir().mkpath(folder);
    const QString file
        = QStringLiteral("%1/%2-%3-%4.png")
              .arg(folder, name, look.isDark ? QStringLiteral("dark") : QStringLiteral("light"))
              .arg(look.size.width());
    QVERIFY2(window().grab().save(file), qPrintable(file));
}

void Fixture::pictures(const QString& name)
{
#ifdef WEIR_SANITIZES
    Q_UNUSED(name) // there it is about memory, not about looks
#else
    for (const bool isDark : {true, false}) { // to change a theme costs more than all else
        applyTheme(*qApp, isDark ? ThemeChoice::Dark : ThemeChoice::Light);
        for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
            keepPicture(name, {isDark, size});
        }
    }
#endif
    window().resize(1440, 900);
}

QString cell(const QAbstractItemView& view, int row, int column)
{
    return view.model()->index(row, column).data().toString();
}

double shareOf(const QImage& image, const QColor& colour)
{
    qint64 hits = 0;
    const auto near = [](int a, int b) { return std::abs(a - b) <= 3; };
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            hits += near(pixel.red(), colour.red()) && near(pixel.green(), colour.green())
                    && near(pixel.blue(), colour.blue())
                ? 1
                : 0;
        }
    }
    return static_cast<double>(hits) / (static_cast<double>(image.width()) * image.height());
}

QStringList namelessWidgets(const QWidget& root)
{
    QStringList nameless;
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        const bool isInner = widget->objectName().startsWith(QLatin1String("qt_"))
            || qobject_cast<const QScrollBar*>(widget) != nullptr
            || widget->inherits("QComboBoxListView"); // opened by its combo box, under its name
        if (!isInner && (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus
            && widget->accessibleName().isEmpty()) {
            nameless << QStringLiteral("%1 %2").arg(
                QString::fromLatin1(widget->metaObject()->className()), widget->objectName());
        }
    }
    return nameless;
}

} // namespace tests::console
