#include "app/workbench/peaks.h"

#include <QTest>

using app::Peaks;

class TestPeaks : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// The example of the header.
    void countsWholeWindowsOfTheClock()
    {
        Peaks peaks;
        const std::uint32_t key = peaks.keyOf("a");
        const std::int64_t ten = 36'000'000'000'000; // 10:00 of 1970-01-01
        for (int i = 0; i < 3; ++i) {
            peaks.add(key, ten + 59'900'000'000);
        }
        for (int i = 0; i < 4; ++i) {
            peaks.add(key, ten + 60'100'000'000);
        }
        const auto busiest = peaks.busiest(5);
        QCOMPARE(busiest.size(), std::size_t {1});
        QCOMPARE(busiest[0].requests, std::uint64_t {7});
        QCOMPARE(busiest[0].peaks, (std::array<std::uint32_t, 3> {4, 4, 7}));
    }

    void timesBefore1970HaveWindowsToo()
    {
        Peaks peaks;
        const std::uint32_t key = peaks.keyOf("a");
        peaks.add(key, -1);
        peaks.add(key, 0);
        QCOMPARE(peaks.busiest(1)[0].peaks, (std::array<std::uint32_t, 3> {1, 1, 1}));
    }

    void saysHowPeaksAreSpread()
    {
        Peaks peaks;
        for (int key = 1; key <= 200; ++key) {
            const std::uint32_t id = peaks.keyOf(std::to_string(key));
            for (int i = 0; i < key; ++i) {
                peaks.add(id, 5);
            }
        }
        QCOMPARE(peaks.keyCount(), std::size_t {200});
        for (std::size_t window = 0; window < Peaks::kWindows; ++window) {
            QCOMPARE(peaks.spread(window).median, 100U);
            QCOMPARE(peaks.spread(window).p99, 198U);
            QCOMPARE(peaks.spread(window).most, 200U);
        }
        const auto busiest = peaks.busiest(3);
        QCOMPARE(busiest[0].key, std::string("200"));
        QCOMPARE(busiest[2].key, std::string("198"));
    }
};

QTEST_APPLESS_MAIN(TestPeaks)
#include "tst_peaks.moc"
