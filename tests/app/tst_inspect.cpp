#include "app/workbench/inspect.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// What `weir inspect` finds out, asked without its words.
class TestInspect : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersWhenStoppedBeforeTheFirstLine_data();
    void answersWhenStoppedBeforeTheFirstLine();
    void findsOfHostsSideBySideWhatOneFileHas_data();
    void findsOfHostsSideBySideWhatOneFileHas();
    void measuresTimesThatLieFurthestApart();
    void namesAStreamThatIsGivenTwice();
    void saysWhenNoMoreLogsCanBeOpen();
    void readsMoreEmptyLogsThanCanBeOpen();
};

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond;

class Folder {
public:
    app::LogChoice write(const std::string& name, const std::string& text) const
    {
        app::LogChoice log;
        log.path = m_folder.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(log.path, std::ios::binary) << text;
        return log;
    }

private:
    QTemporaryDir m_folder;
};

/// Bounds how many files may be open, while it lives.
class FewOpenFiles {
public:
    explicit FewOpenFiles(rlim_t files)
    {
        ::getrlimit(RLIMIT_NOFILE, &m_before);
        const rlimit few {files, m_before.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &few);
    }

    ~FewOpenFiles() { ::setrlimit(RLIMIT_NOFILE, &m_before); }

    FewOpenFiles(const FewOpenFiles&) = delete;
    FewOpenFiles& operator=(const FewOpenFiles&) = delete;

private:
    rlimit m_before {};
};

/// A line of the neutral format.
std::string lineOf(std::int64_t timeNs, const std::string& client)
{
    return R"({"time_ns": )" + std::to_string(timeNs) + R"(, "client_ip": ")" + client
        + R"(", "path": "/", "status": 200})" + "\n";
}

} // namespace

void TestInspect::answersWhenStoppedBeforeTheFirstLine_data()
{
    QTest::addColumn<int>("logs");
    QTest::newRow("one") << 1;
    QTest::newRow("several") << 3;
    QTest::newRow("more than are open at once") << 12;
}

void TestInspect::answersWhenStoppedBeforeTheFirstLine()
{
    QFETCH(const int, logs);
    const Folder folder;
    app::InspectRequest request;
    for (int i = 0; i < logs; ++i) {
        request.logs.push_back(folder.write(std::to_string(i), lineOf(kStart, "192.0.2.1")));
    }
    const std::atomic<bool> stop = true;
    request.stop = &stop;
    const auto inspection = app::inspect(request);
    QVERIFY(inspection);
    QVERIFY(inspection->interrupted);
    QCOMPARE(inspection->report.requests, std::uint64_t {0});
    QVERIFY(!inspection->fields.empty());
    QCOMPARE(inspection->report.filled,
             std::vector<std::uint64_t>(inspection->fields.size(), std::uint64_t {0}));
}

void TestInspect::findsOfHostsSideBySideWhatOneFileHas_data()
{
    QTest::addColumn<std::size_t>("hosts");
    QTest::newRow("two") << std::size_t {2};
    QTest::newRow("more than are open at once") << std::size_t {11};
}

/// An hour of some hosts, each in order, with two minutes of silence.
void TestInspect::findsOfHostsSideBySideWhatOneFileHas()
{
    QFETCH(const std::size_t, hosts);
    const Folder folder;
    std::string all;
    std::vector<std::string> parts(hosts);
    for (std::size_t i = 0; i < 7200; ++i) {
        const std::int64_t silence = i < 4000 ? 0 : 120 * kSecond;
        const std::string client = "192.0.2." + std::to_string(i * i % 13);
        const auto timeNs = kStart + static_cast<std::int64_t>(i) * kSecond / 2 + silence;
        const std::string line = lineOf(timeNs, client);
        all += line;
        parts[i % hosts] += line;
    }
    app::InspectRequest together;
    together.logs.push_back(folder.write("all", all));
    app::InspectRequest apart;
    for (std::size_t host = 0; host < hosts; ++host) {
        apart.logs.push_back(folder.write("host" + std::to_string(host), parts[host]));
    }
    const auto expected = app::inspect(together);
    const auto seen = app::inspect(apart);
    QVERIFY(expected && seen);
    QCOMPARE(seen->late, std::uint64_t {0});
    QCOMPARE(seen->report.requests, expected->report.requests);
    QCOMPARE(seen->gaps.size(), std::size_t {1});
    QCOMPARE(seen->gaps[0].fromNs, expected->gaps[0].fromNs);
    QCOMPARE(seen->gaps[0].toNs, expected->gaps[0].toNs);
    for (std::size_t window = 0; window < app::Peaks::kWindows; ++window) {
        QCOMPARE(seen->peaks[window].most, expected->peaks[window].most);
        QCOMPARE(seen->peaks[window].median, expected->peaks[window].median);
    }
    QCOMPARE(seen->busiest.size(), expected->busiest.size());
    for (std::size_t i = 0; i < seen->busiest.size(); ++i) {
        QCOMPARE(seen->busiest[i].key, expected->busiest[i].key);
        QCOMPARE(seen->busiest[i].peaks, expected->busiest[i].peaks);
    }
}

void TestInspect::measuresTimesThatLieFurthestApart()
{
    constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
    constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
    const Folder folder;
    app::InspectRequest request;
    request.logs.push_back(
        folder.write("apart", lineOf(kFirst, "192.0.2.1") + lineOf(kLast, "192.0.2.1")));
    const auto inspection = app::inspect(request);
    QVERIFY(inspection);
    QCOMPARE(inspection->gaps.size(), std::size_t {1});
    QCOMPARE(inspection->gaps[0].fromNs, kFirst);
    QCOMPARE(inspection->gaps[0].toNs, kLast);
    QCOMPARE(inspection->gaps[0].lengthNs(), kLast);
}

void TestInspect::namesAStreamThatIsGivenTwice()
{
    const Folder folder;
    const app::LogChoice file = folder.write("file", lineOf(kStart, "192.0.2.1"));
    app::LogChoice pipe;
    pipe.path = file.path + ".pipe";
    QCOMPARE(::mkfifo(pipe.path.c_str(), 0600), 0);
    // Open for both, so that the writer is there before the reader looks.
    const int end = ::open(pipe.path.c_str(), O_RDWR | O_CLOEXEC);
    QVERIFY(end >= 0);
    const std::string line = lineOf(kStart, "192.0.2.2");
    QCOMPARE(::write(end, line.data(), line.size()), static_cast<ssize_t>(line.size()));
    std::thread writer([end] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        ::close(end);
    });
    app::InspectRequest request;
    request.logs = {pipe, file, pipe};
    const auto inspection = app::inspect(request);
    writer.join();
    QVERIFY(!inspection);
    QCOMPARE(inspection.error().code, std::string("log.stream-twice"));
    QCOMPARE(inspection.error().message, "`" + pipe.path + "` is a stream and is given twice");
}

void TestInspect::saysWhenNoMoreLogsCanBeOpen()
{
    const Folder folder;
    app::InspectRequest request;
    for (int host = 0; host < 80; ++host) {
        std::string text;
        for (int i = 0; i < 2000; ++i) {
            text += lineOf(kStart + i * kSecond, "192.0.2.1");
        }
        request.logs.push_back(folder.write(std::to_string(host), text));
    }
    const FewOpenFiles few(40);
    const auto inspection = app::inspect(request);
    QVERIFY(!inspection);
    QCOMPARE(inspection.error().code, std::string("log.too-many-open"));
}

void TestInspect::readsMoreEmptyLogsThanCanBeOpen()
{
    const Folder folder;
    app::InspectRequest request;
    for (int i = 0; i < 80; ++i) {
        request.logs.push_back(
            folder.write(std::to_string(i), i == 40 ? lineOf(kStart, "192.0.2.1") : ""));
    }
    const FewOpenFiles few(40);
    const auto inspection = app::inspect(request);
    QVERIFY(inspection);
    QCOMPARE(inspection->report.requests, std::uint64_t {1});
    QCOMPARE(inspection->logs.size(), std::size_t {80});
}

QTEST_APPLESS_MAIN(TestInspect)
#include "tst_inspect.moc"
