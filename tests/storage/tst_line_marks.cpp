#include "storage/logs/line_marks.h"

#include <QtTest>

#include <algorithm>
#include <random>
#include <string>

using namespace storage::logs;

/// The pass over all bytes finds what a look at each of them finds, whatever the registers.
class TestLineMarks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void marksEachByte_data();
    void marksEachByte();
    void countsNewlines_data();
    void countsNewlines();
};

namespace {

constexpr std::size_t kStep = 64;

std::string randomBytes(std::size_t size, std::mt19937& random)
{
    const std::string letters = "\n\n\"\"ab \x8A\xA2"; // and newline and quote with their high bits
    std::string text(size, 'x');
    for (char& c : text) {
        c = letters[random() % letters.size()];
    }
    return text;
}

bool hasBit(const MarkBits& bits, std::size_t at)
{
    return (bits[at / kStep] >> at % kStep & 1) != 0;
}

void addWidths()
{
    QTest::addColumn<bool>("isWide");
    QTest::newRow("16 bytes") << false;
    if (hasWideRegisters()) {
        QTest::newRow("32 bytes") << true;
    }
}

} // namespace

void TestLineMarks::marksEachByte_data()
{
    addWidths();
}

void TestLineMarks::marksEachByte()
{
    QFETCH(const bool, isWide);
    std::mt19937 random(3);
    for (std::size_t round = 0; round < 200; ++round) {
        const std::size_t steps = 1 + round % 64;
        std::string text = randomBytes(steps * kStep, random);
        const std::size_t odd = random() % text.size();
        text[odd] = round % 2 == 0 ? '\r' : '\\';
        MarkBits newlines {};
        MarkBits quotes {};
        const std::uint64_t oddSteps = markBytes(text.data(), steps, newlines, quotes, isWide);
        QCOMPARE(oddSteps, std::uint64_t {1} << odd / kStep);
        for (std::size_t i = 0; i < text.size(); ++i) {
            QCOMPARE(hasBit(newlines, i), text[i] == '\n');
            QCOMPARE(hasBit(quotes, i), text[i] == '"');
        }
        QCOMPARE(newlines[steps], std::uint64_t {0}); // nothing behind them
        QCOMPARE(quotes[steps], std::uint64_t {0});
    }
}

void TestLineMarks::countsNewlines_data()
{
    addWidths();
}

void TestLineMarks::countsNewlines()
{
    QFETCH(const bool, isWide);
    std::mt19937 random(4);
    for (std::size_t size = 0; size < 700; ++size) {
        const std::string text = randomBytes(size, random);
        QCOMPARE(countNewlines(text.data(), size, isWide),
                 static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n')));
    }
    const std::string all(100'000, '\n');
    QCOMPARE(countNewlines(all.data(), all.size(), isWide), std::uint64_t {all.size()});
}

QTEST_GUILESS_MAIN(TestLineMarks)
#include "tst_line_marks.moc"
