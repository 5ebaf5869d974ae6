#include "storage/logs/stamps.h"
#include "storage/logs/zone_file.h"
#include "storage/zone.h"

#include <QtTest>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>

namespace {

using storage::Zone;
using Kind = Zone::Kind;

std::int64_t at(std::int64_t year, unsigned month, unsigned day, int hour = 0, int minute = 0,
                int second = 0)
{
    return storage::logs::daysFromCivil(year, month, day) * 86'400 + hour * 3600 + minute * 60
        + second;
}

std::shared_ptr<const Zone> zoneOf(std::string_view name)
{
    auto zone = Zone::named(name);
    return zone ? *zone : nullptr;
}

/// What the C library says that the clocks of TZ showed.
std::int64_t shown(std::int64_t utc)
{
    const std::time_t time = utc;
    std::tm local {};
    ::localtime_r(&time, &local);
    return utc + local.tm_gmtoff;
}

/// All instants at which the clocks of TZ showed `local`, earliest first.
std::vector<std::int64_t> allInstants(std::int64_t local)
{
    std::vector<std::int64_t> found;
    for (std::int64_t probe = local - 27 * 3600; probe <= local + 27 * 3600; probe += 1800) {
        const std::int64_t utc = local - (shown(probe) - probe);
        if (shown(utc) == local && std::find(found.begin(), found.end(), utc) == found.end()) {
            found.push_back(utc);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// TZ of the C library for as long as it lives.
class LibraryZone {
public:
    explicit LibraryZone(const QByteArray& name)
    {
        qputenv("TZ", name);
        ::tzset();
    }

    ~LibraryZone()
    {
        qunsetenv("TZ");
        ::tzset();
    }

    LibraryZone(const LibraryZone&) = delete;
    LibraryZone& operator=(const LibraryZone&) = delete;
};

/// A file of version `version` with one type and a footer.
std::string fileWith(char version, std::int32_t offset, std::string_view footer)
{
    const auto number = [](std::uint32_t value) {
        std::string bytes;
        for (const unsigned shift : {24U, 16U, 8U, 0U}) {
            bytes += static_cast<char>(value >> shift & 0xffU);
        }
        return bytes;
    };
    std::string block = "TZif";
    block += version;
    block += std::string(15, '\0') + number(0) + number(0) + number(0) + number(0) + number(1)
        + number(4) + number(static_cast<std::uint32_t>(offset)) + std::string(2, '\0')
        + std::string("XXX\0", 4);
    return version < '2' ? block : block + block + "\n" + std::string(footer) + "\n";
}

} // namespace

class TestZone : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knownTransitions_data();
    void knownTransitions();
    void offsetsThatAlwaysHold();
    void whatIsNoZoneSaysWhatToWrite();
    void namesStayInTheFolder();
    void filesThatAreNone();
    void rulesOfTheFooter();
    void agreesWithTheLibrary_data();
    void agreesWithTheLibrary();
    void aScratchServesAnyZone();
};

void TestZone::knownTransitions_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qint64>("local");
    QTest::addColumn<qint64>("utc");
    QTest::addColumn<int>("kind");
    const auto row
        = [](const char* what, const char* name, std::int64_t local, std::int64_t utc, Kind kind) {
              QTest::newRow(what) << QString::fromLatin1(name) << qint64(local) << qint64(utc)
                                  << int(kind);
          };
    row("berlin summer", "Europe/Berlin", at(2024, 7, 1, 12), at(2024, 7, 1, 10), Kind::Unique);
    row("berlin winter", "Europe/Berlin", at(2024, 1, 1, 12), at(2024, 1, 1, 11), Kind::Unique);
    row("berlin before the fold", "Europe/Berlin", at(2024, 10, 27, 1, 59, 59),
        at(2024, 10, 26, 23, 59, 59), Kind::Unique);
    row("berlin fold", "Europe/Berlin", at(2024, 10, 27, 2, 30), at(2024, 10, 27, 0, 30),
        Kind::Ambiguous);
    row("berlin behind the fold", "Europe/Berlin", at(2024, 10, 27, 3), at(2024, 10, 27, 2),
        Kind::Unique);
    row("berlin last before the gap", "Europe/Berlin", at(2024, 3, 31, 1, 59, 59),
        at(2024, 3, 31, 0, 59, 59), Kind::Unique);
    row("berlin gap", "Europe/Berlin", at(2024, 3, 31, 2, 30), at(2024, 3, 31, 1, 30),
        Kind::Skipped);
    row("berlin behind the gap", "Europe/Berlin", at(2024, 3, 31, 3), at(2024, 3, 31, 1),
        Kind::Unique);
    row("berlin by the footer", "Europe/Berlin", at(2080, 7, 1, 12), at(2080, 7, 1, 10),
        Kind::Unique);
    row("berlin fold 800 years on", "Europe/Berlin", at(2824, 10, 27, 2, 30),
        at(2824, 10, 27, 0, 30), Kind::Ambiguous);
    row("new york fold", "America/New_York", at(2025, 11, 2, 1, 15), at(2025, 11, 2, 5, 15),
        Kind::Ambiguous);
    row("new york gap", "America/New_York", at(2025, 3, 9, 2, 15), at(2025, 3, 9, 7, 15),
        Kind::Skipped);
    row("new york 2200", "America/New_York", at(2199, 12, 31, 23), at(2200, 1, 1, 4), Kind::Unique);
    row("lord howe fold of half an hour", "Australia/Lord_Howe", at(2024, 4, 7, 1, 45),
        at(2024, 4, 6, 14, 45), Kind::Ambiguous);
    row("lord howe before it", "Australia/Lord_Howe", at(2024, 4, 7, 1, 29), at(2024, 4, 6, 14, 29),
        Kind::Unique);
    row("lord howe gap of half an hour", "Australia/Lord_Howe", at(2024, 10, 6, 2, 15),
        at(2024, 10, 5, 15, 45), Kind::Skipped);
    row("kolkata", "Asia/Kolkata", at(2024, 6, 1, 5, 30), at(2024, 6, 1), Kind::Unique);
    row("kathmandu", "Asia/Kathmandu", at(2024, 6, 1, 5, 45), at(2024, 6, 1), Kind::Unique);
    row("kathmandu changes by a quarter", "Asia/Kathmandu", at(1986, 1, 1, 0, 5),
        at(1985, 12, 31, 18, 35), Kind::Skipped);
    row("chatham summer", "Pacific/Chatham", at(2024, 1, 1, 13, 45), at(2024, 1, 1), Kind::Unique);
    row("chatham fold", "Pacific/Chatham", at(2024, 4, 7, 3, 0), at(2024, 4, 6, 13, 15),
        Kind::Ambiguous);
    row("apia leaves out a day", "Pacific/Apia", at(2011, 12, 30, 12), at(2011, 12, 30, 22),
        Kind::Skipped);
    row("dublin, whose winter is the exception", "Europe/Dublin", at(2024, 7, 1, 12),
        at(2024, 7, 1, 11), Kind::Unique);
    row("nuuk, whose rule is before midnight", "America/Nuuk", at(2030, 7, 1, 12),
        at(2030, 7, 1, 13), Kind::Unique);
    row("etc", "Etc/GMT+5", at(2024, 1, 1), at(2024, 1, 1, 5), Kind::Unique);
}

void TestZone::knownTransitions()
{
    QFETCH(QString, name);
    QFETCH(qint64, local);
    QFETCH(qint64, utc);
    QFETCH(int, kind);
    const auto zone = zoneOf(name.toStdString());
    QVERIFY(zone);
    Zone::Scratch scratch;
    for (int again = 0; again < 2; ++again) { // the second time from the scratch
        const Zone::Instant instant = zone->toUtc(local, scratch);
        QCOMPARE(qint64(instant.utcSeconds), utc);
        QCOMPARE(int(instant.kind), kind);
    }
    if (kind != int(Kind::Skipped)) {
        QCOMPARE(qint64(zone->toLocal(utc)), local);
    }
}

void TestZone::offsetsThatAlwaysHold()
{
    const std::vector<std::tuple<std::string, std::string, std::int64_t>> rows {
        {"+05:30", "+05:30", 19'800},
        {"-0300", "-03:00", -10'800},
        {"+09", "+09:00", 32'400},
        {"UTC", "UTC", 0},
        {"z", "UTC", 0},
        {"+00:00", "UTC", 0},
        {"-23:59", "-23:59", -86'340},
        {"GMT", "UTC", 0},
    };
    for (const auto& [text, name, offset] : rows) {
        const auto zone = zoneOf(text);
        QVERIFY2(zone, text.c_str());
        QCOMPARE(zone->name(), name);
        QCOMPARE(zone->isUtc(), offset == 0);
        Zone::Scratch scratch;
        for (const std::int64_t local : {std::int64_t {-5}, std::int64_t {0}, at(2500, 1, 1)}) {
            const Zone::Instant expected {local - offset, Kind::Unique};
            QVERIFY(zone->toUtc(local, scratch) == expected);
        }
        QCOMPARE(zoneOf(zone->name())->name(), name); // what it is called can be given again
    }
}

void TestZone::whatIsNoZoneSaysWhatToWrite()
{
    const std::vector<std::pair<std::string, std::string>> rows {
        {"Europe/Berln", "did you mean Europe/Berlin?"},
        {"berlin", "did you mean Europe/Berlin?"},
        {"america/new_york", "did you mean America/New_York?"},
        {"+24:00", "offsets are less than 24 hours: +05:30"},
        {"Qqqqqqqqqqqqqqqq", "give a name such as Europe/Berlin, or an offset such as +01:00"},
        {"", "give a name such as Europe/Berlin, or an offset such as +01:00"},
        {"+05:60", "give a name such as Europe/Berlin, or an offset such as +01:00"},
        {"localtime", "give a name such as Europe/Berlin, or an offset such as +01:00"},
        {"right/Europe/Berlin", "give the zone's plain name, without `right/`"},
    };
    for (const auto& [name, help] : rows) {
        if (name.starts_with("right/")
            && !std::filesystem::exists(std::filesystem::path(Zone::kFolder) / name)) {
            continue;
        }
        const auto zone = Zone::named(name);
        QVERIFY2(!zone, name.c_str());
        QCOMPARE(zone.error().code, std::string("log.zone"));
        QCOMPARE(zone.error().help, help);
    }
    const auto nowhere = Zone::named("Europe/Berlin", "/nowhere");
    QVERIFY(!nowhere);
    QVERIFY(nowhere.error().help.find("/nowhere has no zones") != std::string::npos);
}

void TestZone::namesStayInTheFolder()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("zones/Sub")));
    const std::string root = folder.path().toStdString();
    for (const char* place : {"/Out", "/zones/In", "/zones/Sub/Deep"}) {
        QFile file(QString::fromStdString(root + place));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const std::string bytes = fileWith('2', 3600, "XXX-1");
        QCOMPARE(file.write(bytes.data(), qint64(bytes.size())), qint64(bytes.size()));
    }
    const std::string zones = root + "/zones";
    QVERIFY(Zone::named("In", zones));
    QVERIFY(Zone::named("Sub/Deep", zones));
    for (const std::string& name :
         std::vector<std::string> {"../Out", "Sub/../../Out", root + "/Out", "Sub", "Sub/",
                                   "Sub//Deep", "./In", std::string("In\0x", 4)}) {
        QVERIFY2(!Zone::named(name, zones), name.c_str());
    }
}

void TestZone::filesThatAreNone()
{
    using storage::logs::readZoneFile;
    for (const char version : {'\0', '2', '3', '4'}) {
        const std::string good = fileWith(version, 7200, "XXX-2");
        QVERIFY(readZoneFile(good));
        QCOMPARE(readZoneFile(good)->offsets.front(), std::int64_t {7200});
        for (std::size_t size = 0; size < good.size(); ++size) {
            QVERIFY2(!readZoneFile(good.substr(0, size)), std::to_string(size).c_str());
        }
    }
    QVERIFY(!readZoneFile(fileWith('2', 200'000, "XXX-2")));
    for (const char* footer :
         {"XX-2", "XXX", "XXX-2YYY", "XXX-2YYY,M3.5.0", "XXX-2YYY,M13.5.0,M4.1.0",
          "XXX-2YYY,M3.6.0,M4.1.0", "XXX-2YYY,M3.5.7,M4.1.0", "<XX-2", "XXX-2YYY,J0,J5",
          "XXX-2YYY,J366,J5", "XXX-2YYY,366,5", "XXX-2YYY,M3.5.0/168,M4.1.0", "XXX-2 ", "XXX-25",
          "XXX-2YYY,M3.5.0,M4.1.0,"}) {
        QVERIFY2(!readZoneFile(fileWith('2', 7200, footer)), footer);
    }
    // Counts that promise more than there is must not be believed.
    std::string greedy = fileWith('2', 7200, "XXX-2");
    for (std::size_t at = 20; at < 44; ++at) {
        greedy[at] = '\xff';
    }
    QVERIFY(!readZoneFile(greedy));
}

void TestZone::rulesOfTheFooter()
{
    const std::vector<std::pair<QByteArray, std::string>> rules {
        {"EST5EDT,M3.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0"},
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"},
        {"IST-1GMT0,M10.5.0,M3.5.0/1", "IST-1GMT0,M10.5.0,M3.5.0/1"},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0"},
        {"AAA-3BBB,J60/0,J300/0", "AAA-3BBB,J60/0,J300/0"},
        {"AAA-3BBB,59/0,299/5:30:15", "AAA-3BBB,59/0,299/5:30:15"},
        {"IST-2IDT,M3.4.4/26,M10.5.0", "IST-2IDT,M3.4.4/26,M10.5.0"},
    };
    // Summer time all year: its end and the next begin are one instant.
    const auto always = storage::logs::readZoneFile(fileWith('3', 0, "XXX3EDT4,0/0,J365/23"));
    QVERIFY(always);
    QCOMPARE(always->offsets.at(1), std::int64_t {-4 * 3600});
    QCOMPARE(always->starts.size(), std::size_t {3}); // before all, always, behind the last year
    QTemporaryDir folder;
    for (const auto& [tz, footer] : rules) {
        QFile file(folder.filePath(QStringLiteral("Rule")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const std::string bytes = fileWith('3', 0, footer);
        file.write(bytes.data(), qint64(bytes.size()));
        file.close();
        const auto zone = Zone::named("Rule", folder.path().toStdString());
        QVERIFY2(zone, footer.c_str());
        const LibraryZone library(tz);
        Zone::Scratch scratch;
        for (std::int64_t local = at(2023, 12, 30); local < at(2026, 1, 3); local += 5399) {
            const std::vector<std::int64_t> expected = allInstants(local);
            const Zone::Instant instant = (*zone)->toUtc(local, scratch);
            const Kind kind = expected.empty() ? Kind::Skipped
                : expected.size() == 1         ? Kind::Unique
                                               : Kind::Ambiguous;
            QVERIFY2(instant.kind == kind, (footer + " " + std::to_string(local)).c_str());
            if (!expected.empty()) {
                QCOMPARE(instant.utcSeconds, expected.front());
            }
        }
    }
}

void TestZone::agreesWithTheLibrary_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char* name :
         {"Europe/Berlin",    "Europe/London",       "Europe/Dublin",    "Europe/Lisbon",
          "America/New_York", "America/Sao_Paulo",   "America/St_Johns", "America/Caracas",
          "America/Nuuk",     "Australia/Lord_Howe", "Australia/Sydney", "Asia/Kolkata",
          "Asia/Kathmandu",   "Asia/Tehran",         "Asia/Gaza",        "Africa/Casablanca",
          "Africa/Cairo",     "Pacific/Chatham",     "Pacific/Apia",     "Pacific/Kiritimati",
          "Antarctica/Troll", "Asia/Pyongyang"}) {
        QTest::newRow(name) << QByteArray(name);
    }
}

void TestZone::agreesWithTheLibrary()
{
    QFETCH(QByteArray, name);
    const auto zone = zoneOf(name.toStdString());
    QVERIFY(zone);
    const LibraryZone library(name);
    std::mt19937_64 random(7);
    std::uniform_int_distribution<std::int64_t> anyTime(at(1960, 1, 1), at(2250, 1, 1));
    Zone::Scratch scratch;
    const auto check = [&](std::int64_t local) {
        const std::vector<std::int64_t> expected = allInstants(local);
        Zone::Scratch fresh;
        const Zone::Instant instant = zone->toUtc(local, scratch);
        QVERIFY(instant == zone->toUtc(local, fresh));
        QCOMPARE(int(instant.kind),
                 int(expected.empty()          ? Kind::Skipped
                         : expected.size() > 1 ? Kind::Ambiguous
                                               : Kind::Unique));
        if (!expected.empty()) {
            QCOMPARE(instant.utcSeconds, expected.front());
        }
    };
    // Anywhere, and close to where the offset changes: every six hours of some years.
    for (int i = 0; i < 300; ++i) {
        check(anyTime(random));
    }
    for (std::int64_t utc = at(1965, 1, 1); utc < at(2060, 1, 1); utc += 6 * 3600) {
        const std::int64_t before = shown(utc) - utc;
        const std::int64_t after = shown(utc + 6 * 3600) - utc - 6 * 3600;
        if (before != after) {
            for (std::int64_t step = 0; step < 12 * 3600; step += 1800) {
                check(utc + std::min(before, after) + step - 3 * 3600 + std::int64_t(random() % 3)
                      - 1);
            }
        }
    }
}

void TestZone::aScratchServesAnyZone()
{
    Zone::Scratch scratch;
    const std::int64_t local = at(2024, 7, 1, 12);
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(zoneOf("Europe/Berlin")->toUtc(local, scratch).utcSeconds, local - 7200);
        QCOMPARE(zoneOf("Asia/Kolkata")->toUtc(local, scratch).utcSeconds, local - 19'800);
        QCOMPARE(Zone::utc()->toUtc(local, scratch).utcSeconds, local);
    }
}

QTEST_APPLESS_MAIN(TestZone)
#include "tst_zone.moc"
