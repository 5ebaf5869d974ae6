#include "app/console/compare/compare_data.h"

#include "app/console/frame/values.h"
#include "app/workbench/compare_tables.h"
#include "app/workbench/condition_sides.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/stored_run.h"
#include "app/workbench/text.h"
#include "policies/diff_effects.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace app::console {

namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::size_t kMostValues = 1'000;

/// Rejected per minute of one side; without a run, what production rejected of the candidate's.
engine::Result<std::vector<Sample>> rejectedOf(const storage::RunReader& reader, storage::RunId run,
                                               bool isRecorded)
{
    const auto points = reader.timeline(run, INT64_MIN, INT64_MAX, storage::TimelineLevel::Minute);
    if (!points) {
        return engine::fail(points.error());
    }
    std::vector<Sample> samples;
    samples.reserve(points->size());
    for (const engine::SecondTally& point : *points) {
        samples.push_back(
            {point.second,
             static_cast<double>(isRecorded ? point.recordedRejected : point.rejected)});
    }
    return samples;
}

/// Candidate minus base, at each minute that one of them has.
std::vector<Sample> difference(const std::vector<Sample>& base,
                               const std::vector<Sample>& candidate)
{
    std::map<std::int64_t, double> all;
    for (const Sample& sample : candidate) {
        all[sample.second] += sample.value;
    }
    for (const Sample& sample : base) {
        all[sample.second] -= sample.value;
    }
    std::vector<Sample> samples;
    samples.reserve(all.size());
    for (const auto& [second, value] : all) {
        samples.push_back({second, value});
    }
    return samples;
}

engine::Status addTimelines(const storage::RunReader& reader, ComparedRuns& compared)
{
    auto candidate = rejectedOf(reader, compared.candidate, false);
    if (!candidate) {
        return engine::fail(candidate.error());
    }
    auto base = rejectedOf(reader, compared.base.value_or(compared.candidate), !compared.base);
    if (!base) {
        return engine::fail(base.error());
    }
    compared.candidateRejected = std::move(*candidate);
    compared.baseRejected = std::move(*base);
    return engine::Done {};
}

/// Each difference in words, and below the last of each rule what they amount to.
FigureTable policyChanges(const policies::Policy& before, const policies::Policy& after)
{
    FigureTable table {"policy",
                       "What the candidate's policy changes",
                       {{"change", "What the candidate's policy changes", TextTable::Align::Left}}};
    const std::vector<policies::Difference> differences = policies::diff(before, after);
    const std::vector<policies::Effect> effects = policies::effects(before, after, differences);
    const auto isOfSame = [](const auto& a, const auto& b) {
        return a.what == b.what && a.name == b.name && a.partName == b.partName;
    };
    std::size_t done = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        const policies::Difference& one = differences[i];
        table.add({Cell::words(escaped(one.text))});
        const bool isLast = i + 1 == differences.size() || !isOfSame(one, differences[i + 1]);
        for (; isLast && done < effects.size() && isOfSame(one, effects[done]); ++done) {
            table.add({Cell::words("    " + escaped(effects[done].text))});
        }
    }
    return table;
}

void addPolicies(const storage::RunDetail& base, const storage::RunDetail& candidate,
                 ComparedRuns& compared)
{
    const auto before = policyOfRun(base);
    const auto after = policyOfRun(candidate);
    if (before && after) { // a policy of another version may not be readable any more
        compared.policy = policyChanges(*before, *after);
    }
}

/// How values of a side are shown, and under which conditions it was decided.
void addSide(const storage::RunDetail& run, ComparedRuns& compared, std::vector<std::string>& asIf)
{
    compared.secrets.add(secretsOf(run));
    if (const auto conditions = conditionsOfRun(run.options, run.summary.seed)) {
        asIf = conditionWords(*conditions);
    }
}

void addCandidate(const storage::RunDetail& run, ComparedRuns& compared)
{
    addSide(run, compared, compared.candidateAsIf);
    compared.attributes = attributesOf(run);
    if (run.summary.totals.firstNs) {
        compared.first = secondOf(*run.summary.totals.firstNs);
        compared.last = secondOf(*run.summary.totals.lastNs) + 1;
        compared.requests = run.summary.totals.requests;
    }
}

engine::Status addSides(const storage::RunReader& reader, ComparedRuns& compared)
{
    const auto candidate = reader.detail(compared.candidate);
    if (!candidate) {
        return engine::fail(candidate.error());
    }
    addCandidate(*candidate, compared);
    std::optional<storage::RunDetail> base;
    std::vector<ConditionSide> sides;
    if (compared.base) {
        auto run = reader.detail(*compared.base);
        if (!run) {
            return engine::fail(run.error());
        }
        base = std::move(*run);
        addSide(*base, compared, compared.baseAsIf);
        addPolicies(*base, *candidate, compared);
        sides.push_back({"base", &*base});
    }
    sides.push_back({"candidate", &*candidate});
    auto conditions = conditionSides(reader, sides);
    if (!conditions) {
        return engine::fail(conditions.error());
    }
    compared.conditions = std::move(*conditions);
    return engine::Done {};
}

} // namespace

engine::Result<std::shared_ptr<const ComparedRuns>> readComparison(const std::string& store,
                                                                   CompareBase base,
                                                                   storage::RunId candidate,
                                                                   const StopFlag& stop)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto open = storage::RunStore::open(store, storage::Access::Read);
    if (!open) {
        return engine::fail(open.error());
    }
    ReadAgain again;
    again.stop = &stop;
    engine::Result<CompareDetail> detail = compareInDetail(**open, {base}, candidate, {}, again);
    if (!detail) {
        return engine::fail(detail.error());
    }
    auto compared = std::make_shared<ComparedRuns>();
    compared->base = base;
    compared->candidate = candidate;
    compared->detail = std::move(*detail);
    const storage::RunReader reader(**open);
    if (engine::Status sides = addSides(reader, *compared); !sides) {
        return engine::fail(sides.error());
    }
    if (engine::Status timelines = addTimelines(reader, *compared); !timelines) {
        return engine::fail(timelines.error());
    }
    compared->milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(
                                 std::chrono::steady_clock::now() - begin)
                                 .count();
    return std::shared_ptr<const ComparedRuns>(std::move(compared));
}

engine::Result<FigureTable> readByAttribute(const std::string& store, CompareBase base,
                                            storage::RunId candidate, const std::string& attribute,
                                            const StopFlag& stop)
{
    const auto open = storage::RunStore::open(store, storage::Access::Read);
    if (!open) {
        return engine::fail(open.error());
    }
    const storage::RunReader reader(**open);
    SecretAttributes secrets; // what one side hides is hidden
    for (const storage::RunId id : {base.value_or(candidate), candidate}) {
        const auto run = reader.detail(id);
        if (!run) {
            return engine::fail(run.error());
        }
        secrets.add(secretsOf(*run));
    }
    ReadAgain again;
    again.stop = &stop;
    const std::vector<std::string> by {attribute};
    const auto outcome = compareStored(**open, {base}, candidate, {by, {}}, again);
    if (!outcome) {
        return engine::fail(outcome.error());
    }
    const KeyNames names(secrets);
    std::vector<FigureTable> tables = compareTables(*outcome, {by, kMostValues, names});
    if (tables.empty() || tables.back().id != "by " + attribute) {
        return FigureTable {"by " + attribute, "By " + attribute, {}};
    }
    return std::move(tables.back());
}

std::vector<std::string> attributesOf(const storage::RunDetail& run)
{
    std::vector<std::string> attributes;
    const auto add = [&](const std::string& name) {
        if (std::find(attributes.begin(), attributes.end(), name) == attributes.end()) {
            attributes.push_back(name);
        }
    };
    if (const auto plan = planOfRun(run)) {
        for (const engine::Derivation& derived : plan->plan.attributes) {
            add(derived.name);
        }
        for (const engine::PlanRule& rule : plan->plan.rules) {
            for (const engine::Matcher& matcher : rule.match) {
                add(matcher.attribute);
            }
            for (const std::string& attribute : rule.key) {
                add(attribute);
            }
        }
    }
    for (const char* const builtIn : {"method", "host", "status"}) {
        add(builtIn);
    }
    std::erase(attributes, "path"); // has a tab of its own, by the policy's patterns
    return attributes;
}

ChartData rejectedBands(const ComparedRuns& compared, const QString& base, const QString& candidate)
{
    ChartData data;
    data.bins = {kMinute,
                 std::max(gapOf(compared.requests, compared.last - compared.first), 2 * kMinute)};
    data.unit = QStringLiteral("per minute");
    ChartBand sides;
    sides.stretch = 3;
    sides.series = {{base, Mark::Offered, Dash::Short, compared.baseRejected},
                    {candidate, Mark::Rejected, Dash::Solid, compared.candidateRejected}};
    ChartBand change;
    change.stretch = 2;
    change.isDifference = true;
    change.caption = QStringLiteral("candidate minus base");
    change.series = {{change.caption, Mark::Rejected, Dash::Solid,
                      difference(compared.baseRejected, compared.candidateRejected)}};
    data.bands = {std::move(sides), std::move(change)};
    return data;
}

QString sideName(const CompareBase& side, const Session& session)
{
    if (!side) {
        return QStringLiteral("recorded");
    }
    const storage::RunSummary* const run = session.run(*side);
    return run == nullptr ? QString::number(*side)
                          : QStringLiteral("%1: %2").arg(*side).arg(shown(run->name, 60));
}

std::vector<CompareBase> basesFor(const storage::RunSummary& candidate, const Session& session)
{
    std::vector<CompareBase> bases;
    if (candidate.totals.recordedKnown > 0) {
        bases.emplace_back(std::nullopt);
    }
    for (const storage::RunSummary& run : session.runs()) {
        if (run.id != candidate.id && run.state == storage::RunState::Complete
            && run.recordingFingerprint == candidate.recordingFingerprint) {
            bases.emplace_back(run.id);
        }
    }
    return bases;
}

} // namespace app::console
