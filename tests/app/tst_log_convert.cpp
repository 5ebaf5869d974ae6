#include "app/workbench/convert.h"
#include "storage/log_reader.h"
#include "storage/sequencer.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <string>
#include <tuple>
#include <vector>

using storage::Spread;

/// A converted log stands for the original: whatever the conversion did, a replay decides the same
/// requests at the same times in the same order.
class TestLogConvert : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decidesWhatTheOriginalDecides_data();
    void decidesWhatTheOriginalDecides();
    void writesWhereAStampWasPlaced();
    void convertsAConvertedLogToTheSame();
};

namespace {

/// Decided time and path.
using Decided = std::vector<std::pair<std::int64_t, std::string>>;

Decided replayed(const std::string& path, Spread spread)
{
    Decided decided;
    storage::SequencerOptions options;
    options.fullSort = true;
    options.spread = spread;
    std::vector<std::string> paths;
    storage::Sequencer sequencer(options, [&](std::span<const storage::Sequenced> records) {
        for (const storage::Sequenced& due : records) {
            decided.emplace_back(due.timeNs, paths[due.n]);
        }
    });
    auto reader = storage::LogReader::open(path, {});
    (*reader)->selectFields({"path"});
    storage::LogBlock block;
    while ((*reader)->readBlock(block).value()) {
        (*reader)->parse(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const auto item = storage::itemOf(block.batch.requests[i], paths.size());
            paths.emplace_back(block.batch.valuesOf(i)[0]);
            (void)sequencer.push(item, {}).value();
        }
    }
    (void)sequencer.finish().value();
    return decided;
}

std::string converted(const std::string& path, Spread spread, bool sorted)
{
    std::string text;
    app::ConvertRequest request;
    request.logs.resize(1);
    request.logs[0].path = path;
    request.logs[0].spread = spread;
    request.sorted = sorted;
    request.write = [&text](std::string_view lines) -> engine::Status {
        text += lines;
        return engine::Done {};
    };
    return app::convert(request) ? text : std::string();
}

/// JSON lines with coarse stamps, durations that bring requests of several seconds to the same
/// time, and some fine stamps between them.
std::string originalLog()
{
    std::string text;
    for (int i = 0; i < 400; ++i) {
        const int second = i / 4;
        const bool fine = i % 11 == 10;
        text += R"({"time":)" + std::to_string(1'795'860'000 + second) + (fine ? ".2513" : "")
            + R"(,"duration":)" + std::to_string(i * 7 % 3) + (i % 5 == 0 ? ".25" : "")
            + R"(,"remote_addr":"192.0.2.1","uri":"/)" + std::to_string(i) + "\"}\n";
    }
    return text;
}

class Folder {
public:
    std::string write(const char* name, const std::string& bytes) const
    {
        const std::string path = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }

private:
    QTemporaryDir m_folder;
};

/// The number of a member of one line, or nothing.
std::string member(const std::string& line, const std::string& name)
{
    const std::string label = "\"" + name + "\": ";
    const auto at = line.find(label);
    if (at == std::string::npos) {
        return {};
    }
    const auto from = at + label.size();
    return line.substr(from, line.find_first_of(",}", from) - from);
}

} // namespace

void TestLogConvert::decidesWhatTheOriginalDecides_data()
{
    QTest::addColumn<bool>("placed");
    QTest::addColumn<bool>("sorted");
    QTest::addColumn<Spread>("spread");
    QTest::newRow("as written") << false << true << Spread::Even;
    QTest::newRow("placed") << true << true << Spread::Even;
    QTest::newRow("placed, not spread again") << true << true << Spread::Keep;
    QTest::newRow("as written, not spread") << false << true << Spread::None;
    QTest::newRow("placed, set back") << true << true << Spread::None;
    QTest::newRow("unsorted") << false << false << Spread::Even;
    QTest::newRow("unsorted, which is never placed") << true << false << Spread::Even;
}

void TestLogConvert::decidesWhatTheOriginalDecides()
{
    QFETCH(bool, placed);
    QFETCH(bool, sorted);
    QFETCH(Spread, spread);
    const Folder folder;
    const std::string original = folder.write("a.jsonl", originalLog());
    const Decided expected
        = replayed(original, spread == Spread::None ? Spread::None : Spread::Even);
    QCOMPARE(expected.size(), std::size_t {400});
    const std::string neutral = folder.write(
        "b.jsonl", converted(original, placed ? Spread::Even : Spread::None, sorted));
    const Decided got = replayed(neutral, spread);
    QCOMPARE(got.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QVERIFY2(got[i] == expected[i],
                 (std::to_string(i) + ": " + got[i].second + " at " + std::to_string(got[i].first)
                  + ", expected " + expected[i].second + " at " + std::to_string(expected[i].first))
                     .c_str());
    }
}

void TestLogConvert::writesWhereAStampWasPlaced()
{
    const Folder folder;
    std::string text;
    for (const char* duration : {"0", "1.5"}) {
        text += R"({"time":1795860000,"duration":)" + std::string(duration)
            + R"(,"remote_addr":"192.0.2.1","uri":"/a"})" + "\n";
    }
    const std::string path = folder.write("a.jsonl", text);
    const std::string placed = converted(path, Spread::Even, true);
    const std::string first = placed.substr(0, placed.find('\n')); // the one that took 1.5 s
    QCOMPARE(member(first, "time_ns"), std::string("1795859999000000000"));
    QCOMPARE(member(first, "stamp_ns"), std::string("1795860000500000000"));
    QCOMPARE(member(first, "logged_ns"), std::string("1795860000000000000"));
    QCOMPARE(member(first, "resolution_ns"), std::string("1000000000"));
    const std::string plain = converted(path, Spread::Even, false);
    QCOMPARE(member(plain, "stamp_ns"), std::string("1795860000000000000"));
    QCOMPARE(plain, converted(path, Spread::None, false));
    // A fine stamp has nothing of this.
    const std::string fine
        = converted(folder.write("fine.jsonl",
                                 R"({"time":1795860000.25,"remote_addr":"192.0.2.1","uri":"/a"})"
                                 "\n"),
                    Spread::Even, true);
    QCOMPARE(member(fine, "logged_ns"), std::string("1795860000250000000"));
    QCOMPARE(member(fine, "stamp_ns") + member(fine, "resolution_ns"), std::string());
}

void TestLogConvert::convertsAConvertedLogToTheSame()
{
    const Folder folder;
    const std::string original = folder.write("a.jsonl", originalLog());
    const std::string once = converted(original, Spread::Even, true);
    QVERIFY(!once.empty());
    const std::string path = folder.write("b.jsonl", once);
    QCOMPARE(converted(path, Spread::Even, true), once);
    QCOMPARE(converted(path, Spread::Keep, true), once);
}

QTEST_APPLESS_MAIN(TestLogConvert)
#include "tst_log_convert.moc"
