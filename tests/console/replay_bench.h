#pragma once

#include "app/console/replay/replay_page.h"
#include "tests/console/console_fixture.h"

#include <QByteArray>
#include <QString>

#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

/// A window with the page of replays, a small policy and logs to be made.
namespace tests::console {

/// How long anything may take on a slow machine, in ms.
inline constexpr int kPatience = 60'000;

void writeFile(const QString& path, const QByteArray& bytes);

/// Lines of the neutral format, one each 100 ms.
QByteArray neutralLog(int lines);

/// Two rules in two tiers.
extern const char* const kSmallPolicy;

class ReplayBench : public Fixture {
public:
    app::console::ReplayPage& page()
    {
        return show<app::console::ReplayPage>(app::console::PageId::Replay);
    }

    /// kSmallPolicy as small.yaml, checked.
    void openPolicy();
    void addLog(const QString& name, const QByteArray& bytes);
    bool waitForLogs();
    bool waitForJobs();
};

/// A log that a writer holds open: a job that reads it waits until close().
class OpenPipe {
public:
    explicit OpenPipe(const QString& path)
        : m_path(path.toStdString())
    {
        ::mkfifo(m_path.c_str(), 0600);
        m_end = ::open(m_path.c_str(), O_RDWR | O_CLOEXEC);
    }

    ~OpenPipe() { close(); }

    OpenPipe(const OpenPipe&) = delete;
    OpenPipe& operator=(const OpenPipe&) = delete;

    void write(const QByteArray& bytes) const
    {
        QCOMPARE(::write(m_end, bytes.data(), static_cast<std::size_t>(bytes.size())),
                 bytes.size());
    }

    void close()
    {
        if (m_end >= 0) {
            ::close(m_end);
        }
        m_end = -1;
    }

    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path;
    int m_end = -1;
};

} // namespace tests::console
