#include "app/workbench/files.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using app::readFile;

namespace {

constexpr std::size_t kMost = 1000;

std::string codeOf(const std::string& path)
{
    const auto read = readFile(path, kMost);
    return read ? "none" : read.error().code;
}

} // namespace

class TestFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCannotBeReadIsSaid();
    void aPipeThatNobodyWritesToIsNotWaitedFor();
    void aPipeWithAWriterIsReadToItsEnd();
    void aWriterThatComesALittleLaterIsWaitedFor();
    void aWriterWithoutAByteGivesAnEmptyFile();
    void waitingForAWriterCanBeStopped();

private:
    [[nodiscard]] std::string pathOf(const char* name) const
    {
        return m_folder.filePath(QString::fromUtf8(name)).toStdString();
    }

    QTemporaryDir m_folder;
};

void TestFiles::whatCannotBeReadIsSaid()
{
    QCOMPARE(codeOf(pathOf("nowhere")), std::string("file.missing"));
    QCOMPARE(codeOf(m_folder.path().toStdString()), std::string("file.folder"));
    QVERIFY(bool(app::createFile(pathOf("large"), std::string(kMost + 1, 'x'))));
    QCOMPARE(codeOf(pathOf("large")), std::string("file.too-large"));
    QVERIFY(bool(app::createFile(pathOf("small"), "text")));
    QCOMPARE(readFile(pathOf("small"), kMost).value(), std::string("text"));
    QCOMPARE(readFile("/dev/null", kMost).value(), std::string());
}

void TestFiles::aPipeThatNobodyWritesToIsNotWaitedFor()
{
    const std::string path = pathOf("silent");
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    ::alarm(30); // a test that waits for ever is to end
    QCOMPARE(codeOf(path), std::string("file.no-writer"));
    ::alarm(0);
}

void TestFiles::aPipeWithAWriterIsReadToItsEnd()
{
    const std::string path = pathOf("spoken");
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    // A writer that is there before anybody reads: opened for both, since it would wait otherwise.
    const int writer = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    QVERIFY(writer >= 0);
    QCOMPARE(::write(writer, "first ", 6), ssize_t {6});
    std::thread later([writer] {
        QTest::qSleep(200); // by then all that was written is read, and more is waited for
        QCOMPARE(::write(writer, "second", 6), ssize_t {6});
        ::close(writer);
    });
    const auto text = readFile(path, kMost);
    later.join();
    QVERIFY(text.has_value());
    QCOMPARE(*text, std::string("first second"));
    int ends[2] = {};
    QCOMPARE(::pipe(ends), 0); // as <(...) makes it: without a name, and its writer may have gone
    QCOMPARE(::write(ends[1], "nameless", 8), ssize_t {8});
    ::close(ends[1]);
    QCOMPARE(readFile("/dev/fd/" + std::to_string(ends[0]), kMost).value(),
             std::string("nameless"));
    ::close(ends[0]);
}

void TestFiles::aWriterThatComesALittleLaterIsWaitedFor()
{
    const std::string path = pathOf("late");
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    std::thread late([&path] {
        QTest::qSleep(500); // the reader has found nobody by then
        const int writer = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        QTest::qSleep(300); // and now somebody who says nothing yet
        QCOMPARE(::write(writer, "late", 4), ssize_t {4});
        ::close(writer);
    });
    const auto text = readFile(path, kMost);
    late.join();
    QVERIFY(text.has_value());
    QCOMPARE(*text, std::string("late"));
}

void TestFiles::aWriterWithoutAByteGivesAnEmptyFile()
{
    const std::string path = pathOf("mute");
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    std::thread mute([&path] {
        QTest::qSleep(300);
        ::close(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    });
    const auto text = readFile(path, kMost);
    mute.join();
    QVERIFY(text.has_value());
    QCOMPARE(*text, std::string());
}

void TestFiles::waitingForAWriterCanBeStopped()
{
    const std::string path = pathOf("stopped");
    QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
    const app::StopFlag stop {true};
    const auto text = readFile(path, kMost, &stop);
    QVERIFY(!text.has_value());
    QCOMPARE(text.error().code, std::string("file.stopped"));
}

QTEST_APPLESS_MAIN(TestFiles)
#include "tst_files.moc"
