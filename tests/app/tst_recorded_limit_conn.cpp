#include "tests/app/recorded_replay.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

using namespace tests;

namespace {

const std::string kFolder = WEIR_SOURCE_DIR "/tests/data/truth/nginx-limit-conn/clean/";

const HowToReplay kNamed {{"api_key=key"}, "", ""};

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kLimit = 3; // `limit_conn ZONE 3` in both locations

std::string logOf(const std::string& location)
{
    return kFolder + location + ".log.gz";
}

std::map<std::int64_t, TruthRow> truthOf(const std::string& location)
{
    return truthRows(kFolder + "truth-" + location + ".csv.gz");
}

std::string policyText(bool shadow)
{
    return fmt::format("weir: 1\nname: recorded\ntiers:\n  edge:\n    - {{ name: in-flight, key: "
                       "[api_key], algorithm: concurrency, in_flight: {}, mode: {} }}\n",
                       kLimit, shadow ? "shadow" : "enforce");
}

/// The same requests in weir's own format, at the places that nginx's events had in their one
/// order: event 7 is 7 ms. A rejected request has no second event; it holds nothing.
std::string logInOrderOfEvents(const std::vector<RecordedLine>& lines,
                               const std::map<std::int64_t, TruthRow>& truth)
{
    std::string log;
    for (const RecordedLine& line : lines) {
        const TruthRow& row = truth.at(line.seq);
        const std::int64_t begin = row.at("decision_event");
        const std::int64_t end = row.at("rejected") == 1 ? begin : row.at("release_event");
        log += fmt::format("{{\"time_ns\": {}, \"duration_ns\": {}, \"api_key\": \"{}\"}}\n",
                           begin * kMs, (end - begin) * kMs, line.key);
    }
    return log;
}

bool nginxRejects(const RecordedLine& line)
{
    return line.verdict.starts_with("REJECTED");
}

/// Why a replay of the log alone decides otherwise. The log has whole ms, and puts a request that
/// begins in the ms in which another of its key ends after that end.
class Explainer {
public:
    explicit Explainer(const std::vector<RecordedLine>& lines)
    {
        for (const RecordedLine& line : lines) {
            if (!nginxRejects(line)) {
                m_ends.emplace(line.key, line.endMs);
            }
        }
    }

    /// Of a line that differs; in order of arrival.
    std::string classOf(const RecordedLine& line)
    {
        std::int64_t& heldUntil = m_heldUntil[line.key];
        const bool inTie = m_ends.contains({line.key, line.arrivalMs});
        if (!inTie && line.arrivalMs >= heldUntil) {
            return "unexplained";
        }
        heldUntil = std::max(heldUntil, line.endMs);
        return inTie ? "begins in the ms of an end" : "while one of those is in flight";
    }

private:
    std::set<std::pair<std::string, std::int64_t>> m_ends; ///< of what was in flight, by key
    std::map<std::string, std::int64_t> m_heldUntil; ///< by key: until when a difference lasts
};

} // namespace

/// nginx 1.22.1 `limit_conn` before a slow server, and the same lines through weir.
class TestRecordedLimitConn : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void inOrderOfEvents_data();
    void inOrderOfEvents();
    void fromTheLog_data();
    void fromTheLog();
    void recordedRejections_data();
    void recordedRejections();
};

void TestRecordedLimitConn::inOrderOfEvents_data()
{
    QTest::addColumn<std::string>("location");
    QTest::addColumn<bool>("shadow");
    QTest::newRow("c3") << std::string("c3") << false;
    QTest::newRow("dry3") << std::string("dry3") << false;
    QTest::newRow("dry3 shadow") << std::string("dry3") << true;
}

void TestRecordedLimitConn::inOrderOfEvents()
{
    QFETCH(std::string, location);
    QFETCH(bool, shadow);
    const std::vector<RecordedLine> lines = recordedLines(logOf(location));
    const std::map<std::int64_t, TruthRow> truth = truthOf(location);
    QCOMPARE(lines.size(), truth.size());
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("events.jsonl")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(logInOrderOfEvents(lines, truth)));
    file.close();

    const ReplayedLog weir
        = replayLog(file.fileName().toStdString(), policyText(shadow), {{}, "", "weir"});
    QCOMPARE(weir.lines.size(), lines.size());
    int different = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const TruthRow& row = truth.at(lines[i].seq);
        const LineDecision& line = weir.lines[i];
        const bool rejects = row.at("rejected") == 1;
        QCOMPARE(nginxRejects(lines[i]), rejects);
        const bool same = line.denied() == rejects
            && line.rules.front().remaining == (rejects ? 0 : kLimit - row.at("zone1_after"));
        different += same ? 0 : 1;
    }
    QCOMPARE(different, 0);
}

void TestRecordedLimitConn::fromTheLog_data()
{
    inOrderOfEvents_data();
}

void TestRecordedLimitConn::fromTheLog()
{
    QFETCH(std::string, location);
    QFETCH(bool, shadow);
    const std::vector<RecordedLine> lines = recordedLines(logOf(location));
    const ReplayedLog weir = replayLog(logOf(location), policyText(shadow), kNamed);
    QCOMPARE(weir.lines.size(), lines.size());
    std::multimap<std::int64_t, RecordedLine> differing; // in order of arrival
    for (std::size_t i = 0; i < lines.size(); ++i) {
        QCOMPARE(weir.lines[i].arrivalNs, lines[i].arrivalMs * kMs);
        if (weir.lines[i].denied() != nginxRejects(lines[i])) {
            differing.emplace(lines[i].arrivalMs, lines[i]);
        }
    }
    Explainer explainer(lines);
    std::map<std::string, int> classes;
    for (const auto& [arrivalMs, line] : differing) {
        ++classes[explainer.classOf(line)];
    }
    qInfo("%zu decisions, %zu differ", lines.size(), differing.size());
    const std::map<std::string, int> inDryRun {{"begins in the ms of an end", 2},
                                               {"while one of those is in flight", 1}};
    QCOMPARE(classes, location == "c3" ? decltype(classes) {} : inDryRun);
}

void TestRecordedLimitConn::recordedRejections_data()
{
    QTest::addColumn<std::string>("location");
    QTest::addColumn<std::string>("sign");
    QTest::addColumn<std::string>("verdict");
    QTest::newRow("429") << std::string("c3") << std::string() << std::string("REJECTED");
    QTest::newRow("a dry run is no rejection")
        << std::string("dry3") << std::string() << std::string("no such");
    QTest::newRow("a field") << std::string("dry3")
                             << std::string("limit_conn_status=REJECTED_DRY_RUN")
                             << std::string("REJECTED_DRY_RUN");
}

void TestRecordedLimitConn::recordedRejections()
{
    QFETCH(std::string, location);
    QFETCH(std::string, sign);
    QFETCH(std::string, verdict);
    const std::vector<RecordedLine> lines = recordedLines(logOf(location));
    HowToReplay how = kNamed;
    how.recordedRejection = sign;
    const ReplayedLog weir = replayLog(logOf(location), policyText(false), how);
    QCOMPARE(weir.lines.size(), lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        QCOMPARE(weir.lines[i].recordedRejected, lines[i].verdict == verdict);
    }
    QCOMPARE(weir.totals.recordedKnown, std::uint64_t {lines.size()});
}

QTEST_APPLESS_MAIN(TestRecordedLimitConn)
#include "tst_recorded_limit_conn.moc"
