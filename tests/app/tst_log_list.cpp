#include "app/workbench/log_list.h"
#include "app/workbench/log_reading.h"
#include "policies/read.h"
#include "storage/zone.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace app;

/// Which LOGs a command line names, and how each is read.
class TestLogList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesFilesAsTheyCome();
    void listsFolders();
    void readsLists();
    void readsStandardInputOnce();
    void readsAFileOnce();
    void readsDescriptions();
    void tellsMistakesOfDescriptions_data();
    void tellsMistakesOfDescriptions();
    void keepsHowLogsAreRead_data();
    void keepsHowLogsAreRead();
};

namespace {

class Folder {
public:
    [[nodiscard]] std::string path(const std::string& name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }

    std::string write(const std::string& name, const std::string& bytes = "x\n") const
    {
        QDir().mkpath(QFileInfo(QString::fromStdString(path(name))).path());
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    /// Paths of the logs, without the folder.
    [[nodiscard]] std::string namesOf(const LogList& list) const
    {
        std::string names;
        for (const LogChoice& log : list.logs) {
            names += (names.empty() ? "" : " ") + plain(log.path);
        }
        return names;
    }

    [[nodiscard]] std::string plain(std::string text) const
    {
        const std::string prefix = path("") + "/";
        for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix)) {
            text.erase(at, prefix.size());
        }
        return text;
    }

private:
    QTemporaryDir m_folder;
};

LogList expand(std::vector<std::string> paths, std::vector<std::string> lists = {})
{
    return expandLogs({std::move(paths), std::move(lists), {}});
}

} // namespace

void TestLogList::takesFilesAsTheyCome()
{
    const Folder folder;
    const std::string b = folder.write("b.log");
    const std::string a = folder.write("a.log");
    LogArguments arguments {{b, a, folder.path("not there")}, {}, {}};
    arguments.defaults.format = "squid";
    const LogList list = expandLogs(arguments);
    QVERIFY(list.errors.empty() && list.notes.empty());
    QCOMPARE(folder.namesOf(list), std::string("b.log a.log not there")); // opening it will tell
    QCOMPARE(list.logs[1].format, std::string("squid"));
}

void TestLogList::listsFolders()
{
    const Folder folder;
    for (const char* name : {"d/b.log", "d/a.log.1", "d/a.log", "d/.hidden", "d/sub/c.log",
                             "d/what.logs.yaml", "d/B.log"}) {
        folder.write(name);
    }
    QCOMPARE(::mkfifo(folder.path("d/pipe").c_str(), 0600), 0);
    QCOMPARE(::symlink(folder.write("elsewhere").c_str(), folder.path("d/z.log").c_str()), 0);
    QCOMPARE(::symlink("/nowhere", folder.path("d/broken").c_str()), 0);
    const LogList list = expand({folder.path("d")});
    QVERIFY(list.errors.empty());
    QCOMPARE(folder.namesOf(list), std::string("d/B.log d/a.log d/a.log.1 d/b.log d/z.log"));
    QCOMPARE(list.notes.size(), std::size_t {1});
    QCOMPARE(folder.plain(list.notes[0]),
             std::string("d is a folder: 5 logs, from B.log to z.log; left out: 1 hidden entry, 1 "
                         "folder and 3 entries that are no files to read as logs"));
    folder.write("e/.only");
    const LogList empty = expand({folder.path("e")});
    QCOMPARE(empty.errors.size(), std::size_t {1});
    QCOMPARE(empty.errors[0].code, std::string("log.empty-folder"));
    QCOMPARE(folder.plain(empty.errors[0].message),
             std::string("the folder e has no files (but 1 hidden entry)"));
    QVERIFY(empty.logs.empty());
}

void TestLogList::readsLists()
{
    const Folder folder;
    const std::string a = folder.write("a log");
    const std::string b = folder.write("b.log");
    const std::string c = folder.write("d/c.log");
    QCOMPARE(
        folder.namesOf(expand({b}, {folder.write("lines", "\n" + a + "\r\n" + folder.path("d"))})),
        std::string("b.log a log d/c.log"));
    const std::string odd = folder.write("odd\nname");
    QCOMPARE(folder.namesOf(expand({}, {folder.write("nul", odd + '\0' + b + '\0')})),
             std::string("odd\nname b.log"));
    const LogList empty = expand({}, {folder.write("empty", "\n\n")});
    QCOMPARE(empty.errors.at(0).code, std::string("log.no-files"));
    QCOMPARE(expand({}, {folder.path("none")}).errors.at(0).code, std::string("file.missing"));
}

void TestLogList::readsStandardInputOnce()
{
    QCOMPARE(expand({"-"}).logs.at(0).path, std::string("-"));
    QCOMPARE(expand({"-", "-"}).errors.at(0).code, std::string("cli.usage"));
    QCOMPARE(expand({"-"}, {"-"}).errors.at(0).code, std::string("cli.usage"));
}

void TestLogList::readsAFileOnce()
{
    const Folder folder;
    const std::string a = folder.write("d/a.log");
    const std::string link = folder.path("d/current");
    QCOMPARE(::symlink(a.c_str(), link.c_str()), 0);
    const LogList list = expand({a, folder.path("d"), a});
    QVERIFY(list.errors.empty());
    QCOMPARE(folder.namesOf(list), std::string("d/a.log"));
    QCOMPARE(list.notes.size(), std::size_t {4});
    QCOMPARE(folder.plain(list.notes[1]), std::string("d/a.log is given twice; it is read once"));
    QCOMPARE(folder.plain(list.notes[2]),
             std::string("d/current is the file d/a.log again; it is read once"));
}

void TestLogList::readsDescriptions()
{
    const Folder folder;
    for (const char* name : {"edge/2.log", "edge/1.log", "edge/x.txt", "app.log", "in[1]/a.log"}) {
        folder.write(name);
    }
    const std::string text = "logs: 1\n"
                             "groups:\n"
                             "  - name: edge\n"
                             "    files: [\"edge/*.log\"]\n"
                             "    log_format: nginx-combined\n"
                             "    tz: Europe/Berlin\n"
                             "    clock: -1.5s\n"
                             "    trusted_proxies: [10.0.0.0/8]\n"
                             "  - files: app.log\n"
                             "    map: { api_key: key }\n";
    LogArguments arguments {{folder.write("day.logs.yaml", text)}, {}, {}};
    arguments.defaults.mappings = {{"user", "remote_user"}};
    arguments.defaults.format = "json";
    const LogList list = expandLogs(arguments);
    QVERIFY2(list.errors.empty(), list.errors.empty() ? "" : list.errors[0].message.c_str());
    QCOMPARE(folder.namesOf(list), std::string("edge/1.log edge/2.log app.log"));
    const LogChoice& edge = list.logs[1];
    QCOMPARE(edge.format, std::string("nginx-combined"));
    QCOMPARE(edge.zone->name(), std::string("Europe/Berlin"));
    QCOMPARE(edge.clockNs, std::int64_t {-1'500'000'000});
    QCOMPARE(edge.trustedProxies.size(), std::size_t {1});
    QCOMPARE(edge.mappings.at(0).name, std::string("user")); // what the group leaves out
    const LogChoice& app = list.logs[2];
    QCOMPARE(app.format, std::string("json"));
    QCOMPARE(app.mappings.size(), std::size_t {1});
    QCOMPARE(app.mappings[0].name, std::string("api_key"));
    QVERIFY(!app.zone && app.clockNs == 0 && app.trustedProxies.empty());
    QCOMPARE(list.notes.size(), std::size_t {1});
    QCOMPARE(list.notes[0], std::string("edge: the clock of 2 logs is put right by -1.5 s"));
    // Brackets in the description's own folder are no pattern.
    const std::string odd = "logs: 1\ngroups: [{files: \"*.log\"}]\n";
    QCOMPARE(folder.namesOf(expand({folder.write("in[1]/b.logs.yaml", odd)})),
             std::string("in[1]/a.log"));
}

void TestLogList::tellsMistakesOfDescriptions_data()
{
    QTest::addColumn<QByteArray>("group");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char* name, const char* group, const char* expected) {
        QTest::newRow(name) << QByteArray(group) << QByteArray(expected);
    };
    row("no file", "{files: none.log}",
        "d.logs.yaml:3:13: error[logs.no-match]: there is no file `none.log` | names are relative "
        "to "
        "the description's own folder");
    row("no match", "{files: \"*.gz\"}",
        "d.logs.yaml:3:13: error[logs.no-match]: no file fits `*.gz` | names are relative to the "
        "description's own folder");
    row("deep glob", "{files: \"**/a.log\"}",
        "d.logs.yaml:3:13: error[logs.glob]: `**` in `**/a.log` is not known here | write one `*` "
        "for "
        "each folder: `*/*.log`");
    row("zone", "{files: a.log, tz: Europe/Berln}",
        "d.logs.yaml:3:24: error[log.zone]: there is no time zone Europe/Berln | did you mean "
        "Europe/Berlin?");
    row("format", "{files: a.log, log_format: nginx-combind}",
        "d.logs.yaml:3:32: error[log.format]: there is no log format nginx-combind | did you "
        "mean nginx-combined?");
    row("network", "{files: a.log, trusted_proxies: [10.0.0.1/8]}", "d.logs.yaml:3:38: error[");
    row("field", "{files: a.log, fles: b}",
        "d.logs.yaml:3:20: error[logs.unknown-field]: `fles` is not a field of group 1 | did you "
        "mean `files`?");
}

void TestLogList::tellsMistakesOfDescriptions()
{
    QFETCH(QByteArray, group);
    QFETCH(QByteArray, expected);
    const Folder folder;
    folder.write("a.log");
    const std::string path
        = folder.write("d.logs.yaml", "logs: 1\ngroups:\n  - " + group.toStdString() + "\n");
    const LogList list = expand({path});
    QVERIFY(list.logs.empty());
    QCOMPARE(list.errors.size(), std::size_t {1});
    const std::string found = folder.plain(policies::render(list.errors[0]));
    QVERIFY2(found.starts_with(expected.toStdString()), found.c_str());
}

void TestLogList::keepsHowLogsAreRead_data()
{
    QTest::addColumn<int>("logs");
    QTest::addColumn<int>("special"); // which of them differs, -1: none, -2: all the same way
    for (const int logs : {1, 2, 3}) {
        for (int special = -2; special < logs; ++special) {
            QTest::addRow("%d logs, %d", logs, special) << logs << special;
        }
    }
}

void TestLogList::keepsHowLogsAreRead()
{
    QFETCH(int, logs);
    QFETCH(int, special);
    std::vector<LogChoice> choices(static_cast<std::size_t>(logs));
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (special == -2 || static_cast<int>(i) == special) {
            choices[i].mappings = {{"api_key", "key"}, {"user", "name"}};
            choices[i].zone = *storage::Zone::named("Europe/Berlin");
            choices[i].clockNs = -1'500'000'000;
            choices[i].trustedProxies = *parseNetworks("10.0.0.0/8, 2001:db8::/32");
        }
    }
    const std::vector<storage::Option> reading = readingOf(choices);
    QCOMPARE(reading.size(), std::size_t {special == -1 ? 1U : 4U});
    std::vector<LogChoice> again(choices.size());
    QVERIFY(readAs(reading, again));
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const bool isSpecial = !choices[i].mappings.empty();
        QCOMPARE(again[i].mappings.size(), std::size_t {isSpecial ? 2U : 0U});
        QCOMPARE(again[i].clockNs, choices[i].clockNs);
        QCOMPARE(again[i].zone ? again[i].zone->name() : std::string("none"),
                 std::string(isSpecial ? "Europe/Berlin" : "none"));
        QCOMPARE(again[i].trustedProxies.size(), choices[i].trustedProxies.size());
    }
    const std::vector<storage::Option> twice = readingOf(again);
    for (std::size_t i = 0; i < reading.size(); ++i) {
        QCOMPARE(twice[i].name, reading[i].name);
        QCOMPARE(twice[i].value, reading[i].value);
    }
    for (const char* clock : {"fast", "1.5s", "12", "99999999999999999999ns"}) {
        const engine::Status damaged = readAs({{"clock", clock}}, again);
        QVERIFY2(!damaged, clock);
        QCOMPARE(damaged.error().code, std::string("store.damaged"));
    }
    QVERIFY(!parseNetworks("10.0.0.0/8,"));
    QVERIFY(!parseNetworks("10.0.0.1/8"));
}

QTEST_APPLESS_MAIN(TestLogList)
#include "tst_log_list.moc"
