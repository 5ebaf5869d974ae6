#include "app/workbench/figures_text.h"
#include "policies/advice/words.h"

#include <QtTest>

#include <limits>
#include <random>

/// Advice and figures round and group numbers by one rule, wherever they are read.
class TestRounding : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void examples()
    {
        for (const auto& percent : {app::percent, policies::advice::share}) {
            QCOMPARE(percent(1, 8), std::string("12.5%"));
            QCOMPARE(percent(2, 3), std::string("66.7%"));
            QCOMPARE(percent(400'000, 1'000'000), std::string("40.0%"));
            QCOMPARE(percent(1, 1'000'000), std::string("<0.1%"));
            QCOMPARE(percent(1, 2000), std::string("0.1%")); // half up, but 0.05 is no false zero
            QCOMPARE(percent(999'999, 1'000'000), std::string(">99.9%"));
            QCOMPARE(percent(0, 7), std::string("0.0%"));
            QCOMPARE(percent(7, 7), std::string("100.0%"));
            QCOMPARE(percent(0, 0), std::string("0.0%"));
        }
    }

    void sharesAgree()
    {
        std::mt19937_64 random(1);
        for (int round = 0; round < 20'000; ++round) {
            const std::uint64_t whole = random() >> (11 + random() % 53);
            const std::uint64_t part = whole == 0 ? 0 : random() % (whole + 1);
            const std::string expected = app::percent(part, whole);
            QVERIFY2(policies::advice::share(part, whole) == expected, expected.c_str());
        }
        const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        QCOMPARE(policies::advice::share(most / 2, most), std::string("50.0%"));
    }

    void groupsAgree()
    {
        for (const std::int64_t number :
             {std::int64_t {0}, std::int64_t {999}, std::int64_t {1000}, std::int64_t {1'234'567},
              std::numeric_limits<std::int64_t>::max(), std::int64_t {-1000},
              std::numeric_limits<std::int64_t>::min()}) {
            QCOMPARE(policies::advice::grouped(number), app::groupedSigned(number));
        }
    }
};

QTEST_APPLESS_MAIN(TestRounding)
#include "tst_rounding.moc"
