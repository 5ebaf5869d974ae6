#include "storage/compressed_writer.h"
#include "storage/log_source.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstdlib>
#include <fstream>

using namespace storage;
using Kind = CompressedWriter::Kind;

/// What is packed is what comes out again, here and from the tools.
class TestCompressedWriter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isToldByTheName();
    void givesBackWhatWasWritten_data();
    void givesBackWhatWasWritten();
    void stopsWhereTheSinkFails();
    void isCutWithoutItsEnd();
};

namespace {

std::string packed(Kind kind, const std::string& text, std::size_t step)
{
    std::string bytes;
    CompressedWriter writer(kind, [&](std::string_view part) {
        bytes += part;
        return engine::Status(engine::Done {});
    });
    for (std::size_t at = 0; at < text.size(); at += step) {
        if (!writer.write(std::string_view(text).substr(at, step))) {
            return {};
        }
    }
    return writer.finish() ? bytes : std::string();
}

std::string write(const QTemporaryDir& folder, const std::string& bytes)
{
    const std::string path = folder.filePath(QStringLiteral("packed")).toStdString();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

struct Unpacked {
    std::string text;
    bool partial = false;
    std::size_t warnings = 0;
};

Unpacked unpacked(const std::string& path)
{
    Unpacked all;
    auto source = LogSource::open(path);
    if (!source) {
        return all;
    }
    std::vector<char> room(100'000);
    for (std::size_t got = 1; got > 0; all.text.append(room.data(), got)) {
        got = *(*source)->read(room.data(), room.size());
    }
    all.partial = (*source)->isPartial();
    all.warnings = (*source)->warnings().size();
    return all;
}

/// Lines, and a part that cannot be packed.
std::string someText(std::size_t size)
{
    std::string text;
    std::uint64_t state = 88172645463325252ULL;
    while (text.size() < size) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text += state % 3 == 0 ? "GET /a/" + std::to_string(state % 1'000) + " 200\n"
                               : std::string(1, static_cast<char>(state >> 24));
    }
    text.resize(size);
    return text;
}

} // namespace

void TestCompressedWriter::isToldByTheName()
{
    QCOMPARE(CompressedWriter::kindOf("a.jsonl.zst"), std::optional(Kind::Zstd));
    QCOMPARE(CompressedWriter::kindOf("a.gz"), std::optional(Kind::Gzip));
    QVERIFY(!CompressedWriter::kindOf("a.jsonl"));
    QVERIFY(!CompressedWriter::kindOf("zst"));
}

void TestCompressedWriter::givesBackWhatWasWritten_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("size");
    QTest::addColumn<int>("step");
    for (const int kind : {int(Kind::Gzip), int(Kind::Zstd)}) {
        for (const int size : {0, 1, 1'000, 5'000'000}) {
            for (const int step : {7, 4'096, 10'000'000}) {
                if (size / step < 100'000) {
                    QTest::addRow("%s %d by %d", kind == int(Kind::Gzip) ? "gzip" : "zstd", size,
                                  step)
                        << kind << size << step;
                }
            }
        }
    }
}

void TestCompressedWriter::givesBackWhatWasWritten()
{
    QFETCH(int, kind);
    QFETCH(int, size);
    QFETCH(int, step);
    const QTemporaryDir folder;
    const std::string text = someText(std::size_t(size));
    const std::string bytes = packed(Kind(kind), text, std::size_t(step));
    QVERIFY(!bytes.empty());
    QVERIFY(bytes == packed(Kind(kind), text, std::size_t(step)));
    const std::string path = write(folder, bytes);
    const Unpacked all = unpacked(path);
    QVERIFY(all.text == text);
    QVERIFY(!all.partial && all.warnings == 0);
    const std::string tool = Kind(kind) == Kind::Gzip ? "gzip -t" : "zstd -q -t";
    if (std::system(("command -v " + tool.substr(0, 4) + " >/dev/null").c_str()) == 0) {
        QCOMPARE(std::system((tool + " < '" + path + "' 2>/dev/null").c_str()), 0);
    }
}

void TestCompressedWriter::stopsWhereTheSinkFails()
{
    for (const Kind kind : {Kind::Gzip, Kind::Zstd}) {
        CompressedWriter writer(kind, [](std::string_view) {
            return engine::Status(engine::fail("file.write", "no room"));
        });
        engine::Status done = writer.write(someText(5'000'000));
        if (done) {
            done = writer.finish();
        }
        QVERIFY(!done);
        QCOMPARE(done.error().code, std::string("file.write"));
    }
}

void TestCompressedWriter::isCutWithoutItsEnd()
{
    const QTemporaryDir folder;
    for (const Kind kind : {Kind::Gzip, Kind::Zstd}) {
        std::string bytes;
        {
            CompressedWriter writer(kind, [&](std::string_view part) {
                bytes += part;
                return engine::Status(engine::Done {});
            });
            QVERIFY(writer.write(someText(5'000'000)));
        }
        QVERIFY(unpacked(write(folder, bytes)).partial);
    }
}

QTEST_APPLESS_MAIN(TestCompressedWriter)
#include "tst_compressed_writer.moc"
