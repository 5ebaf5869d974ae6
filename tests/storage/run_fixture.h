#pragma once
#include "storage/run_reader.h"
#include "storage/run_writer.h"

#include <QTemporaryDir>
#include <QtTest>

#include <array>
#include <string>
#include <vector>

/// A replay by hand: requests whose verdicts a test gives, with figures that are counted beside the
/// writer, so that what the store says can be held against them.
namespace tests {

inline engine::Plan twoRulePlan()
{
    engine::Plan plan;
    plan.name = "public-api";
    engine::PlanRule search;
    search.rule = "search";
    search.tier = engine::Tier::Edge;
    search.key = {"client_ip"};
    search.limit.algorithm = engine::Algorithm::SlidingWindowCounter;
    engine::PlanRule tenant;
    tenant.rule = "tenant-total";
    tenant.overrideName = "acme";
    tenant.tier = engine::Tier::Tenant;
    tenant.mode = engine::Mode::Shadow;
    tenant.key = {"tenant", "plan"};
    tenant.limit.algorithm = engine::Algorithm::LeakyBucket;
    plan.rules = {search, tenant};
    plan.exempt = {{"monitoring", {}}};
    return plan;
}

struct FakeRequest {
    std::int64_t timeNs = 0;
    std::uint64_t n = 0;
    std::uint32_t who = 0;
    std::uint32_t pathGroup = 0;
    engine::Verdict verdict;
    bool recordedKnown = false;
    bool recordedRejected = false;
};

class FakeRun : public storage::RunFigures {
public:
    engine::Plan plan = twoRulePlan();
    engine::RunTally tally;
    std::vector<engine::WhoTally> whoTallies;
    std::vector<std::vector<engine::KeyTally>> keyTallies {2};
    std::vector<std::string> whoTexts; ///< "w7" where none is given
    storage::RunConditions given;
    std::vector<FakeRequest> requests;
    std::vector<std::uint64_t> ordinals;

    FakeRun()
    {
        tally.rules.resize(2);
        tally.rules[0].skipped = {0, 0};
        tally.rules[1].skipped = {3, 0, 5};
        tally.exemptBy = {0};
    }

    static storage::RunShape shape()
    {
        storage::RunShape shape;
        shape.layout.planCount = 1;
        shape.layout.tupleCount = 2;
        shape.tupleOfRule = {1, 0};
        return shape;
    }

    static storage::RunHeader header()
    {
        storage::RunHeader header;
        header.name = "first";
        header.policy = {
            "public-api", "api.yaml", "weir: 1\n", "f00d", {{"plans.csv", std::string("a\0b", 3)}}};
        header.source = "access.log";
        header.options = {{"seed", "7"}, {"where", "path=\"/a\\b\xff\n\""}};
        header.seed = 7;
        header.version = "0.1.0";
        header.startedNs = 1'000;
        return header;
    }

    static storage::RunClosing closing()
    {
        storage::RunClosing closing;
        closing.recording.fingerprint = "cafe";
        closing.recording.files = {{"access.log", "cafe", 1'234, 56}};
        closing.recording.reading = {{"format", "combined"}, {"tz", "UTC"}, {"who", "client_ip"}};
        closing.recording.lines = 56;
        closing.badLines = {{"no-time", 2, {{0, 7, std::string("\x1b]0;\0x", 6)}}}};
        closing.notes = {{"replay.spread", "stamps of one second were spread"}};
        closing.endedNs = 2'000;
        return closing;
    }

    /// A request of `who`: its key of rule 0 is its number + 100, of rule 1 its number.
    void settle(storage::RunWriter* writer, const FakeRequest& request)
    {
        const engine::ArrivalLayout layout = shape().layout;
        m_record.assign(layout.size() / 8, 0);
        auto* arrival = new (m_record.data()) engine::Arrival;
        arrival->timeNs = request.timeNs;
        arrival->n = request.n;
        arrival->flags
            = (request.recordedKnown ? std::uint32_t {engine::kArrivalRecordedKnown} : 0U)
            | (request.recordedRejected ? std::uint32_t {engine::kArrivalRecordedRejected} : 0U);
        arrival->ids()[engine::ArrivalLayout::kWho] = request.who;
        arrival->ids()[layout.pathGroupAt(0)] = request.pathGroup;
        arrival->ids()[layout.tupleAt(1)] = request.who + 100;
        arrival->ids()[layout.tupleAt(0)] = request.who;
        count(request);
        engine::Settled settled;
        settled.arrival = arrival;
        settled.verdicts = {&request.verdict, 1};
        if (writer != nullptr) {
            writer->settle({&settled, 1}, {&ordinals.back(), 1});
        }
    }

    [[nodiscard]] const engine::RunTally& run() const override { return tally; }

    [[nodiscard]] std::uint64_t costMissing(std::size_t rule) const override { return rule; }

    [[nodiscard]] std::size_t keyCount(std::size_t rule) const override
    {
        return keyTallies[rule].size();
    }

    [[nodiscard]] engine::KeyTally keyTally(std::size_t rule, std::uint32_t key) const override
    {
        return keyTallies[rule][key];
    }

    [[nodiscard]] std::vector<std::string_view> keyText(std::size_t rule,
                                                        std::uint32_t key) const override
    {
        m_key[0] = rule == 0 ? "w" + std::to_string(key - 100) : "t" + std::to_string(key);
        if (rule == 0 && key - 100 < whoTexts.size()) {
            m_key[0] = whoTexts[key - 100];
        }
        m_key[1] = std::string("p\0\x01", 3);
        return rule == 0 ? std::vector<std::string_view> {m_key[0]}
                         : std::vector<std::string_view> {m_key[0], m_key[1]};
    }

    [[nodiscard]] std::size_t whoCount() const override { return whoTallies.size(); }

    [[nodiscard]] engine::WhoTally who(std::uint32_t id) const override
    {
        return id < whoTallies.size() ? whoTallies[id] : engine::WhoTally {};
    }

    [[nodiscard]] std::string_view whoText(std::uint32_t id) const override
    {
        m_who = id < whoTexts.size() ? whoTexts[id] : "w" + std::to_string(id);
        return m_who;
    }

    [[nodiscard]] std::string_view pathGroupText(std::uint32_t id) const override
    {
        m_path = "/g/" + std::to_string(id);
        return m_path;
    }

    [[nodiscard]] engine::StateMemory memoryOf(std::size_t rule) const override
    {
        return {10 + rule, 1'000 + rule};
    }

    [[nodiscard]] storage::RunConditions conditions() const override { return given; }

private:
    void count(const FakeRequest& request)
    {
        requests.push_back(request);
        if (request.who >= whoTallies.size()) {
            whoTallies.resize(request.who + 1);
            m_seen.resize(request.who + 1);
            keyTallies[0].resize(request.who + 101);
            keyTallies[1].resize(request.who + 1);
        }
        ordinals.push_back(++m_seen[request.who]);
        const engine::Verdict& verdict = request.verdict;
        tally.firstNs = tally.firstNs.value_or(request.timeNs);
        tally.lastNs = request.timeNs;
        if (verdict.warmup) {
            ++tally.warmup;
            return;
        }
        const bool isRejected = verdict.outcome == engine::Outcome::Rejected;
        const bool isShadowed = !isRejected && verdict.shadowRule != engine::kNoId;
        engine::WhoTally& whoTally = whoTallies[request.who];
        ++tally.requests;
        ++whoTally.requests;
        (isRejected ? tally.rejected : tally.admitted) += 1;
        tally.recordedKnown += request.recordedKnown ? 1U : 0U;
        tally.recordedRejected += request.recordedRejected ? 1U : 0U;
        whoTally.recordedRejected += request.recordedRejected ? 1U : 0U;
        if (verdict.exemption != engine::kNoId) {
            ++tally.exempt;
            ++tally.exemptBy[0];
            return;
        }
        tally.wouldReject += isShadowed ? 1U : 0U;
        whoTally.wouldReject += isShadowed ? 1U : 0U;
        whoTally.rejected += isRejected ? 1U : 0U;
        countRule(0, request.who + 100, isRejected);
        tally.rules[0].rejected += isRejected ? 1U : 0U;
        tally.tiers[0].judged += 1;
        tally.tiers[0].rejected += isRejected ? 1U : 0U;
        if (!isRejected) {
            countRule(1, request.who, isShadowed);
            tally.tiers[3].judged += 1;
        }
    }

    void countRule(std::size_t rule, std::uint32_t key, bool isDenied)
    {
        ++tally.rules[rule].judged;
        (isDenied ? tally.rules[rule].denied : tally.rules[rule].admitted) += 1;
        ++keyTallies[rule][key].judged;
        keyTallies[rule][key].denied += isDenied ? 1U : 0U;
    }

    std::vector<std::uint64_t> m_record;
    std::vector<std::uint64_t> m_seen;
    mutable std::array<std::string, 2> m_key;
    mutable std::string m_who;
    mutable std::string m_path;
};

inline engine::Verdict admitted()
{
    return {};
}

inline engine::Verdict rejected()
{
    engine::Verdict verdict;
    verdict.outcome = engine::Outcome::Rejected;
    verdict.rule = 0;
    return verdict;
}

inline engine::Verdict shadowDenied()
{
    engine::Verdict verdict;
    verdict.shadowRule = 1;
    return verdict;
}

/// The value, or a failed test that says why there is none.
template <class T> T need(engine::Result<T> result)
{
    if (!result) {
        QTest::qFail(
            qPrintable(QString::fromStdString(result.error().code + ": " + result.error().message
                                              + " (" + result.error().reason + ")")),
            __FILE__, __LINE__);
        std::abort();
    }
    return std::move(*result);
}

inline std::unique_ptr<storage::RunStore> openStore(const std::string& path,
                                                    storage::Access access = storage::Access::Write)
{
    return need(storage::RunStore::open(path, access));
}

inline std::string codeOf(const engine::Status& status)
{
    return status ? std::string("fine") : status.error().code;
}

template <class T> std::string codeOf(const engine::Result<T>& result)
{
    return result ? std::string("fine") : result.error().code;
}

} // namespace tests
