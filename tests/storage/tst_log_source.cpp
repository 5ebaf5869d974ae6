#include "storage/log_source.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace storage;

/// The bytes of a LOG: packings, damage, bombs, files that change.
class TestLogSource : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsFramesOfZstd();
    void readsWhatTheToolWrites();
    void keepsWhatIsWholeBeforeACut_data();
    void keepsWhatIsWholeBeforeACut();
    void leavesOutWhatIsBehind();
    void saysThatAChecksumIsWrong();
    void keepsTheSameTextInAnySteps();
    void refusesFramesThatNeedMore();
    void namesThePipeForOtherPackings_data();
    void namesThePipeForOtherPackings();
    void refusesWhatIsPackedTwice();
    void refusesBombs_data();
    void refusesBombs();
    void needsLittleMemory_data();
    void needsLittleMemory();
    void readsAFileAsItWasWhenItWasOpened();
    void readsStandardInput();
    void noticesAFileThatShrinks();
    void quotesNamesInCommands();
};

namespace {

class Folder {
public:
    [[nodiscard]] std::string write(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

    [[nodiscard]] std::string path(const std::string& name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }

    /// What `command` makes of `input`; empty if there is no such tool.
    [[nodiscard]] std::string run(const std::string& command, const std::string& input) const
    {
        const std::string from = write("tool.in", input);
        const std::string line = command + " < '" + from + "' > '" + from + ".out' 2>/dev/null";
        if (std::system(line.c_str()) != 0) {
            return {};
        }
        std::ifstream file(from + ".out", std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

private:
    QTemporaryDir m_folder;
};

struct Text {
    std::string text;
    std::uint64_t size = 0;
    bool partial = false;
    std::string failure; ///< code
    engine::Diagnostic error;
    std::vector<std::string> warnings; ///< codes
    std::string fingerprint;
};

/// All of a log, in steps of `room` bytes; beyond `kept` bytes only their number.
Text readAll(const std::string& path, const SourceOptions& options = {}, std::size_t room = 10'000,
             std::size_t kept = std::size_t {1} << 24)
{
    Text all;
    const auto fail = [&](const engine::Diagnostic& error) {
        all.error = error;
        all.failure = error.code;
        return all;
    };
    auto source = LogSource::open(path, options);
    if (!source) {
        return fail(source.error());
    }
    std::vector<char> buffer(room);
    for (;;) {
        auto got = (*source)->read(buffer.data(), room);
        if (!got) {
            return fail(got.error());
        }
        if (*got == 0) {
            break;
        }
        all.size += *got;
        if (all.text.size() < kept) {
            all.text.append(buffer.data(), *got);
        }
    }
    all.partial = (*source)->isPartial();
    for (const auto& warning : (*source)->warnings()) {
        all.warnings.push_back(warning.code);
    }
    all.fingerprint = (*source)->fingerprint().toText();
    return all;
}

std::string littleEndian(std::uint32_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>(value >> (8 * i) & 0xffU);
    }
    return text;
}

const std::string kZstdMagic("\x28\xb5\x2f\xfd", 4);

/// zstd frames without compression, and with bytes that repeat.
struct Frame {
    int windowLog = 17;
    std::string checksum; ///< 4 bytes, or none
    std::uint32_t dictionary = 0;
    std::string blocks;

    Frame& raw(const std::string& text, bool last)
    {
        blocks += littleEndian(static_cast<std::uint32_t>(text.size() << 3) | (last ? 1U : 0U), 3)
            + text;
        return *this;
    }

    Frame& repeat(char byte, std::uint32_t count, bool last)
    {
        blocks += littleEndian(count << 3 | 2U | (last ? 1U : 0U), 3) + byte;
        return *this;
    }

    [[nodiscard]] std::string bytes() const
    {
        const int descriptor = (checksum.empty() ? 0 : 4) | (dictionary != 0 ? 3 : 0);
        std::string frame
            = kZstdMagic + static_cast<char>(descriptor) + static_cast<char>((windowLog - 10) << 3);
        frame += dictionary != 0 ? littleEndian(dictionary, 4) : "";
        return frame + blocks + checksum;
    }
};

std::string frameOf(const std::string& text)
{
    return Frame().raw(text, true).bytes();
}

std::string skippable(const std::string& content, int kind = 0)
{
    return std::string(1, static_cast<char>(0x50 + kind)) + "\x2a\x4d\x18"
        + littleEndian(static_cast<std::uint32_t>(content.size()), 4) + content;
}

std::string someLines(int count, int seed)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += "line " + std::to_string(i * 7919 + seed) + "\n";
    }
    return text;
}

std::string gzipped(const Folder& folder, const std::string& text)
{
    return folder.run("gzip -nc", text);
}

/// `count` bytes of newlines in the frame of 4 bytes per 128 KiB.
std::string zstdBomb(std::uint64_t count)
{
    Frame frame;
    constexpr std::uint32_t kBlock = 128 << 10;
    for (std::uint64_t at = 0; at < count; at += kBlock) {
        frame.repeat('\n', kBlock, at + kBlock >= count);
    }
    return frame.bytes();
}

/// Greatest resident size of a child that runs `work`, in bytes; 0 if the work failed.
std::uint64_t peakOf(const std::function<bool()>& work)
{
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(work() ? 0 : 1);
    }
    int status = 0;
    rusage usage {};
    ::wait4(child, &status, 0, &usage);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0
        ? static_cast<std::uint64_t>(usage.ru_maxrss) * 1024
        : 0;
}

} // namespace

void TestLogSource::readsFramesOfZstd()
{
    const Folder folder;
    const std::string a = someLines(40, 1);
    const std::string b = someLines(50, 2);
    const std::vector<std::string> packed {
        frameOf(a + b),
        frameOf(a) + frameOf(b),
        skippable("1234") + frameOf(a) + skippable("", 15) + frameOf(b), // as pzstd writes
        frameOf(a) + std::string(600, '\0') + frameOf(b) + std::string(100'000, '\0'),
        Frame().raw(a, false).raw(b, true).bytes(),
        frameOf("") + frameOf(a + b) + frameOf("") + skippable(std::string(300'000, '(')),
    };
    for (const std::string& bytes : packed) {
        const std::string path = folder.write("named.txt", bytes);
        for (const std::size_t room : {std::size_t {1}, std::size_t {7}, std::size_t {1} << 20}) {
            const Text all = readAll(path, {}, room);
            QVERIFY2(all.failure.empty(), all.failure.c_str());
            QVERIFY(all.text == a + b);
            QVERIFY(!all.partial && all.warnings.empty());
            QCOMPARE(all.fingerprint, fingerprintFile(path)->fingerprint.toText());
        }
    }
    // Again from the first byte, and through a pipe that gives one byte at a time.
    auto source = LogSource::open(folder.write("a.zst", packed[2]), {});
    std::vector<char> room(10'000);
    const auto first = (*source)->read(room.data(), room.size());
    QVERIFY((*source)->isCompressed());
    QVERIFY((*source)->rewind());
    const auto again = (*source)->read(room.data(), room.size());
    QCOMPARE(*again, *first);
    const std::string fifo = folder.path("fifo");
    QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
    const int held = ::open(fifo.c_str(), O_RDWR);
    std::thread writer([&] {
        for (const char byte : packed[3].substr(0, 3'000)) {
            QCOMPARE(::write(held, &byte, 1), ssize_t {1});
        }
        // What nobody has read yet would be gone with the last end of the pipe.
        for (int left = 1; left > 0 && ::ioctl(held, FIONREAD, &left) == 0;) {
            std::this_thread::yield();
        }
        ::close(held);
    });
    const Text streamed = readAll(fifo);
    writer.join();
    QVERIFY(streamed.text == a + b);
}

void TestLogSource::readsWhatTheToolWrites()
{
    const Folder folder;
    const std::string text = someLines(20'000, 3);
    const std::string plain = folder.run("zstd -q -c", text);
    if (plain.empty()) {
        QSKIP("there is no zstd tool here");
    }
    for (const char* command : {"zstd -q -c", "zstd -q -c -19", "zstd -q -c --long=27 -1",
                                "zstd -q -c --ultra -22", "zstd -q -c --no-check --fast=5"}) {
        const std::string packed = folder.run(command, text);
        QVERIFY2(!packed.empty(), command);
        const Text all = readAll(folder.write("a.zst", packed + plain));
        QVERIFY2(all.text == text + text, command);
        QVERIFY2(all.warnings.empty(), command);
    }
}

void TestLogSource::keepsWhatIsWholeBeforeACut_data()
{
    QTest::addColumn<QByteArray>("first");
    QTest::addColumn<QByteArray>("second");
    const Folder folder;
    const std::string a = someLines(12, 1);
    const std::string b = someLines(6, 2);
    const auto row = [](const char* name, const std::string& one, const std::string& two) {
        QTest::newRow(name) << QByteArray::fromStdString(one) << QByteArray::fromStdString(two);
    };
    row("gzip", gzipped(folder, a), gzipped(folder, b));
    row("zstd", frameOf(a), frameOf(b));
    row("pzstd", skippable("1234") + frameOf(a), skippable("1234") + frameOf(b));
}

void TestLogSource::keepsWhatIsWholeBeforeACut()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, second);
    const Folder folder;
    const std::string text = someLines(12, 1) + someLines(6, 2);
    const std::string packed = (first + second).toStdString();
    std::size_t before = 0;
    for (std::size_t size = 8; size < packed.size(); ++size) {
        const Text all = readAll(folder.write("cut", packed.substr(0, size)), {}, 97);
        QVERIFY2(all.failure.empty(), all.failure.c_str());
        QVERIFY(text.starts_with(all.text));
        QVERIFY(all.text.size() >= before);
        before = all.text.size();
        const bool isBoundary = static_cast<qsizetype>(size) == first.size()
            || (size == 12 && first.startsWith('\x50'))
            || (static_cast<qsizetype>(size) == first.size() + 12 && first.startsWith('\x50'));
        QCOMPARE(all.partial, !isBoundary);
        QVERIFY(isBoundary == all.warnings.empty());
        QCOMPARE(all.fingerprint, fingerprintFile(folder.path("cut"))->fingerprint.toText());
    }
}

void TestLogSource::leavesOutWhatIsBehind()
{
    const Folder folder;
    const std::string a = someLines(60, 1);
    for (const std::string& packed : {gzipped(folder, a), frameOf(a)}) {
        for (const std::string& junk :
             {std::string("junk"), std::string("\x1f"), std::string("\x28\xb5\x2f"),
              std::string("\0\0\0x", 4), std::string(300'000, 'x'), std::string("\x50\x2a\x4d")}) {
            const std::string path = folder.write("junk", packed + junk);
            const Text all = readAll(path);
            QVERIFY(all.text == a);
            QVERIFY(all.partial);
            QCOMPARE(all.warnings, std::vector<std::string> {"log.trailing-bytes"});
            QCOMPARE(all.fingerprint, fingerprintFile(path)->fingerprint.toText());
        }
    }
}

void TestLogSource::saysThatAChecksumIsWrong()
{
    const Folder folder;
    const std::string a = someLines(60, 1);
    Frame frame;
    frame.checksum = "\1\2\3\4";
    const std::string path = folder.write("wrong.zst", frame.raw(a, true).bytes() + frameOf(a));
    auto source = LogSource::open(path);
    const Text all = readAll(path);
    QVERIFY(all.text == a);
    QVERIFY(all.partial);
    std::vector<char> room(100'000);
    while (*(*source)->read(room.data(), room.size()) > 0) { }
    QCOMPARE((*source)->warnings().size(), std::size_t {1});
    QCOMPARE((*source)->warnings().front().message,
             path + " is damaged at its end (a checksum is wrong); the " + std::to_string(a.size())
                 + " bytes of text before that were read");
}

/// How much of a damaged log is read does not depend on how it is read.
void TestLogSource::keepsTheSameTextInAnySteps()
{
    const Folder folder;
    const std::string a = someLines(3'000, 1);
    std::string gzip = gzipped(folder, a);
    std::string zstd = Frame().raw(someLines(500, 2), false).repeat('x', 70'000, false).bytes()
        + std::string(1, '\6') + std::string(40, '\xff'); // a block of a kind that there is not
    for (std::size_t at = gzip.size() / 2; at < gzip.size() / 2 + 40; ++at) {
        gzip[at] = static_cast<char>(gzip[at] ^ 0x55);
    }
    for (const std::string& bytes : {gzip, zstd}) {
        const std::string path = folder.write("damaged", bytes);
        const Text whole = readAll(path, {}, std::size_t {1} << 20);
        QVERIFY(whole.partial);
        QVERIFY(whole.text.size() > 3'000);
        for (const std::size_t room :
             {std::size_t {1}, std::size_t {61}, std::size_t {4'096}, std::size_t {70'001}}) {
            QVERIFY(readAll(path, {}, room).text == whole.text);
        }
    }
}

void TestLogSource::refusesFramesThatNeedMore()
{
    const Folder folder;
    const std::string a = someLines(60, 1);
    Frame wide;
    wide.windowLog = 27;
    QVERIFY(readAll(folder.write("27.zst", wide.raw(a, true).bytes())).text == a);
    wide.windowLog = 28;
    const std::string path = folder.write("28.zst", wide.bytes());
    const Text refused = readAll(path);
    QCOMPARE(refused.failure, std::string("log.compression"));
    QCOMPARE(refused.error.message,
             path + " is not unpacked: it needs a window of more than 128 MiB");
    QCOMPARE(refused.error.help,
             "unpack it into a pipe: zstd -dc --long=31 " + path + " | weir ... -");
    // A later frame as well: half of a log must not pass for all of it.
    QCOMPARE(readAll(folder.write("second.zst", frameOf(a) + wide.bytes())).failure,
             std::string("log.compression"));
    Frame withDictionary;
    withDictionary.dictionary = 77;
    const Text dictionary = readAll(folder.write("d.zst", withDictionary.raw(a, true).bytes()));
    QCOMPARE(dictionary.failure, std::string("log.compression"));
    QVERIFY(dictionary.error.help.find("-D DICTIONARY") != std::string::npos);
}

void TestLogSource::namesThePipeForOtherPackings_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("command");
    const auto row = [](const char* name, const QByteArray& bytes, const char* command) {
        QTest::newRow(name) << bytes << QByteArray(name) << QByteArray(command);
    };
    row("xz", QByteArray("\xfd\x37\x7a\x58\x5a\x00rest", 10), "xz -dc NAME");
    row("bzip2", "BZh11AY&SYrest", "bzip2 -dc NAME");
    row("lz4", QByteArray("\x04\x22\x4d\x18rest", 8), "lz4 -dc NAME");
    row("compress", QByteArray("\x1f\x9drest", 6), "gzip -dc NAME");
    row("lzip", "LZIPrest", "lzip -dc NAME");
    row("zip", QByteArray("PK\x03\x04rest", 8), "unzip -p NAME");
    row("7z", QByteArray("7z\xbc\xaf\x27\x1crest", 10), "7z x -so NAME");
    row("rar", QByteArray("Rar!\x1a\x07rest", 10), "unrar p -inul NAME");
    row("tar", QByteArray("a.log") + QByteArray(252, '\0') + "ustar\0" + QByteArray(300, ' '),
        "tar -xOf NAME");
}

void TestLogSource::namesThePipeForOtherPackings()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, command);
    const Folder folder;
    const std::string path = folder.write("a.log", bytes.toStdString());
    const Text refused = readAll(path);
    QCOMPARE(refused.failure, std::string("log.compression"));
    QCOMPARE(refused.error.message,
             path + " is packed with " + message.toStdString() + ", which is not read");
    command.replace("NAME", QByteArray::fromStdString(path));
    QCOMPARE(refused.error.help,
             "unpack it into a pipe: " + command.toStdString() + " | weir ... -");
}

void TestLogSource::refusesWhatIsPackedTwice()
{
    const Folder folder;
    const std::string a = someLines(60, 1);
    const std::string once = gzipped(folder, a);
    const std::string path = folder.path("twice");
    const auto refuse
        = [&](const std::string& bytes) { return readAll(folder.write("twice", bytes)); };
    Text refused = refuse(gzipped(folder, once));
    QCOMPARE(refused.failure, std::string("log.compression"));
    QCOMPARE(refused.error.message, path + " is packed twice: gzip inside of gzip");
    QCOMPARE(refused.error.help, "unpack it once, into a pipe: gzip -dc " + path + " | weir ... -");
    refused = refuse(gzipped(folder, frameOf(a)));
    QCOMPARE(refused.error.message, path + " is packed twice: zstd inside of gzip");
    refused = refuse(frameOf(std::string("\xfd\x37\x7a\x58\x5a\x00", 6)));
    QCOMPARE(refused.error.help,
             "unpack it once, into a pipe: zstd -dc " + path + " | xz -dc - | weir ... -");
    // Text that only begins like one is text.
    QVERIFY(readAll(folder.write("short", frameOf("\x1f"))).text == "\x1f");
}

void TestLogSource::refusesBombs_data()
{
    QTest::addColumn<bool>("isZstd");
    QTest::newRow("gzip") << false;
    QTest::newRow("zstd") << true;
}

void TestLogSource::refusesBombs()
{
    QFETCH(bool, isZstd);
    const Folder folder;
    constexpr std::size_t kSize = std::size_t {96} << 20;
    const std::string bytes = isZstd ? zstdBomb(kSize) : gzipped(folder, std::string(kSize, '\n'));
    const std::string path = folder.write("bomb", bytes);
    const Text refused = readAll(path, {}, 1 << 20, 0);
    QCOMPARE(refused.failure, std::string("log.bomb"));
    // Not before 64 MiB, and not long behind them.
    QVERIFY(refused.size >= std::size_t {63} << 20);
    QVERIFY(refused.size <= std::size_t {66} << 20);
    QVERIFY(refused.error.message.find("more than 200 to 1") != std::string::npos);
    QCOMPARE(refused.error.help,
             std::string("if it is a log, allow any ratio: --max-ratio none (--max-bytes "
                         "still holds)"));

    SourceOptions allowed;
    allowed.limits.maxRatio = SourceLimits::kNoLimit;
    QCOMPARE(readAll(path, allowed, 1 << 20, 0).size, std::uint64_t {kSize});
    allowed.limits.maxBytes = kSize - 1;
    const Text tooMuch = readAll(path, allowed, 1 << 20, 0);
    QCOMPARE(tooMuch.failure, std::string("log.bomb"));
    QVERIFY(tooMuch.error.message.find(std::to_string(kSize - 1)) != std::string::npos);
    QVERIFY(tooMuch.error.help.find("--max-bytes") != std::string::npos);
    allowed.limits.maxBytes = kSize;
    QCOMPARE(readAll(path, allowed, 1 << 20, 0).size, std::uint64_t {kSize});
}

void TestLogSource::needsLittleMemory_data()
{
    QTest::addColumn<int>("kind");
    QTest::newRow("plain") << 0;
    QTest::newRow("gzip") << 1;
    QTest::newRow("zstd") << 2;
}

/// A quarter of a gigabyte of text, and no more memory than for a megabyte of it.
void TestLogSource::needsLittleMemory()
{
#ifdef WEIR_SANITIZES
    QSKIP("sanitizers keep memory of their own");
#endif
    QFETCH(int, kind);
    const Folder folder;
    const auto write = [&](const char* name, std::size_t size) {
        if (kind == 2) {
            return folder.write(name, zstdBomb(size));
        }
        const std::string path = folder.write(name, "");
        if (kind == 0) {
            std::ofstream(path).close();
            return ::truncate(path.c_str(), static_cast<off_t>(size)) == 0 ? path : std::string();
        }
        const std::string command
            = "head -c " + std::to_string(size) + " /dev/zero | gzip -1nc > '" + path + "'";
        return std::system(command.c_str()) == 0 ? path : std::string();
    };
    SourceOptions allowed;
    allowed.limits.maxRatio = SourceLimits::kNoLimit;
    const auto peak = [&](std::size_t size) {
        const std::string path = write("a", size);
        return peakOf([&] { return readAll(path, allowed, 1 << 18, 0).size >= size; });
    };
    const std::uint64_t little = peak(std::size_t {1} << 20);
    const std::uint64_t much = peak(std::size_t {256} << 20);
    QVERIFY(little > 0 && much > 0);
    QVERIFY2(much <= little + (std::uint64_t {1} << 20),
             (std::to_string(little) + " and " + std::to_string(much)).c_str());
}

void TestLogSource::readsAFileAsItWasWhenItWasOpened()
{
    const Folder folder;
    const std::string a = someLines(60'000, 1); // more than the window
    const std::string path = folder.write("a.log", a);
    auto source = LogSource::open(path);
    std::string text;
    std::array<char, 5'000> room {};
    for (;;) {
        const auto got = (*source)->read(room.data(), room.size());
        if (*got == 0) {
            break;
        }
        text.append(room.data(), *got);
        std::ofstream(path, std::ios::app) << someLines(2'000, 9); // faster than it is read
    }
    QVERIFY(text == a);
    QVERIFY(!(*source)->isPartial() && (*source)->warnings().empty());
    QCOMPARE((*source)->bytesTotal(), a.size());
}

/// A file on standard input ends as well where it ended when it was opened, and begins where it
/// stands.
void TestLogSource::readsStandardInput()
{
    const Folder folder;
    const std::string a = someLines(60'000, 1);
    const std::string path = folder.write("a.log", a);
    const int before = ::dup(STDIN_FILENO);
    const int file = ::open(path.c_str(), O_RDONLY);
    QVERIFY(before >= 0 && file >= 0);
    QCOMPARE(::lseek(file, 1'000, SEEK_SET), off_t {1'000});
    QCOMPARE(::dup2(file, STDIN_FILENO), STDIN_FILENO);
    auto source = LogSource::open("-");
    std::ofstream(path, std::ios::app) << someLines(2'000, 9);
    std::string text;
    std::array<char, 5'000> room {};
    for (std::size_t got = 1; got > 0; text.append(room.data(), got)) {
        got = *(*source)->read(room.data(), room.size());
    }
    ::dup2(before, STDIN_FILENO);
    ::close(before);
    ::close(file);
    QVERIFY(text == a.substr(1'000));
    QVERIFY(!(*source)->isRegular());
    QVERIFY(!(*source)->isPartial());
}

void TestLogSource::noticesAFileThatShrinks()
{
    const Folder folder;
    const std::string a = someLines(60'000, 1);
    for (const bool isPacked : {false, true}) {
        const std::string bytes
            = isPacked ? gzipped(folder, a + folder.run("head -c 900000 /dev/urandom", "")) : a;
        const std::string path = folder.write("a.log", bytes);
        auto source = LogSource::open(path);
        std::array<char, 5'000> room {};
        QVERIFY(*(*source)->read(room.data(), room.size()) > 0);
        QCOMPARE(::truncate(path.c_str(), 400'000), 0);
        while (*(*source)->read(room.data(), room.size()) > 0) { }
        QVERIFY((*source)->isPartial());
        QVERIFY(!(*source)->warnings().empty());
        QCOMPARE((*source)->warnings().front().code, std::string("log.shrunk"));
    }
}

void TestLogSource::quotesNamesInCommands()
{
    const Folder folder;
    const std::string path
        = folder.write("it's a $(log).xz", std::string("\xfd\x37\x7a\x58\x5a\x00", 6));
    const std::string help = readAll(path).error.help;
    QVERIFY2(help.ends_with("/it'\"'\"'s a $(log).xz' | weir ... -"), help.c_str());
}

QTEST_APPLESS_MAIN(TestLogSource)
#include "tst_log_source.moc"
