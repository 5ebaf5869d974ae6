#include "app/workbench/condition_tables.h"

#include "app/workbench/conditions_options.h"
#include "app/workbench/counted.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/run_tables.h"
#include "app/workbench/stored_run.h"
#include "engine/worst_case.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace app {
namespace {

using Align = TextTable::Align;
using storage::RunDetail;

std::string keyText(const storage::RuleTotals& rule, const std::vector<std::string>& values,
                    const KeyNames& names)
{
    std::vector<std::string> shown;
    for (std::size_t part = 0; part < values.size(); ++part) {
        shown.push_back(names.of(part < rule.key.size() ? rule.key[part] : "", values[part]));
    }
    return joinedKey(shown);
}

void addBehaviour(FigureTable& table, Cell name, const engine::BehaviourTally& tally)
{
    const std::uint64_t attempts = tally.first + tally.retries;
    table.add({std::move(name), Cell::number(tally.clients), Cell::number(tally.first),
               Cell::number(tally.retries),
               Cell::words(timesText(static_cast<std::int64_t>(attempts),
                                     static_cast<std::int64_t>(tally.first))),
               Cell::number(tally.admittedAtOnce), Cell::number(tally.admittedLater),
               Cell::number(tally.gaveUp), Cell::number(tally.outOfBudget)},
              tally.gaveUp > 0);
}

} // namespace

std::string timesText(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0) {
        return "-";
    }
    const auto wide = static_cast<std::uint64_t>(part);
    const auto by = static_cast<std::uint64_t>(whole);
    std::uint64_t ones = wide / by;
    // The rest is below `by`, which is at most 2^62: times ten it may not fit, a share of it does.
    const std::uint64_t rest = wide % by;
    std::uint64_t tenths = by > std::numeric_limits<std::uint64_t>::max() / 32
        ? rest / (by / 10)
        : (rest * 20 + by) / (2 * by);
    ones += tenths / 10;
    tenths %= 10;
    if (ones == 0 && tenths == 0 && part > 0) {
        return "<0.1";
    }
    return tenths == 0 ? grouped(ones) : fmt::format("{}.{}", grouped(ones), tenths);
}

LimitInWindow limitInWindow(const engine::Limit& limit)
{
    using engine::Algorithm;
    if (limit.algorithm == Algorithm::AdaptiveConcurrency) {
        return {}; // another one at each moment
    }
    if (engine::holdsSlots(limit.algorithm)) {
        const std::int64_t slots = engine::capacityOf(limit);
        return {slots, slots, 0};
    }
    // In a window of the clock; of a bucket, and of windows that open with a request, in any span.
    const bool isAligned = (limit.algorithm == Algorithm::FixedWindow && !limit.alignToFirstRequest)
        || limit.algorithm == Algorithm::SlidingWindowLog
        || limit.algorithm == Algorithm::SlidingWindowCounter;
    const std::int64_t most = isAligned
        ? limit.rate.count
        : engine::mostWithin(limit, limit.rate.periodNs).value_or(limit.rate.count);
    return {limit.rate.count, most, limit.rate.periodNs};
}

bool learns(engine::Algorithm algorithm)
{
    return algorithm == engine::Algorithm::AdaptiveConcurrency
        || algorithm == engine::Algorithm::LoadShedder;
}

bool learns(const storage::RuleTotals& rule)
{
    const std::optional<engine::Algorithm> algorithm = engine::algorithmNamed(rule.algorithm);
    return algorithm && learns(*algorithm);
}

bool isOfClass(const storage::RuleTotals& rule)
{
    return rule.className
        || (rule.judged > 0 && rule.algorithm == engine::nameOf(engine::Algorithm::LoadShedder));
}

std::string serverAttribute(const RunDetail& run)
{
    const auto conditions = conditionsOfRun(run.options, run.summary.seed);
    return conditions ? serverAttribute(*conditions) : std::string();
}

std::string clientAttribute(const RunDetail& run)
{
    const auto conditions = conditionsOfRun(run.options, run.summary.seed);
    return conditions ? clientAttribute(*conditions, whoOf(run)) : whoOf(run);
}

std::int64_t LearnedLimits::lowest() const
{
    return std::min_element(seconds.begin(), seconds.end(),
                            [](const auto& a, const auto& b) { return a.lowest < b.lowest; })
        ->lowest;
}

std::int64_t LearnedLimits::highest() const
{
    return std::max_element(seconds.begin(), seconds.end(),
                            [](const auto& a, const auto& b) { return a.highest < b.highest; })
        ->highest;
}

std::int64_t LearnedLimits::last() const
{
    return seconds.back().last;
}

engine::Result<std::vector<LearnedLimits>> learnedLimits(const storage::RunReader& reader,
                                                         const RunDetail& run)
{
    std::vector<LearnedLimits> all;
    for (const storage::RuleTotals& rule : run.rules) {
        if (!learns(rule)) {
            continue;
        }
        auto seconds
            = reader.limits(run.summary.id, rule.index, std::numeric_limits<std::int64_t>::min(),
                            std::numeric_limits<std::int64_t>::max());
        if (!seconds) {
            return engine::fail(seconds.error());
        }
        if (!seconds->empty()) {
            const bool isLimit
                = rule.algorithm == engine::nameOf(engine::Algorithm::AdaptiveConcurrency);
            all.push_back({&rule, isLimit, std::move(*seconds)});
        }
    }
    return all;
}

FigureTable serversTable(const RunDetail& run, const KeyNames& names)
{
    FigureTable table {"servers",
                       "Servers",
                       {{"server", "server", Align::Left},
                        {"requests", "requests"},
                        {"admitted", "admitted"},
                        {"", ""},
                        {"clock_ns", "clock ahead by"}}};
    const std::string attribute = serverAttribute(run);
    const auto& servers = run.conditions.servers;
    if (servers.size() < 2 && (servers.empty() || servers.front().load.clockNs == 0)) {
        return table; // one server whose clock is right: the totals say it all
    }
    for (const storage::ServerTotal& server : servers) {
        if (server.name.empty() && server.load.requests == 0) {
            continue; // every request says which server it was
        }
        const std::string name = attribute.empty() ? server.name : names.of(attribute, server.name);
        table.add({server.name.empty() ? Cell::words("(not said)") : Cell::value(name),
                   Cell::number(server.load.requests), Cell::number(server.load.admitted),
                   Cell::share(server.load.admitted, server.load.requests),
                   Cell::duration(server.load.clockNs)});
    }
    return table;
}

FigureTable admittedTable(const RunDetail& run, const engine::Plan* plan, const KeyNames& names)
{
    FigureTable table {"admitted",
                       "The most that one key was admitted by all servers together",
                       {{"rule", "rule", Align::Left},
                        {"limit", "limit"},
                        {"period_ns", "in"},
                        {"admitted", "admitted"},
                        {"one_state", "one state at most"},
                        {"times_one_state", "times that"},
                        {"key", "key", Align::Left},
                        {"from", "from", Align::Left},
                        {"in_second", "in one second"}}};
    for (const storage::ServerRuleTotal& most : run.conditions.rules) {
        if (most.rule >= run.rules.size() || most.inWindow.cost == 0) {
            continue;
        }
        const storage::RuleTotals& rule = run.rules[most.rule];
        const bool isKnown = plan != nullptr && most.rule < plan->rules.size();
        const LimitInWindow limit
            = isKnown ? limitInWindow(plan->rules[most.rule].limit) : LimitInWindow {};
        const bool isLimited = limit.most > 0;
        table.add({Cell::value(fullName(rule)),
                   isLimited ? Cell::number(static_cast<std::uint64_t>(limit.limit)) : Cell {},
                   limit.periodNs > 0 ? Cell::duration(limit.periodNs) : Cell::words("flight"),
                   Cell::number(static_cast<std::uint64_t>(most.inWindow.cost)),
                   isLimited ? Cell::number(static_cast<std::uint64_t>(limit.most)) : Cell {},
                   isLimited ? Cell::words(timesText(most.inWindow.cost, limit.most)) : Cell {},
                   Cell::value(keyText(rule, most.inWindow.key, names)),
                   Cell::time(most.inWindow.fromNs),
                   limit.periodNs > 0 ? Cell::number(static_cast<std::uint64_t>(most.inSecond.cost))
                                      : Cell {}},
                  isLimited && most.inWindow.cost > limit.most);
    }
    return table;
}

FigureTable outagesTable(const RunDetail& run)
{
    FigureTable table {"outages",
                       "While the store of the counts was away",
                       {{"from", "from", Align::Left},
                        {"to", "to", Align::Left},
                        {"rule", "rule", Align::Left},
                        {"let_in", "let in unjudged"},
                        {"turned_away", "turned away"},
                        {"judged_locally", "judged locally"},
                        {"denied_locally", "denied of these"}}};
    for (std::size_t outage = 0; outage < run.conditions.outages.size(); ++outage) {
        const storage::OutageSpan& span = run.conditions.outages[outage];
        for (const storage::ServerRuleTotal& rule : run.conditions.rules) {
            if (outage >= rule.outages.size() || rule.rule >= run.rules.size()) {
                continue;
            }
            const engine::OutageTally& tally = rule.outages[outage];
            const storage::RuleTotals& totals = run.rules[rule.rule];
            if (tally.letIn + tally.turnedAway + tally.judgedLocally == 0) {
                continue;
            }
            table.add({Cell::time(span.fromNs), Cell::time(span.toNs),
                       Cell::value(fullName(totals)), Cell::number(tally.letIn),
                       Cell::number(tally.turnedAway), Cell::number(tally.judgedLocally),
                       Cell::number(tally.deniedLocally)},
                      tally.turnedAway + tally.deniedLocally > 0);
        }
    }
    return table;
}

FigureTable clientsTable(const RunDetail& run)
{
    FigureTable table {"clients",
                       "Clients that come again",
                       {{"behaviour", "behaviour", Align::Left},
                        {"clients", "clients"},
                        {"first", "first attempts"},
                        {"retries", "retries"},
                        {"amplification", "attempts for each"},
                        {"admitted_at_once", "admitted at once"},
                        {"admitted_later", "later"},
                        {"gave_up", "gave up"},
                        {"out_of_budget", "for want of budget"}}};
    if (!run.conditions.clients) {
        return table;
    }
    engine::ClientTally all;
    for (const storage::BehaviourTotal& behaviour : run.conditions.clients->behaviours) {
        addBehaviour(table, Cell::value(behaviour.name), behaviour.tally);
        all.behaviours.push_back(behaviour.tally);
    }
    if (all.behaviours.size() > 1) {
        addBehaviour(table, Cell {}, all.all()); // a behaviour may have any name but none
    }
    if (run.conditions.clients->nameless > 0) {
        table.remark = counted(run.conditions.clients->nameless,
                               "request says nothing of its client: it does not come again",
                               "requests say nothing of their client: they do not come again");
    }
    return table;
}

FigureTable attemptsTable(const RunDetail& run)
{
    FigureTable table {"attempts",
                       "Attempts",
                       {{"figure", "", Align::Left}, {"value", ""}, {"at", "at", Align::Left}}};
    if (!run.conditions.clients) {
        return table;
    }
    const storage::ClientTotals& clients = *run.conditions.clients;
    table.add({Cell::words("most in one second"), Cell::number(clients.peakAttempts),
               Cell::time(secondNs(clients.peakSecond))});
    if (clients.herd > 0) {
        table.add({Cell::words("most retries within 100 ms"), Cell::number(clients.herd),
                   Cell::time(clients.herdNs)});
    }
    const storage::DelayTotals& until = clients.untilAdmitted;
    if (until.count > 0) {
        for (const auto& [name, ns] : {std::pair("admitted later, median after", until.p50Ns),
                                       {"admitted later, 99 % within", until.p99Ns},
                                       {"admitted later, at most after", until.maximumNs}}) {
            table.add({Cell::words(name), Cell::duration(ns), Cell {}});
        }
    }
    table.add({Cell::words("clients that never got through again"), Cell::number(clients.lockouts),
               Cell {}},
              clients.lockouts > 0);
    return table;
}

FigureTable lockoutsTable(const RunDetail& run, std::size_t top, const KeyNames& names)
{
    FigureTable table {"lockouts",
                       "Never got through again",
                       {{"client", clientAttribute(run), Align::Left},
                        {"attempts", "attempts"},
                        {"gave_up", "requests given up"},
                        {"since", "since", Align::Left}}};
    if (!run.conditions.clients) {
        return table;
    }
    const storage::ClientTotals& clients = *run.conditions.clients;
    const std::string attribute = clientAttribute(run);
    for (const storage::LockoutTotal& lockout : clients.longest) {
        if (table.rows.size() == top) {
            break;
        }
        table.add({Cell::value(names.of(attribute, lockout.client)), Cell::number(lockout.attempts),
                   Cell::number(lockout.gaveUp), Cell::time(lockout.sinceNs)},
                  true);
    }
    table.more = clients.lockouts - std::min<std::uint64_t>(clients.lockouts, table.rows.size());
    return table;
}

engine::Result<FigureTable> limitsTable(const storage::RunReader& reader, const RunDetail& run)
{
    FigureTable table {"limits",
                       "Limits that are learned",
                       {{"rule", "rule", Align::Left},
                        {"seconds", "seconds"},
                        {"lowest", "lowest"},
                        {"highest", "highest"},
                        {"last", "last"}}};
    const auto learned = learnedLimits(reader, run);
    if (!learned) {
        return engine::fail(learned.error());
    }
    for (const LearnedLimits& limits : *learned) {
        const auto cell = [&limits](std::int64_t value) {
            return limits.isLimit ? Cell::number(static_cast<std::uint64_t>(value))
                                  : Cell::words(timesText(value, 1000) + " classes shed");
        };
        table.add({Cell::value(fullName(*limits.rule)), Cell::number(limits.seconds.size()),
                   cell(limits.lowest()), cell(limits.highest()), cell(limits.last())});
    }
    return table;
}

FigureTable statesTable(const RunDetail& run)
{
    FigureTable table {"states",
                       "State, as measured at the end",
                       {{"rule", "rule", Align::Left},
                        {"keys", "keys"},
                        {"bytes", "bytes"},
                        {"bytes_a_key", "bytes a key"}}};
    for (const storage::RuleTotals& rule : run.rules) {
        if (rule.memory.keys > 0) {
            table.add(
                {Cell::value(fullName(rule)), Cell::number(rule.memory.keys),
                 Cell::number(rule.memory.bytes),
                 Cell::number((rule.memory.bytes + rule.memory.keys - 1) / rule.memory.keys)});
        }
    }
    return table;
}

engine::Result<std::vector<FigureTable>> conditionTables(const storage::RunReader& reader,
                                                         const RunDetail& run, std::size_t top,
                                                         const KeyNames& names)
{
    std::vector<FigureTable> tables;
    engine::Result<FigureTable> limits = limitsTable(reader, run);
    if (!limits) {
        return engine::fail(limits.error());
    }
    tables.push_back(std::move(*limits));
    tables.push_back(serversTable(run, names));
    if (!run.conditions.rules.empty()) {
        const engine::Result<StoredPlan> stored = planOfRun(run);
        tables.push_back(admittedTable(run, stored ? &stored->plan : nullptr, names));
    }
    tables.push_back(outagesTable(run));
    tables.push_back(clientsTable(run));
    tables.push_back(attemptsTable(run));
    tables.push_back(lockoutsTable(run, top, names));
    std::erase_if(tables, [](const FigureTable& table) { return table.rows.empty(); });
    return tables;
}

} // namespace app
