#include "tests/support/model/engine_run.h"

#include "engine/intake.h"
#include "engine/replay.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

namespace tests::model {

namespace {

/// Arrivals as plain words, so that they can be kept and sorted.
using Record = std::vector<std::uint64_t>;

const engine::Arrival& arrivalIn(const Record& record)
{
    return *reinterpret_cast<const engine::Arrival*>(record.data());
}

/// Other spellings of the values that random requests have; all mean the same.
std::string_view disguised(const std::string& value, std::uint64_t draw)
{
    static const std::map<std::string, std::vector<std::string>> kSpellings {
        {"192.0.2.1", {"192.0.2.1:443", "::ffff:192.0.2.1", " 192.0.2.1", "[::FFFF:192.0.2.1]:80"}},
        {"2001:db8::1", {"2001:DB8::1", "[2001:db8::1]:8080", "2001:0db8:0:0:0:0:0:1"}},
        {"GET", {"get", "Get"}},
        {"POST", {"post"}},
    };
    const auto found = kSpellings.find(value);
    if (found == kSpellings.end() || draw % 2 == 0) {
        return value;
    }
    return found->second[draw / 2 % found->second.size()];
}

engine::RequestBatch batchOf(const std::vector<Request>& requests, std::size_t from, std::size_t to,
                             const std::vector<std::string>& fields, bool disguise)
{
    engine::RequestBatch batch;
    batch.fieldCount = fields.size();
    for (std::size_t i = from; i < to; ++i) {
        engine::Request request;
        request.timeNs = requests[i].timeNs;
        request.stampNs = requests[i].timeNs;
        request.durationNs = requests[i].durationNs.value_or(engine::kUnknownDuration);
        request.line = i + 1;
        batch.requests.push_back(request);
        for (const std::string& field : fields) {
            const auto found = requests[i].attributes.find(field);
            batch.values.push_back(
                found == requests[i].attributes.end()
                    ? std::string_view()
                    : disguised(found->second, disguise ? i * 7 + request.line / 3 : 0));
        }
    }
    return batch;
}

std::vector<std::size_t> cutsOf(std::size_t count, std::uint64_t seed)
{
    std::vector<std::size_t> cuts {0};
    Random random(seed);
    while (seed != 0 && cuts.back() < count) {
        cuts.push_back(std::min(count, cuts.back() + random.below(40)));
    }
    cuts.push_back(count);
    return cuts;
}

std::vector<Record> takeIn(engine::Intake& intake, const Case& given, const EngineOptions& options)
{
    const auto& requests = given.requests;
    const std::vector<std::size_t> cuts = cutsOf(requests.size(), options.cuts);
    std::vector<engine::RequestBatch> batches;
    for (std::size_t i = 1; i < cuts.size(); ++i) {
        batches.push_back(
            batchOf(requests, cuts[i - 1], cuts[i], intake.fields(), options.disguise));
    }
    intake.chooseWho(batches.front());
    std::vector<decltype(intake.makePrepared())> prepared;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        prepared.push_back(intake.makePrepared());
    }
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const std::size_t at = options.prepareBackwards ? batches.size() - 1 - i : i;
        intake.prepare(batches[at], *prepared[at]);
    }
    std::vector<Record> records;
    for (const auto& one : prepared) {
        intake.intern(*one, [&](engine::Arrival& arrival, const engine::Request&) {
            Record record((intake.layout().size() + 7) / 8);
            std::memcpy(record.data(), &arrival, intake.layout().size());
            records.push_back(std::move(record));
        });
    }
    std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
        return arrivalIn(a).timeNs < arrivalIn(b).timeNs;
    });
    return records;
}

Decision copyOf(const engine::Intake& intake, std::size_t plan, const engine::Decision& decision)
{
    Decision copy;
    copy.n = decision.arrival->n;
    copy.arrivalNs = decision.arrival->timeNs;
    copy.decidedNs = decision.decidedNs;
    copy.rejected = decision.verdict.outcome == engine::Outcome::Rejected;
    if (decision.verdict.rule != engine::kNoId) {
        copy.rejectedBy = decision.verdict.rule;
    }
    if (decision.verdict.exemption != engine::kNoId) {
        copy.exempt = decision.verdict.exemption;
    }
    copy.retryAfterNs = decision.retryAfterNs;
    copy.delayNs = decision.verdict.delayNs;
    copy.attempt = decision.attempt;
    copy.comesAgain = decision.client == engine::ClientMove::ComesAgain;
    copy.server = decision.server;
    for (const engine::RuleDecision& part : decision.rules) {
        copy.rules.push_back({part.rule, part.judgedNs, part.cost, part.admits, part.counted,
                              part.isStoreAway, part.capacity.value_or(0), part.figures,
                              part.delayNs});
    }
    const std::uint32_t profile = decision.arrival->ids()[intake.layout().profileAt(plan)];
    for (const engine::Profile::Skip& skip : intake.profile(plan, profile).skips) {
        copy.skips.push_back({skip.rule, skip.attribute});
    }
    return copy;
}

class Collector : public engine::DecisionSink,
                  public engine::SettledSink,
                  public engine::SeriesSink {
public:
    Collector(const engine::Intake& intake, EngineRun& run)
        : m_intake(intake)
        , m_tally(intake, nullptr)
        , m_run(run)
    {
        m_run.decisions.resize(intake.plans().size());
        m_run.limits.resize(intake.plans().size());
        m_run.attempts.resize(intake.plans().size());
    }

    void limits(std::size_t plan, const engine::LimitSecond& second) override
    {
        m_run.limits[plan].push_back(second);
    }

    void attempts(std::size_t plan, const engine::AttemptSecond& second) override
    {
        m_run.attempts[plan].push_back(second);
    }

    bool wants(std::size_t, const engine::Arrival&) override { return true; }

    void decided(std::size_t plan, const engine::Decision& decision) override
    {
        m_run.decisions[plan].push_back(copyOf(m_intake, plan, decision));
    }

    void settle(const engine::Settled& settled) override
    {
        SettledCopy copy;
        copy.n = settled.arrival->n;
        copy.verdicts.assign(settled.verdicts.begin(), settled.verdicts.end());
        for (const auto& denied : settled.denied) {
            copy.denied.emplace_back(denied.begin(), denied.end());
        }
        m_run.settled.push_back(std::move(copy));
        std::uint64_t ordinal = 0;
        m_tally.add({&settled, 1}, {&ordinal, 1});
    }

    void finish()
    {
        m_tally.finish();
        for (std::size_t plan = 0; plan < m_intake.plans().size(); ++plan) {
            m_run.tallies.push_back(m_tally.run(plan));
        }
    }

private:
    const engine::Intake& m_intake;
    engine::Tally m_tally;
    EngineRun& m_run;
};

/// What a verdict must be, given the decision in full.
std::string verdictDifference(const engine::Plan& plan, const Decision& decision,
                              const engine::Verdict& verdict,
                              const std::vector<std::uint32_t>& denied)
{
    std::vector<std::uint32_t> expectedDenied;
    std::uint32_t shadow = engine::kNoId;
    for (const RulePart& part : decision.rules) {
        if (part.admits) {
            continue;
        }
        const auto rule = static_cast<std::uint32_t>(part.rule);
        expectedDenied.push_back(rule);
        if (shadow == engine::kNoId && plan.rules[rule].mode == engine::Mode::Shadow) {
            shadow = rule;
        }
    }
    const auto id = [](const std::optional<std::size_t>& index) {
        return index ? static_cast<std::uint32_t>(*index) : engine::kNoId;
    };
    if ((verdict.outcome == engine::Outcome::Rejected) != decision.rejected) {
        return "verdict: outcome";
    }
    if (verdict.rule != id(decision.rejectedBy)) {
        return "verdict: rejecting rule";
    }
    if (verdict.exemption != id(decision.exempt)) {
        return "verdict: exemption";
    }
    if (verdict.shadowRule != shadow) {
        return "verdict: first shadow rule that denied";
    }
    if (verdict.delayNs != decision.delayNs) {
        return "verdict: delay";
    }
    return denied == expectedDenied ? "" : "verdict: rules that denied";
}

bool sameParts(const RulePart& a, const RulePart& b)
{
    return a.rule == b.rule && a.judgedNs == b.judgedNs && a.cost == b.cost && a.admits == b.admits
        && a.counted == b.counted && a.figures.remaining == b.figures.remaining
        && a.figures.retryAfterNs == b.figures.retryAfterNs
        && a.figures.nextAfterNs == b.figures.nextAfterNs
        && a.figures.fullAfterNs == b.figures.fullAfterNs && a.delayNs == b.delayNs
        && a.isStoreAway == b.isStoreAway && a.capacity == b.capacity;
}

/// Hands arrivals on, many at once, out of memory that is used for other things afterwards.
void arriveTogether(engine::Replay& replay, const std::vector<Record>& records)
{
    std::size_t count = 1;
    for (std::size_t from = 0; from < records.size();
         from += count, count = (count * 5 + 2) % 70 + 1) {
        const std::size_t end = std::min(records.size(), from + count);
        std::vector<Record> borrowed(records.begin() + static_cast<std::ptrdiff_t>(from),
                                     records.begin() + static_cast<std::ptrdiff_t>(end));
        std::vector<const engine::Arrival*> arrivals;
        for (const Record& record : borrowed) {
            arrivals.push_back(&arrivalIn(record));
        }
        replay.arriveAll(arrivals);
        for (Record& record : borrowed) {
            std::fill(record.begin(), record.end(), 0xEEEEEEEEEEEEEEEE);
        }
    }
}

} // namespace

bool operator==(const Decision& a, const Decision& b)
{
    return a.n == b.n && a.arrivalNs == b.arrivalNs && a.decidedNs == b.decidedNs
        && a.rejected == b.rejected && a.rejectedBy == b.rejectedBy && a.exempt == b.exempt
        && a.retryAfterNs == b.retryAfterNs && a.delayNs == b.delayNs && a.attempt == b.attempt
        && a.server == b.server && a.skips == b.skips
        && std::equal(a.rules.begin(), a.rules.end(), b.rules.begin(), b.rules.end(), sameParts);
}

bool sameVerdicts(const std::vector<SettledCopy>& a, const std::vector<SettledCopy>& b)
{
    const auto sameVerdict = [](const engine::Verdict& x, const engine::Verdict& y) {
        return x.outcome == y.outcome && x.warmup == y.warmup && x.tiersJudged == y.tiersJudged
            && x.rule == y.rule && x.shadowRule == y.shadowRule && x.exemption == y.exemption
            && x.delayNs == y.delayNs;
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const SettledCopy& x, const SettledCopy& y) {
                          return x.n == y.n && x.denied == y.denied
                              && std::equal(x.verdicts.begin(), x.verdicts.end(),
                                            y.verdicts.begin(), y.verdicts.end(), sameVerdict);
                      });
}

namespace {

/// What the intake has to intern for the conditions, whose facets are set here.
engine::IntakeOptions intakeOptionsFor(engine::Conditions& conditions)
{
    engine::IntakeOptions options;
    options.facets.push_back(conditions.servers.attribute.empty() ? "api_key"
                                                                  : conditions.servers.attribute);
    conditions.servers.facet = 0;
    if (conditions.clients) {
        options.who = {"api_key"};
        options.facets.push_back(
            conditions.clients->attribute.empty() ? "api_key" : conditions.clients->attribute);
        conditions.clients->facet = 1;
    }
    return options;
}

std::vector<Outcomes> outcomesOf(const engine::ClientTally& tally)
{
    std::vector<Outcomes> outcomes;
    for (const engine::BehaviourTally& one : tally.behaviours) {
        outcomes.push_back({one.clients, one.first, one.retries, one.admittedAtOnce,
                            one.admittedLater, one.gaveUp, one.outOfBudget});
    }
    return outcomes;
}

} // namespace

EngineRun runEngine(const Case& given, const EngineOptions& options)
{
    std::vector<const engine::Plan*> plans;
    for (const engine::Plan& plan : given.plans) {
        plans.push_back(&plan);
    }
    engine::Conditions conditions = given.conditions;
    auto made = engine::Intake::make(plans, intakeOptionsFor(conditions));
    if (!made) {
        std::fprintf(stderr, "%s:%d: no intake: %s\n", __FILE__, __LINE__,
                     made.error().message.c_str());
        std::abort();
    }
    engine::Intake& intake = **made;
    EngineRun run;
    const std::vector<Record> records = takeIn(intake, given, options);
    Collector collector(intake, run);
    engine::ReplayOptions replayOptions;
    replayOptions.warmupNs = options.warmupNs;
    replayOptions.decisions = options.decisions ? &collector : nullptr;
    replayOptions.series = &collector;
    replayOptions.conditions = options.conditions ? &conditions : nullptr;
    engine::Replay replay(intake, collector, replayOptions);
    if (options.decisions) {
        for (const Record& record : records) {
            replay.arrive(arrivalIn(record));
        }
    } else {
        arriveTogether(replay, records);
    }
    replay.finish();
    collector.finish();
    for (std::size_t plan = 0; plan < plans.size(); ++plan) {
        run.loads.push_back(replay.serverLoads(plan));
        if (const engine::ClientTally* clients = replay.clients(plan)) {
            run.clients.push_back(*clients);
        }
        run.servers.emplace_back();
        for (std::uint32_t rule = 0; rule < plans[plan]->rules.size(); ++rule) {
            if (auto figures = replay.servers(plan, rule)) {
                run.servers.back().push_back(std::move(*figures));
            }
        }
    }
    return run;
}

std::string differenceBetween(const std::vector<Decision>& one, const std::vector<Decision>& other,
                              const engine::Plan& plan, bool sameServers)
{
    if (one.size() != other.size()) {
        return "another number of decisions";
    }
    for (std::size_t i = 0; i < one.size(); ++i) {
        Decision compared = other[i];
        compared.server = sameServers ? compared.server : one[i].server;
        if (!(one[i] == compared)) {
            return "\n  one   " + describe(one[i], plan) + "  other " + describe(other[i], plan);
        }
    }
    return "";
}

std::string differenceBetween(const EngineRun& one, const EngineRun& other, const Case& given,
                              bool sameServers)
{
    for (std::size_t p = 0; p < given.plans.size(); ++p) {
        std::string difference
            = differenceBetween(one.decisions[p], other.decisions[p], given.plans[p], sameServers);
        if (!difference.empty()) {
            return difference;
        }
    }
    return sameVerdicts(one.settled, other.settled) ? "" : "the verdicts differ";
}

std::string firstDifference(const Case& given, const EngineRun& run)
{
    for (std::size_t p = 0; p < given.plans.size(); ++p) {
        const engine::Plan& plan = given.plans[p];
        const Run model = decide(plan, given.requests, given.conditions);
        const std::vector<Decision>& expected = model.decisions;
        const std::vector<Decision>& got = run.decisions[p];
        const std::string where = "plan " + std::to_string(p) + ": ";
        std::vector<const Decision*> byN(given.requests.size() + 1);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (expected[i].attempt == 1) {
                byN[expected[i].n] = &expected[i];
            }
            if (i >= got.size()) {
                return where + "no decision for\n  model  " + describe(expected[i], plan);
            }
            if (!(expected[i] == got[i])) {
                return where + "\n  model  " + describe(expected[i], plan) + "  engine "
                    + describe(got[i], plan);
            }
        }
        if (got.size() != expected.size() || run.settled.size() != given.requests.size()) {
            return where + "more or fewer decisions than requests";
        }
        for (const SettledCopy& settled : run.settled) {
            const std::string difference
                = verdictDifference(plan, *byN[settled.n], settled.verdicts[p], settled.denied[p]);
            if (!difference.empty()) {
                return where + difference + " of\n  model  " + describe(*byN[settled.n], plan);
            }
        }
        if (!run.clients.empty() && outcomesOf(run.clients[p]) != model.outcomes) {
            return where + "what came of clients that come again";
        }
    }
    return "";
}

} // namespace tests::model
