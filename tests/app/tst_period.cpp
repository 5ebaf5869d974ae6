#include "app/workbench/by_attribute.h"
#include "app/workbench/period_view.h"
#include "app/workbench/policy_files.h"
#include "app/workbench/replay.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <random>

using namespace app;

namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr std::int64_t kStart = 1'700'000'000 * kNs;

constexpr const char* kPolicy
    = "weir: 1\n"
      "name: small\n"
      "tiers:\n"
      "  edge:\n"
      "    - { name: address, key: [client_ip], rate: 3/s,\n"
      "        algorithm: sliding_window_counter }\n"
      "  endpoint:\n"
      "    - { name: whole, key: [], rate: 9/s, burst: 9, algorithm: gcra }\n"
      "    - { name: quiet, mode: shadow, key: [client_ip], rate: 2/s,\n"
      "        algorithm: fixed_window }\n";

/// A run over two minutes of requests, with a plan each, some rejected by production.
struct Bench {
    QTemporaryDir folder;
    LoadedPolicy policy;
    std::unique_ptr<storage::RunStore> store;
    storage::RunId run = 0;

    Bench()
    {
        std::mt19937_64 random(9);
        std::string log;
        std::int64_t time = kStart;
        for (int i = 0; i < 1'500; ++i) {
            time += static_cast<std::int64_t>(random() % 160'000'000);
            log += R"({"time_ns": )" + std::to_string(time) + R"(, "client_ip": "192.0.2.)"
                + std::to_string(random() % 5) + R"(", "path": "/", "plan": ")"
                + (random() % 3 == 0 ? "pro" : "free") + R"(", "status": )"
                + (random() % 30 == 0 ? "429" : "200") + "}\n";
        }
        write("log.jsonl", log);
        write("policy.yaml", kPolicy);
        auto loaded = loadPolicy(path("policy.yaml"), {});
        policy = std::move(*loaded);
        auto opened = storage::RunStore::open(path("runs.db"), storage::Access::Write);
        store = std::move(*opened);
        ReplayRequest request;
        ReplayPolicy replayed;
        replayed.plan = &*policy.plan;
        replayed.record.name = policy.plan->name;
        replayed.record.path = policy.file;
        replayed.record.text = policy.policy->text;
        replayed.record.fingerprint = policy.fingerprint;
        request.policies.push_back(replayed);
        request.pass.logs.emplace_back().path = path("log.jsonl");
        request.pass.warmupNs = 10 * kNs;
        request.store = store.get();
        request.options.push_back({"warmup", "10s"});
        request.clock = [] { return std::int64_t {2}; };
        run = *replay(request)->runs.front();
    }

    [[nodiscard]] std::string path(const char* name) const
    {
        return folder.filePath(QLatin1String(name)).toStdString();
    }

    void write(const char* name, const std::string& bytes) const
    {
        QFile file(folder.filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly)) {
            qFatal("no file");
        }
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    }
};

} // namespace

class TestPeriod : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void partsAddUpToTheWhole();
    void attributesAddUp();
    void boundsLieOnSeconds();
};

void TestPeriod::partsAddUpToTheWhole()
{
    const Bench bench;
    const storage::RunReader reader(*bench.store);
    const auto whole = reader.detail(bench.run);
    QVERIFY(whole.has_value());
    storage::RunTotals sum;
    std::map<std::uint32_t, std::uint64_t> denied;
    std::map<std::string, std::uint64_t> whos;
    std::uint64_t keys = 0;
    std::optional<std::int64_t> from;
    for (const std::int64_t seconds : {7, 31, 32, 90, 0}) {
        const std::optional<std::int64_t> to
            = seconds > 0 ? std::optional(kStart + seconds * kNs) : std::nullopt;
        const auto part = periodOf(reader, bench.run, {from, to});
        QVERIFY2(part.has_value(), part ? "" : part.error().message.c_str());
        const storage::RunTotals& totals = part->run.summary.totals;
        QCOMPARE(totals.admitted + totals.rejected, totals.requests);
        sum.requests += totals.requests;
        sum.rejected += totals.rejected;
        sum.wouldReject += totals.wouldReject;
        sum.recordedRejected += totals.recordedRejected;
        for (const storage::RuleTotals& rule : part->run.rules) {
            QCOMPARE(rule.admitted + rule.denied, rule.judged);
            denied[rule.index] += rule.denied;
        }
        std::uint64_t rejected = 0;
        for (const auto& [who, count] : part->whos) {
            whos[who] += count;
            rejected += count;
        }
        QCOMPARE(rejected, totals.rejected);
        for (const PeriodView::Key& key : part->keys) {
            keys += key.rejected;
        }
        from = to;
    }
    const storage::RunTotals& totals = whole->summary.totals;
    QVERIFY(totals.rejected > 50 && totals.wouldReject > 0 && totals.recordedRejected > 0);
    QVERIFY(totals.warmup > 0);
    QCOMPARE(sum.requests, totals.requests);
    QCOMPARE(sum.rejected, totals.rejected);
    QCOMPARE(sum.wouldReject, totals.wouldReject);
    QCOMPARE(sum.recordedRejected, totals.recordedRejected);
    for (const storage::RuleTotals& rule : whole->rules) {
        QCOMPARE(denied[rule.index], rule.denied);
    }
    const auto rows = reader.whos(bench.run, storage::WhoOrder::Rejected, {0, 100});
    QVERIFY(rows.has_value());
    for (const storage::WhoRow& row : *rows) {
        QCOMPARE(whos[row.who], row.tally.rejected);
    }
    QCOMPARE(keys, whole->rules[0].rejected); // the other rule has one bucket for all
}

void TestPeriod::attributesAddUp()
{
    const Bench bench;
    const storage::RunReader reader(*bench.store);
    const Period all;
    const Period part {kStart + 20 * kNs, kStart + 50 * kNs};
    for (const Period& period : {all, part}) {
        const auto by
            = countByAttributes(*bench.store, bench.run, {"plan", "client_ip"}, period, {{}, 2});
        QVERIFY2(by.has_value(), by ? "" : by.error().message.c_str());
        const auto view = periodOf(reader, bench.run, period);
        QVERIFY(view.has_value());
        const storage::RunTotals& totals = view->run.summary.totals;
        QCOMPARE((*by)[0].size(), std::size_t {2});
        for (const ByValue& values : *by) {
            ValueTally sum;
            for (const auto& [value, tally] : values) {
                sum.requests += tally.requests;
                sum.rejected += tally.rejected;
                sum.wouldReject += tally.wouldReject;
                sum.recordedRejected += tally.recordedRejected;
            }
            QCOMPARE(sum.requests, totals.requests);
            QCOMPARE(sum.rejected, totals.rejected);
            QCOMPARE(sum.wouldReject, totals.wouldReject);
            QCOMPARE(sum.recordedRejected, totals.recordedRejected);
        }
        for (const auto& [who, rejected] : view->whos) {
            QCOMPARE((*by)[1].at(who).rejected, rejected);
        }
    }
    bench.write("log.jsonl", "{}\n");
    const auto changed = countByAttributes(*bench.store, bench.run, {"plan"}, all, {{}, 1});
    QVERIFY(!changed && changed.error().code == "recording.changed");
}

void TestPeriod::boundsLieOnSeconds()
{
    const Bench bench;
    const storage::RunReader reader(*bench.store);
    const auto view = periodOf(reader, bench.run, {kStart + 1, std::nullopt});
    QVERIFY(!view && view.error().code == "period.seconds");
}

QTEST_APPLESS_MAIN(TestPeriod)
#include "tst_period.moc"
