#include "tests/console/console_fixture.h"

#include "app/console/look/theme.h"
#include "app/console/pages.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"
#include "storage/run_store.h"

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
    const std::string source = WEIR_SOURCE_DIR;
    const std::string file = source + "/policies/examples/" + policy;
    const auto loaded = app::loadPolicy(file, {});
    const auto store = storage::RunStore::open(session().storePath(), storage::Access::Write);
    QFile format(QStringLiteral(WEIR_SOURCE_DIR "/app/demo/log_format.txt"));
    if (!loaded || !loaded->isValid() || !store || !format.open(QIODevice::ReadOnly)) {
        qFatal("the demonstration cannot be replayed");
    }
    app::ReplayRequest request;
    request.policies.push_back(
        {&*loaded->plan,
         {loaded->policy->name.value, file, loaded->text, loaded->fingerprint, {}},
         policy,
         {}});
    for (const auto& [name, bytes] : loaded->lookups) {
        request.policies.back().record.lookups.push_back({name, bytes});
    }
    app::LogChoice& log = request.pass.logs.emplace_back();
    log.path = source + "/app/demo/access.log.gz";
    log.format = format.readAll().trimmed().toStdString();
    request.store = store->get();
    request.clock = [] { return std::int64_t {1'700'000'000} * 1'000'000'000; };
    request.startedNs = request.clock();
    request.version = "test";
    const auto outcome = app::replay(request);
    if (!outcome || !outcome->runs.front()) {
        qFatal("the demonstration was not replayed");
    }
    session().refreshRuns();
    [[maybe_unused]] const bool isListed
        = QTest::qWaitFor([&] { return session().run(*outcome->runs.front()) != nullptr; });
    return *outcome->runs.front();
}

void Fixture::trigger(ActionId id)
{
    window().actions().at(id)->trigger();
}

void Fixture::picture(const QString& name, Look look)
{
    applyTheme(*qApp, look.isDark ? ThemeChoice::Dark : ThemeChoice::Light);
    window().resize(look.size);
    QTest::qWait(60);
    const QString folder = QStringLiteral(WEIR_BUILD_DIR "/pictures");
    QDir().mkpath(folder);
    const QString file
        = QStringLiteral("%1/%2-%3-%4.png")
              .arg(folder, name, look.isDark ? QStringLiteral("dark") : QStringLiteral("light"))
              .arg(look.size.width());
    QVERIFY2(window().grab().save(file), qPrintable(file));
    applyTheme(*qApp, ThemeChoice::Light);
}

void Fixture::pictures(const QString& name)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    Q_UNUSED(name) // there it is about memory, not about looks
#else
    for (const QSize size : {QSize(1440, 900), QSize(1024, 700)}) {
        picture(name, {false, size});
        picture(name, {true, size});
    }
#endif
    window().resize(1440, 900);
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
