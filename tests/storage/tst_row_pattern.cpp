#include "storage/logs/nginx_pattern.h"

#include <QtTest>

#include <array>
#include <random>

using namespace storage::logs;

/// The quick way of looking at a line gives what the thorough one gives.
class TestRowPattern : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void marksLines();
    void marksNoLongLine();
    void cutsPlainLinesAlike_data();
    void cutsPlainLinesAlike();
};

namespace {

/// A text with the padding that lines have, in which other lines stand. They have no backslash: one
/// shortly behind a line is taken for one of the line.
std::string padded(const std::string& text)
{
    std::string all = text + "\n";
    while (all.size() < text.size() + 2 * kPadding) {
        all += "\"a\"\r\n";
    }
    return all;
}

const std::string kCombined
    = R"(192.0.2.1 - - [28/Nov/2026:10:00:00 +0000] "GET /a?b=1 HTTP/1.1" 200 15 "https://x.test/" "Mozilla/5.0 (X11) Gecko" 0.250)";

} // namespace

void TestRowPattern::marksLines()
{
    std::mt19937 random(7);
    const std::string letters = "ab\" \\\r";
    for (std::size_t round = 0; round < 4'000; ++round) {
        std::string text;
        const std::size_t size = random() % 200;
        while (text.size() < size) {
            // Some texts have no CR and no backslash, as most lines.
            text += letters[random() % (round % 2 == 0 ? letters.size() : 4)];
        }
        const std::string all = padded(text);
        const char* const begin = all.data();
        LineMarks marks;
        marks.restart({begin, all.size() - kPadding});
        QCOMPARE(marks.goTo(begin), begin + size);
        QVERIFY(marks.cover({begin, size}));
        QVERIFY(!marks.cover({begin, size + 1}));
        QVERIFY(marks.mayHoldReturn() || text.find('\r') == std::string::npos
                || text.find('\r') + 1 == text.size());
        QVERIFY(!marks.isPlain() || text.find('\\') == std::string::npos);
        for (std::size_t at = 0; at <= size && marks.isPlain(); ++at) {
            const std::size_t wanted = std::min(text.find('"', at), size);
            const auto found = static_cast<std::size_t>(marks.next(begin + at) - begin);
            QCOMPARE(std::min(found, size), wanted);
        }
    }
    const std::string last = "no newline";
    const std::string all = last + std::string(kPadding, '\n');
    LineMarks marks;
    marks.restart({all.data(), last.size()});
    QCOMPARE(marks.goTo(all.data()), all.data() + last.size());
    QVERIFY(marks.isPlain() && !marks.mayHoldReturn());
}

void TestRowPattern::marksNoLongLine()
{
    for (const std::size_t size : std::array<std::size_t, 4> {4'095, 4'096, 4'097, 70'000}) {
        const std::string all = std::string(size, 'a') + "\n" + std::string(kPadding, '\0');
        LineMarks marks;
        marks.restart({all.data(), size + 1});
        QCOMPARE(marks.goTo(all.data()), all.data() + size);
        QCOMPARE(marks.isPlain(), size < LineMarks::kWindow);
    }
}

void TestRowPattern::cutsPlainLinesAlike_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<bool>("fits"); // the line above has all its values
    const QString combined = QString::fromStdString(std::string(nginxCombinedText()));
    QTest::newRow("combined") << combined << true;
    QTest::newRow("with a time") << combined + QStringLiteral(" $request_time") << true;
    QTest::newRow("json escapes") << QStringLiteral("escape=json") + combined << true;
    QTest::newRow("no escapes") << QStringLiteral("escape=none") + combined << false;
    QTest::newRow("list") << combined + QStringLiteral(" \"$http_x_forwarded_for\"") << false;
    QTest::newRow("tail") << combined + QStringLiteral(" $request_time rest") << false;
}

void TestRowPattern::cutsPlainLinesAlike()
{
    QFETCH(const QString, format);
    QFETCH(const bool, fits);
    const auto pattern = NginxPattern::parse(format.toStdString());
    QVERIFY(pattern.has_value());
    const std::size_t count = pattern->row.tokens().size();
    std::mt19937 random(11);
    const std::string letters = "\"\"  []-a/:\\0";
    for (std::size_t round = 0; round < 20'000; ++round) {
        std::string text = kCombined;
        for (std::size_t edits = round == 0 ? 0 : random() % 4; edits > 0; --edits) {
            const std::size_t at = random() % text.size();
            const std::string some(random() % 3, letters[random() % letters.size()]);
            text.replace(at, random() % 3, some);
        }
        const std::string all = padded(text);
        const std::string_view line(all.data(), text.size());
        LineMarks marks;
        marks.restart({all.data(), text.size() + 1});
        marks.goTo(all.data());
        for (std::size_t last = 0; last < count; ++last) {
            std::array<std::string_view, RowPattern::kMaxFields> quick;
            std::array<std::string_view, RowPattern::kMaxFields> thorough;
            bool isExact = false;
            if (!marks.isPlain() || last >= pattern->row.plainCount()
                || !pattern->row.cutPlain(line, marks, last, quick, isExact)) {
                QVERIFY2(round > 0 || !fits, "a plain line was left to the thorough way");
                continue;
            }
            bool isExactThere = false;
            QCOMPARE(pattern->row.cut(line, last, thorough, isExactThere), count);
            QCOMPARE(isExact, isExactThere);
            for (std::size_t i = 0; i <= last; ++i) {
                QVERIFY(quick[i].data() == thorough[i].data());
                QCOMPARE(quick[i].size(), thorough[i].size());
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestRowPattern)
#include "tst_row_pattern.moc"
