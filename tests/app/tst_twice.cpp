#include "app/workbench/twice.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

/// What is told of requests that two LOGs hold, and what is not.
class TestTwice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isNotMisledByTimesThatLieFurthestApart();
    void takesWhatAllLogsHaveForNoSign();
    void looksAtManyLogsInTime();
};

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond; ///< 2023-11-14 22:13:20

/// A request for /path from a client.
struct Sent {
    std::int64_t timeNs = kStart;
    std::string client;
    std::string path;
};

std::string neutral(const std::vector<Sent>& requests)
{
    std::string text;
    for (const Sent& sent : requests) {
        text += R"({"time_ns": )" + std::to_string(sent.timeNs) + R"(, "client_ip": ")"
            + sent.client + R"(", "method": "GET", "path": ")" + sent.path + "\"}\n";
    }
    return text;
}

/// In the format of nginx; all at kStart.
std::string nginx(const std::vector<Sent>& requests)
{
    std::string text;
    for (const Sent& sent : requests) {
        text += sent.client + " - - [14/Nov/2023:22:13:20 +0000] \"GET " + sent.path
            + " HTTP/1.1\" 200 1 \"-\" \"-\"\n";
    }
    return text;
}

std::vector<Sent> requestsTo(const std::string& path, std::int64_t timeNs = kStart)
{
    std::vector<Sent> requests;
    for (int i = 0; i < 10; ++i) {
        requests.push_back({timeNs + i, "192.0.2." + std::to_string(i), path});
    }
    return requests;
}

/// LOGs that are only looked at.
class Looked {
public:
    explicit Looked(std::size_t logs)
        : m_check(logs)
    {
    }

    /// The same LOG `times` times, each with a content of its own.
    void add(const std::string& text, std::size_t times = 1)
    {
        const std::string path = m_folder.filePath(QString::number(m_logs.size())).toStdString();
        std::ofstream(path, std::ios::binary) << text;
        const auto reader = storage::LogReader::open(path, {});
        for (std::size_t i = 0; i < times; ++i) {
            app::ReadLog log;
            log.path = std::to_string(m_logs.size());
            log.format = (*reader)->format().name();
            log.fingerprint = log.path;
            log.report.requests = 1;
            m_check.look(m_logs.size(), **reader);
            m_logs.push_back(log);
        }
    }

    [[nodiscard]] std::vector<storage::Note> notes() const { return m_check.notes(m_logs); }

private:
    QTemporaryDir m_folder;
    app::TwiceCheck m_check;
    std::vector<app::ReadLog> m_logs;
};

} // namespace

void TestTwice::isNotMisledByTimesThatLieFurthestApart()
{
    Looked looked(3);
    looked.add(nginx(requestsTo("/a")));
    looked.add(neutral(requestsTo("/a", std::numeric_limits<std::int64_t>::min())));
    QCOMPARE(looked.notes().size(), std::size_t {0});
    looked.add(neutral(requestsTo("/a")));
    QCOMPARE(looked.notes().size(), std::size_t {1});
}

/// A health check is in the logs of all hosts and of all proxies.
void TestTwice::takesWhatAllLogsHaveForNoSign()
{
    constexpr std::size_t kHosts = app::TwiceCheck::kMostSharing;
    Looked looked(2 * kHosts + 2);
    looked.add(nginx(requestsTo("/health")), kHosts);
    looked.add(neutral(requestsTo("/health")), kHosts);
    QCOMPARE(looked.notes().size(), std::size_t {0});
    looked.add(nginx(requestsTo("/a")));
    looked.add(neutral(requestsTo("/a")));
    const std::vector<storage::Note> notes = looked.notes();
    QCOMPARE(notes.size(), std::size_t {1});
    QCOMPARE(notes[0].code, std::string("log.overlap"));
    QVERIFY(notes[0].text.starts_with("64 (nginx-combined) and 65 (weir) may hold"));
}

/// Pairs would be two and a quarter million.
void TestTwice::looksAtManyLogsInTime()
{
    constexpr std::size_t kHosts = 1500;
    Looked looked(2 * kHosts);
    looked.add(nginx(requestsTo("/a")), kHosts);
    looked.add(neutral(requestsTo("/b")), kHosts);
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(looked.notes().size(), std::size_t {0});
    QVERIFY2(timer.elapsed() < 2'000, qPrintable(QString::number(timer.elapsed())));
}

QTEST_APPLESS_MAIN(TestTwice)
#include "tst_twice.moc"
