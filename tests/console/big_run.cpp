#include "tests/console/big_run.h"

#include "storage/run_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tests {
namespace {

constexpr std::int64_t kNs = 1'000'000'000;
constexpr std::size_t kRules = 8;
constexpr std::size_t kShadow = 7; ///< its rule
constexpr std::size_t kEnforced = 7; ///< rules before it
constexpr std::uint32_t kWhos = 23'431;
constexpr const char* kPolicy
    = "weir: 1\n"
      "name: public-api\n"
      "tiers:\n"
      "  edge:\n"
      "    - { name: per-address, key: [client_ip], rate: 1000/min,\n"
      "        algorithm: sliding_window_counter }\n"
      "  gateway:\n"
      "    - { name: free-plan, key: [api_key], rate: 60/min, algorithm: token_bucket }\n"
      "    - { name: pro-plan, key: [api_key], rate: 600/min, algorithm: token_bucket }\n"
      "  endpoint:\n"
      "    - { name: search, key: [api_key], rate: 10/min, burst: 5, algorithm: gcra }\n"
      "    - { name: login, key: [client_ip], rate: 5/h, algorithm: sliding_window_log }\n"
      "    - { name: sms, key: [phone], rate: 5/h, algorithm: fixed_window }\n"
      "  tenant:\n"
      "    - { name: tenant-total, key: [tenant], rate: 100/s, queue: 20,\n"
      "        algorithm: leaky_bucket }\n"
      "    - { name: tenant-in-flight, mode: shadow, key: [tenant], in_flight: 50,\n"
      "        algorithm: concurrency }\n";
/// Of a hundred denials, and of a hundred keys.
constexpr std::array<std::size_t, kEnforced> kShares {40, 20, 10, 20, 5, 4, 1};

engine::PlanRule rule(const char* name, engine::Tier tier, std::vector<std::string> key,
                      engine::Algorithm algorithm)
{
    engine::PlanRule made;
    made.rule = name;
    made.tier = tier;
    made.key = std::move(key);
    made.limit.algorithm = algorithm;
    return made;
}

engine::Plan bigPlan()
{
    using engine::Algorithm;
    using engine::Tier;
    engine::Plan plan;
    plan.name = "public-api";
    plan.rules = {rule("per-address", Tier::Edge, {"client_ip"}, Algorithm::SlidingWindowCounter),
                  rule("free-plan", Tier::Gateway, {"api_key"}, Algorithm::TokenBucket),
                  rule("pro-plan", Tier::Gateway, {"api_key"}, Algorithm::TokenBucket),
                  rule("search", Tier::Endpoint, {"api_key"}, Algorithm::Gcra),
                  rule("login", Tier::Endpoint, {"client_ip"}, Algorithm::SlidingWindowLog),
                  rule("sms", Tier::Endpoint, {"phone"}, Algorithm::FixedWindow),
                  rule("tenant-total", Tier::Tenant, {"tenant"}, Algorithm::LeakyBucket),
                  rule("tenant-in-flight", Tier::Tenant, {"tenant"}, Algorithm::Concurrency)};
    plan.rules[kShadow].mode = engine::Mode::Shadow;
    return plan;
}

/// The same bits for the same number.
std::uint32_t mixed(std::uint64_t number)
{
    number ^= number >> 33U;
    number *= 0xff51afd7ed558ccdULL;
    number ^= number >> 33U;
    number *= 0xc4ceb9fe1a85ec53ULL;
    return static_cast<std::uint32_t>(number >> 32U);
}

/// The rule that a draw from 0 to 99 falls to.
std::size_t ruleOf(std::size_t draw)
{
    std::size_t rule = 0;
    for (; draw >= kShares[rule]; ++rule) {
        draw -= kShares[rule];
    }
    return rule;
}

template <class T> T need(engine::Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().message.c_str());
        std::abort();
    }
    return std::move(*result);
}

/// Requests of each second of the day: a wave with a spike, as many as asked for in all.
std::vector<std::size_t> traffic(std::size_t requests)
{
    constexpr std::size_t kDay = 86'400;
    constexpr double kTurn = 6.283185307179586;
    std::vector<double> weights(kDay);
    double all = 0;
    for (std::size_t second = 0; second < kDay; ++second) {
        const double hour = static_cast<double>(second) / 3'600.0;
        const bool isSpike = second >= 50'520 && second < 50'720; // 14:02 to 14:05:20
        const double noise = 0.7 + 0.6 * (mixed(second) % 1'000) / 1'000.0;
        weights[second]
            = (1.0 + 0.6 * std::sin(kTurn * (hour - 9) / 24)) * noise * (isSpike ? 25.0 : 1.0);
        all += weights[second];
    }
    std::vector<std::size_t> counts(kDay);
    double due = 0;
    std::size_t done = 0;
    for (std::size_t second = 0; second < kDay; ++second) {
        due += weights[second] / all * static_cast<double>(requests);
        const auto now = second + 1 == kDay ? requests : static_cast<std::size_t>(due);
        counts[second] = now - done;
        done = now;
    }
    return counts;
}

class BigRun final : public storage::RunFigures {
public:
    explicit BigRun(const BigRunOptions& options)
        : m_options(options)
        , m_whos(kWhos)
    {
        m_tally.rules.resize(kRules);
        for (std::size_t i = 0; i < kRules; ++i) {
            const std::size_t share = i < kShares.size() ? kShares[i] : 1;
            m_keys[i].resize(std::max<std::size_t>(1, options.keys * share / 100));
            m_tally.rules[i].skipped.resize(2);
        }
        m_tally.rules[3].skipped[0] = 1'179;
    }

    storage::RunId write(storage::RunStore& store)
    {
        storage::RunShape shape;
        shape.layout.planCount = 1;
        shape.layout.tupleCount = kRules;
        for (std::size_t i = 0; i < kRules; ++i) {
            shape.tupleOfRule.push_back(i);
        }
        m_layout = shape.layout;
        m_record.assign(m_layout.size() / 8, 0);
        const engine::Plan plan = bigPlan();
        const auto writer = need(storage::RunWriter::begin(store, header(), plan, shape, {}, 2));
        const std::vector<std::size_t> counts = traffic(m_options.requests);
        for (std::size_t second = 0; second < counts.size(); ++second) {
            writeSecond(*writer, kBigRunStart + static_cast<std::int64_t>(second), counts[second]);
        }
        need(writer->finish(*this, closing()));
        return writer->id();
    }

    [[nodiscard]] const engine::RunTally& run() const override { return m_tally; }

    [[nodiscard]] std::uint64_t costMissing(std::size_t) const override { return 0; }

    [[nodiscard]] std::size_t keyCount(std::size_t rule) const override
    {
        return m_keys[rule].size();
    }

    [[nodiscard]] engine::KeyTally keyTally(std::size_t rule, std::uint32_t key) const override
    {
        return m_keys[rule][key];
    }

    [[nodiscard]] std::vector<std::string_view> keyText(std::size_t rule,
                                                        std::uint32_t key) const override
    {
        m_key = (rule >= 6                    ? "tenant-"
                     : rule == 0 || rule == 4 ? "2001:db8::"
                                              : "k_")
            + std::to_string(key);
        return {m_key};
    }

    [[nodiscard]] std::size_t whoCount() const override { return m_whos.size(); }

    [[nodiscard]] engine::WhoTally who(std::uint32_t id) const override
    {
        return id < m_whos.size() ? m_whos[id] : engine::WhoTally {};
    }

    [[nodiscard]] std::string_view whoText(std::uint32_t id) const override
    {
        m_who = "k_" + std::to_string(id);
        return m_who;
    }

    [[nodiscard]] std::string_view pathGroupText(std::uint32_t id) const override
    {
        m_path = "/v1/items/" + std::to_string(id);
        return m_path;
    }

    [[nodiscard]] engine::StateMemory memoryOf(std::size_t) const override { return {}; }

    [[nodiscard]] storage::RunConditions conditions() const override { return {}; }

private:
    [[nodiscard]] storage::RunHeader header() const
    {
        storage::RunHeader header;
        header.name = m_options.name;
        header.policy = {"public-api", "public-api.yaml", kPolicy, "8c1f40", {}};
        header.source = "edge-2026-03-10.log.gz";
        header.version = "0.1.0";
        header.startedNs = (kBigRunStart + 119'520) * kNs;
        return header;
    }

    [[nodiscard]] storage::RunClosing closing() const
    {
        storage::RunClosing closing;
        closing.recording.fingerprint = "cafe" + std::to_string(m_options.requests);
        closing.recording.files
            = {{"/var/log/edge-2026-03-10.log.gz", "cafe", 54'800'000, m_options.requests + 214}};
        closing.recording.reading = {{"format", "combined"}, {"tz", "UTC"}, {"who", "api_key"}};
        closing.recording.firstNs = m_tally.firstNs;
        closing.recording.lastNs = m_tally.lastNs;
        closing.recording.lines = m_options.requests + 214;
        closing.recording.requests = m_options.requests;
        closing.recording.badLines = 214;
        closing.badLines
            = {{"no-time", 201, {{0, 7, "\x1b]0;owned\x07 <b>bold</b>"}}}, {"not-utf8", 13, {}}};
        closing.notes = {{"replay.bad-lines", "214 lines could not be read"},
                         {"replay.key-missing", "1,179 requests have no api_key"}};
        closing.endedNs = header().startedNs + kNs / 5;
        return closing;
    }

    void writeSecond(storage::RunWriter& writer, std::int64_t second, std::size_t requests)
    {
        engine::SecondTally tally;
        tally.second = second;
        std::array<engine::SecondTally::Count, kRules> counts {};
        for (std::size_t i = 0; i < requests; ++i) {
            const std::int64_t time = second * kNs
                + static_cast<std::int64_t>(i) * kNs / static_cast<std::int64_t>(requests);
            writeRequest(writer, time, tally, counts);
        }
        for (std::uint32_t i = 0; i < kRules; ++i) {
            if (counts[i].judged > 0) {
                counts[i].rule = i;
                tally.rules.push_back(counts[i]);
            }
        }
        if (requests > 0) {
            writer.second(0, tally);
        }
    }

    void writeRequest(storage::RunWriter& writer, std::int64_t time, engine::SecondTally& second,
                      std::array<engine::SecondTally::Count, kRules>& counts)
    {
        const std::uint32_t draw = mixed(++m_n + (std::uint64_t {m_options.salt} << 40U));
        const bool isSpike
            = second.second >= kBigRunStart + 50'520 && second.second < kBigRunStart + 50'720;
        const bool isRejected = draw % m_options.rejectOneIn == 0 || (isSpike && draw % 3 == 0);
        const std::size_t rule = isSpike && draw % 3 == 0 ? 6 : ruleOf(draw / 64 % 100);
        const bool isShadowed = !isRejected && draw % 50 == 1;
        engine::Verdict verdict;
        if (isRejected) {
            verdict.outcome = engine::Outcome::Rejected;
            verdict.rule = static_cast<std::uint32_t>(rule);
        } else if (isShadowed) {
            verdict.shadowRule = kShadow;
        }
        const std::uint32_t who
            = mixed(m_n) % 1'000 < 700 ? mixed(m_n * 3) % 200 : mixed(m_n * 5) % kWhos;
        count(isRejected, isShadowed, rule, second, counts);
        engine::WhoTally& whoTally = m_whos[who];
        ++whoTally.requests;
        whoTally.rejected += isRejected ? 1U : 0U;
        whoTally.wouldReject += isShadowed ? 1U : 0U;
        settle(writer, time, who, verdict);
        m_tally.firstNs = m_tally.firstNs.value_or(time);
        m_tally.lastNs = time;
    }

    /// Rules are judged in order until one rejects; the shadow rule last.
    void count(bool isRejected, bool isShadowed, std::size_t rule, engine::SecondTally& second,
               std::array<engine::SecondTally::Count, kRules>& counts)
    {
        constexpr std::array<std::size_t, kRules> kTierOf {0, 1, 1, 2, 2, 2, 3, 3};
        const std::size_t last = isRejected ? rule : kShadow;
        for (std::size_t i = 0; i <= last; ++i) {
            const bool isDenied = (isRejected && i == rule) || (isShadowed && i == kShadow);
            m_keyOf[i] = static_cast<std::uint32_t>(isDenied ? m_denials[i]++ % m_keys[i].size()
                                                             : m_n % m_keys[i].size());
            engine::KeyTally& key = m_keys[i][m_keyOf[i]];
            ++key.judged;
            key.denied += isDenied ? 1U : 0U;
            ++counts[i].judged;
            counts[i].denied += isDenied ? 1U : 0U;
            counts[i].rejected += isDenied && i != kShadow ? 1U : 0U;
            ++m_tally.rules[i].judged;
            (isDenied ? m_tally.rules[i].denied : m_tally.rules[i].admitted) += 1;
            m_tally.rules[i].rejected += isDenied && i != kShadow ? 1U : 0U;
            if (i == 0 || kTierOf[i] != kTierOf[i - 1]) {
                ++m_tally.tiers[kTierOf[i]].judged;
                ++second.tiers[kTierOf[i]].judged;
            }
        }
        m_tally.tiers[kTierOf[rule]].rejected += isRejected ? 1U : 0U;
        second.tiers[kTierOf[rule]].rejected += isRejected ? 1U : 0U;
        ++m_tally.requests;
        ++second.requests;
        (isRejected ? m_tally.rejected : m_tally.admitted) += 1;
        (isRejected ? second.rejected : second.admitted) += 1;
        m_tally.wouldReject += isShadowed ? 1U : 0U;
        second.wouldReject += isShadowed ? 1U : 0U;
    }

    void settle(storage::RunWriter& writer, std::int64_t time, std::uint32_t who,
                const engine::Verdict& verdict)
    {
        auto* const arrival = new (m_record.data()) engine::Arrival;
        arrival->timeNs = time;
        arrival->n = m_n;
        arrival->ids()[engine::ArrivalLayout::kWho] = who;
        arrival->ids()[m_layout.pathGroupAt(0)] = mixed(m_n * 7) % 40;
        for (std::size_t i = 0; i < kRules; ++i) {
            arrival->ids()[m_layout.tupleAt(i)] = m_keyOf[i];
        }
        engine::Settled settled;
        settled.arrival = arrival;
        settled.verdicts = {&verdict, 1};
        const std::uint64_t ordinal = m_whos[who].requests;
        writer.settle({&settled, 1}, {&ordinal, 1});
    }

    BigRunOptions m_options;
    engine::RunTally m_tally;
    engine::ArrivalLayout m_layout;
    std::vector<std::uint64_t> m_record;
    std::vector<engine::WhoTally> m_whos;
    std::array<std::vector<engine::KeyTally>, kRules> m_keys;
    std::array<std::uint32_t, kRules> m_keyOf {};
    std::array<std::uint64_t, kRules> m_denials {};
    std::uint64_t m_n = 0;
    mutable std::string m_key;
    mutable std::string m_who;
    mutable std::string m_path;
};

} // namespace

storage::RunId writeBigRun(storage::RunStore& store, const BigRunOptions& options)
{
    return BigRun(options).write(store);
}

} // namespace tests
