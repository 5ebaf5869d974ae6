#include "storage/runs/blocks.h"
#include "storage/runs/text.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

using namespace storage;
using namespace storage::runs;

class TestRunColumns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersComeBack();
    void verdictsComeBack();
    void rowsComeBack();
    void rowsAtTheEdgesOfTimeComeBack();
    void numbersInOrderCostNothing();
    void swappedNumbersComeBackExactly();
    void mixedNumbersKeepRowsAndSet();
    void numbersOfTwoFilesComeBack();
    void numbersThatFitNoBudgetKeepRows();
    void marksComeBack();
    void damageIsNoticed();
    void keysAreUnambiguous();
    void optionsSurviveAnyBytes();

private:
    Compressor m_compressor;
    Decompressor m_decompressor;
};

namespace {

std::vector<std::uint64_t> decoded(NumberColumn& column, const NumberColumn::Encoded& encoded,
                                   std::size_t requests, const std::vector<RejectionRow>& rows,
                                   Decompressor& decompressor)
{
    std::vector<std::uint64_t> numbers;
    const bool isSound
        = column.decode(encoded.detail, encoded.bytes, static_cast<std::uint32_t>(requests), rows,
                        decompressor, numbers);
    return isSound ? numbers : std::vector<std::uint64_t> {};
}

std::vector<RejectionRow> rowsAt(const std::vector<std::uint64_t>& numbers, std::size_t every)
{
    std::vector<RejectionRow> rows;
    for (std::size_t i = 0; i < numbers.size(); i += every) {
        RejectionRow row;
        row.position = static_cast<std::uint32_t>(i);
        row.n = numbers[i];
        rows.push_back(row);
    }
    return rows;
}

bool isSame(const RejectionRow& a, const RejectionRow& b)
{
    return a.position == b.position && a.rule == b.rule && a.key == b.key && a.who == b.who
        && a.pathGroup == b.pathGroup && a.timeNs == b.timeNs && a.n == b.n
        && a.ordinal == b.ordinal;
}

/// What is left of rows before decodeRows(): position and rule.
std::vector<RejectionRow> bare(const std::vector<RejectionRow>& rows)
{
    std::vector<RejectionRow> stripped;
    for (const RejectionRow& row : rows) {
        stripped.emplace_back().position = row.position;
        stripped.back().rule = row.rule;
    }
    return stripped;
}

} // namespace

void TestRunColumns::numbersComeBack()
{
    std::vector<std::uint64_t> values {
        0, 1, 2, 3, 127, 128, 1U << 20, std::numeric_limits<std::uint64_t>::max(), 0, 5};
    std::mt19937_64 random(1);
    for (int i = 0; i < 5'000; ++i) {
        values.push_back(random() >> (random() % 64));
    }
    std::string bytes;
    m_compressor.appendNumbers(bytes, values);
    ByteReader in(bytes);
    std::vector<std::uint64_t> back;
    m_decompressor.readNumbers(in, values.size(), back);
    QVERIFY(in.isSound() && in.isAtEnd());
    QCOMPARE(back, values);
}

void TestRunColumns::verdictsComeBack()
{
    const std::vector<Special> specials {
        {0, StoredOutcome::Rejected, 3, engine::kNoId},
        {1, StoredOutcome::Admitted, engine::kNoId, 0},
        {500, StoredOutcome::Exempt, engine::kNoId, engine::kNoId},
        {501, StoredOutcome::WarmupRejected, 70'000, 2},
        {65'535, StoredOutcome::WarmupAdmitted, engine::kNoId, engine::kNoId},
    };
    std::vector<Special> back;
    QVERIFY(decodeVerdicts(encodeVerdicts(specials, m_compressor), kBlockRequests, m_decompressor,
                           back));
    QCOMPARE(back.size(), specials.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        QCOMPARE(back[i].position, specials[i].position);
        QCOMPARE(back[i].outcome, specials[i].outcome);
        QCOMPARE(back[i].rule, specials[i].rule);
        QCOMPARE(back[i].shadowRule, specials[i].shadowRule);
    }
}

void TestRunColumns::rowsComeBack()
{
    std::mt19937_64 random(2);
    for (const bool withKeys : {true, false}) {
        std::vector<RejectionRow> rows;
        std::uint32_t position = 0;
        std::int64_t time = 1'700'000'000'000'000'000;
        for (std::size_t i = 0; i < 3'000; ++i) {
            RejectionRow row;
            position += static_cast<std::uint32_t>(1 + random() % 40);
            time += static_cast<std::int64_t>(random() % 5'000) * 1'000'000;
            row.position = position;
            row.rule = withKeys ? static_cast<std::uint32_t>(random() % 3) : engine::kNoId;
            row.who
                = random() % 20 == 0 ? engine::kNoId : static_cast<std::uint32_t>(random() % 200);
            row.key = withKeys && random() % 9 != 0 ? static_cast<std::uint32_t>(random() % 4)
                                                    : engine::kNoId;
            row.pathGroup
                = random() % 9 == 0 ? engine::kNoId : static_cast<std::uint32_t>(random() % 4);
            row.timeNs = time;
            row.n = position + random() % 50;
            row.ordinal
                = 1 + random() % 1'000; // also one that goes back, as for a who that is unknown
            rows.push_back(row);
        }
        std::vector<RejectionRow> back = bare(rows);
        QVERIFY(
            decodeRows(encodeRows(rows, withKeys, m_compressor), withKeys, m_decompressor, back));
        QVERIFY(std::equal(rows.begin(), rows.end(), back.begin(), back.end(), isSame));
    }
}

void TestRunColumns::rowsAtTheEdgesOfTimeComeBack()
{
    std::vector<RejectionRow> rows(3);
    rows[0].timeNs = std::numeric_limits<std::int64_t>::min();
    rows[1].timeNs = -1;
    rows[2].timeNs = std::numeric_limits<std::int64_t>::max();
    for (std::uint32_t i = 0; i < 3; ++i) {
        rows[i].position = i * 2;
        rows[i].who = engine::kNoId - i; // the largest id there can be
        rows[i].n = std::numeric_limits<std::uint64_t>::max() - i;
        rows[i].ordinal = std::numeric_limits<std::uint64_t>::max();
    }
    std::vector<RejectionRow> back = bare(rows);
    QVERIFY(decodeRows(encodeRows(rows, true, m_compressor), true, m_decompressor, back));
    QVERIFY(std::equal(rows.begin(), rows.end(), back.begin(), back.end(), isSame));
}

void TestRunColumns::numbersInOrderCostNothing()
{
    std::vector<std::uint64_t> numbers(kBlockRequests);
    std::iota(numbers.begin(), numbers.end(), 1'000'000);
    NumberColumn column;
    const NumberColumn::Encoded encoded = column.encode(numbers, {}, 8'000, m_compressor);
    QCOMPARE(encoded.detail, NumberDetail::Exact);
    QVERIFY(encoded.bytes.size() < 32);
    QCOMPARE(decoded(column, encoded, numbers.size(), {}, m_decompressor), numbers);
}

void TestRunColumns::swappedNumbersComeBackExactly()
{
    std::vector<std::uint64_t> numbers(kBlockRequests);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::mt19937_64 random(3);
    for (std::size_t i = 0; i + 3 < numbers.size(); ++i) {
        if (random() % 40 == 0) {
            std::swap(numbers[i], numbers[i + 1 + random() % 2]);
        }
    }
    const std::vector<RejectionRow> rows = rowsAt(numbers, 100);
    NumberColumn column;
    const NumberColumn::Encoded encoded
        = column.encode(numbers, rows, kBlockRequests / 8, m_compressor);
    QCOMPARE(encoded.detail, NumberDetail::Exact);
    QVERIFY(encoded.bytes.size() <= kBlockRequests / 8);
    QCOMPARE(decoded(column, encoded, numbers.size(), rows, m_decompressor), numbers);
}

void TestRunColumns::mixedNumbersKeepRowsAndSet()
{
    std::vector<std::uint64_t> numbers(kBlockRequests);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::mt19937_64 random(4);
    for (std::size_t i = 0; i + 50 < numbers.size(); ++i) {
        std::swap(numbers[i], numbers[i + random() % 50]);
    }
    const std::vector<RejectionRow> rows = rowsAt(numbers, 100);
    NumberColumn column;
    const NumberColumn::Encoded encoded
        = column.encode(numbers, rows, kBlockRequests / 8, m_compressor);
    QCOMPARE(encoded.detail, NumberDetail::Ordered);
    QVERIFY(encoded.bytes.size() <= kBlockRequests / 8);
    std::vector<std::uint64_t> back
        = decoded(column, encoded, numbers.size(), rows, m_decompressor);
    QCOMPARE(back.size(), numbers.size());
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < back.size(); ++i) {
        if (i % 100 == 0) {
            QCOMPARE(back[i], numbers[i]); // a request with a row is exact
        } else {
            QVERIFY(back[i] > before);
            before = back[i];
        }
    }
    std::sort(back.begin(), back.end());
    std::sort(numbers.begin(), numbers.end());
    QCOMPARE(back, numbers);
}

void TestRunColumns::numbersOfTwoFilesComeBack()
{
    // Two files of 5 million lines, merged by time: their numbers lie far apart.
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 1; i <= kBlockRequests / 2; ++i) {
        numbers.push_back(i);
        numbers.push_back((std::uint64_t {1} << 40) + i);
    }
    NumberColumn column;
    const NumberColumn::Encoded encoded = column.encode(numbers, {}, kBlockRequests, m_compressor);
    QCOMPARE(encoded.detail, NumberDetail::Ordered);
    std::vector<std::uint64_t> back = decoded(column, encoded, numbers.size(), {}, m_decompressor);
    std::sort(numbers.begin(), numbers.end());
    QCOMPARE(back, numbers);
}

void TestRunColumns::numbersThatFitNoBudgetKeepRows()
{
    std::mt19937_64 random(5);
    std::vector<std::uint64_t> numbers;
    for (std::size_t i = 0; i < kBlockRequests; ++i) {
        numbers.push_back((numbers.empty() ? 1 : numbers.back()) + 1 + random() % 1'000);
    }
    const std::vector<RejectionRow> rows = rowsAt(numbers, 7);
    NumberColumn column;
    const NumberColumn::Encoded encoded
        = column.encode(numbers, rows, kBlockRequests / 8, m_compressor);
    QCOMPARE(encoded.detail, NumberDetail::Rows);
    const std::vector<std::uint64_t> back
        = decoded(column, encoded, numbers.size(), rows, m_decompressor);
    QCOMPARE(back.size(), numbers.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        QCOMPARE(back[i], i % 7 == 0 ? numbers[i] : 0U);
    }
}

void TestRunColumns::marksComeBack()
{
    RecordedMarks marks;
    for (std::size_t i = 0; i < 1'001; ++i) {
        marks.known.push_back(i % 3 == 0 ? 0 : 1);
    }
    marks.rejected = {1, 2, 1'000};
    RecordedMarks back;
    QVERIFY(decodeMarks(encodeMarks(marks, m_compressor), 1'001, m_decompressor, back));
    QCOMPARE(back.known, marks.known);
    QCOMPARE(back.rejected, marks.rejected);
}

void TestRunColumns::damageIsNoticed()
{
    std::vector<Special> specials;
    std::vector<RejectionRow> rows;
    for (std::uint32_t i = 0; i < 2'000; ++i) {
        specials.push_back({i * 3, StoredOutcome::Rejected, i % 5, engine::kNoId});
        RejectionRow row;
        row.position = i * 3;
        row.rule = i % 5;
        row.who = i * 7 % 500;
        row.timeNs = i * 1'000'003LL;
        row.n = i;
        row.ordinal = 1;
        rows.push_back(row);
    }
    const std::string verdicts = encodeVerdicts(specials, m_compressor);
    const std::string columns = encodeRows(rows, true, m_compressor);
    std::vector<Special> back;
    std::vector<RejectionRow> backRows = bare(rows);
    for (std::size_t cut = 0; cut < verdicts.size(); ++cut) {
        QVERIFY(!decodeVerdicts(verdicts.substr(0, cut), kBlockRequests, m_decompressor, back));
    }
    for (std::size_t cut = 0; cut < columns.size(); cut += 17) {
        QVERIFY(!decodeRows(columns.substr(0, cut), true, m_decompressor, backRows));
    }
    QVERIFY(!decodeVerdicts(verdicts, 100, m_decompressor, back)); // positions beyond the block
    std::mt19937_64 random(6);
    for (int i = 0; i < 2'000; ++i) { // whatever is flipped: no crash, no endless memory
        std::string flipped = i % 2 == 0 ? verdicts : columns;
        flipped[random() % flipped.size()] ^= static_cast<char>(1U << (random() % 8));
        if (i % 2 == 0) {
            (void)decodeVerdicts(flipped, kBlockRequests, m_decompressor, back);
        } else {
            backRows = bare(rows);
            (void)decodeRows(flipped, true, m_decompressor, backRows);
        }
    }
}

void TestRunColumns::keysAreUnambiguous()
{
    const std::vector<std::vector<std::string>> keys {
        {"192.0.2.1"},
        {""},
        {"a", "b"},
        {"a", "", ""},
        {std::string("a\0", 2), "b"},
        {std::string("\0\1", 2), std::string("\0\xff", 2)},
        {"a,b"},
        {}};
    std::vector<std::string> joined;
    for (const std::vector<std::string>& key : keys) {
        const std::vector<std::string_view> views(key.begin(), key.end());
        joined.push_back(joinKey(views));
        QCOMPARE(splitKey(joined.back(), key.size()), key);
    }
    QCOMPARE(joined.front(), std::string("192.0.2.1")); // what other tools see
}

void TestRunColumns::optionsSurviveAnyBytes()
{
    std::string all;
    for (int c = 0; c < 256; ++c) {
        all += static_cast<char>(c);
    }
    engine::Result<Database> database = Database::open(":memory:", Database::Kind::Create);
    QVERIFY(database.has_value());
    const std::vector<Option> options {
        {"tz", "Europe/Berlin"}, {"a\"b", all}, {"c", "\\x41 \\ é 😀"}, {"tz", "again"}};
    const engine::Result<std::vector<Option>> back = optionsFromJson(*database, toJson(options));
    QVERIFY(back.has_value());
    QCOMPARE(back->size(), options.size());
    for (std::size_t i = 0; i < options.size(); ++i) {
        QCOMPARE((*back)[i].name, options[i].name);
        QCOMPARE((*back)[i].value, options[i].value);
    }
    QCOMPARE(toJson(std::vector<Option> {{"tz", "UTC"}}), std::string(R"({"tz":"UTC"})"));
}

QTEST_APPLESS_MAIN(TestRunColumns)
#include "tst_run_columns.moc"
