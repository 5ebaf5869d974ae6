#include "app/workbench/convert.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"
#include "app/workbench/traffic_lines.h"
#include "app/workbench/traffic_options.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace app;

namespace {

using Options = std::vector<std::pair<std::string, std::string>>;

GivenOptions given(const Options& options)
{
    GivenOptions all;
    for (const auto& [name, value] : options) {
        all.add(name, value);
    }
    return all;
}

std::string lines(const std::string& name, const Options& options, std::uint64_t seed = 1)
{
    const TrafficScenario* scenario = *findTraffic(name);
    const engine::Result<TrafficSettings> settings = readTraffic(*scenario, given(options));
    if (!settings) {
        qFatal("%s", settings.error().message.c_str());
    }
    const std::unique_ptr<TrafficStream> stream = scenario->make(*settings, seed);
    std::string text;
    TrafficJob job;
    job.stream = stream.get();
    job.count = *readTrafficCount(given(options));
    job.write = [&text](std::string_view more) -> engine::Status {
        text += more;
        return engine::Done {};
    };
    (void)writeTraffic(job).value();
    return text;
}

std::string errorOf(const std::string& name, const Options& options)
{
    const engine::Result<TrafficSettings> settings
        = readTraffic(**findTraffic(name), given(options));
    return settings
        ? "none"
        : settings.error().code + ": " + settings.error().message + " | " + settings.error().help;
}

/// What a policy of one rule admits of a log.
std::uint64_t admitted(const std::string& log, const std::string& tier, const std::string& rule)
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("log.jsonl")).toStdString();
    std::ofstream(path, std::ios::binary) << log;
    const auto policy = loadPolicyText(
        "p.yaml", "weir: 1\nname: p\ntiers:\n  " + tier + ":\n    - { name: r, " + rule + " }\n",
        {});
    if (!policy || !policy->isValid()) {
        qFatal("%s", rule.c_str());
    }
    ReplayRequest request;
    request.policies.resize(1);
    request.policies[0].plan = &*policy->plan;
    request.clock = [] { return std::int64_t {0}; };
    request.pass.logs.resize(1);
    request.pass.logs[0].path = path;
    const auto outcome = replay(request);
    return outcome ? outcome->tally->run(0).requests - outcome->tally->run(0).rejected : 0;
}

} // namespace

class TestTrafficLines : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesAreTheNeutralFormat();
    void convertingThemAgainChangesNothing();
    void countEndsAndLiftsTheEnd();
    void optionsMeanWhatTheySay();
    void mistakesSayWhatToWrite_data();
    void mistakesSayWhatToWrite();
    void boundaryGetsTwiceTheLimitPastAFixedWindow();
    void bucketsLetTheSecondBurstThroughInPart();
    void keysOfOneTenantPassALimitPerKey();
    void aStormIsTurnedAwayInPart();
};

void TestTrafficLines::linesAreTheNeutralFormat()
{
    TrafficLines writer;
    std::string text;
    TrafficRequest request {1'500'000'000, 61'000'000, 0, 2, 1, 200, 0, 7};
    writer.append(request, text);
    QCOMPARE(text,
             std::string(R"({"time_ns": 1500000000, "duration_ns": 61000000, )"
                         R"("client_ip": "198.18.0.1", "method": "GET", "path": "/items/7", )"
                         R"("status": 200, "api_key": "key-000000", "tenant": "tenant-3", )"
                         R"("file": 0, "line": 1, "logged_ns": 1500000000})"
                         "\n"));
    text.clear();
    request.key = 300'000;
    request.route = kSlowRoute;
    writer.append(request, text);
    QVERIFY(text.find(R"("client_ip": "2001:db8::4:93e0")") != std::string::npos);
    QVERIFY(text.find(R"("api_key": "key-300000")") != std::string::npos);
    QVERIFY(text.find(R"("path": "/search")") != std::string::npos);
    QVERIFY(text.find(R"("line": 2)") != std::string::npos);
}

void TestTrafficLines::convertingThemAgainChangesNothing()
{
    const std::string log = lines("retry_storm", {{"count", "30000"}});
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("log.jsonl")).toStdString();
    std::ofstream(path, std::ios::binary) << log;
    std::string again;
    ConvertRequest request;
    request.logs.resize(1);
    request.logs[0].path = path;
    request.write = [&again](std::string_view more) -> engine::Status {
        again += more;
        return engine::Done {};
    };
    QVERIFY(convert(request));
    QVERIFY(again == log);
}

void TestTrafficLines::countEndsAndLiftsTheEnd()
{
    const auto countOf = [](const Options& options) {
        const std::string text = lines("steady", options);
        return std::count(text.begin(), text.end(), '\n');
    };
    QCOMPARE(countOf({}), 6000);
    QCOMPARE(countOf({{"count", "70000"}}), 70000);
    QCOMPARE(countOf({{"count", "70000"}, {"duration", "1s"}}), 100);
    QCOMPARE(countOf({{"count", "7"}}), 7);
}

void TestTrafficLines::optionsMeanWhatTheySay()
{
    const engine::Result<TrafficSettings> settings
        = readTraffic(**findTraffic("spike"),
                      given({{"rate", "90/min"},
                             {"keys", "5"},
                             {"tenants", "2"},
                             {"factor", "3"},
                             {"at", "1min"},
                             {"length", "40s"},
                             {"latency", "5ms"},
                             {"duration", "2min"},
                             {"start", "1970-01-01T00:00:01Z"}}));
    QVERIFY(settings);
    QCOMPARE(settings->rate.count, std::int64_t {90});
    QCOMPARE(settings->rate.periodNs, std::int64_t {60'000'000'000});
    QCOMPARE(settings->keys, std::int64_t {5});
    QCOMPARE(settings->tenants, std::int64_t {2});
    QCOMPARE(settings->factor, std::int64_t {3});
    QCOMPARE(settings->atNs, std::int64_t {60'000'000'000});
    QCOMPARE(settings->lengthNs, std::int64_t {40'000'000'000});
    QCOMPARE(settings->latencyNs, std::int64_t {5'000'000});
    QCOMPARE(settings->durationNs, std::int64_t {120'000'000'000});
    QCOMPARE(settings->startNs, std::int64_t {1'000'000'000});
}

void TestTrafficLines::mistakesSayWhatToWrite_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* option, const char* value, const char* says) {
        QTest::addRow("%s --%s %s", name, option, value)
            << QString::fromUtf8(name) << QString::fromUtf8(option) << QString::fromUtf8(value)
            << QString::fromUtf8(says);
    };
    row("poisson", "burst", "5",
        "traffic.option: `poisson` has no `--burst` | it goes with `burst` or `boundary`; poisson "
        "has --rate, --keys, --tenants, --latency, --duration, --start");
    row("poisson", "rate", "0/s", "traffic.value: `--rate 0/s` cannot be made | write a rate from");
    row("poisson", "rate", "2000000000/s", "traffic.value");
    row("poisson", "rate", "1/2week", "traffic.value");
    row("poisson", "rate", "fast", "traffic.value");
    row("poisson", "keys", "0", "traffic.value: `--keys 0` cannot be made | write a whole number");
    row("poisson", "keys", "-1", "traffic.value");
    row("poisson", "duration", "0s", "traffic.value");
    row("poisson", "duration", "5", "traffic.value");
    row("poisson", "start", "1960-01-01", "traffic.value");
    row("poisson", "start", "2201-01-01", "traffic.value");
    row("spike", "factor", "1001", "traffic.value");
    row("retry_storm", "attempts", "11", "traffic.value");
    row("retry_storm", "wait", "61min", "traffic.value");
    row("burst", "length", "2001ms", "traffic.value: a burst would begin before the last one");
    row("boundary", "length", "31s", "traffic.value: bursts of two edges would overlap");
}

void TestTrafficLines::mistakesSayWhatToWrite()
{
    QFETCH(QString, name);
    QFETCH(QString, option);
    QFETCH(QString, value);
    QFETCH(QString, says);
    const std::string error
        = errorOf(name.toStdString(), {{option.toStdString(), value.toStdString()}});
    QVERIFY2(error.starts_with(says.toStdString()), error.c_str());
    QVERIFY(!error.ends_with("| "));
}

void TestTrafficLines::boundaryGetsTwiceTheLimitPastAFixedWindow()
{
    const std::string oneEdge = lines("boundary", {{"burst", "100"}, {"duration", "2min"}});
    const std::string key = "key: [api_key], rate: 100/min, algorithm: ";
    QCOMPARE(admitted(oneEdge, "edge", key + "fixed_window"), std::uint64_t {200});
    QCOMPARE(admitted(oneEdge, "edge", key + "sliding_window_log"), std::uint64_t {100});
    QCOMPARE(admitted(oneEdge, "edge", key + "sliding_window_counter"), std::uint64_t {100});
    // Nine edges: what came right at an edge has used up the window of the next one.
    const std::string nine = lines("boundary", {});
    QCOMPARE(admitted(nine, "edge", key + "fixed_window"), std::uint64_t {1000});
    QCOMPARE(admitted(nine, "edge", key + "sliding_window_log"), std::uint64_t {900});
    // Published: 100 from 59.00 s on and 100 from 60.00 s on, 10 ms apart.
    const std::string published = lines("boundary", {{"length", "1s"}, {"duration", "2min"}});
    QCOMPARE(admitted(published, "edge", key + "fixed_window"), std::uint64_t {200});
    QCOMPARE(admitted(published, "edge", key + "sliding_window_log"), std::uint64_t {100});
}

void TestTrafficLines::bucketsLetTheSecondBurstThroughInPart()
{
    const std::string bucket = "key: [], algorithm: token_bucket, rate: 100/s, burst: 500";
    QCOMPARE(admitted(lines("burst", {{"duration", "4s"}}), "edge", bucket),
             std::uint64_t {500 + 200});
    // The first burst refills as well while it lasts: i * 50 ms / 500 gives 4 more, and 2 s later
    // what came in 2 s.
    QCOMPARE(admitted(lines("burst", {{"duration", "4s"}, {"length", "50ms"}}), "edge", bucket),
             std::uint64_t {500 + 204});
}

void TestTrafficLines::keysOfOneTenantPassALimitPerKey()
{
    const std::string log
        = lines("tenant_keys", {{"tenants", "1"}, {"count", "60000"}, {"keys", "10000"}});
    QCOMPARE(admitted(log, "gateway", "key: [api_key], algorithm: fixed_window, rate: 10/min"),
             std::uint64_t {60'000});
    QCOMPARE(admitted(log, "edge", "key: [client_ip], algorithm: fixed_window, rate: 10/min"),
             std::uint64_t {60'000});
    QCOMPARE(admitted(log, "tenant", "key: [tenant], algorithm: sliding_window_log, rate: 6000/h"),
             std::uint64_t {6000});
}

void TestTrafficLines::aStormIsTurnedAwayInPart()
{
    const std::string log = lines("retry_storm", {});
    const auto all = std::uint64_t(std::count(log.begin(), log.end(), '\n'));
    // Twice the usual rate: what is usual passes, of the storm (five times as many for a minute)
    // three fifths do not.
    const std::uint64_t passed
        = admitted(log, "edge", "key: [], algorithm: token_bucket, rate: 200/s, burst: 200");
    const double turnedAway = double(all - passed);
    QVERIFY(turnedAway > 0.9 * 60 * 300 && turnedAway < 1.1 * 60 * 300);
}

QTEST_APPLESS_MAIN(TestTrafficLines)
#include "tst_traffic_lines.moc"
