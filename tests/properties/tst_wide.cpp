#include "tests/support/model/wide.h"

#include <QTest>

#include <random>

using tests::model::ceilDiv;
using tests::model::floorDiv;
using tests::model::Int128;
using tests::model::Wide;

/// The integers that the exact model counts in.
class TestWide : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void showsItsDigits()
    {
        QCOMPARE(Wide(0).toText(), std::string("0"));
        QCOMPARE(Wide(INT64_MIN).toText(), std::string("-9223372036854775808"));
        QCOMPARE((Wide(INT64_MIN) * Wide(INT64_MIN)).toText(),
                 std::string("85070591730234615865843651857942052864"));
        QCOMPARE(Wide::powerOfTwo(254).toText(),
                 std::string("289480223093290488558927462521719769633"
                             "17496166410141009864396001978282409984"));
    }

    void dividesDownwardsAndUpwards()
    {
        QCOMPARE(floorDiv(Wide(7), Wide(2)), Wide(3));
        QCOMPARE(floorDiv(Wide(-7), Wide(2)), Wide(-4));
        QCOMPARE(floorDiv(Wide(7), Wide(-2)), Wide(-4));
        QCOMPARE(floorDiv(Wide(-8), Wide(2)), Wide(-4));
        QCOMPARE(ceilDiv(Wide(7), Wide(2)), Wide(4));
        QCOMPARE(ceilDiv(Wide(-7), Wide(2)), Wide(-3));
        QCOMPARE(ceilDiv(Wide(0), Wide(5)), Wide(0));
    }

    void knowsWhatFitsInt64()
    {
        QVERIFY(Wide(INT64_MAX).fitsInt64());
        QVERIFY(!(Wide(INT64_MAX) + 1).fitsInt64());
        QVERIFY(Wide(INT64_MIN).fitsInt64());
        QVERIFY(!(Wide(INT64_MIN) - 1).fitsInt64());
        QVERIFY(!Wide::powerOfTwo(127).fitsInt64());
        QVERIFY(!Wide::powerOfTwo(128).fitsInt64());
    }

    void carriesBetweenItsHalves()
    {
        const Wide half = Wide::powerOfTwo(128);
        QCOMPARE((half - 1) + 1, half);
        QCOMPARE(half + -half, Wide(0));
        QVERIFY(-half < half - 1);
        QVERIFY(half - 1 < half);
        const Wide quarter = Wide::powerOfTwo(64);
        QCOMPARE(quarter * quarter, half);
        QCOMPARE((half - 1) * (quarter + 1), half * quarter + half - quarter - 1);
    }

    /// Against the compiler's own 128 bits, on numbers small enough for them.
    void agreesWithTheCompiler()
    {
        std::mt19937_64 random(7);
        const auto draw = [&random] {
            const auto bits = static_cast<unsigned>(random() % 62);
            const auto magnitude = static_cast<std::int64_t>(random() >> (63 - bits) >> 1);
            return random() % 2 == 0 ? magnitude : -magnitude;
        };
        for (int i = 0; i < 20000; ++i) {
            const std::int64_t a = draw();
            const std::int64_t b = draw();
            const Int128 x = a;
            const Int128 y = b;
            QCOMPARE(Wide(a) + Wide(b), Wide::of(x + y));
            QCOMPARE(Wide(a) - Wide(b), Wide::of(x - y));
            QCOMPARE(Wide(a) * Wide(b), Wide::of(x * y));
            QCOMPARE(Wide(a) < Wide(b), a < b);
        }
    }

    /// a = q * b + r with 0 <= r < b, for numbers of up to 250 bits.
    void dividesExactly()
    {
        std::mt19937_64 random(8);
        const auto draw = [&random](unsigned limbs) {
            Wide number = 0;
            for (unsigned i = 0; i < limbs; ++i) {
                number = number * Wide::powerOfTwo(62)
                    + Wide(static_cast<std::int64_t>(random() >> 2));
            }
            return number;
        };
        for (int i = 0; i < 3000; ++i) {
            const Wide a = draw(1 + static_cast<unsigned>(random() % 4));
            const Wide b = draw(1 + static_cast<unsigned>(random() % 4)) + 1;
            const Wide quotient = floorDiv(a, b);
            const Wide rest = a - quotient * b;
            QVERIFY(rest >= Wide(0) && rest < b);
            const Wide below = floorDiv(-a, b);
            QVERIFY(below * b <= -a && (below + 1) * b > -a);
        }
    }
};

QTEST_APPLESS_MAIN(TestWide)
#include "tst_wide.moc"
