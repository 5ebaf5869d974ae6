#include "app/workbench/figures_text.h"
#include "app/workbench/json.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <QTest>

#include <limits>

using namespace std::string_view_literals;

class TestText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingThatActsReachesATerminal();
    void everyByteSurvivesEscaping();
    void whatIsLeftIsSeenAndXml();
    void csvCellsAreQuotedAndNoFormulas();
    void markdownSpansCannotBeLeft();
    void sipHashIsTheReferenceOne();
    void pseudonymsNeedTheSecret();
    void jsonIsAlwaysValidUtf8();
    void numbersReadWell();
    void durationsReadWell();
    void timesReadWell();
    void timesAreRead();
    void durationsAreRead();
    void columnsLineUp();
    void nearMissesAreFound();
};

void TestText::nothingThatActsReachesATerminal()
{
    QCOMPARE(app::escaped("\x1b]0;X\x07\x1b[2J"), std::string("\\x1b]0;X\\x07\\x1b[2J"));
    QCOMPARE(app::escaped("a\0b"sv), std::string("a\\x00b"));
    QCOMPARE(app::escaped("\xc2\x9b"
                          "31m"),
             std::string("\\xc2\\x9b31m")); // C1 CSI
    QCOMPARE(app::escaped("a\xe2\x80\xae"
                          "b"),
             std::string("a\\xe2\\x80\\xaeb")); // right to left override
    QCOMPARE(app::escaped("\xff\xc0\xaf\xed\xa0\x80"),
             std::string("\\xff\\xc0\\xaf\\xed\\xa0\\x80"));
    QCOMPARE(app::escaped("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"),
             std::string("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80"));
    QCOMPARE(app::escaped("tail\xf0\x9f"), std::string("tail\\xf0\\x9f"));
    QCOMPARE(app::escaped("\\x1b"), std::string("\\\\x1b"));
}

void TestText::everyByteSurvivesEscaping()
{
    std::string all;
    for (int i = 0; i < 256; ++i) {
        all += static_cast<char>(i);
    }
    const std::string safe = app::escaped(all);
    std::string back;
    for (std::size_t i = 0; i < safe.size(); ++i) {
        if (safe[i] == '\\' && safe[i + 1] == 'x') {
            back += static_cast<char>(std::stoi(safe.substr(i + 2, 2), nullptr, 16));
            i += 3;
        } else {
            i += safe[i] == '\\' ? std::size_t {1} : std::size_t {0};
            back += safe[i];
        }
    }
    QCOMPARE(back, all);
}

void TestText::whatIsLeftIsSeenAndXml()
{
    const auto isEscaped = [](char32_t value) {
        const std::string text = QString::fromUcs4(&value, 1).toStdString();
        return app::escaped(text).starts_with("\\x");
    };
    for (char32_t plane = 0; plane <= 0x10; ++plane) {
        QVERIFY(isEscaped(plane << 16 | 0xFFFE) && isEscaped(plane << 16 | 0xFFFF));
    }
    for (const char32_t value : std::u32string({0xFDD0, 0xFDEF, 0x115F, 0x1160, 0x3164, 0xFFA0,
                                                0x34F, 0x17B4, 0x2800, 0x180B, 0x1D173, 0xE0001})) {
        QVERIFY2(isEscaped(value), QByteArray::number(uint(value), 16).constData());
    }
    for (const char32_t value :
         std::u32string({0xE9, 0x301, 0x1100, 0x1161, 0x3163, 0x3165, 0xFFA1, 0xFFFD, 0x2801,
                         0x1F600, 0x10FFFD, 0xFDF0, 0xFDCF})) {
        QVERIFY2(!isEscaped(value), QByteArray::number(uint(value), 16).constData());
    }
}

void TestText::csvCellsAreQuotedAndNoFormulas()
{
    QCOMPARE(app::csvCell("plain"), std::string("plain"));
    QCOMPARE(app::csvCell("a,\"b\""), std::string("\"a,\"\"b\"\"\""));
    QCOMPARE(app::csvCell("=HYPERLINK(\"x\")"), std::string("\"'=HYPERLINK(\"\"x\"\")\""));
    QCOMPARE(app::csvCell("@SUM(A1)"), std::string("'@SUM(A1)"));
    QCOMPARE(app::csvCell("+1-1"), std::string("'+1-1"));
    QCOMPARE(app::csvCell("-12.5"), std::string("-12.5"));
    QCOMPARE(app::csvCell("-"), std::string("-"));
    QCOMPARE(app::csvCell("--"), std::string("'--"));
    QCOMPARE(app::csvCell("\t=1"), std::string("'\\x09=1"));
    QCOMPARE(app::csvCell("two\nlines"), std::string("two\\x0alines"));
    QCOMPARE(app::csvCell(""), std::string(""));
}

void TestText::markdownSpansCannotBeLeft()
{
    QCOMPARE(app::markdownCode("a|b"), std::string("`a|b`"));
    QCOMPARE(app::markdownCode("a|b", app::MarkdownPlace::Cell), std::string("`a\\|b`"));
    QCOMPARE(app::markdownCode("a`b"), std::string("``a`b``"));
    QCOMPARE(app::markdownCode("`x``"), std::string("``` `x`` ```"));
    QCOMPARE(app::markdownCode(""), std::string("` `"));
    QCOMPARE(app::markdownCode("@all\n# x"), std::string("`@all\\x0a# x`"));
}

void TestText::sipHashIsTheReferenceOne()
{
    // The reference vectors: key 00 01 .. 0f, message 00 01 .. of the length given.
    const app::PseudonymSecret key {0x0706050403020100U, 0x0f0e0d0c0b0a0908U};
    std::string message;
    QCOMPARE(app::sipHash(message, key), 0x726fdb47dd0e0e31U);
    for (char c = 0; c < 15; ++c) {
        message += c;
    }
    QCOMPARE(app::sipHash(message, key), 0xa129ca6149be45e5U);
}

void TestText::pseudonymsNeedTheSecret()
{
    const std::string one = app::pseudonym("k1", {1, 2});
    QCOMPARE(one.size(), std::size_t {16});
    QCOMPARE(app::pseudonym("k1", {1, 2}), one);
    QVERIFY(app::pseudonym("k2", {1, 2}) != one);
    QVERIFY(app::pseudonym("k1", {1, 3}) != one);
}

void TestText::jsonIsAlwaysValidUtf8()
{
    app::Json json(app::Json::Layout::OneLine);
    json.beginObject();
    json.field("n", 1);
    json.field("who", "a\xff\x1b\"\\"sv);
    json.field("none", std::optional<std::int64_t>());
    json.beginList("list");
    json.value(true);
    json.value(std::numeric_limits<std::uint64_t>::max());
    json.beginObject();
    json.end();
    json.end();
    json.end();
    QCOMPARE(json.take(),
             std::string("{\"n\": 1, \"who\": \"a\\\\xff\\\\x1b\\\"\\\\\\\\\", \"none\": null, "
                         "\"list\": [true, 18446744073709551615, {}]}\n"));
    app::Json indented;
    indented.beginObject();
    indented.beginList("a");
    indented.value(1);
    indented.value(2);
    indented.end();
    indented.end();
    QCOMPARE(indented.take(), std::string("{\n  \"a\": [\n    1,\n    2\n  ]\n}\n"));
}

void TestText::numbersReadWell()
{
    QCOMPARE(app::grouped(0), std::string("0"));
    QCOMPARE(app::grouped(999), std::string("999"));
    QCOMPARE(app::grouped(1234567), std::string("1,234,567"));
    QCOMPARE(app::groupedSigned(std::numeric_limits<std::int64_t>::min()),
             std::string("-9,223,372,036,854,775,808"));
    QCOMPARE(app::percent(1, 8), std::string("12.5%"));
    QCOMPARE(app::percent(0, 0), std::string("0.0%"));
    QCOMPARE(app::percent(1, 1000000), std::string("<0.1%"));
    QCOMPARE(app::percent(999999, 1000000), std::string(">99.9%"));
    QCOMPARE(app::percent(3, 3), std::string("100.0%"));
    QCOMPARE(app::percent(1, 2000), std::string("0.1%")); // half up
}

void TestText::durationsReadWell()
{
    QCOMPARE(app::durationText(0), std::string("0 s"));
    QCOMPARE(app::durationText(7), std::string("7 ns"));
    QCOMPARE(app::durationText(12'500), std::string("12.5 us"));
    QCOMPARE(app::durationText(250'000'000), std::string("250 ms"));
    QCOMPARE(app::durationText(1'500'000'000), std::string("1.5 s"));
    QCOMPARE(app::durationText(90'000'000'000), std::string("1 min 30 s"));
    QCOMPARE(app::durationText(7'500'000'000'000), std::string("2 h 5 min"));
    QCOMPARE(app::durationText(3LL * 86'400'000'000'000), std::string("3 day"));
    QCOMPARE(app::durationText(-1'500'000'000), std::string("-1.5 s"));
    QCOMPARE(app::secondsText(1'500'000'000), std::string("1.5"));
    QCOMPARE(app::secondsText(-250), std::string("-0.00000025"));
}

void TestText::timesReadWell()
{
    QCOMPARE(app::timeText(0), std::string("1970-01-01 00:00:00 UTC"));
    QCOMPARE(app::timeText(1'795'867'201'250'000'000), std::string("2026-11-28 12:00:01.250 UTC"));
    QCOMPARE(app::timeText(-1), std::string("1969-12-31 23:59:59.999999999 UTC"));
    QCOMPARE(app::rfc3339(1'000), std::string("1970-01-01T00:00:00.000001Z"));
    QCOMPARE(app::timeText(std::numeric_limits<std::int64_t>::min()),
             std::string("1677-09-21 00:12:43.145224192 UTC"));
}

void TestText::timesAreRead()
{
    QCOMPARE(app::parseTime("2026-11-28T12:00:01.25Z").value(), 1'795'867'201'250'000'000);
    QCOMPARE(app::parseTime("2026-11-28 14:00:01.250+02:00").value(), 1'795'867'201'250'000'000);
    QCOMPARE(app::parseTime("2026-11-28 12:00:01.250 UTC").value(), 1'795'867'201'250'000'000);
    QCOMPARE(app::parseTime("1970-01-02").value(), 86'400'000'000'000);
    QCOMPARE(app::parseTime("1969-12-31T23:59:60Z").value(), std::int64_t {0});
    for (const std::string_view wrong :
         {"", "now", "2026-02-30", "2026-11-28T24:00:00Z", "2026-11-28T12:00:01.Z",
          "2026-11-28T12:00:01Zx", "2026-11-28T12:00:01.1234567891Z"}) {
        const auto time = app::parseTime(wrong);
        QVERIFY2(!time, wrong.data());
        QCOMPARE(time.error().code, std::string("time.syntax"));
    }
    QCOMPARE(app::parseTime("9999-01-01").error().code, std::string("time.range"));
}

void TestText::durationsAreRead()
{
    QCOMPARE(app::parseDuration("250ms").value(), 250'000'000);
    QCOMPARE(app::parseDuration("1.5s").value(), 1'500'000'000);
    QCOMPARE(app::parseDuration("1min30s").value(), 90'000'000'000);
    QCOMPARE(app::parseDuration("1week").value(), 7LL * 86'400'000'000'000);
    QCOMPARE(app::parseDuration("0").value(), std::int64_t {0});
    for (const std::string_view wrong :
         {"", "5", "s", "1.s", "1 s", "-1s", "1month", "0.5ns", "1e3s"}) {
        QVERIFY2(!app::parseDuration(wrong), wrong.data());
    }
    QCOMPARE(app::parseDuration("20000week").error().code, std::string("duration.range"));
    QCOMPARE(app::parseSeconds("0.25"), std::optional<std::int64_t>(250'000'000));
    QVERIFY(!app::parseSeconds("1."));
    QVERIFY(!app::parseSeconds("9223372037"));
    QCOMPARE(app::parseWhole("9223372036854775807"),
             std::optional(std::numeric_limits<std::int64_t>::max()));
    QVERIFY(!app::parseWhole("9223372036854775808"));
}

void TestText::columnsLineUp()
{
    app::TextTable table(
        {{"rule", app::TextTable::Align::Left}, {"rejected", app::TextTable::Align::Right}}, 2);
    table.add({"search", "1,234"});
    table.add({"\xe6\x97\xa5\xe6\x9c\xac", "5"}); // two wide characters
    QCOMPARE(table.render(),
             std::string("  rule    rejected\n"
                         "  search     1,234\n"
                         "  \xe6\x97\xa5\xe6\x9c\xac           5\n"));
    QCOMPARE(app::shortened("abcdefgh", 6), std::string("abc..."));
    QCOMPARE(app::shortened("abc\x1b", 20), std::string("abc\\x1b"));
    QCOMPARE(app::painted("x", app::Style::Bad, false), std::string("x"));
    QCOMPARE(app::painted("x", app::Style::Bad, true), std::string("\x1b[31mx\x1b[0m"));
}

void TestText::nearMissesAreFound()
{
    const std::vector<std::string> names {"burst", "rate", "queue", "newly_rejected"};
    QCOMPARE(app::nearMiss("brust", names), std::optional<std::string>("burst"));
    QCOMPARE(app::nearMiss("Rate", names), std::optional<std::string>("rate"));
    QCOMPARE(app::nearMiss("newly-rejectd", names), std::optional<std::string>("newly_rejected"));
    QVERIFY(!app::nearMiss("tolerance", names));
    QVERIFY(!app::nearMiss("", names));
    QCOMPARE(app::choices(names), std::string("`burst`, `rate`, `queue` or `newly_rejected`"));
}

QTEST_APPLESS_MAIN(TestText)
#include "tst_text.moc"
