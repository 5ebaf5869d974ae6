#include "storage/record_merge.h"
#include "storage/request_numbers.h"
#include "tests/support/aborts.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <random>
#include <tuple>

using storage::RecordMerge;
using storage::RequestNumbers;

namespace {

struct Record {
    std::int64_t timeNs = 0;
    std::uint64_t input = 0;
    std::uint64_t ordinal = 0;
    friend bool operator==(const Record&, const Record&) = default;
};

std::span<const std::byte> bytesOf(const Record& record)
{
    return {reinterpret_cast<const std::byte*>(&record), sizeof(record)};
}

} // namespace

class TestRecordMerge : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitsForFloors();
    void isExactWhateverComesFirst_data();
    void isExactWhateverComesFirst();
    void placesBecomeNumbers();
    void refusesPayloadsThatAreTooLarge();
    void emptyLogsHaveNoPlaces();
    void textComesBack();
};

void TestRecordMerge::waitsForFloors()
{
    std::vector<std::int64_t> out;
    RecordMerge merge({2, std::size_t {1} << 20, {}}, [&](std::span<std::byte> payload) {
        Record record;
        std::memcpy(&record, payload.data(), sizeof(record));
        out.push_back(record.timeNs);
    });
    const auto push = [&](std::size_t input, std::int64_t time) {
        QVERIFY(merge.push(input, time, bytesOf({time, input, 0})).has_value());
    };
    push(0, 10);
    push(0, 30);
    QVERIFY(merge.settle().has_value());
    QVERIFY(out.empty()); // input 1 may give anything
    push(1, 20);
    merge.raiseFloor(1, 25);
    QVERIFY(merge.settle().has_value());
    QCOMPARE(out, (std::vector<std::int64_t> {10, 20}));
    merge.raiseFloor(1, 30); // at equal times input 0 comes first
    QVERIFY(merge.settle().has_value());
    QCOMPARE(out, (std::vector<std::int64_t> {10, 20, 30}));
    push(1, 30);
    QVERIFY(merge.settle().has_value());
    QCOMPARE(out.size(), std::size_t {3}); // input 0 may give another 30
    merge.finish(0);
    QVERIFY(merge.settle().has_value());
    QCOMPARE(out, (std::vector<std::int64_t> {10, 20, 30, 30}));
}

void TestRecordMerge::isExactWhateverComesFirst_data()
{
    QTest::addColumn<int>("inputs");
    QTest::addColumn<int>("memory");
    QTest::newRow("two") << 2 << (1 << 25);
    QTest::newRow("five") << 5 << (1 << 25);
    QTest::newRow("forty, on disk") << 40 << 1;
    QTest::newRow("two, on disk") << 2 << 1;
}

void TestRecordMerge::isExactWhateverComesFirst()
{
    QFETCH(int, inputs);
    QFETCH(int, memory);
    std::mt19937_64 random(11);
    std::vector<std::vector<Record>> given(static_cast<std::size_t>(inputs));
    std::vector<Record> expected;
    for (std::size_t input = 0; input < given.size(); ++input) {
        std::int64_t time = static_cast<std::int64_t>(random() % 5'000);
        for (std::uint64_t i = 0; i < 4'000 + 8'000 / given.size(); ++i) {
            time += static_cast<std::int64_t>(random() % 3); // many ties
            given[input].push_back({time, input, i});
        }
        expected.insert(expected.end(), given[input].begin(), given[input].end());
    }
    std::sort(expected.begin(), expected.end(), [](const Record& a, const Record& b) {
        return std::tie(a.timeNs, a.input, a.ordinal) < std::tie(b.timeNs, b.input, b.ordinal);
    });
    for (int round = 0; round < 3; ++round) {
        std::vector<Record> out;
        RecordMerge merge({given.size(), static_cast<std::size_t>(memory), {}},
                          [&](std::span<std::byte> payload) {
                              std::memcpy(&out.emplace_back(), payload.data(), sizeof(Record));
                          });
        std::vector<std::size_t> at(given.size(), 0);
        for (std::size_t open = given.size(); open > 0;) {
            const std::size_t input = random() % given.size();
            if (at[input] == given[input].size()) {
                continue;
            }
            const std::size_t end
                = std::min(given[input].size(), at[input] + random() % (round == 0 ? 3000 : 200));
            for (; at[input] < end; ++at[input]) {
                const Record& record = given[input][at[input]];
                QVERIFY(merge.push(input, record.timeNs, bytesOf(record)).has_value());
            }
            if (at[input] == given[input].size()) {
                merge.finish(input);
                --open;
            } else if (round == 2) {
                merge.raiseFloor(input, given[input][at[input]].timeNs);
            }
            QVERIFY(merge.settle().has_value());
        }
        QCOMPARE(out.size(), expected.size());
        QVERIFY(out == expected);
        QCOMPARE(merge.writtenBytes() > 0, memory == 1);
    }
}

void TestRecordMerge::placesBecomeNumbers()
{
    const RequestNumbers numbers({10, 20, 30});
    QCOMPARE(RequestNumbers::placeOf(2, 2, 3), std::uint64_t {6});
    QCOMPARE(numbers.numberOf(6), std::uint64_t {32});
    std::uint64_t n = 0;
    const std::vector<std::uint64_t> counts {10, 20, 30};
    for (std::size_t log = 0; log < counts.size(); ++log) {
        for (std::uint64_t i = 1; i <= counts[log]; ++i) {
            const std::uint64_t place = RequestNumbers::placeOf(log, i, counts.size());
            QCOMPARE(numbers.numberOf(place), ++n);
            QCOMPARE(numbers.placeOf(n), place);
        }
    }
    QCOMPARE(numbers.numberOf(0), std::uint64_t {0}); // not known stays not known
    QCOMPARE(RequestNumbers().numberOf(7), std::uint64_t {7});
    QCOMPARE(RequestNumbers().placeOf(7), std::uint64_t {7});
}

void TestRecordMerge::emptyLogsHaveNoPlaces()
{
    const RequestNumbers numbers({0, 2, 0, 1});
    for (std::uint64_t n = 1; n <= 3; ++n) {
        QCOMPARE(numbers.numberOf(numbers.placeOf(n)), n);
    }
    QCOMPARE(numbers.placeOf(1), RequestNumbers::placeOf(1, 1, 4));
    QCOMPARE(numbers.placeOf(3), RequestNumbers::placeOf(3, 1, 4));
}

void TestRecordMerge::refusesPayloadsThatAreTooLarge()
{
    const std::byte first {}; // all that is looked at
    RecordMerge merge({1, std::size_t {1} << 20, {}}, [](std::span<std::byte>) {});
    QVERIFY(tests::support::aborts(
        [&] { (void)merge.push(0, 1, std::span(&first, std::size_t {1} << 28)); }));
}

void TestRecordMerge::textComesBack()
{
    const RequestNumbers numbers = *RequestNumbers::fromText(RequestNumbers({3, 0, 5}).toText());
    QCOMPARE(numbers.toText(), std::string("3,0,5"));
    QVERIFY(!numbers.areNumbers());
    QVERIFY(RequestNumbers::fromText("")->areNumbers());
    for (const char* bad :
         {"3,x", "3,", ",3", "3;4", "-1", "99999999999999999999", "18446744073709551615,1"}) {
        const engine::Result<RequestNumbers> damaged = RequestNumbers::fromText(bad);
        QVERIFY2(!damaged, bad);
        QCOMPARE(damaged.error().code, std::string("store.damaged"));
    }
}

QTEST_APPLESS_MAIN(TestRecordMerge)
#include "tst_record_merge.moc"
