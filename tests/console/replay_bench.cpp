#include "tests/console/replay_bench.h"

#include <QFile>

#include <algorithm>

namespace tests::console {

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

/// Lines of the neutral format, one each 100 ms.
QByteArray neutralLog(int lines)
{
    QByteArray log;
    for (int i = 0; i < lines; ++i) {
        log += R"({"time_ns": )" + QByteArray::number(1'773'100'800'000'000'000 + i * 100'000'000LL)
            + R"(, "duration_ns": 41000000, "client_ip": "2001:db8::)" + QByteArray::number(i % 7)
            + R"(", "api_key": "k)" + QByteArray::number(i % 5)
            + R"(", "method": "GET", "path": "/items/)" + QByteArray::number(i)
            + R"(", "host": "api.example.com", "status": 200})" + "\n";
    }
    return log;
}

const char* const kSmallPolicy = R"(weir: 1
name: small
tiers:
  edge:
    - { name: per-address, key: [client_ip], algorithm: fixed_window, rate: 60/min }
  gateway:
    - { name: per-key, key: [api_key], algorithm: token_bucket, rate: 60/min, burst: 20 }
)";

void ReplayBench::openPolicy()
{
    const QString file = path(QStringLiteral("small.yaml"));
    writeFile(file, kSmallPolicy);
    QVERIFY(window().openPolicy(file));
    session().document().checkNow();
}

void ReplayBench::addLog(const QString& name, const QByteArray& bytes)
{
    writeFile(path(name), bytes);
    session().showLogs({path(name)});
    QVERIFY(waitForLogs());
}

bool ReplayBench::waitForLogs()
{
    return QTest::qWaitFor([this] { return !page().logs().isBusy(); }, kPatience);
}

bool ReplayBench::waitForJobs()
{
    return QTest::qWaitFor(
        [this] {
            const auto& all = page().jobs().all();
            return std::all_of(all.begin(), all.end(),
                               [](const app::console::Job& job) { return job.isOver(); });
        },
        kPatience);
}

} // namespace tests::console
