#include "storage/sequencer.h"
#include "tests/support/aborts.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <tuple>
#include <vector>

using namespace storage;

/// The sequencer against small print B1 and semantics section 2, written down the slow way.
class TestSequencer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesPayloadsThatAreTooLarge();
    void spreadsASecondEvenly();
    void decidesLateRecordsAtTheHorizon();
    void exactlyTheHorizonOldIsNotLate();
    void noHorizonMeansTheNewestTime();
    void asksForAFullSort();
    void subtractsDurationsAfterSpreading();
    void leavesSubSecondStampsAlone();
    void spreadsNeutralRecordsByOriginalLine();
    void spreadsAgainWithoutAChange();
    void keepsOriginalLinesAtEqualTimes();
    void tellsWhenALateRecordArrived();
    void emitsWhileItReads();
    void tellsWhichHorizonWouldHaveServed();
    void agreesWithTheModel_data();
    void agreesWithTheModel();
    void sortsCrowdsThatDoNotFit();
    void survivesTheEndsOfTime();
    void saysThatTheDiskIsMissing();
    void keepsLargePayloads();
};

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kSecond = 1'000'000'000;

struct Out {
    std::int64_t timeNs = 0;
    std::uint64_t n = 0;
    bool late = false;
    friend bool operator==(const Out&, const Out&) = default;
};

std::vector<std::byte> payloadOf(const SequencerItem& item)
{
    std::vector<std::byte> bytes(item.n % 41);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(item.n * 31 + i);
    }
    return bytes;
}

struct Played {
    std::vector<Out> out;
    std::vector<std::int64_t> arrived;
    bool needsFullSort = false;
    bool payloadsFine = true;
    SequencerStatistics statistics;
};

Played play(const SequencerOptions& options, const std::vector<SequencerItem>& items)
{
    Played played;
    Sequencer sequencer(options, [&](std::span<const Sequenced> records) {
        for (const Sequenced& due : records) {
            SequencerItem item;
            item.n = due.n;
            const auto expected = payloadOf(item);
            played.payloadsFine = played.payloadsFine && expected.size() == due.payload.size()
                && std::equal(expected.begin(), expected.end(), due.payload.begin())
                && reinterpret_cast<std::uintptr_t>(due.payload.data()) % 8 == 0;
            played.out.push_back({due.timeNs, due.n, due.late});
            played.arrived.push_back(due.arrivedNs);
        }
    });
    for (const auto& item : items) {
        const auto answer = sequencer.push(item, payloadOf(item));
        played.needsFullSort
            = played.needsFullSort || answer.value() == Sequencer::Answer::NeedsFullSort;
    }
    played.needsFullSort
        = sequencer.finish().value() == Sequencer::Answer::NeedsFullSort || played.needsFullSort;
    played.statistics = sequencer.statistics();
    return played;
}

/// What comes out if records come many at once, each with its number as payload.
std::vector<Out> playTogether(const SequencerOptions& options,
                              const std::vector<SequencerItem>& items)
{
    constexpr std::size_t kStride = 3; // words; two of them are nobody's
    std::vector<Out> out;
    bool payloadsFine = true;
    Sequencer sequencer(options, [&](std::span<const Sequenced> records) {
        for (const Sequenced& due : records) {
            payloadsFine = payloadsFine && due.payload.size() == sizeof due.n
                && std::memcmp(due.payload.data(), &due.n, sizeof due.n) == 0;
            out.push_back({due.timeNs, due.n, due.late});
        }
    });
    std::size_t count = 1;
    for (std::size_t from = 0; from < items.size();
         from += count, count = (count * 7 + 3) % 60 + 1) {
        const auto batch = std::span(items).subspan(from, std::min(count, items.size() - from));
        std::vector<std::uint64_t> payloads(batch.size() * kStride);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            payloads[i * kStride] = batch[i].n;
        }
        (void)sequencer
            .push({batch, reinterpret_cast<const std::byte*>(payloads.data()),
                   sizeof(std::uint64_t), kStride * sizeof(std::uint64_t)})
            .value();
    }
    (void)sequencer.finish().value();
    return payloadsFine ? out : std::vector<Out> {};
}

std::int64_t clamped(Wide value)
{
    const Wide low = std::numeric_limits<std::int64_t>::min();
    const Wide high = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(std::clamp(value, low, high));
}

/// A neutral stamp may have a place in its second from an earlier conversion: without it.
SequencerItem unplaced(SequencerItem item)
{
    if (item.originalLine > 0 && item.resolutionNs > 0) {
        const std::int64_t part
            = (item.stampNs % item.resolutionNs + item.resolutionNs) % item.resolutionNs;
        item.stampNs -= part;
        item.timeNs -= part;
    }
    return item;
}

/// The definition: first the seconds, then the lateness in input order, then one stable sort.
std::vector<Out> model(const SequencerOptions& options, std::vector<SequencerItem> items)
{
    if (options.spread != Spread::Keep) {
        std::transform(items.begin(), items.end(), items.begin(), unplaced);
    }
    using Group = std::tuple<std::uint32_t, std::uint32_t, bool, std::int32_t, std::int64_t>;
    const auto groupOf = [](const SequencerItem& item) {
        const bool neutral = item.originalLine > 0;
        return Group {item.file, neutral ? item.originalFile : 0, neutral, item.resolutionNs,
                      item.stampNs};
    };
    std::vector<std::int64_t> times(items.size());
    std::map<Group, std::vector<std::tuple<std::uint64_t, std::uint64_t, std::size_t>>> groups;
    std::map<std::uint32_t, std::int64_t> newestStamps;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const auto& item = items[i];
        times[i] = item.timeNs;
        const auto newest = newestStamps.find(item.file);
        const bool late = !options.fullSort && newest != newestStamps.end()
            && static_cast<Wide>(item.stampNs)
                < static_cast<Wide>(newest->second) - options.horizonNs;
        newestStamps[item.file]
            = newest == newestStamps.end() ? item.stampNs : std::max(newest->second, item.stampNs);
        if (options.spread == Spread::Even && item.resolutionNs > 0
            && item.stampNs % item.resolutionNs == 0 && !late) {
            groups[groupOf(item)].emplace_back(item.originalLine, item.n, i);
        }
    }
    for (auto& [group, members] : groups) {
        std::sort(members.begin(), members.end());
        for (std::size_t i = 0; i < members.size(); ++i) {
            const auto index = std::get<2>(members[i]);
            const Wide place = static_cast<Wide>(i) * items[index].resolutionNs
                / static_cast<Wide>(members.size());
            times[index] = clamped(items[index].timeNs + place);
        }
    }
    // What is given its place: at equal times by original line, before the others.
    using Tie = std::tuple<bool, std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t>;
    std::map<std::uint64_t, Tie> ties;
    for (const auto& item : items) {
        const bool isSetBack
            = options.spread == Spread::None && item.originalLine > 0 && item.resolutionNs > 0;
        ties[item.n] = isSetBack
            ? Tie {false, item.file, item.originalFile, item.originalLine, item.n}
            : Tie {true, 0, 0, 0, item.n};
    }
    for (const auto& [group, members] : groups) {
        for (const auto& [line, n, index] : members) {
            const auto& item = items[index];
            if (line > 0) {
                ties[n] = {false, item.file, item.originalFile, line, n};
            }
        }
    }
    std::vector<Out> out;
    std::optional<std::int64_t> newest;
    for (std::size_t i = 0; i < items.size(); ++i) {
        Out due {times[i], items[i].n, false};
        if (newest && !options.fullSort) {
            const std::int64_t oldest = clamped(static_cast<Wide>(*newest) - options.horizonNs);
            due.late = times[i] < oldest;
            due.timeNs = due.late ? oldest : times[i];
            ties[due.n] = due.late ? Tie {true, 0, 0, 0, due.n} : ties[due.n];
        }
        newest = std::max(newest.value_or(times[i]), times[i]);
        out.push_back(due);
    }
    std::stable_sort(out.begin(), out.end(), [&ties](const Out& a, const Out& b) {
        return a.timeNs != b.timeNs ? a.timeNs < b.timeNs : ties[a.n] < ties[b.n];
    });
    return out;
}

SequencerItem itemAt(std::int64_t timeNs, std::uint64_t n)
{
    SequencerItem item;
    item.timeNs = timeNs;
    item.stampNs = timeNs;
    item.n = n;
    return item;
}

SequencerItem coarseAt(std::int64_t second, std::uint64_t n, std::int64_t durationNs = 0)
{
    SequencerItem item = itemAt(second * kSecond, n);
    item.timeNs -= durationNs;
    item.durationNs = durationNs;
    item.resolutionNs = static_cast<std::int32_t>(kSecond);
    return item;
}

std::vector<std::int64_t> timesOf(const std::vector<Out>& out)
{
    std::vector<std::int64_t> times;
    for (const Out& due : out) {
        times.push_back(due.timeNs);
    }
    return times;
}

SequencerOptions spreading()
{
    SequencerOptions options;
    options.spread = Spread::Even;
    return options;
}

} // namespace

void TestSequencer::spreadsASecondEvenly()
{
    const auto played
        = play(spreading(), {coarseAt(10, 1), coarseAt(10, 2), coarseAt(10, 3), coarseAt(11, 4)});
    QCOMPARE(timesOf(played.out),
             (std::vector<std::int64_t> {10'000'000'000, 10'333'333'333, 10'666'666'666,
                                         11'000'000'000}));
    QCOMPARE(played.statistics.spread, std::uint64_t {4});
}

void TestSequencer::decidesLateRecordsAtTheHorizon()
{
    SequencerOptions options;
    options.horizonNs = 10 * kSecond;
    const auto played = play(
        options, {itemAt(100 * kSecond, 1), itemAt(89 * kSecond, 2), itemAt(95 * kSecond, 3)});
    const std::vector<Out> expected {
        {90 * kSecond, 2, true}, {95 * kSecond, 3, false}, {100 * kSecond, 1, false}};
    QVERIFY(played.out == expected);
    QCOMPARE(played.statistics.late, std::uint64_t {1});
}

void TestSequencer::exactlyTheHorizonOldIsNotLate()
{
    SequencerOptions options;
    options.horizonNs = 10 * kSecond;
    const auto played = play(
        options, {itemAt(100 * kSecond, 1), itemAt(90 * kSecond, 2), itemAt(90 * kSecond - 1, 3)});
    const std::vector<Out> expected {
        {90 * kSecond, 2, false}, {90 * kSecond, 3, true}, {100 * kSecond, 1, false}};
    QVERIFY(played.out == expected);
}

void TestSequencer::noHorizonMeansTheNewestTime()
{
    SequencerOptions options;
    options.horizonNs = 0;
    const auto played
        = play(options, {itemAt(5, 1), itemAt(3, 2), itemAt(5, 3), itemAt(9, 4), itemAt(8, 5)});
    const std::vector<Out> expected {
        {5, 1, false}, {5, 2, true}, {5, 3, false}, {9, 4, false}, {9, 5, true}};
    QVERIFY(played.out == expected);
}

void TestSequencer::asksForAFullSort()
{
    SequencerOptions options;
    options.autoReorder = true;
    QVERIFY(!play(options, {itemAt(100 * kSecond, 1), itemAt(40 * kSecond, 2)}).needsFullSort);
    QVERIFY(play(options, {itemAt(100 * kSecond, 1), itemAt(40 * kSecond - 1, 2)}).needsFullSort);
    options.spread = Spread::Even;
    QVERIFY(play(options, {coarseAt(100, 1), coarseAt(39, 2)}).needsFullSort);
    // Late by stamp, but not by arrival: its second was given away all the same.
    QVERIFY(play(options, {coarseAt(200, 1, 150 * kSecond), coarseAt(100, 2)}).needsFullSort);
    options.autoReorder = false;
    options.fullSort = true;
    const auto sorted = play(options, {coarseAt(100, 1), coarseAt(39, 2), coarseAt(39, 3)});
    QVERIFY(!sorted.needsFullSort);
    QCOMPARE(timesOf(sorted.out),
             (std::vector<std::int64_t> {39 * kSecond, 39 * kSecond + kSecond / 2, 100 * kSecond}));
}

void TestSequencer::subtractsDurationsAfterSpreading()
{
    const auto played = play(spreading(), {coarseAt(10, 1, 0), coarseAt(10, 2, kSecond)});
    const std::vector<Out> expected {{9'500'000'000, 2, false}, {10'000'000'000, 1, false}};
    QVERIFY(played.out == expected);
}

void TestSequencer::leavesSubSecondStampsAlone()
{
    SequencerItem odd = coarseAt(10, 2);
    odd.timeNs += 1;
    odd.stampNs += 1;
    SequencerItem fine = itemAt(10 * kSecond, 3);
    const auto played = play(spreading(), {coarseAt(10, 1), odd, fine, coarseAt(10, 4)});
    const std::vector<Out> expected {{10 * kSecond, 1, false},
                                     {10 * kSecond, 3, false},
                                     {10 * kSecond + 1, 2, false},
                                     {10'500'000'000, 4, false}};
    QVERIFY(played.out == expected);
}

void TestSequencer::spreadsNeutralRecordsByOriginalLine()
{
    std::vector<SequencerItem> items;
    for (const std::uint64_t line : {30U, 10U, 20U}) {
        SequencerItem item = coarseAt(10, items.size() + 1);
        item.originalLine = line;
        items.push_back(item);
    }
    for (const bool full : {false, true}) {
        SequencerOptions options = spreading();
        options.fullSort = full;
        const auto played = play(options, items);
        const std::vector<Out> expected {
            {10'000'000'000, 2, false}, {10'333'333'333, 3, false}, {10'666'666'666, 1, false}};
        QVERIFY(played.out == expected);
    }
}

/// What was spread has its place in time and stamp; spreading it again gives the same.
void TestSequencer::spreadsAgainWithoutAChange()
{
    std::vector<SequencerItem> items;
    for (std::uint64_t line = 1; line <= 3; ++line) {
        SequencerItem item = coarseAt(10, line, line == 3 ? kSecond : 0);
        item.originalLine = line;
        items.push_back(item);
    }
    const auto once = play(spreading(), items);
    const std::vector<Out> expected {
        {9'666'666'666, 3, false}, {10'000'000'000, 1, false}, {10'333'333'333, 2, false}};
    QVERIFY(once.out == expected);
    std::vector<SequencerItem> placed;
    for (const Out& due : once.out) {
        SequencerItem item = items[due.n - 1];
        item.stampNs += due.timeNs - item.timeNs;
        item.timeNs = due.timeNs;
        item.n = placed.size() + 1;
        placed.push_back(item);
    }
    for (const bool full : {false, true}) {
        SequencerOptions options = spreading();
        options.fullSort = full;
        QCOMPARE(timesOf(play(options, placed).out), timesOf(expected));
    }
}

void TestSequencer::keepsOriginalLinesAtEqualTimes()
{
    // Line 5 is stamped a second after line 9 and took a second: both are decided at 10 s.
    std::vector<SequencerItem> items {coarseAt(10, 1), coarseAt(11, 2, kSecond)};
    items[0].originalLine = 9;
    items[1].originalLine = 5;
    for (const bool full : {false, true}) {
        SequencerOptions options = spreading();
        options.fullSort = full;
        const std::vector<Out> expected {{10 * kSecond, 2, false}, {10 * kSecond, 1, false}};
        QVERIFY(play(options, items).out == expected);
    }
    // Exactly the horizon old, and of an earlier line.
    std::vector<SequencerItem> old {coarseAt(10, 1), coarseAt(70, 2), coarseAt(70, 3, 60 * kSecond),
                                    coarseAt(200, 4)};
    for (std::size_t i = 0; i < old.size(); ++i) {
        old[i].originalLine = std::array {9U, 1U, 2U, 10U}[i];
    }
    old[2].stampNs = 70 * kSecond;
    old[2].timeNs = 10 * kSecond - kSecond / 2; // its place is half a second
    QCOMPARE(play(spreading(), old).out.front().n, std::uint64_t {3});
    // Set back to their seconds as the original has them; as they come, in the order of input.
    SequencerOptions plain;
    QCOMPARE(play(plain, items).out.front().n, std::uint64_t {2});
    plain.spread = Spread::Keep;
    QCOMPARE(play(plain, items).out.front().n, std::uint64_t {1});
}

void TestSequencer::tellsWhenALateRecordArrived()
{
    SequencerOptions options = spreading();
    options.horizonNs = 10 * kSecond;
    // The third took 30 s: late by arrival, not by stamp; its place is half a second.
    const auto played = play(
        options,
        {coarseAt(100, 1), coarseAt(101, 2), coarseAt(101, 3, 30 * kSecond), coarseAt(102, 4)});
    const auto late = std::find_if(played.out.begin(), played.out.end(),
                                   [](const Out& due) { return due.late; });
    QVERIFY(late != played.out.end());
    QCOMPARE(late->n, std::uint64_t {3});
    QCOMPARE(late->timeNs, 91 * kSecond);
    QCOMPARE(played.arrived[static_cast<std::size_t>(late - played.out.begin())],
             71 * kSecond + kSecond / 2);
    for (std::size_t i = 0; i < played.out.size(); ++i) {
        QCOMPARE(played.arrived[i] == played.out[i].timeNs, !played.out[i].late);
    }
}

/// Whatever the number of the file: what is complete goes out before the end.
void TestSequencer::emitsWhileItReads()
{
    for (const std::uint32_t file : {0U, 1U, 5U}) {
        std::size_t emitted = 0;
        Sequencer sequencer(spreading(), [&](auto records) { emitted += records.size(); });
        for (std::uint64_t n = 1; n <= 1'000; ++n) {
            SequencerItem item = coarseAt(static_cast<std::int64_t>(n), n);
            item.file = file;
            QVERIFY(sequencer.push(item, payloadOf(item)).has_value());
        }
        QVERIFY(emitted > 800);
        QVERIFY(sequencer.finish().has_value());
        QCOMPARE(emitted, std::size_t {1'000});
    }
}

void TestSequencer::tellsWhichHorizonWouldHaveServed()
{
    SequencerOptions options;
    options.horizonNs = 60 * kSecond;
    SequencerItem longOne = itemAt(10 * kSecond, 3);
    longOne.durationNs = 300 * kSecond;
    const auto played = play(
        options,
        {itemAt(100 * kSecond, 1), itemAt(30 * kSecond, 2), longOne, itemAt(101 * kSecond, 4)});
    QCOMPARE(played.statistics.late, std::uint64_t {2});
    QCOMPARE(played.statistics.lateLong, std::uint64_t {1});
    QCOMPARE(played.statistics.servingHorizonNs, 90 * kSecond);
    options.horizonNs = played.statistics.servingHorizonNs;
    QCOMPARE(
        play(options, {itemAt(100 * kSecond, 1), itemAt(30 * kSecond, 2), longOne}).statistics.late,
        std::uint64_t {0});
}

void TestSequencer::agreesWithTheModel_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 300; ++seed) {
        QTest::addRow("seed %d", seed) << seed;
    }
}

void TestSequencer::agreesWithTheModel()
{
    QFETCH(int, seed);
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
    };
    SequencerOptions options;
    options.horizonNs = std::array {std::int64_t {0}, std::int64_t {1}, kSecond, 5 * kSecond,
                                    60 * kSecond}[static_cast<std::size_t>(below(5))];
    options.spread = std::array {Spread::None, Spread::Even, Spread::Keep,
                                 Spread::Even}[static_cast<std::size_t>(below(4))];
    options.fullSort = below(3) == 0;
    options.memoryBytes = std::array {std::size_t {1}, std::size_t {4'000}, std::size_t {50'000},
                                      std::size_t {32} << 20}[static_cast<std::size_t>(below(4))];
    const std::int64_t jitter = std::array {std::int64_t {0}, 2 * kSecond, 20 * kSecond,
                                            200 * kSecond}[static_cast<std::size_t>(below(4))];
    const bool neutral = below(3) == 0;
    const std::int64_t files = 1 + below(2);
    const std::int64_t step = 1 + below(3 * kSecond);
    std::vector<SequencerItem> items;
    std::int64_t now = below(2) == 0 ? 1'700'000'000 * kSecond : -50 * kSecond;
    std::uint64_t n = 0;
    const std::int64_t count = 1 + below(options.memoryBytes == 1 ? 100 : 1'500);
    for (std::int64_t i = 0; i < count; ++i) {
        now += below(step);
        n += 1 + static_cast<std::uint64_t>(below(3));
        SequencerItem item = itemAt(now - (jitter == 0 ? 0 : below(jitter)), n);
        if (below(4) != 0) { // whole seconds, cut as a log cuts them
            item.stampNs -= ((item.stampNs % kSecond) + kSecond) % kSecond;
            item.resolutionNs = static_cast<std::int32_t>(kSecond);
        }
        item.durationNs = below(3) == 0 ? -1 : below(3 * kSecond);
        item.timeNs = item.stampNs - std::max<std::int64_t>(item.durationNs, 0);
        item.file = static_cast<std::uint32_t>(below(files));
        if (neutral && below(5) != 0) {
            item.originalFile = static_cast<std::uint32_t>(below(2));
            item.originalLine = static_cast<std::uint64_t>(1 + below(1'000));
            const std::int64_t place
                = item.resolutionNs > 0 && below(2) == 0 ? below(kSecond) : std::int64_t {0};
            item.stampNs += place;
            item.timeNs += place;
        }
        items.push_back(item);
    }
    const auto played = play(options, items);
    const auto expected = model(options, items);
    QVERIFY(played.payloadsFine);
    QCOMPARE(played.out.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!(played.out[i] == expected[i])) {
            QFAIL(qPrintable(QString::fromLatin1("record %1: n %2 at %3, expected n %4 at %5")
                                 .arg(i)
                                 .arg(played.out[i].n)
                                 .arg(played.out[i].timeNs)
                                 .arg(expected[i].n)
                                 .arg(expected[i].timeNs)));
        }
    }
    QVERIFY(playTogether(options, items) == expected);
    // An automatic reading either stands or asks for the full sort, and only where something is
    // late.
    options.autoReorder = true;
    options.fullSort = false;
    const auto automatic = play(options, items);
    if (!automatic.needsFullSort) {
        SequencerOptions full = options;
        full.fullSort = true;
        QVERIFY(automatic.out == model(full, items));
        QVERIFY(playTogether(options, items) == automatic.out);
    }
}

/// Far more records at one time than memory takes, in any order.
void TestSequencer::sortsCrowdsThatDoNotFit()
{
    for (const Spread spread : {Spread::None, Spread::Even}) {
        SequencerOptions options;
        options.spread = spread;
        options.memoryBytes = 60'000;
        std::mt19937_64 random(7);
        std::vector<SequencerItem> items;
        for (std::uint64_t n = 1; n <= 20'000; ++n) {
            const auto second = static_cast<std::int64_t>(n / 7'000) * kSecond;
            SequencerItem item = itemAt(1'700'000'000 * kSecond + second, n);
            item.resolutionNs = static_cast<std::int32_t>(kSecond);
            item.durationNs = static_cast<std::int64_t>(random() % 300) * (kSecond / 1000);
            item.timeNs = item.stampNs - item.durationNs;
            items.push_back(item);
        }
        items.push_back(itemAt(1'700'000'500 * kSecond, 20'001));
        const auto played = play(options, items);
        QVERIFY(played.payloadsFine);
        QVERIFY(played.out == model(options, items));
        QVERIFY(played.statistics.spilledBytes > 1'000'000);
    }
}

void TestSequencer::survivesTheEndsOfTime()
{
    constexpr std::int64_t kLow = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kHigh = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t horizon : {std::int64_t {0}, 60 * kSecond, kHigh}) {
        for (const bool full : {false, true}) {
            for (const Spread spread : {Spread::None, Spread::Even}) {
                SequencerOptions options;
                options.horizonNs = horizon;
                options.fullSort = full;
                options.spread = spread;
                std::vector<SequencerItem> items;
                for (const std::int64_t time : {kLow, kHigh, std::int64_t {0}, kLow + 1, kHigh - 1,
                                                kLow, kHigh, -kSecond, kSecond}) {
                    SequencerItem item = itemAt(time, items.size() + 1);
                    item.resolutionNs
                        = static_cast<std::int32_t>(items.size() % 2 == 0 ? kSecond : 1);
                    items.push_back(item);
                }
                const auto played = play(options, items);
                QVERIFY(played.out == model(options, items));
            }
        }
    }
}

void TestSequencer::saysThatTheDiskIsMissing()
{
    SequencerOptions options;
    options.memoryBytes = 1;
    options.temporaryFolder = "/nowhere/at/all";
    Sequencer sequencer(options, [](auto) {});
    std::optional<engine::Diagnostic> failure;
    for (std::uint64_t n = 1; n < 100 && !failure; ++n) {
        const auto item = itemAt(static_cast<std::int64_t>(n) * kSecond, n);
        if (const auto answer = sequencer.push(item, payloadOf(item)); !answer) {
            failure = answer.error();
        }
    }
    QVERIFY(failure.has_value());
    QCOMPARE(failure->code, std::string("sort.disk"));
    QVERIFY(failure->message.find("/nowhere/at/all") != std::string::npos);
    QVERIFY(!failure->help.empty());
}

void TestSequencer::keepsLargePayloads()
{
    for (const bool full : {false, true}) {
        SequencerOptions options = spreading();
        options.fullSort = full;
        options.memoryBytes = 100'000;
        std::vector<std::size_t> sizes;
        bool fine = true;
        Sequencer sequencer(options, [&](std::span<const Sequenced> records) {
            for (const Sequenced& due : records) {
                sizes.push_back(due.payload.size());
                for (const std::byte byte : due.payload) {
                    fine = fine && byte == static_cast<std::byte>(due.n);
                }
            }
        });
        std::size_t total = 0;
        for (std::uint64_t n = 1; n <= 60; ++n) {
            const std::vector<std::byte> payload(n * 7'001, static_cast<std::byte>(n));
            total += payload.size();
            QVERIFY(sequencer.push(coarseAt(static_cast<std::int64_t>(60 - n / 2), n), payload)
                        .has_value());
        }
        QVERIFY(sequencer.finish().has_value());
        QVERIFY(fine);
        QCOMPARE(sizes.size(), std::size_t {60});
        QCOMPARE(std::accumulate(sizes.begin(), sizes.end(), std::size_t {0}), total);
        QVERIFY(sequencer.statistics().spilledBytes > 0);
    }
}

void TestSequencer::refusesPayloadsThatAreTooLarge()
{
    const std::byte first {}; // all that is looked at
    Sequencer sequencer({}, [](auto) {});
    QVERIFY(tests::support::aborts(
        [&] { (void)sequencer.push(coarseAt(1, 1), std::span(&first, std::size_t {1} << 28)); }));
}

QTEST_APPLESS_MAIN(TestSequencer)
#include "tst_sequencer.moc"
