#include "app/cli/compare_args.h"

#include "app/cli/process.h"
#include "app/cli/usage.h"
#include "app/workbench/files.h"
#include "app/workbench/stored_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace app::cli {
namespace {

/// The policies of runs of one log, and how that log is read.
struct PlansOfRuns {
    std::vector<engine::Plan> plans;
    std::vector<LogChoice> logs;

    [[nodiscard]] std::vector<const engine::Plan*> pointers() const
    {
        std::vector<const engine::Plan*> all;
        std::transform(plans.begin(), plans.end(), std::back_inserter(all),
                       [](const engine::Plan& plan) { return &plan; });
        return all;
    }
};

engine::Result<PlansOfRuns> plansOf(const std::vector<storage::RunDetail>& runs)
{
    PlansOfRuns read;
    for (const storage::RunDetail& run : runs) {
        engine::Result<StoredPlan> stored = planOfRun(run);
        if (!stored) {
            return engine::fail(stored.error());
        }
        read.plans.push_back(std::move(stored->plan));
        read.logs = std::move(stored->logs);
    }
    return read;
}

/// Pseudonyms stand for keys in it.
bool hidesKeys(const Context& context, std::string_view format)
{
    const bool leavesTheHouse = format == "markdown" || format == "github" || format == "html";
    return leavesTheHouse && !context.args.has(OptionId::ShowKeys);
}

/// A secret, and in which reports it is used.
struct ScopedSecret {
    PseudonymSecret secret;
    KeyNames::Scope scope = KeyNames::Scope::Log;
};

/// Of --mask-key, else `otherwise`.
engine::Result<ScopedSecret> secretFor(const Context& context, const ScopedSecret& otherwise)
{
    const std::optional<std::string> file = context.args.text(OptionId::MaskKey);
    if (!file) {
        return otherwise;
    }
    constexpr std::size_t kMostKeyBytes = std::size_t {1} << 20;
    const engine::Result<std::string> bytes = readFile(*file, kMostKeyBytes, &interrupted());
    if (!bytes) {
        return engine::fail(bytes.error());
    }
    const engine::Result<PseudonymSecret> secret = secretOfKey(*bytes);
    return secret ? engine::Result<ScopedSecret>(ScopedSecret {*secret, KeyNames::Scope::MaskKey})
                  : engine::fail(secret.error());
}

engine::Result<KeyNames> keyNamesUnder(const Context& context, const ScopedSecret& otherwise,
                                       const SecretAttributes& credentials,
                                       std::set<std::string> hidden)
{
    const engine::Result<ScopedSecret> given = secretFor(context, otherwise);
    if (!given) {
        return engine::fail(given.error());
    }
    return KeyNames(credentials, given->secret, std::move(hidden), given->scope);
}

} // namespace

engine::Result<ComparedRuns> comparedRunsOf(const LowArgs& args)
{
    ComparedRuns runs;
    if (args.arguments[0] != kRecorded) {
        const engine::Result<storage::RunId> run = runIdOf(args.arguments[0]);
        if (!run) {
            return engine::fail(run.error());
        }
        runs.base.run = *run;
    }
    if (args.arguments[1] == kRecorded) {
        return usage("`recorded` is the base of a comparison, not its candidate",
                     fmt::format("write `weir {} recorded {}`", verbInfo(args.verb).name,
                                 args.arguments[0]));
    }
    const engine::Result<storage::RunId> candidate = runIdOf(args.arguments[1]);
    if (!candidate) {
        return engine::fail(candidate.error());
    }
    runs.candidate = *candidate;
    return runs;
}

engine::Result<std::vector<storage::RunDetail>> detailsOf(storage::RunStore& store,
                                                          const std::vector<storage::RunId>& runs)
{
    const storage::RunReader reader(store);
    std::vector<storage::RunDetail> details;
    for (const storage::RunId run : runs) {
        engine::Result<storage::RunDetail> detail = reader.detail(run);
        if (!detail) {
            return engine::fail(detail.error());
        }
        details.push_back(std::move(*detail));
    }
    return details;
}

engine::Result<KnownNames> namesOfRuns(storage::RunStore& store, const ComparedRuns& runs)
{
    const auto details = detailsOf(store, {runs.base.run.value_or(runs.candidate), runs.candidate});
    if (!details) {
        return engine::fail(details.error());
    }
    const engine::Result<PlansOfRuns> read = plansOf(*details);
    if (!read) {
        return engine::fail(read.error());
    }
    return knownNames({}, read->pointers(), read->logs);
}

engine::Result<KeyNames> keyNamesOf(const Context& context, std::string_view format,
                                    const KeyOwners& owners)
{
    SecretAttributes credentials;
    credentials.add(owners.logs);
    for (const engine::Plan* plan : owners.plans) {
        credentials.add(*plan);
    }
    return hidesKeys(context, format)
        ? keyNamesUnder(context, {secretOfLog(owners.fingerprint)}, credentials,
                        identities(owners.plans, owners.who))
        : KeyNames(credentials);
}

engine::Result<KeyNames> keyNamesOfRuns(const Context& context, std::string_view format,
                                        storage::RunStore& store,
                                        const std::vector<storage::RunId>& runs)
{
    const auto details = detailsOf(store, runs);
    if (!details) {
        return engine::fail(details.error());
    }
    SecretAttributes credentials;
    for (const storage::RunDetail& detail : *details) {
        credentials.add(secretsOf(detail));
    }
    if (!hidesKeys(context, format)) {
        return KeyNames(credentials);
    }
    const storage::RunDetail& last = details->back();
    if (!last.recording) {
        // Killed, so it stands alone: nobody can say which attributes its log mapped from what, and
        // all of them count as credentials (secretsOf).
        return keyNamesUnder(context, {secretOfRun(last.summary), KeyNames::Scope::Run},
                             credentials, {});
    }
    const engine::Result<PlansOfRuns> read = plansOf(*details);
    if (!read) {
        return engine::fail(read.error());
    }
    return keyNamesUnder(context, {secretOfLog(last.recording->fingerprint)}, credentials,
                         identities(read->pointers(), whoOf(last)));
}

engine::Result<std::vector<Attribute>> attributesOf(const Context& context,
                                                    storage::RunStore& store, storage::RunId run,
                                                    const Period& period, PassProgress& progress)
{
    const std::vector<std::string> attributes = listOf(context.args, OptionId::By);
    std::vector<Attribute> counted;
    if (attributes.empty()) {
        return counted;
    }
    const engine::Result<KnownNames> known = namesOfRuns(store, {{run}, run});
    if (!known) {
        return engine::fail(known.error());
    }
    if (engine::Status fine = checkAttributes(attributes, *known); !fine) {
        return engine::fail(fine.error());
    }
    const engine::Result<unsigned> jobs = jobsOf(context.args);
    if (!jobs) {
        return engine::fail(jobs.error());
    }
    const ReadAgain again {context.args.all(OptionId::Recording), *jobs, &interrupted(), &progress};
    auto counts = countByAttributes(store, run, attributes, period, again);
    context.messages.transient("");
    if (!counts) {
        return engine::fail(counts.error());
    }
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        counted.emplace_back(attributes[i], std::move((*counts)[i]));
    }
    return counted;
}

} // namespace app::cli
