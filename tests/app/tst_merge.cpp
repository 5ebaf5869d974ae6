#include "app/workbench/decisions.h"
#include "app/workbench/explain.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"
#include "storage/run_reader.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace app;

namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

struct Line {
    std::int64_t timeNs = 0;
    std::string text;
};

/// Neutral lines in order of time, each with a path of its own, so that a decision can be told to
/// be the same whatever its number and line.
std::vector<Line> linesOf(int count, std::int64_t stepNs)
{
    std::mt19937_64 random(3);
    std::vector<Line> lines;
    std::int64_t time = kStart;
    for (int i = 0; i < count; ++i) {
        time += static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(stepNs)) + 1;
        lines.push_back({time,
                         R"({"time_ns": )" + std::to_string(time) + R"(, "duration_ns": )"
                             + std::to_string(random() % 300'000'000)
                             + R"(, "client_ip": "192.0.2.)" + std::to_string(random() % 7)
                             + R"(", "path": "/)" + std::to_string(i) + R"(", "status": )"
                             + (random() % 40 == 0 ? "429" : "200") + "}\n"});
    }
    return lines;
}

constexpr const char* kPolicy
    = "weir: 1\n"
      "name: small\n"
      "tiers:\n"
      "  edge:\n"
      "    - { name: address, key: [client_ip], rate: 20/5s,\n"
      "        algorithm: sliding_window_counter }\n"
      "  gateway:\n"
      "    - { name: queue, key: [client_ip], rate: 4/s, queue: 6,\n"
      "        algorithm: leaky_bucket }\n"
      "  endpoint:\n"
      "    - { name: whole, key: [], rate: 25/s, burst: 9, algorithm: gcra }\n";

struct Outcome {
    QByteArray decisions;
    storage::RunTotals totals;
    std::vector<storage::Note> notes;
    storage::RunId run = 0;
    storage::RecordingRecord recording;
};

bool has(const std::vector<storage::Note>& notes, std::string_view code)
{
    return std::any_of(notes.begin(), notes.end(),
                       [code](const storage::Note& note) { return note.code == code; });
}

/// A decision without what depends on how requests are spread over files.
QByteArray nameless(const QByteArray& decisions)
{
    QByteArray out;
    for (const QByteArray& line : decisions.split('\n')) {
        out += line.mid(line.indexOf("\"time_ns\"")) + '\n';
    }
    return out;
}

struct Bench {
    QTemporaryDir folder;
    LoadedPolicy policy;
    std::unique_ptr<storage::RunStore> store;

    Bench()
    {
        write("policy.yaml", kPolicy);
        auto loaded = loadPolicy(path("policy.yaml"), {});
        if (!loaded || !loaded->isValid()) {
            qFatal("the policy of the test is invalid");
        }
        policy = std::move(*loaded);
        auto opened = storage::RunStore::open(path("runs.db"), storage::Access::Write);
        if (!opened) {
            qFatal("%s", opened.error().message.c_str());
        }
        store = std::move(*opened);
    }

    [[nodiscard]] std::string path(const std::string& name) const
    {
        return folder.filePath(QString::fromStdString(name)).toStdString();
    }

    void write(const std::string& name, const std::string& bytes) const
    {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("no file");
        }
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    }

    void write(const std::string& name, const std::vector<Line>& lines) const
    {
        std::string bytes;
        for (const Line& line : lines) {
            bytes += line.text;
        }
        write(name, bytes);
    }

    [[nodiscard]] ReplayRequest request(const std::vector<std::string>& names) const
    {
        ReplayRequest request;
        ReplayPolicy replayed;
        replayed.plan = &*policy.plan;
        replayed.record.name = policy.plan->name;
        replayed.record.path = policy.file;
        replayed.record.text = policy.policy->text;
        replayed.record.fingerprint = policy.fingerprint;
        request.policies.push_back(replayed);
        for (const std::string& name : names) {
            request.pass.logs.emplace_back().path = path(name);
        }
        request.pass.jobs = 1;
        request.store = store.get();
        request.version = "test";
        request.clock = [] { return std::int64_t {2}; };
        return request;
    }

    [[nodiscard]] Outcome run(ReplayRequest request) const
    {
        const std::string file = path("decisions.jsonl");
        auto decisions
            = DecisionFile::create(file, *policy.plan, {request.pass.logs.size() > 1, {}});
        if (!decisions) {
            qFatal("no decisions");
        }
        request.pass.decisions = decisions->get();
        request.listeners.push_back(decisions->get());
        const auto outcome = replay(request);
        if (!outcome) {
            qFatal("%s", outcome.error().message.c_str());
        }
        if (!(*decisions)->finish(outcome->pass.numbers)) {
            qFatal("decisions not written");
        }
        Outcome out;
        QFile written(QString::fromStdString(file));
        out.decisions = written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
        out.notes = outcome->notes.front();
        out.run = *outcome->runs.front();
        out.recording = outcome->recording;
        const auto detail = storage::RunReader(*store).detail(out.run);
        out.totals = detail->summary.totals;
        return out;
    }

    [[nodiscard]] Outcome run(const std::vector<std::string>& names) const
    {
        return run(request(names));
    }
};

/// Deals the lines out to files; each keeps its order.
std::vector<std::string> split(const Bench& bench, const std::vector<Line>& lines,
                               const std::string& way, std::size_t files)
{
    std::mt19937_64 random(files);
    std::vector<std::vector<Line>> parts(files);
    std::size_t streak = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::size_t to = i * files / lines.size(); // rotated: one after the other
        if (way == "interleaved") {
            to = i % files;
        } else if (way == "overlapping") {
            to = std::min(files - 1, i * files / lines.size() + random() % 2);
        } else if (way == "one busy, the others not") {
            to = random() % 500 == 0 ? 1 + random() % (files - 1) : 0;
        } else if (way == "in turns") {
            streak = i % 997 == 0 ? random() % files : streak;
            to = streak;
        }
        parts[to].push_back(lines[i]);
    }
    std::vector<std::string> names;
    for (std::size_t file = 0; file < files; ++file) {
        names.push_back("part" + std::to_string(file) + ".jsonl");
        bench.write(names.back(), parts[file]);
    }
    return names;
}

} // namespace

class TestMerge : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decisionsAreThoseOfOneFile_data();
    void decisionsAreThoseOfOneFile();
    void numbersAreThoseOfTheLogsBehindEachOther();
    void doesNotDependOnBlocksOrThreads();
    void equalTimesGoByLogThenLine();
    void lateIsJudgedWithinALog();
    void spreadIsCountedWithinALog();
    void sortsAllWhenOneIsOutOfOrder();
    void pipesAreMerged();
    void readsOnlyAPeriod();
    void manyLogsAreNotHeldOpen();
    void explainsAcrossLogs();
    void tellsWhatIsThereTwice();
    void attributesOfOneLogAreEnough();
};

void TestMerge::decisionsAreThoseOfOneFile_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<int>("files");
    for (const char* way :
         {"rotated", "interleaved", "overlapping", "one busy, the others not", "in turns"}) {
        for (const int files : {2, 5}) {
            QTest::addRow("%s, %d", way, files) << QString::fromLatin1(way) << files;
        }
    }
}

void TestMerge::decisionsAreThoseOfOneFile()
{
    QFETCH(QString, way);
    QFETCH(int, files);
    const Bench bench;
    const std::vector<Line> lines = linesOf(4'000, 60'000'000);
    bench.write("one.jsonl", lines);
    const Outcome one = bench.run(std::vector<std::string> {"one.jsonl"});
    QVERIFY(one.totals.rejected > 100 && one.totals.delayed > 100);

    std::vector<std::string> names
        = split(bench, lines, way.toStdString(), static_cast<std::size_t>(files));
    const Outcome parts = bench.run(names);
    QVERIFY(nameless(parts.decisions) == nameless(one.decisions));
    if (way == QLatin1String("rotated")) { // then the numbers are the same, too
        const auto place = [](const QByteArray& all) {
            QByteArray numbers;
            for (const QByteArray& line : all.split('\n')) {
                numbers += line.left(line.indexOf(',')) + '\n';
            }
            return numbers;
        };
        QVERIFY(place(parts.decisions) == place(one.decisions));
    }
    QCOMPARE(parts.totals.rejected, one.totals.rejected);
    QCOMPARE(parts.totals.late, std::uint64_t {0});
    std::reverse(names.begin(), names.end());
    QVERIFY(nameless(bench.run(names).decisions) == nameless(one.decisions));
    std::mt19937_64 random(1);
    std::shuffle(names.begin(), names.end(), random);
    QVERIFY(nameless(bench.run(names).decisions) == nameless(one.decisions));
}

void TestMerge::numbersAreThoseOfTheLogsBehindEachOther()
{
    const Bench bench;
    const std::vector<Line> lines = linesOf(3'000, 60'000'000);
    std::vector<std::string> names = split(bench, lines, "overlapping", 3);
    bench.write(
        names[1], "not json\n" + [&] {
            QFile file(QString::fromStdString(bench.path(names[1])));
            return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
        }());
    const Outcome outcome = bench.run(names);
    // n is the place of a (file, line) in the sorted list of all.
    std::vector<std::tuple<int, int, int>> seen; // file, line, n
    for (const QByteArray& line : outcome.decisions.split('\n')) {
        int n = 0;
        int number = 0;
        int file = 0;
        if (std::sscanf(line.constData(), R"({"n": %d, "line": %d, "file": %d,)", &n,
                        &number, // NOLINT
                        &file)
            == 3) {
            seen.emplace_back(file, number, n);
        }
    }
    QCOMPARE(seen.size(), std::size_t {3'000});
    std::sort(seen.begin(), seen.end());
    for (std::size_t i = 0; i < seen.size(); ++i) {
        QCOMPARE(std::get<2>(seen[i]), static_cast<int>(i) + 1);
    }
    // and the store says the same
    const storage::RunReader reader(*bench.store);
    auto cursor = reader.verdicts(outcome.run);
    QVERIFY(cursor.has_value());
    storage::VerdictBlock block;
    std::size_t rows = 0;
    while (cursor->next(block).value()) {
        for (const storage::RejectionRow& row : block.rows) {
            const QByteArray wanted = "{\"n\": " + QByteArray::number(qulonglong(row.n)) + ",";
            const qsizetype at = outcome.decisions.indexOf(wanted);
            QVERIFY(at >= 0);
            const QByteArray line
                = outcome.decisions.mid(at, outcome.decisions.indexOf('\n', at) - at);
            QVERIFY(line.contains("\"outcome\": \"rejected\""));
            QVERIFY(line.contains("\"time_ns\": " + QByteArray::number(qlonglong(row.timeNs))));
            ++rows;
        }
    }
    QCOMPARE(rows, static_cast<std::size_t>(outcome.totals.rejected));
}

void TestMerge::doesNotDependOnBlocksOrThreads()
{
    const Bench bench;
    const std::vector<Line> lines = linesOf(8'000, 80'000'000);
    const std::vector<std::string> names = split(bench, lines, "overlapping", 4);
    const Outcome first = bench.run(names);
    for (const std::size_t blockBytes :
         {std::size_t {300}, std::size_t {7'000}, std::size_t {1} << 20}) {
        for (const unsigned jobs : {1U, 2U, 4U}) {
            ReplayRequest request = bench.request(names);
            request.pass.blockBytes = blockBytes;
            request.pass.jobs = jobs;
            const Outcome other = bench.run(std::move(request));
            QVERIFY(other.decisions == first.decisions);
            QVERIFY(storage::RunReader(*bench.store).comparable(first.run, other.run).has_value());
        }
    }
}

void TestMerge::equalTimesGoByLogThenLine()
{
    const Bench bench;
    const auto line = [](const char* client) {
        return R"({"time_ns": 1700000000000000000, "client_ip": ")" + std::string(client) + "\"}\n";
    };
    bench.write("a.jsonl", line("192.0.2.1") + line("192.0.2.2"));
    bench.write("b.jsonl", line("192.0.2.3") + line("192.0.2.4"));
    for (const bool sorted : {false, true}) {
        ReplayRequest request = bench.request({"b.jsonl", "a.jsonl", "b.jsonl"});
        request.pass.sortWhole = sorted;
        const Outcome outcome = bench.run(std::move(request));
        std::vector<QByteArray> order;
        for (const QByteArray& decision : outcome.decisions.split('\n')) {
            order.push_back(decision.left(decision.indexOf(", \"time_ns\"")));
        }
        order.pop_back();
        QCOMPARE(order,
                 (std::vector<QByteArray> {
                     R"({"n": 1, "line": 1, "file": 0)", R"({"n": 2, "line": 2, "file": 0)",
                     R"({"n": 3, "line": 1, "file": 1)", R"({"n": 4, "line": 2, "file": 1)",
                     R"({"n": 5, "line": 1, "file": 2)", R"({"n": 6, "line": 2, "file": 2)"}));
    }
}

void TestMerge::lateIsJudgedWithinALog()
{
    const Bench bench;
    std::vector<Line> lines = linesOf(2'000, 100'000'000);
    // The second log is an hour behind the first: that is no lateness.
    bench.write("late.jsonl", lines);
    std::vector<Line> early = lines;
    for (Line& line : early) {
        const std::string old = std::to_string(line.timeNs);
        line.timeNs -= 3'600'000'000'000;
        line.text.replace(line.text.find(old), old.size(), std::to_string(line.timeNs));
    }
    bench.write("early.jsonl", early);
    ReplayRequest request = bench.request({"late.jsonl", "early.jsonl"});
    for (LogChoice& log : request.pass.logs) {
        log.reorderNs = 0;
    }
    QCOMPARE(bench.run(std::move(request)).totals.late, std::uint64_t {0});

    // One line of one log is late: it alone.
    std::swap(lines[500], lines[520]);
    bench.write("late.jsonl", lines);
    request = bench.request({"late.jsonl", "early.jsonl"});
    request.pass.logs[0].reorderNs = request.pass.logs[1].reorderNs = 100'000'000;
    const std::uint64_t both = bench.run(std::move(request)).totals.late;
    request = bench.request({"late.jsonl"});
    request.pass.logs[0].reorderNs = 100'000'000;
    QCOMPARE(both, bench.run(std::move(request)).totals.late);
    QVERIFY(both > 0);
}

/// Lines of nginx combined, stamped at whole seconds.
std::string coarse(int second, int count, int client)
{
    std::string lines;
    for (int i = 0; i < count; ++i) {
        lines += "192.0.2." + std::to_string(client)
            + " - - [14/Nov/2023:22:13:" + (second < 10 ? "0" : "") + std::to_string(second)
            + " +0000] \"GET /a HTTP/1.1\" 200 1 \"-\" \"-\"\n";
    }
    return lines;
}

void TestMerge::spreadIsCountedWithinALog()
{
    const Bench bench;
    bench.write("a.log", coarse(20, 4, 1));
    bench.write("b.log", coarse(20, 2, 2));
    for (const bool sorted : {false, true}) {
        ReplayRequest request = bench.request({"a.log", "b.log"});
        request.pass.sortWhole = sorted;
        const Outcome outcome = bench.run(std::move(request));
        std::vector<QByteArray> times;
        for (const QByteArray& decision : outcome.decisions.split('\n')) {
            const qsizetype at = decision.indexOf("\"file\"");
            times.push_back(decision.mid(at, decision.indexOf(", \"decided_ns\"") - at));
        }
        times.pop_back();
        QCOMPARE(times,
                 (std::vector<QByteArray> {R"("file": 0, "time_ns": 1700000000000000000)",
                                           R"("file": 1, "time_ns": 1700000000000000000)",
                                           R"("file": 0, "time_ns": 1700000000250000000)",
                                           R"("file": 0, "time_ns": 1700000000500000000)",
                                           R"("file": 1, "time_ns": 1700000000500000000)",
                                           R"("file": 0, "time_ns": 1700000000750000000)"}));
    }
}

void TestMerge::sortsAllWhenOneIsOutOfOrder()
{
    const Bench bench;
    std::vector<Line> lines = linesOf(5'000, 200'000'000);
    bench.write("one.jsonl", lines);
    const Outcome one = bench.run(std::vector<std::string> {"one.jsonl"});
    const std::vector<std::string> names = split(bench, lines, "interleaved", 3);
    std::vector<Line> second;
    for (std::size_t i = 1; i < lines.size(); i += 3) {
        second.push_back(lines[i]);
    }
    std::rotate(second.begin(), second.begin() + 900, second.end());
    bench.write(names[1], second);
    const Outcome outcome = bench.run(names);
    QVERIFY(has(outcome.notes, "replay.sorted"));
    QVERIFY(nameless(outcome.decisions) == nameless(one.decisions));
    QCOMPARE(outcome.totals.late, std::uint64_t {0});
}

void TestMerge::pipesAreMerged()
{
    const Bench bench;
    const std::vector<Line> lines = linesOf(4'000, 60'000'000);
    bench.write("one.jsonl", lines);
    const Outcome one = bench.run(std::vector<std::string> {"one.jsonl"});
    const std::vector<std::string> names = split(bench, lines, "overlapping", 3);
    const std::string pipe = bench.path("pipe");
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    QFile file(QString::fromStdString(bench.path(names[1])));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray content = file.readAll();
    // Open for both, so that the writer is there before the reader looks.
    const int end = ::open(pipe.c_str(), O_RDWR | O_CLOEXEC);
    QVERIFY(end >= 0);
    std::thread writer([&] {
        for (qsizetype at = 0; at < content.size();) {
            const auto wrote
                = ::write(end, content.constData() + at,
                          static_cast<std::size_t>(std::min<qsizetype>(content.size() - at, 777)));
            if (wrote < 0) {
                break;
            }
            at += wrote;
        }
        ::close(end);
    });
    const Outcome outcome = bench.run({names[0], "pipe", names[2]});
    writer.join();
    QVERIFY(nameless(outcome.decisions) == nameless(one.decisions));
    QVERIFY(outcome.recording.streamed);
}

void TestMerge::readsOnlyAPeriod()
{
    const Bench bench;
    const std::vector<Line> lines = linesOf(3'000, 60'000'000);
    const std::int64_t from = lines[1'000].timeNs;
    const std::int64_t to = lines[2'000].timeNs; // not included
    bench.write("middle.jsonl", std::vector<Line>(lines.begin() + 1'000, lines.begin() + 2'000));
    const Outcome middle = bench.run(std::vector<std::string> {"middle.jsonl"});
    bench.write("one.jsonl", lines);
    for (const std::vector<std::string>& names :
         {std::vector<std::string> {"one.jsonl"}, split(bench, lines, "interleaved", 3)}) {
        ReplayRequest request = bench.request(names);
        request.pass.fromNs = from;
        request.pass.toNs = to;
        const Outcome outcome = bench.run(std::move(request));
        QVERIFY(nameless(outcome.decisions) == nameless(middle.decisions));
        QCOMPARE(outcome.recording.requests, std::uint64_t {3'000});
        QCOMPARE(outcome.recording.leftOut, std::uint64_t {2'000});
        QCOMPARE(outcome.totals.requests, std::uint64_t {1'000});
        QVERIFY(has(outcome.notes, "replay.out-of-range"));
    }
}

std::size_t openFiles()
{
    std::size_t open = 0;
    for (int descriptor = 0; descriptor < 1'000; ++descriptor) {
        open += ::fcntl(descriptor, F_GETFD) >= 0 ? 1U : 0U;
    }
    return open;
}

/// Counts the open files while the pass runs.
class Watcher final : public PassListener {
public:
    engine::Status begin(const engine::Intake&, const engine::Replay&) override
    {
        return engine::Done {};
    }

    void settle(const engine::Settled&) override { }

    engine::Status health() override
    {
        most = std::max(most, openFiles());
        return engine::Done {};
    }

    std::size_t most = 0;
};

void TestMerge::manyLogsAreNotHeldOpen()
{
    const Bench bench;
    const std::vector<Line> lines = linesOf(9'000, 4'000'000'000); // hours
    bench.write("one.jsonl", lines);
    const Outcome one = bench.run(std::vector<std::string> {"one.jsonl"});
    const std::vector<std::string> names = split(bench, lines, "rotated", 60);
    const std::size_t before = openFiles();
    Watcher watcher;
    ReplayRequest request = bench.request(names);
    request.listeners.push_back(&watcher);
    const Outcome outcome = bench.run(std::move(request));
    QVERIFY(nameless(outcome.decisions) == nameless(one.decisions));
    QVERIFY2(watcher.most < before + 10, std::to_string(watcher.most - before).c_str());
}

void TestMerge::explainsAcrossLogs()
{
    const Bench bench;
    const std::vector<Line> lines = linesOf(1'500, 40'000'000);
    const std::vector<std::string> names = split(bench, lines, "overlapping", 3);
    const Outcome outcome = bench.run(names);
    QVERIFY(outcome.totals.rejected > 30);
    int explained = 0;
    for (const QByteArray& decision : outcome.decisions.split('\n')) {
        if (!decision.contains("\"outcome\": \"rejected\"") || ++explained % 9 != 0) {
            continue;
        }
        int n = 0;
        int line = 0;
        int file = 0;
        QCOMPARE(std::sscanf(decision.constData(), R"({"n": %d, "line": %d, "file": %d,)",
                             &n, // NOLINT
                             &line, &file),
                 3);
        ExplainTarget byNumber;
        byNumber.n = static_cast<std::uint64_t>(n);
        const auto a = explain(*bench.store, outcome.run, byNumber, {{}, 1});
        QVERIFY2(a.has_value(), a ? "" : a.error().message.c_str());
        QCOMPARE(a->line, static_cast<std::uint64_t>(line));
        QCOMPARE(a->file, static_cast<std::uint32_t>(file));
        QCOMPARE(a->n, static_cast<std::uint64_t>(n));
        ExplainTarget byLine;
        byLine.line = static_cast<std::uint64_t>(line);
        byLine.file = names[static_cast<std::size_t>(file)];
        const auto b = explain(*bench.store, outcome.run, byLine, {{}, 1});
        QVERIFY2(b.has_value(), b ? "" : b.error().message.c_str());
        QCOMPARE(b->n, static_cast<std::uint64_t>(n));
        for (const ExplainedRule& rule : b->rules) {
            for (const FilledBy& by : rule.filledBy) { // numbers, not places
                const QByteArray wanted = "{\"n\": " + QByteArray::number(qulonglong(by.n))
                    + ", \"line\": " + QByteArray::number(qulonglong(by.line))
                    + ", \"file\": " + QByteArray::number(by.file);
                QVERIFY(outcome.decisions.contains(wanted));
            }
        }
    }
    QVERIFY(explained > 30);
    ExplainTarget vague;
    vague.line = 5;
    const auto refused = explain(*bench.store, outcome.run, vague, {{}, 1});
    QVERIFY(!refused && refused.error().code == "explain.which-log");

    // Moved: their folder is asked for, or each of them.
    QVERIFY(QDir(bench.folder.path()).mkdir(QStringLiteral("moved")));
    std::vector<std::string> moved;
    for (const std::string& name : names) {
        moved.push_back(bench.path("moved/" + name));
        QVERIFY(QFile::rename(QString::fromStdString(bench.path(name)),
                              QString::fromStdString(moved.back())));
    }
    ExplainTarget any;
    QCOMPARE(explain(*bench.store, outcome.run, any, {{}, 1}).error().code,
             std::string("recording.missing"));
    QVERIFY(explain(*bench.store, outcome.run, any, {{bench.path("moved")}, 1}).has_value());
    QVERIFY(explain(*bench.store, outcome.run, any, {moved, 1}).has_value());
    std::swap(moved[0], moved[1]);
    QCOMPARE(explain(*bench.store, outcome.run, any, {moved, 1}).error().code,
             std::string("recording.changed"));
    QCOMPARE(explain(*bench.store, outcome.run, any, {{moved[0], moved[1]}, 1}).error().code,
             std::string("recording.count"));
}

void TestMerge::tellsWhatIsThereTwice()
{
    const Bench bench;
    const std::vector<Line> lines = linesOf(300, 60'000'000);
    bench.write("a.jsonl", lines);
    bench.write("copy.jsonl", lines);
    QVERIFY(has(bench.run({"a.jsonl", "copy.jsonl"}).notes, "log.twice"));

    // The same requests as a proxy in front has written them, in another format and stamped later.
    std::string nginx;
    std::string neutral;
    for (int i = 0; i < 40; ++i) {
        const std::string client = "192.0.2." + std::to_string(i % 5);
        const std::string path = "/p" + std::to_string(i % 11);
        nginx += client + " - - [14/Nov/2023:22:13:" + std::to_string(20 + i / 2) + " +0000] \"GET "
            + path + " HTTP/1.1\" 200 1 \"-\" \"-\"\n";
        neutral += R"({"time_ns": )"
            + std::to_string(kStart + i / 2 * 1'000'000'000LL + 250'000'000) + R"(, "client_ip": ")"
            + client + R"(", "method": "GET", "path": ")" + path + "\"}\n";
    }
    bench.write("proxy.log", nginx);
    bench.write("app.jsonl", neutral);
    QVERIFY(has(bench.run({"proxy.log", "app.jsonl"}).notes, "log.overlap"));
    // Other requests at the same time are none of that.
    QVERIFY(!has(bench.run({"proxy.log", "a.jsonl"}).notes, "log.overlap"));
}

void TestMerge::attributesOfOneLogAreEnough()
{
    Bench bench;
    bench.write(
        "policy.yaml",
        "weir: 1\nname: keys\ntiers:\n  edge:\n    - { name: per-key, key: [api_key], rate: "
        "1/min, algorithm: fixed_window }\n");
    bench.policy = std::move(*loadPolicy(bench.path("policy.yaml"), {}));
    bench.write("plain.log", coarse(20, 3, 1));
    bench.write("keys.jsonl",
                R"({"time_ns": 1700000000000000000, "client_ip": "192.0.2.1", "api_key": "k"})"
                "\n");
    QVERIFY(!has(bench.run({"plain.log", "keys.jsonl"}).notes, "replay.attribute-missing"));
    QVERIFY(
        has(bench.run(std::vector<std::string> {"plain.log"}).notes, "replay.attribute-missing"));
}

QTEST_APPLESS_MAIN(TestMerge)
#include "tst_merge.moc"
