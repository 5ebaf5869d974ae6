#include "app/workbench/lanes.h"

#include <QTest>

#include <cstring>
#include <fstream>
#include <unistd.h>
#include <vector>

/// What puts the records of several LOGs into one order.
class TestLanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void deliversInOrderOfTimeThenLog();
    void holdsWhatTheBudgetAllows();
};

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// A payload: time and LOG, and as many bytes behind them as a test wants.
struct Stamp {
    std::int64_t timeNs = 0;
    std::uint64_t log = 0;
};

class Delivered final : public app::LaneSink {
public:
    void placed(const storage::Sequenced& record) override
    {
        reinterpret_cast<Stamp*>(record.payload.data())->timeNs = record.timeNs;
    }

    void deliver(std::span<std::byte> payload) override
    {
        const Stamp& stamp = *reinterpret_cast<const Stamp*>(payload.data());
        count += 1;
        isSorted = isSorted
            && (last.timeNs < stamp.timeNs
                || (last.timeNs == stamp.timeNs && last.log <= stamp.log));
        last = stamp;
    }

    std::size_t count = 0;
    bool isSorted = true;
    Stamp last;
};

/// Pushes a request of a LOG at a time.
class Pusher {
public:
    explicit Pusher(app::Lanes& lanes, std::size_t payloadBytes = sizeof(Stamp))
        : m_lanes(lanes)
        , m_payload(payloadBytes)
    {
    }

    bool push(std::size_t log, std::int64_t timeNs)
    {
        const Stamp stamp {0, log};
        std::memcpy(m_payload.data(), &stamp, sizeof(stamp));
        storage::SequencerItem item;
        item.timeNs = timeNs;
        item.stampNs = timeNs;
        item.n = ++m_n;
        return m_lanes.push(log, item, m_payload).has_value();
    }

private:
    app::Lanes& m_lanes;
    std::vector<std::byte> m_payload;
    std::uint64_t m_n = 0;
};

/// Bytes of the process that are in memory.
std::size_t residentBytes()
{
    std::ifstream sizes("/proc/self/statm");
    std::size_t all = 0;
    std::size_t resident = 0;
    sizes >> all >> resident;
    return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

void TestLanes::deliversInOrderOfTimeThenLog()
{
    Delivered delivered;
    app::Lanes lanes(std::vector<storage::SequencerOptions>(3), delivered);
    Pusher pusher(lanes);
    for (std::int64_t i = 0; i < 3000; ++i) {
        const auto log = static_cast<std::size_t>(2 - i / 1000); // one behind the other
        QVERIFY(pusher.push(log, (i % 1000) * kSecond));
        if (i % 100 == 99) {
            QVERIFY(lanes.settle(log).has_value());
        }
    }
    QVERIFY(lanes.finish().has_value());
    QCOMPARE(delivered.count, std::size_t {3000});
    QVERIFY(delivered.isSorted);
    QCOMPARE(lanes.statistics().late, std::uint64_t {0});
}

/// 64 MB of 64 hosts wait, and 32 MB of them may be in memory, beside a little for each.
void TestLanes::holdsWhatTheBudgetAllows()
{
    constexpr std::size_t kHosts = 64;
    Delivered delivered;
    app::Lanes lanes(std::vector<storage::SequencerOptions>(kHosts), delivered);
    Pusher pusher(lanes, 1000);
    const std::size_t before = residentBytes();
    for (std::int64_t i = 0; i < 1000; ++i) {
        for (std::size_t host = 0; host < kHosts; ++host) {
            QVERIFY(pusher.push(host, i * kSecond / 20));
        }
    }
    const std::size_t held = residentBytes() - before;
    QVERIFY2(held < (std::size_t {48} << 20), qPrintable(QString::number(held >> 20)));
    QVERIFY(lanes.finish().has_value());
    QCOMPARE(delivered.count, 1000 * kHosts);
    QVERIFY(delivered.isSorted);
}

QTEST_APPLESS_MAIN(TestLanes)
#include "tst_lanes.moc"
