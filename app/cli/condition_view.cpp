#include "app/cli/condition_view.h"

#include "app/workbench/condition_tables.h"
#include "app/workbench/conditions_options.h"
#include "app/workbench/stored_run.h"

#include <algorithm>
#include <limits>

namespace app::cli {
namespace {

using storage::RunDetail;

void writeWhich(Json& json, const storage::RuleTotals& rule)
{
    json.field("rule", rule.rule);
    json.field("override", rule.overrideName);
    if (rule.className) {
        json.field("class", *rule.className);
    }
}

void writeLimitSeconds(Json& json, const std::vector<engine::LimitSecond>& seconds)
{
    json.beginList("seconds");
    for (const engine::LimitSecond& second : seconds) {
        json.beginObject();
        json.field("second", second.second);
        json.field("lowest", second.lowest);
        json.field("highest", second.highest);
        json.field("last", second.last);
        json.end();
    }
    json.end();
}

engine::Status writeLimits(Json& json, const storage::RunReader& reader, const RunDetail& run,
                           bool withSeconds)
{
    const auto learned = learnedLimits(reader, run);
    if (!learned) {
        return engine::fail(learned.error());
    }
    if (learned->empty()) {
        return engine::Done {};
    }
    json.beginList("limits");
    for (const LearnedLimits& limits : *learned) {
        json.beginObject();
        writeWhich(json, *limits.rule);
        json.field("lowest", limits.lowest());
        json.field("highest", limits.highest());
        json.field("last", limits.last());
        if (withSeconds) {
            writeLimitSeconds(json, limits.seconds);
        }
        json.end();
    }
    json.end();
    return engine::Done {};
}

void writeMost(Json& json, std::string_view name, const storage::MostAdmittedTotal& most,
               const storage::RuleTotals& rule, const KeyNames& names)
{
    json.key(name);
    if (most.cost == 0) {
        json.null();
        return;
    }
    json.beginObject();
    json.field("cost", most.cost);
    json.beginList("key");
    for (std::size_t part = 0; part < most.key.size(); ++part) {
        json.value(names.of(part < rule.key.size() ? rule.key[part] : "", most.key[part]));
    }
    json.end();
    json.field("from_ns", most.fromNs);
    json.end();
}

std::optional<std::int64_t> unlessZero(std::int64_t value)
{
    return value == 0 ? std::nullopt : std::optional(value);
}

void writeServers(Json& json, const RunDetail& run, const KeyNames& names)
{
    const std::string attribute = serverAttribute(run);
    if (run.conditions.servers.empty()) {
        return;
    }
    json.beginList("servers");
    for (const storage::ServerTotal& server : run.conditions.servers) {
        json.beginObject();
        json.field("server", attribute.empty() ? server.name : names.of(attribute, server.name));
        json.field("requests", server.load.requests);
        json.field("admitted", server.load.admitted);
        json.field("clock_ns", server.load.clockNs);
        json.end();
    }
    json.end();
}

void writeOutage(Json& json, const RunDetail& run, std::size_t outage)
{
    const storage::OutageSpan& span = run.conditions.outages[outage];
    json.beginObject();
    json.field("from_ns", span.fromNs);
    json.field("to_ns", span.toNs);
    json.beginList("rules");
    for (const storage::ServerRuleTotal& rule : run.conditions.rules) {
        if (outage >= rule.outages.size() || rule.rule >= run.rules.size()) {
            continue;
        }
        const engine::OutageTally& tally = rule.outages[outage];
        json.beginObject();
        writeWhich(json, run.rules[rule.rule]);
        json.field("let_in", tally.letIn);
        json.field("turned_away", tally.turnedAway);
        json.field("judged_locally", tally.judgedLocally);
        json.field("denied_locally", tally.deniedLocally);
        json.end();
    }
    json.end();
    json.end();
}

void writeRules(Json& json, const RunDetail& run, const KeyNames& names)
{
    if (run.conditions.rules.empty()) {
        return;
    }
    const engine::Result<StoredPlan> stored = planOfRun(run);
    json.beginList("most_admitted");
    for (const storage::ServerRuleTotal& most : run.conditions.rules) {
        if (most.rule >= run.rules.size()) {
            continue;
        }
        const storage::RuleTotals& rule = run.rules[most.rule];
        json.beginObject();
        writeWhich(json, rule);
        const bool isKnown = stored && most.rule < stored->plan.rules.size();
        const LimitInWindow limit
            = isKnown ? limitInWindow(stored->plan.rules[most.rule].limit) : LimitInWindow {};
        json.field("limit", unlessZero(limit.limit));
        json.field("one_state", unlessZero(limit.most));
        json.field("period_ns", unlessZero(limit.periodNs));
        writeMost(json, "in_window", most.inWindow, rule, names);
        writeMost(json, "in_second", most.inSecond, rule, names);
        json.end();
    }
    json.end();
    if (!run.conditions.outages.empty()) {
        json.beginList("outages");
        for (std::size_t outage = 0; outage < run.conditions.outages.size(); ++outage) {
            writeOutage(json, run, outage);
        }
        json.end();
    }
}

void writeTally(Json& json, const engine::BehaviourTally& tally)
{
    json.field("clients", tally.clients);
    json.field("first_attempts", tally.first);
    json.field("retries", tally.retries);
    json.field("attempts", tally.first + tally.retries);
    json.field("admitted_at_once", tally.admittedAtOnce);
    json.field("admitted_later", tally.admittedLater);
    json.field("gave_up", tally.gaveUp);
    json.field("out_of_budget", tally.outOfBudget);
}

void writeUntilAdmitted(Json& json, const storage::DelayTotals& until)
{
    json.beginObject("until_admitted");
    json.field("count", until.count);
    json.field("mean_ns", until.meanNs);
    json.field("p50_ns", until.p50Ns);
    json.field("p99_ns", until.p99Ns);
    json.field("maximum_ns", until.maximumNs);
    json.end();
}

void writeBehaviours(Json& json, const std::vector<storage::BehaviourTotal>& behaviours)
{
    json.beginList("behaviours");
    for (const storage::BehaviourTotal& behaviour : behaviours) {
        json.beginObject();
        json.field("behaviour", behaviour.name);
        writeTally(json, behaviour.tally);
        json.end();
    }
    json.end();
}

void writeLockouts(Json& json, const RunDetail& run, const KeyNames& names, std::size_t top)
{
    const storage::ClientTotals& clients = *run.conditions.clients;
    const std::string attribute = clientAttribute(run);
    json.field("lockouts", clients.lockouts);
    json.beginList("locked_out");
    for (std::size_t i = 0; i < std::min(top, clients.longest.size()); ++i) {
        const storage::LockoutTotal& lockout = clients.longest[i];
        json.beginObject();
        json.field("client", names.of(attribute, lockout.client));
        json.field("attempts", lockout.attempts);
        json.field("gave_up", lockout.gaveUp);
        json.field("since_ns", lockout.sinceNs);
        json.end();
    }
    json.end();
}

/// Attempts in each second that had any.
engine::Status writeAttempts(Json& json, const storage::RunReader& reader, const RunDetail& run)
{
    const auto seconds = reader.attempts(run.summary.id, std::numeric_limits<std::int64_t>::min(),
                                         std::numeric_limits<std::int64_t>::max());
    if (!seconds) {
        return engine::fail(seconds.error());
    }
    json.beginList("seconds");
    for (const engine::AttemptSecond& second : *seconds) {
        json.beginObject();
        json.field("second", second.second);
        json.field("attempts", second.attempts);
        json.field("retries", second.retries);
        json.field("admitted", second.admitted);
        json.end();
    }
    json.end();
    return engine::Done {};
}

/// Of all behaviours together.
void writeAllClients(Json& json, const storage::ClientTotals& clients)
{
    engine::ClientTally all;
    for (const storage::BehaviourTotal& behaviour : clients.behaviours) {
        all.behaviours.push_back(behaviour.tally);
    }
    const engine::BehaviourTally sum = all.all();
    writeTally(json, sum);
    json.field("amplification",
               timesText(static_cast<std::int64_t>(sum.first + sum.retries),
                         static_cast<std::int64_t>(sum.first)));
    json.field("nameless", clients.nameless);
    json.field("peak_attempts_per_second", clients.peakAttempts);
    json.field("peak_second", clients.peakSecond);
    json.field("herd", clients.herd);
    json.field("herd_ns", clients.herdNs);
    writeUntilAdmitted(json, clients.untilAdmitted);
}

engine::Status writeClients(Json& json, const storage::RunReader& reader, const RunDetail& run,
                            const KeyNames& names, const ConditionFields& fields)
{
    if (!run.conditions.clients) {
        return engine::Done {};
    }
    json.beginObject("clients");
    writeAllClients(json, *run.conditions.clients);
    writeBehaviours(json, run.conditions.clients->behaviours);
    writeLockouts(json, run, names, fields.top);
    if (fields.withSeconds) {
        if (engine::Status written = writeAttempts(json, reader, run); !written) {
            return written;
        }
    }
    json.end();
    return engine::Done {};
}

} // namespace

engine::Status writeConditionFields(Json& json, const storage::RunReader& reader,
                                    const RunDetail& run, const KeyNames& names,
                                    const ConditionFields& fields)
{
    const auto conditions = conditionsOfRun(run.options, run.summary.seed);
    if (const auto words = conditions ? conditionWords(*conditions) : std::vector<std::string>();
        !words.empty()) {
        json.beginList("conditions");
        for (const std::string& word : words) {
            json.value(word);
        }
        json.end();
    }
    if (engine::Status written = writeLimits(json, reader, run, fields.withSeconds); !written) {
        return written;
    }
    writeServers(json, run, names);
    writeRules(json, run, names);
    return writeClients(json, reader, run, names, fields);
}

void writeClassFields(Json& json, const RunDetail& run)
{
    const auto hasClass
        = [](const storage::RuleTotals& rule) { return rule.className.has_value(); };
    if (std::none_of(run.rules.begin(), run.rules.end(), hasClass)) {
        return;
    }
    json.beginList("classes");
    for (const storage::RuleTotals& rule : run.rules) {
        if (isOfClass(rule)) {
            json.beginObject();
            writeWhich(json, rule);
            json.field("judged", rule.judged);
            json.field("denied", rule.denied);
            json.field("rejected", rule.rejected);
            json.end();
        }
    }
    json.end();
}

} // namespace app::cli
