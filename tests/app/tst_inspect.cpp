#include "app/workbench/inspect.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <string>
#include <vector>

/// What `weir inspect` finds out, asked without its words.
class TestInspect : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void answersWhenStoppedBeforeTheFirstLine_data();
    void answersWhenStoppedBeforeTheFirstLine();
};

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'000 * kSecond;

class Folder {
public:
    app::LogChoice write(const std::string& name, const std::string& text) const
    {
        app::LogChoice log;
        log.path = m_folder.filePath(QString::fromStdString(name)).toStdString();
        std::ofstream(log.path, std::ios::binary) << text;
        return log;
    }

private:
    QTemporaryDir m_folder;
};

/// A line of the neutral format.
std::string lineOf(std::int64_t timeNs, const std::string& client)
{
    return R"({"time_ns": )" + std::to_string(timeNs) + R"(, "client_ip": ")" + client
        + R"(", "path": "/", "status": 200})" + "\n";
}

} // namespace

void TestInspect::answersWhenStoppedBeforeTheFirstLine_data()
{
    QTest::addColumn<int>("logs");
    QTest::newRow("one") << 1;
    QTest::newRow("several") << 3;
    QTest::newRow("more than are open at once") << 12;
}

void TestInspect::answersWhenStoppedBeforeTheFirstLine()
{
    QFETCH(const int, logs);
    const Folder folder;
    app::InspectRequest request;
    for (int i = 0; i < logs; ++i) {
        request.logs.push_back(folder.write(std::to_string(i), lineOf(kStart, "192.0.2.1")));
    }
    const std::atomic<bool> stop = true;
    request.stop = &stop;
    const auto inspection = app::inspect(request);
    QVERIFY(inspection);
    QVERIFY(inspection->interrupted);
    QCOMPARE(inspection->report.requests, std::uint64_t {0});
    QVERIFY(!inspection->fields.empty());
    QCOMPARE(inspection->report.filled,
             std::vector<std::uint64_t>(inspection->fields.size(), std::uint64_t {0}));
}

QTEST_APPLESS_MAIN(TestInspect)
#include "tst_inspect.moc"
