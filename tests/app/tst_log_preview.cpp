#include "app/workbench/log_preview.h"
#include "app/workbench/replay_options.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace app;

namespace {

std::string combined(int second)
{
    return "192.0.2." + std::to_string(second % 7)
        + " - - [10/Mar/2026:00:00:" + (second % 60 < 10 ? "0" : "") + std::to_string(second % 60)
        + " +0000] \"GET /items/" + std::to_string(second) + " HTTP/1.1\" 200 12 \"-\" \"curl\"\n";
}

} // namespace

class TestLogPreview : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void firstLinesSayWhatALogIs();
    void longLogsAreNotReadWhole();
    void secretsAreNotShown();
    void everyReasonHasWords();
    void whatCannotBeReadSaysWhy();
    void optionsBecomeACommand();
    void optionsBecomeARequest();

private:
    [[nodiscard]] LogChoice written(const std::string& bytes) const
    {
        LogChoice choice;
        choice.path = m_folder.filePath(QStringLiteral("a.log")).toStdString();
        std::ofstream(choice.path, std::ios::binary) << bytes;
        return choice;
    }

    QTemporaryDir m_folder;
};

void TestLogPreview::firstLinesSayWhatALogIs()
{
    std::string bytes;
    for (int i = 0; i < 20; ++i) {
        bytes += combined(i);
    }
    bytes += "nonsense <b>\x1b[31m\nmore nonsense\n";
    const auto preview = previewLog(written(bytes));
    QVERIFY2(preview, preview ? "" : preview.error().message.c_str());
    QVERIFY(preview->isWhole);
    QCOMPARE(preview->storedBytes, std::uint64_t(bytes.size()));
    QCOMPARE(preview->log.report.requests, std::uint64_t {20});
    QCOMPARE(preview->log.report.rejected, std::uint64_t {2});
    QCOMPARE(preview->log.report.lines, std::uint64_t {22});
    QCOMPARE(preview->first.size(), std::size_t {20});
    QCOMPARE(preview->reasons.size(), std::size_t {1});
    QCOMPARE(preview->reasons.front().count, std::uint64_t {2});
    QCOMPARE(preview->reasons.front().firstLine, std::uint64_t {21});
    QCOMPARE(preview->reasons.front().example, std::string("nonsense <b>\x1b[31m"));
    QVERIFY(!preview->attributes.empty());
    QCOMPARE(preview->attributes.front().filled, std::uint64_t {20});
    QCOMPARE(*preview->log.report.firstNs, std::int64_t {1'773'100'800'000'000'000});
}

void TestLogPreview::longLogsAreNotReadWhole()
{
    std::string bytes;
    for (int i = 0; i < 60'000; ++i) {
        bytes += combined(i);
    }
    const LogChoice choice = written(bytes);
    QElapsedTimer timer;
    timer.start();
    const auto preview = previewLog(choice);
    QVERIFY(preview);
    QVERIFY2(timer.elapsed() < 2000, "a preview must not read the whole log"); // slow machines
    QVERIFY(!preview->isWhole);
    QCOMPARE(preview->log.report.requests, std::uint64_t {1000});
    QCOMPARE(preview->first.size(), kPreviewRequests);
    QVERIFY(preview->log.bytes < bytes.size() / 4);
}

void TestLogPreview::secretsAreNotShown()
{
    const auto preview = previewLog(
        written(R"({"time": "2026-03-10T00:00:00Z", "path": "/", "authorization": "Bearer s3cret"})"
                "\n"));
    QVERIFY(preview);
    for (const auto& [name, value] : preview->first.front().fields) {
        QVERIFY2(value.find("s3cret") == std::string::npos, name.c_str());
    }
    for (const LogPreview::Attribute& attribute : preview->attributes) {
        QVERIFY(attribute.example.find("s3cret") == std::string::npos);
    }
}

void TestLogPreview::everyReasonHasWords()
{
    for (const std::string_view code :
         {storage::reject::kLineTooLong, storage::reject::kTruncated, storage::reject::kNoMatch,
          storage::reject::kBadTime, storage::reject::kNoClient, storage::reject::kNotJson,
          storage::reject::kBlankLine, storage::reject::kErrorLog, storage::reject::kSeveral,
          storage::reject::kNotHttp, storage::reject::kWideHeader,
          storage::reject::kPartialJoined}) {
        QVERIFY(rejectText(code) != code);
    }
}

void TestLogPreview::whatCannotBeReadSaysWhy()
{
    const auto nothing = previewLog(written("hello\nworld\n"));
    QVERIFY(!nothing);
    QCOMPARE(nothing.error().code, std::string("log.unknown-format"));
    const std::vector<std::string> lines = firstLinesOf(written("hello\nworld\n").path, 3);
    QCOMPARE(lines, (std::vector<std::string> {"hello", "world"}));
    LogChoice gone;
    gone.path = m_folder.filePath(QStringLiteral("gone.log")).toStdString();
    QCOMPARE(previewLog(gone).error().code, std::string("log.missing"));
    LogChoice stream;
    stream.path = "/dev/null";
    QCOMPARE(previewLog(stream).error().code, std::string("log.stream"));
}

void TestLogPreview::optionsBecomeACommand()
{
    GivenOptions given;
    given.add("name", "pro 600, it's");
    given.add("from", "2026-11-28");
    given.add("where", "path=/search/** and not method=OPTIONS");
    given.add("map", "-x=y");
    QCOMPARE(replayCommand("my api.yaml", {"day.log.gz", "-odd"}, given),
             std::string("weir replay 'my api.yaml' day.log.gz ./-odd --name "
                         "'pro 600, it'\"'\"'s' --from 2026-11-28 --where "
                         "'path=/search/** and not method=OPTIONS' --map=-x=y"));
}

void TestLogPreview::optionsBecomeARequest()
{
    GivenOptions given;
    given.add("from", "2026-11-28");
    given.add("to", "2026-11-28T01:00:00Z");
    given.add("who", "tenant");
    given.add("warmup", "10min");
    const auto request = replayRequestOf(given, {});
    QVERIFY(request);
    QCOMPARE(*request->pass.toNs - *request->pass.fromNs, std::int64_t {3'600'000'000'000});
    QCOMPARE(request->pass.warmupNs, std::int64_t {600'000'000'000});
    QCOMPARE(request->options.size(), std::size_t {4});
    QCOMPARE(request->options.front().name, std::string("warmup"));

    given.add("to", "2026-11-27");
    QCOMPARE(replayRequestOf(given, {}).error().code, std::string("cli.usage"));
}

QTEST_GUILESS_MAIN(TestLogPreview)
#include "tst_log_preview.moc"
