#include "policies/read.h"

#include <QTest>

#include <chrono>
#include <locale>
#include <random>
#include <string>

using namespace policies;

namespace {

const std::string kHead = "weir: 1\nname: p\n";
const std::string kRule = "key: [api_key], algorithm: fixed_window, rate: 1/s";

std::string codesOf(const std::string& text)
{
    std::string codes;
    for (const engine::Diagnostic& diagnostic : read("p.yaml", text).diagnostics) {
        const std::string at
            = std::to_string(diagnostic.place.line) + ":" + std::to_string(diagnostic.place.column);
        codes += (codes.empty() ? "" : " ") + diagnostic.code.substr(7) + "@" + at;
    }
    return codes;
}

struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }

    char do_thousands_sep() const override { return '.'; }

    std::string do_grouping() const override { return "\3"; }
};

} // namespace

/// What the YAML library takes without a word, and must not pass here.
class TestHazards : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refuses_data();
    void refuses();
    void keepsTextAsWritten();
    void fragmentIsAComment();
    void takesMarkAndLineEnds();
    void placesCountBytes();
    void localeNeverMatters();
    void loopingInputsEnd();
    void mutationsNeverCrash();
    void manyRulesInTime();
};

void TestHazards::refuses_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("codes");
    const auto row = [](const char* name, const std::string& text, const std::string& codes) {
        QTest::newRow(name) << text << codes;
    };
    row("first of two wins", kHead + "tiers: {}\nname: q\n", "duplicate-field@4:1");
    row("behind a flow root", "{ weir: 1, name: p, tiers: {} } junk\n", "after-document@1:33");
    row("behind a list", "[1, 2] 3\n", "type@1:1 after-document@1:8");
    row("a map behind a list", "- a\nb: 1\n", "type@1:1 after-document@2:1");
    row("double quote never closed", kHead + "description: \"abc\ntiers: {}\n", "open-quote@3:14");
    row("single quote never closed", kHead + "description: 'abc\ntiers: {}\n", "open-quote@3:14");
    row("escaped quote at the end", kHead + "tiers: {}\ndescription: \"abc\\\"\n",
        "open-quote@4:14");
    row("later document is broken", kHead + "tiers: {}\n---\nb: [1\n", "second-document@4:1");
    row("later document is empty", kHead + "tiers: {}\n---\n", "second-document@4:1");
    row("document ended and gone on", kHead + "tiers: {}\n...\nmore\n", "after-document@5:1");
    row("key without value at the end", kHead + "tiers: {}\nnot-a-key", "unknown-field@4:1");
    row("known key without value at the end", kHead + "tiers: {}\ndescription", "no-value@4:1");
    row("no blank behind the colon", "weir:1\n", "type@1:1");
    row("no blank in a flow map",
        kHead + "tiers: { edge: [{ name: a, match: {path:/a}, " + kRule + " }] }\n",
        "no-value@3:36");
    row("no blank behind dashes", kHead + "tiers:\n  edge:\n    -a\n    -b\n", "type@5:5");
    row("dash indented into a text", kHead + "tiers:\n  edge:\n    - a\n     - b\n", "type@5:7");
    row("bracket left over", kHead + "counting: per_tier]\ntiers: {}\n", "choice@3:11");
    row("null in the middle",
        kHead
            + "tiers: { edge: [{ name: a, key: [a,, b], algorithm: fixed_window, rate: 1/s }] }\n",
        "type@3:36");
    row("merge key", kHead + "tiers: {}\n<<: { counting: per_tier }\n", "merge-key@4:1");
    row("merge key with alias", kHead + "tiers: {}\n<<: *base\n", "merge-key@4:1 alias@4:5");
    row("tag", kHead + "tiers: {}\ndescription: !!int abc\n", "tag@4:14");
    row("local tag", kHead + "tiers: {}\ndescription: !secret abc\n", "tag@4:14");
    row("lone exclamation mark", kHead + "tiers: {}\ndescription: ! abc\n", "tag@4:14");
    row("tag that runs", kHead + "tiers: {}\nexempt: !!python/object/apply:os.system [ls]\n",
        "tag@4:9");
    row("anchor on itself", kHead + "tiers: {}\nexempt: &a [*a]\n", "anchor@4:9 alias@4:13");
    row("anchor and alias", kHead + "tiers: {}\ndescription: &d text\nexempt: *d\n",
        "anchor@4:14 alias@5:9");
    row("NUL first", std::string("\0weir: 1\n", 9), "control-character@1:1");
    row("NUL second", std::string("w\0eir: 1\n", 9), "control-character@1:2");
    row("NUL later", kHead + std::string("tiers: {}\0\n", 11), "control-character@3:10");
    row("escape byte", kHead + "description: a\x1b[0m\ntiers: {}\n", "control-character@3:15");
    row("latin 1", kHead + "description: caf\xe9\ntiers: {}\n", "encoding@3:17");
    row("overlong", kHead + "description: \xc0\xaf\ntiers: {}\n", "encoding@3:14 encoding@3:15");
    row("surrogate", kHead + "description: \xed\xa0\x80\ntiers: {}\n",
        "encoding@3:14 encoding@3:15 encoding@3:16");
    row("UTF-16", std::string("\xff\xfew\0e\0i\0r\0", 10),
        "encoding@1:1 encoding@1:2 control-character@1:4 control-character@1:6 "
        "control-character@1:8 control-character@1:10");
    row("mark inside", kHead + "\xef\xbb\xbftiers: {}\n", "encoding@3:1");
    row("mark twice", "\xef\xbb\xbf\xef\xbb\xbf" + kHead + "tiers: {}\n", "encoding@1:1");
    row("lone CR", "weir: 1\rname: p\n", "line-end@1:8");
    row("CR at the end", kHead + "tiers: {}\r", "line-end@3:10");
    row("empty", "", "empty@1:1");
    row("blank lines", "\n\n  \n", "empty@1:1");
    row("comments only", "# a\n# b\n", "empty@1:1");
    row("mark only", "\xef\xbb\xbf", "empty@1:1");
    row("start only", "---\n", "empty@1:1");
    row("null only", "~\n", "empty@1:1");
    row("directive", "%YAML 1.2\n---\n" + kHead + "tiers: {}\n", "directive@1:1");
    row("500 deep", kHead + "exempt: " + std::string(600, '[') + std::string(600, ']') + "\n",
        "depth@3:40");
    row(
        "block 40 deep",
        [] {
            std::string text = kHead + "exempt:\n";
            for (std::size_t i = 1; i < 40; ++i) {
                text += std::string(i, ' ') + "a:\n";
            }
            return text + "tiers: {}\n";
        }(),
        "depth@35:33");
    row("key of 1025 bytes", kHead + "tiers: {}\n" + std::string(1025, 'a') + ": 1\n",
        "syntax@4:1026");
    row("tab as indentation", kHead + "tiers:\n\tedge: []\n", "syntax@4:6");
    row("octal",
        kHead + "tiers: { edge: [{ name: a, key: [], algorithm: concurrency, in_flight: 060 }] }\n",
        "number@3:72");
    row("null text",
        kHead + "tiers: { edge: [{ name: a, match: { plan: null }, " + kRule + " }] }\n",
        "no-value@3:37");
    row("tilde as a rate",
        kHead + "tiers: { edge: [{ name: a, key: [], algorithm: fixed_window, rate: ~ }] }\n",
        "no-value@3:62");
    row("null in a block list",
        kHead + "tiers:\n  edge:\n    -\n    - { name: a, " + kRule + " }\n", "type@5:5");
    row("map as a key", kHead + "tiers: {}\n{ a: b }: c\n", "field-name@4:1");
}

void TestHazards::refuses()
{
    QFETCH(std::string, text);
    QFETCH(std::string, codes);
    QCOMPARE(QString::fromStdString(codesOf(text)), QString::fromStdString(codes));
    QVERIFY(!read("p.yaml", text).policy);
}

void TestHazards::keepsTextAsWritten()
{
    const Checked checked = read("p.yaml",
                                 kHead
                                     + "tiers: { edge: [{ name: off, mode: off, match: { a: [n, "
                                       "yes, 404, 1e3, 060, TRUE, 0x10, \"null\"] }, "
                                     + kRule + " }] }\n");
    QVERIFY(checked.policy.has_value());
    const Rule& rule = *checked.policy->rule("off");
    QCOMPARE(rule.values.mode->value, engine::Mode::Off);
    std::string values;
    for (const Word& word : rule.match->entries[0].values) {
        values += word.text + " ";
    }
    QCOMPARE(values, std::string("n yes 404 1e3 060 TRUE 0x10 null "));
}

void TestHazards::fragmentIsAComment()
{
    const Checked checked
        = read("p.yaml",
               kHead
                   + "tiers:\n  edge:\n    - name: a\n      match:\n        path: /a #frag\n      "
                     "key: []\n      algorithm: fixed_window\n      rate: 1/s\n");
    QVERIFY(checked.policy.has_value());
    QCOMPARE(checked.policy->rule("a")->match->entries[0].values[0].text, std::string("/a"));
}

void TestHazards::takesMarkAndLineEnds()
{
    const std::string plain = kHead + "tiers: { edge: [{ name: a, " + kRule + " }] }\n";
    std::string crlf;
    for (const char c : plain) {
        crlf += c == '\n' ? "\r\n" : std::string(1, c);
    }
    for (const std::string& text :
         {"\xef\xbb\xbf" + plain, crlf, "\xef\xbb\xbf" + crlf, "---\n" + plain,
          "# c\n---\n" + plain, plain + "...\n", plain.substr(0, plain.size() - 1)}) {
        const Checked checked = read("p.yaml", text);
        QVERIFY2(checked.policy.has_value(), text.c_str());
        QCOMPARE(checked.policy->text, text);
        const Span at = checked.policy->rule("a")->values.rate->at;
        QCOMPARE(text.substr(at.begin, at.end - at.begin), std::string("1/s"));
    }
}

void TestHazards::placesCountBytes()
{
    // A mark counts for nothing; the two bytes of each letter do.
    QCOMPARE(codesOf("\xef\xbb\xbfwier: 1\n").substr(0, 17), std::string("unknown-field@1:1"));
    QCOMPARE(codesOf(kHead + "tiers: { \xc3\xa4\xc3\xb6: [] }\n"),
             std::string("unknown-tier@3:10"));
    QCOMPARE(codesOf(kHead + "tiers: { edge: [], \"\xc3\xa4\": [], x: [] }\n"),
             std::string("unknown-tier@3:20 unknown-tier@3:30"));
    QCOMPARE(codesOf("weir: 1\r\nname: p\r\ntiers: {}\r\nx: 1\r\n"),
             std::string("unknown-field@4:1"));
}

void TestHazards::localeNeverMatters()
{
    const std::string text = kHead
        + "tiers: { edge: [{ name: a, key: [], algorithm: token_bucket, rate: 100000/min, burst: "
          "2000000 }] }\n";
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    const Checked checked = read("p.yaml", text);
    std::locale::global(before);
    QVERIFY(checked.policy.has_value());
    QCOMPARE(checked.policy->rule("a")->values.burst->value.number, std::int64_t {2'000'000});
}

void TestHazards::loopingInputsEnd()
{
    for (const char* text :
         {",",    ",,",    "]",   "}",     "[",     "{",     ":",    "-",       "?",
          "&",    "*",     "!",   "|",     ">",     "%",     "@",    "`",       "\"",
          "'",    "a: ,",  ", a", "- ,",   "? ,",   "--- ,", "...",  "... ...", "---\n---\n---",
          "%",    "%YAML", "\t",  "? ? ?", "- - -", "[[[",   "{{{",  "{,}",     "[,]",
          "a: |", "a: >-", "&a",  "*a",    "!!",    "? [a]", "{? a}"}) {
        QVERIFY2(!read("p.yaml", text).policy, text);
        QVERIFY2(!read("p.yaml", text).diagnostics.empty(), text);
    }
}

void TestHazards::mutationsNeverCrash()
{
    const std::string text = kHead
        + "# head\nexempt:\n  - { name: m, match: { client_ip: [192.0.2.0/28, \"::1\"] } } # "
          "m\nattributes:\n  t: { from: host, pattern: \"{t}.x\" }\n"
          "tiers:\n  edge:\n    - name: 'a'\n      note: |\n        one\n        two\n      key: "
          "[t]\n      algorithm: gcra\n      rate: 7/3s\n      burst: 5x\n      overrides:\n       "
          " - { name: o, match: { t: x }, rate: 1/s }\n      # tail\n";
    QVERIFY(read("p.yaml", text).policy.has_value());
    std::string bytes("\0\r\n\t :-#[]{},&*!|>'\"%@`\\~", 25);
    bytes += "0a/x\xc3\xa9\xef\xbb\xbf";
    std::mt19937 random(20260417);
    int taken = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string mutated = text;
        for (unsigned change = 0; change <= random() % 4; ++change) {
            const std::size_t at = random() % mutated.size();
            switch (random() % 4) {
            case 0:
                mutated[at] = bytes[random() % bytes.size()];
                break;
            case 1:
                mutated.insert(at, 1, bytes[random() % bytes.size()]);
                break;
            case 2:
                mutated.erase(at, 1 + random() % 8);
                break;
            default:
                mutated.insert(at, mutated.substr(random() % mutated.size(), random() % 30));
            }
        }
        const Checked checked = read("p.yaml", mutated);
        QVERIFY2(checked.policy || !checked.diagnostics.empty(), mutated.c_str());
        taken += checked.policy ? 1 : 0;
        for (const engine::Diagnostic& diagnostic : checked.diagnostics) {
            QVERIFY2(!diagnostic.help.empty() && diagnostic.place.line > 0
                         && diagnostic.place.column > 0,
                     mutated.c_str());
        }
    }
    QVERIFY2(taken > 500 && taken < 19'500, qPrintable(QString::number(taken)));
}

void TestHazards::manyRulesInTime()
{
    std::string text = kHead + "tiers:\n  edge:\n";
    for (int i = 0; i < 50'000; ++i) {
        text += "    - { name: r" + std::to_string(i)
            + ", key: [a], algorithm: fixed_window, rate: 1/min }\n";
    }
    const auto begin = std::chrono::steady_clock::now();
    const Checked checked = read("p.yaml", text);
    const auto took = std::chrono::steady_clock::now() - begin;
    QVERIFY(checked.policy.has_value());
    QCOMPARE(checked.policy->tiers[0].size(), std::size_t {50'000});
    // Seconds, not minutes: quadratic work of ours would take an hour. Wide, for loaded machines.
    QVERIFY(took < std::chrono::seconds(60));
}

QTEST_APPLESS_MAIN(TestHazards)
#include "tst_hazards.moc"
