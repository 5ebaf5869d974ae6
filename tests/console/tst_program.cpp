#include "app/console/session/document.h"

#include <QApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTextCursor>
#include <QTextDocument>
#include <QTimer>
#include <QtTest>

#include <cstdio>

using namespace app::console;

namespace {

constexpr int kKeyEveryMs = 20;
constexpr const char* kPolicy = "weir: 1\nname: typed\ntiers: {}\n# ";

/// What runs in a process of its own, to be killed: types, and says how far it is.
int typeForEver(int& argc, char** argv)
{
    QApplication application(argc, argv);
    Document document;
    document.setRecoveryFolder(QString::fromLocal8Bit(argv[2]));
    document.openText(kPolicy, QStringLiteral("typed.yaml"));
    QTimer keys;
    int typed = 0;
    QObject::connect(&keys, &QTimer::timeout, &document, [&] {
        QTextCursor cursor(&document.text());
        cursor.movePosition(QTextCursor::End);
        cursor.insertText(QStringLiteral("x"));
        std::printf("%d\n", ++typed);
        std::fflush(stdout);
    });
    keys.start(kKeyEveryMs);
    return QApplication::exec();
}

/// Its environment: a home of its own, no screen.
QProcessEnvironment apart(const QTemporaryDir& home)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("XDG_DATA_HOME"), home.filePath(QStringLiteral("data")));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.filePath(QStringLiteral("config")));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    return environment;
}

} // namespace

/// The program as a process.
class TestProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatItIs();
    void opensWhatItIsTold();
    void refusesRunsThatAreNone();
    void losesASecondAtMostWhenKilled();
};

void TestProgram::saysWhatItIs()
{
    const QTemporaryDir home;
    QProcess program;
    program.setProcessEnvironment(apart(home));
    program.start(QStringLiteral(WEIR_CONSOLE_BINARY), {QStringLiteral("--version")});
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.readAllStandardOutput().trimmed(), QByteArray("weir-console 0.1.0"));
    program.start(QStringLiteral(WEIR_CONSOLE_BINARY), {QStringLiteral("--help")});
    QVERIFY(program.waitForFinished());
    const QByteArray help = program.readAllStandardOutput();
    for (const char* option : {"--open", "--run", "--db"}) {
        QVERIFY2(help.contains(option), help.constData());
    }
}

void TestProgram::opensWhatItIsTold()
{
    const QTemporaryDir home;
    for (const QStringList& words :
         {QStringList {},
          QStringList {QStringLiteral("--open"),
                       QStringLiteral(WEIR_SOURCE_DIR "/policies/examples/public-api.yaml")},
          QStringList {QStringLiteral("--open"), QStringLiteral("/nowhere/at all.yaml")},
          QStringList {QStringLiteral("--open"), home.path()},
          QStringList {QStringLiteral("--run"), QStringLiteral("7")},
          QStringList {QStringLiteral("--db"), QStringLiteral("/nowhere/runs.db")},
          QStringList {QStringLiteral("--db"),
                       QStringLiteral(WEIR_SOURCE_DIR "/policies/examples/plans.csv")}}) {
        QProcess program;
        program.setProcessEnvironment(apart(home));
        program.setProcessChannelMode(QProcess::MergedChannels);
        program.start(QStringLiteral(WEIR_CONSOLE_BINARY), words);
        QVERIFY(program.waitForStarted());
        QVERIFY2(
            !program.waitForFinished(700),
            qPrintable(words.join(QLatin1Char(' ')) + QString::fromLocal8Bit(program.readAll())));
        program.kill();
        program.waitForFinished();
    }
}

void TestProgram::refusesRunsThatAreNone()
{
    for (const char* run : {"abc", "0", "-1", "7x", ""}) {
        const QTemporaryDir home;
        QProcess program;
        program.setProcessEnvironment(apart(home));
        program.start(QStringLiteral(WEIR_CONSOLE_BINARY),
                      {QStringLiteral("--run=%1").arg(QLatin1String(run))});
        QVERIFY2(program.waitForFinished(10000), run);
        QCOMPARE(program.exitCode(), 2);
        QVERIFY(program.readAllStandardError().contains("--run"));
    }
}

void TestProgram::losesASecondAtMostWhenKilled()
{
    for (const int afterMs : {300, 1100, 1650, 2300}) {
        const QTemporaryDir home;
        const QString folder = home.filePath(QStringLiteral("recovery"));
        QProcess typing;
        typing.setProcessEnvironment(apart(home));
        typing.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--type"), folder});
        QVERIFY(typing.waitForReadyRead());
        QElapsedTimer clock;
        clock.start();
        QList<std::pair<qint64, int>> said {{0, 0}}; // when, how many
        while (clock.elapsed() < afterMs) {
            typing.waitForReadyRead(10);
            while (typing.canReadLine()) {
                said << std::pair(clock.elapsed(), typing.readLine().trimmed().toInt());
            }
        }
        typing.kill();
        typing.waitForFinished();
        const qint64 killed = clock.elapsed();
        int mustBeThere = 0;
        for (const auto& [when, typed] : said) {
            mustBeThere = killed - when > 1000 ? typed : mustBeThere;
        }
        Document document;
        document.setRecoveryFolder(folder);
        const bool isRecovered = document.recover().has_value();
        const std::string text = isRecovered ? document.currentText() : std::string();
        const auto typed = std::count(
            text.begin() + (isRecovered ? std::ptrdiff_t(strlen(kPolicy)) : 0), text.end(), 'x');
        QVERIFY2(typed >= mustBeThere,
                 qPrintable(QStringLiteral("%1 of %2").arg(typed).arg(mustBeThere)));
        QVERIFY(!isRecovered || text.starts_with(kPolicy));
        // And the next kill finds it as well: what was taken over is kept.
        if (isRecovered) {
            QTRY_VERIFY(!QDir(folder).entryList({QStringLiteral("*.json")}).isEmpty());
        }
    }
}

int main(int argc, char** argv)
{
    if (argc > 2 && qstrcmp(argv[1], "--type") == 0) {
        return typeForEver(argc, argv);
    }
    const QApplication application(argc, argv);
    TestProgram test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_program.moc"
