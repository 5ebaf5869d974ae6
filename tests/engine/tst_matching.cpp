#include "engine/attributes.h"
#include "engine/attributes/segment_pattern.h"
#include "engine/attributes/text_glob.h"
#include "tests/engine/intake_run.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>

using namespace engine;
using attributes::globMatches;
using attributes::SegmentPattern;
using attributes::Segments;

namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

QByteArray say(std::string_view text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

std::vector<std::string> partsOf(std::string_view text, char separator)
{
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

/// `*` any run, `?` one byte where it is asked for.
bool slowGlob(std::string_view pattern, std::string_view text, bool questionMark)
{
    if (pattern.empty()) {
        return text.empty();
    }
    if (pattern[0] == '*') {
        return slowGlob(pattern.substr(1), text, questionMark)
            || (!text.empty() && slowGlob(pattern, text.substr(1), questionMark));
    }
    const bool one
        = !text.empty() && (pattern[0] == text[0] || (questionMark && pattern[0] == '?'));
    return one && slowGlob(pattern.substr(1), text.substr(1), questionMark);
}

/// Tries every way, `**` with as few segments as possible first; what names stand for in
/// `captured`.
bool slowPath(const std::vector<std::string>& pattern, std::size_t p,
              const std::vector<std::string>& text, std::size_t t,
              std::vector<std::string>& captured)
{
    if (p == pattern.size()) {
        return t == text.size();
    }
    if (pattern[p] == "**") {
        for (std::size_t next = t; next <= text.size(); ++next) {
            if (slowPath(pattern, p + 1, text, next, captured)) {
                return true;
            }
        }
        return false;
    }
    if (t == text.size()) {
        return false;
    }
    const bool isName = pattern[p].size() > 2 && pattern[p][0] == '{';
    const bool one
        = isName || pattern[p] == "*" ? !text[t].empty() : slowGlob(pattern[p], text[t], false);
    if (!one) {
        return false;
    }
    const std::size_t before = captured.size();
    if (isName) {
        captured.push_back(text[t]);
    }
    if (slowPath(pattern, p + 1, text, t + 1, captured)) {
        return true;
    }
    captured.resize(before);
    return false;
}

bool pathMatches(std::string_view pattern, std::string_view path)
{
    Segments segments;
    segments.cut(path, '/');
    return SegmentPattern(pattern, '/').matches(segments);
}

std::string repeat(std::string_view text, std::size_t times)
{
    std::string result;
    while (times-- > 0) {
        result += text;
    }
    return result;
}

} // namespace

class TestMatching : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pathPatterns_data();
    void pathPatterns();
    void pathsAgreeWithASlowMatcher();
    void hostilePathsAreLinear_data();
    void hostilePathsAreLinear();
    void textGlobs_data();
    void textGlobs();
    void globsAgreeWithASlowMatcher();
    void numbers_data();
    void numbers();
    void durationsCountInNanoseconds();
    void entries_data();
    void entries();
    void patternsAreCheckedWithReasons_data();
    void patternsAreCheckedWithReasons();
};

void TestMatching::pathPatterns_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("match");
    const auto row = [](const char* pattern, const char* path, bool match) {
        QTest::addRow("%s ~ %s", pattern, path) << QByteArray(pattern) << QByteArray(path) << match;
    };
    row("/login", "/login", true);
    row("/login", "/login/", false); // a trailing slash is an empty segment
    row("/login/", "/login/", true);
    row("/login", "/Login", false);
    row("/login", "/log%69n", false); // nothing is decoded
    row("/search/**", "/search", true);
    row("/search/**", "/search/", true);
    row("/search/**", "/search/a/b", true);
    row("/search/**", "/searching", false);
    row("/**", "/", true);
    row("/**", "/a/b", true);
    row("**", "/a/b", true);
    row("**", "*", true);
    row("/**", "a", false);
    row("/**/b", "/b", true);
    row("/**/b", "/a/b", true);
    row("/**/b", "/b/a", false);
    row("/a/**/b", "/a/b", true);
    row("/a/**/b", "/a//b", true);
    row("/a/**/a", "/a", false);
    row("/**/**", "/", true);
    row("/*", "/", false); // a lone star is a segment that is not empty
    row("/*", "/a", true);
    row("/*", "/a/", false);
    row("/a/*/c", "/a//c", false);
    row("/a/*/c", "/a/b/c", true);
    row("/{x}", "/", false);
    row("/{x}/c", "/b/c", true);
    row("/img-*.png", "/img-.png", true); // inside a segment also none
    row("/img-*.png", "/img-7.png", true);
    row("/img-*.png", "/img-7.pngx", false);
    row("/img-*.png", "/img-a/b.png", false);
    row("/a*a", "/a", false); // the parts may not overlap
    row("/a*a", "/aa", true);
    row("/*a*b*", "/xaxb", true);
    row("/a**b", "/axxb", true);
    row("/a?c", "/abc", false); // `?` is itself in a path
    row("/a?c", "/a?c", true);
    row("", "", true);
}

void TestMatching::pathPatterns()
{
    QFETCH(const QByteArray, pattern);
    QFETCH(const QByteArray, path);
    QFETCH(const bool, match);
    QCOMPARE(pathMatches(pattern.toStdString(), path.toStdString()), match);
}

void TestMatching::pathsAgreeWithASlowMatcher()
{
    std::mt19937 random(2);
    const std::vector<std::string> patternParts {"**", "**", "*",  "{x}", "a",
                                                 "b",  "",   "a*", "*b",  "*a*"};
    const std::vector<std::string> textParts {"a", "b", "", "ab", "ba", "c"};
    int matched = 0;
    int captured = 0;
    for (int i = 0; i < 300000; ++i) {
        std::string pattern;
        bool named = false;
        for (std::size_t left = random() % 7; left > 0; --left) {
            std::string part = patternParts[random() % patternParts.size()];
            if (part == "{x}") {
                part = named ? "*" : part;
                named = true;
            }
            pattern += '/' + part;
        }
        std::string text;
        for (std::size_t left = random() % 7; left > 0; --left) {
            text += '/' + textParts[random() % textParts.size()];
        }
        std::vector<std::string> slowCaptured;
        const bool expected
            = slowPath(partsOf(pattern, '/'), 0, partsOf(text, '/'), 0, slowCaptured);
        Segments segments;
        segments.cut(text, '/');
        const SegmentPattern fast(pattern, '/');
        QVERIFY2(fast.matches(segments) == expected, (pattern + " ~ " + text).c_str());
        matched += expected ? 1 : 0;
        if (named) {
            const auto capture = fast.capture(segments, 0);
            QVERIFY2(capture.has_value() == expected, (pattern + " ~ " + text).c_str());
            if (expected) {
                QCOMPARE(say(*capture), say(slowCaptured.at(0)));
                ++captured;
            }
        }
    }
    QVERIFY(matched > 10000 && captured > 1000);
}

void TestMatching::hostilePathsAreLinear_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("unit");
    // Each makes a matcher that backtracks try more ways than there are nanoseconds.
    QTest::newRow("two names that never come") << QByteArray("/**/a/**/b/**") << QByteArray("/a");
    QTest::newRow("many stars of segments")
        << QByteArray("/**/a/**/a/**/a/**/a/**/a/**/a/**/b") << QByteArray("/a");
    QTest::newRow("blocks that nearly match")
        << QByteArray("/**/a/a/a/a/a/a/a/b/**/a/a/a/a/c/**") << QByteArray("/a");
    QTest::newRow("stars in a segment") << QByteArray("/*a*a*a*a*a*a*a*b") << QByteArray("a");
    QTest::newRow("both") << QByteArray("/**/*a*a*a*b/**/*a*a*b/**")
                          << QByteArray("/aaaaaaaaaaaaaaaa");
}

void TestMatching::hostilePathsAreLinear()
{
    QFETCH(const QByteArray, pattern);
    QFETCH(const QByteArray, unit);
    const std::string text
        = '/' + repeat(unit.toStdString(), 1000000 / static_cast<std::size_t>(unit.size()));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!pathMatches(pattern.toStdString(), text));
    QVERIFY2(timer.elapsed() < 5000,
             qPrintable(QString::number(timer.elapsed()))); // a million bytes
}

void TestMatching::textGlobs_data()
{
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("match");
    const auto row = [](const char* pattern, const char* text, bool match) {
        QTest::addRow("%s ~ %s", pattern, text) << QByteArray(pattern) << QByteArray(text) << match;
    };
    row("kube-probe/*", "kube-probe/1.29", true);
    row("kube-probe/*", "kube-probe/", true);
    row("kube-probe/*", "Kube-probe/1", false);
    row("*", "a/b c", true);
    row("*a*", "xxaxx", true);
    row("a?c", "abc", true);
    row("a?c", "ac", false);
    row("a?c",
        "a\xC3\xA9"
        "c",
        true); // one code point of two bytes
    row("a??c",
        "a\xC3\xA9"
        "c",
        false);
    row("?", "\xF0\x9F\x98\x80", true); // and of four
    row("*???", "\xF0\x9F\x98\x80", false); // a star does not end inside of one
    row("*?", "\xF0\x9F\x98\x80", true);
    row("??", "\xFF\xFE", true); // bytes that are no UTF-8 are one each
    row("??", "\xC3(", true);
    row("??", "\xC0\x80", true); // overlong
    row("???", "\xED\xA0\x80", true); // a surrogate
    row("????", "\xF4\x90\x80\x80", true); // beyond U+10FFFF
    row("?", "\xE2\x82", false); // cut short: two
    row("??", "\xE2\x82", true);
}

void TestMatching::textGlobs()
{
    QFETCH(const QByteArray, pattern);
    QFETCH(const QByteArray, text);
    QFETCH(const bool, match);
    QCOMPARE(globMatches(pattern.toStdString(), text.toStdString()), match);
}

void TestMatching::globsAgreeWithASlowMatcher()
{
    std::mt19937 random(6);
    const std::string_view patternBytes = "ab*?*a";
    const std::string_view textBytes = "aab";
    int matched = 0;
    for (int i = 0; i < 300000; ++i) {
        std::string pattern;
        std::string text;
        for (std::size_t left = random() % 7; left > 0; --left) {
            pattern += patternBytes[random() % patternBytes.size()];
        }
        for (std::size_t left = random() % 8; left > 0; --left) {
            text += textBytes[random() % textBytes.size()];
        }
        const bool expected = slowGlob(pattern, text, true);
        QVERIFY2(globMatches(pattern, text) == expected, (pattern + " ~ " + text).c_str());
        matched += expected ? 1 : 0;
    }
    QVERIFY(matched > 10000);
}

void TestMatching::numbers_data()
{
    QTest::addColumn<qint64>("low");
    QTest::addColumn<qint64>("high");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<bool>("match");
    const auto row = [](qint64 low, qint64 high, const char* value, bool match) {
        QTest::addRow("%s in %lld..%lld", value, low, high)
            << low << high << QByteArray(value) << match;
    };
    row(400, 499, "400", true);
    row(400, 499, "499", true); // both ends belong to it
    row(400, 499, "399", false);
    row(400, 499, "500", false);
    row(5, kHighest, "5", true);
    row(5, kHighest, "9223372036854775807", true);
    row(5, kHighest, "9223372036854775808", true); // above int64, and still at least 5
    row(5, kHighest, "99999999999999999999999999", true);
    row(5, kHighest - 1, "99999999999999999999999999", false);
    row(kLowest, 9, "99999999999999999999999999", false);
    row(kLowest, 9, "0", true);
    row(kLowest, 9, "-3", true);
    row(kLowest, 9, "-99999999999999999999999999", true);
    row(0, 9, "007", true);
    row(0, 9, "", false);
    row(0, 9, "-", false);
    row(0, 9, "7 ", false);
    row(0, 9, "7.0", false);
    row(0, 9, "+7", false);
    row(0, 9, "seven", false);
}

void TestMatching::numbers()
{
    QFETCH(const qint64, low);
    QFETCH(const qint64, high);
    QFETCH(const QByteArray, value);
    QFETCH(const bool, match);
    const Matcher matcher {"size", false, {{TestKind::Range, {}, low, high}}};
    QCOMPARE(intake_run::holds(matcher, {{{"size", value.toStdString()}}, kUnknownDuration}),
             match);
}

void TestMatching::durationsCountInNanoseconds()
{
    const Matcher slow {"duration", false, {{TestKind::Range, {}, 1000000, kHighest}}};
    QVERIFY(intake_run::holds(slow, {{}, 1000000}));
    QVERIFY(!intake_run::holds(slow, {{}, 999999}));
    QVERIFY(!intake_run::holds(
        slow, {{{"duration", "5000000"}}, kUnknownDuration})); // no field of the log
    QVERIFY(!intake_run::holds({"duration", true, slow.anyOf}, {{}, kUnknownDuration}));
    QVERIFY(intake_run::holds({"duration", false, {intake_run::absent()}}, {{}, kUnknownDuration}));
    QVERIFY(!intake_run::holds({"duration", false, {intake_run::absent()}}, {{}, 0}));
    QVERIFY(intake_run::holds({"duration", false, {intake_run::equals("2500")}}, {{}, 2500}));
}

void TestMatching::entries_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<QByteArray>("value"); // "(none)": missing
    QTest::addColumn<bool>("match");
    const auto row = [](const char* what, int number, const char* value, bool match) {
        QTest::addRow("%s: %s", what, value) << number << QByteArray(value) << match;
    };
    row("absent", 0, "(none)", true);
    row("absent", 0, "k1", false);
    row("absent", 0, "absent", false);
    row("not absent", 1, "(none)", false);
    row("not absent", 1, "k1", true);
    row("'absent'", 2, "absent", true); // quoted, it is text
    row("'absent'", 2, "(none)", false);
    row("absent or k1", 3, "(none)", true);
    row("absent or k1", 3, "k1", true);
    row("absent or k1", 3, "k2", false);
    row("not absent, not k1", 4, "(none)", false);
    row("not absent, not k1", 4, "k1", false);
    row("not absent, not k1", 4, "k2", true);
    row("not k1", 5, "(none)", false); // a missing attribute matches nothing
    row("not k1", 5, "k1", false);
    row("not k1", 5, "k2", true);
    row("k1 or k*z", 6, "k1", true);
    row("k1 or k*z", 6, "kz", true);
    row("k1 or k*z", 6, "K1", false);
    row("k1 or k*z", 6, "(none)", false);
    row("many", 7, "v77", true);
    row("many", 7, "v100", false);
    row("none", 8, "k1", false);
}

void TestMatching::entries()
{
    using intake_run::absent;
    using intake_run::equals;
    std::vector<engine::Test> many;
    for (int i = 0; i < 100; ++i) {
        many.push_back(equals("v" + std::to_string(i)));
    }
    const std::vector<Matcher> matchers {
        {"api_key", false, {absent()}},
        {"api_key", true, {absent()}},
        {"api_key", false, {equals("absent")}},
        {"api_key", false, {absent(), equals("k1")}},
        {"api_key", true, {absent(), equals("k1")}},
        {"api_key", true, {equals("k1")}},
        {"api_key", false, {equals("k1"), {TestKind::Glob, "k*z", 0, 0}}},
        {"api_key", false, many},
        {"api_key", false, {}},
    };
    QFETCH(const int, number);
    QFETCH(const QByteArray, value);
    QFETCH(const bool, match);
    intake_run::Input input;
    if (value != "(none)") {
        input.attributes["api_key"] = value.toStdString();
    }
    QCOMPARE(intake_run::holds(matchers[static_cast<std::size_t>(number)], input), match);

    const auto holds = intake_run::holds;
    QVERIFY(holds({"method", false, {equals("get")}}, {{{"method", "Get"}}, kUnknownDuration}));
    QVERIFY(holds({"host", false, {equals("Example.com:443")}},
                  {{{"host", "EXAMPLE.COM"}}, kUnknownDuration}));
    QVERIFY(holds({"host", false, {{TestKind::Glob, "*.Example.com", 0, 0}}},
                  {{{"host", "A.example.com:1"}}, kUnknownDuration}));
    const Matcher block {"client_ip", false, {{TestKind::Network, "192.0.2.0/28", 0, 0}}};
    QVERIFY(holds(block, {{{"client_ip", "[::ffff:192.0.2.3]:80"}}, kUnknownDuration}));
    QVERIFY(!holds(block, {{{"client_ip", "192.0.2.16"}}, kUnknownDuration}));
    QVERIFY(
        !holds(block, {{{"client_ip", "unknown"}}, kUnknownDuration})); // a token is in no block
    QVERIFY(
        holds({"client_ip", true, block.anyOf}, {{{"client_ip", "unknown"}}, kUnknownDuration}));
    QVERIFY(!holds({"client_ip", true, block.anyOf},
                   {{{"client_ip", "two words"}}, kUnknownDuration})); // missing
    QVERIFY(!holds({"status", true, {equals("200")}}, {{{"status", "0"}}, kUnknownDuration}));
    QVERIFY(holds({"status", false, {absent()}}, {{{"status", "0"}}, kUnknownDuration}));
    QVERIFY(
        holds({"path", false, {intake_run::path("/a?b")}}, {{{"path", "/a?b"}}, kUnknownDuration}));
}

void TestMatching::patternsAreCheckedWithReasons_data()
{
    QTest::addColumn<QByteArray>("attribute");
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QByteArray>("result"); // names, or what the message names after "!"
    const auto row = [](const char* attribute, const char* pattern, const char* result) {
        QTest::addRow("%s %s", attribute, pattern)
            << QByteArray(attribute) << QByteArray(pattern) << QByteArray(result);
    };
    row("path", "/repos/{owner}/{repo}/**", "owner repo");
    row("path", "/login", "");
    row("path", "**", "");
    row("path", "login", "!`login`");
    row("path", "/x{y}", "!`x{y}`");
    row("path", "/{y}x", "!`{y}x`");
    row("path", "/{}", "!`{}`");
    row("path", "/{a b}", "!`{a b}`");
    row("path", "/{a", "!`{a`");
    row("path", "/a}", "!`a}`");
    row("path", "/{a}/{a}", "!`a`");
    row("path", "/a**", "!`a**`");
    row("path", "", "!empty");
    row("host", "{tenant}.api.example.com", "tenant");
    row("host", "x{tenant}.com", "!`x{tenant}`");
    row("authorization", "Bearer {api_key}", "api_key");
    row("authorization", "{k}", "k");
    row("authorization", "Bearer", "!`Bearer`");
    row("authorization", "{a}{b}", "!`{a}{b}`");
    row("authorization", "}{a}", "!`}{a}`");
    row("authorization", "{a", "!`{a`");
}

void TestMatching::patternsAreCheckedWithReasons()
{
    QFETCH(const QByteArray, attribute);
    QFETCH(const QByteArray, pattern);
    QFETCH(const QByteArray, result);
    const auto names = capturesOf(attribute.toStdString(), pattern.toStdString());
    QCOMPARE(names.has_value(), !result.startsWith('!'));
    if (names) {
        QByteArrayList list;
        for (const std::string& name : *names) {
            list << say(name);
        }
        QCOMPARE(list.join(' '), result);
    } else {
        QCOMPARE(say(names.error().code), QByteArray("attribute.pattern"));
        QVERIFY2(say(names.error().message).contains(result.mid(1)), names.error().message.c_str());
        QVERIFY(!names.error().help.empty());
    }
}

QTEST_APPLESS_MAIN(TestMatching)
#include "tst_matching.moc"
