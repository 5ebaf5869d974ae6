#include "storage/runs/condition_rows.h"

#include "storage/runs/schema.h"
#include "storage/runs/summary.h"
#include "storage/runs/text.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace storage::runs {
namespace {

void insertServers(Steps& steps, RunId run, const RunConditions& conditions)
{
    for (std::size_t i = 0; i < conditions.servers.size(); ++i) {
        const ServerTotal& server = conditions.servers[i];
        steps.run("INSERT INTO servers(run, server, name, requests, admitted, clock_ns) "
                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                  run, i, Blob {server.name}, server.load.requests, server.load.admitted,
                  server.load.clockNs);
    }
    for (std::size_t i = 0; i < conditions.outages.size(); ++i) {
        steps.run("INSERT INTO outages(run, outage, from_ns, to_ns) VALUES(?1, ?2, ?3, ?4)", run, i,
                  conditions.outages[i].fromNs, conditions.outages[i].toNs);
    }
}

/// NULL where nothing was admitted: there is no key then.
std::optional<std::string> keyOf(const MostAdmittedTotal& most)
{
    if (most.cost == 0) {
        return std::nullopt;
    }
    return joinKey(std::vector<std::string_view>(most.key.begin(), most.key.end()));
}

std::optional<Blob> blobOf(const std::optional<std::string>& text)
{
    return text ? std::optional(Blob {*text}) : std::nullopt;
}

void insertServerRule(Steps& steps, RunId run, const ServerRuleTotal& total)
{
    const std::optional<std::string> windowKey = keyOf(total.inWindow);
    const std::optional<std::string> secondKey = keyOf(total.inSecond);
    steps.run("INSERT INTO server_rules(run, rule, window_cost, window_key, window_from_ns, "
              "second_cost, second_key, second_from_ns) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
              run, total.rule, total.inWindow.cost, blobOf(windowKey), total.inWindow.fromNs,
              total.inSecond.cost, blobOf(secondKey), total.inSecond.fromNs);
    for (std::size_t i = 0; i < total.outages.size(); ++i) {
        const engine::OutageTally& outage = total.outages[i];
        steps.run("INSERT INTO rule_outages(run, rule, outage, let_in, turned_away, "
                  "judged_locally, denied_locally) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                  run, total.rule, i, outage.letIn, outage.turnedAway, outage.judgedLocally,
                  outage.deniedLocally);
    }
}

void insertBehaviours(Steps& steps, RunId run, const ClientTotals& clients)
{
    for (std::size_t i = 0; i < clients.behaviours.size(); ++i) {
        const engine::BehaviourTally& tally = clients.behaviours[i].tally;
        steps.run("INSERT INTO behaviours(run, behaviour, name, clients, first, retries, "
                  "admitted_at_once, admitted_later, gave_up, out_of_budget) "
                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                  run, i, clients.behaviours[i].name, tally.clients, tally.first, tally.retries,
                  tally.admittedAtOnce, tally.admittedLater, tally.gaveUp, tally.outOfBudget);
    }
}

void insertClients(Steps& steps, RunId run, const ClientTotals& clients)
{
    const DelayTotals& until = clients.untilAdmitted;
    steps.run("INSERT INTO clients(run, nameless, peak_attempts, peak_second, herd, herd_ns, "
              "lockouts, until_admitted, until_admitted_mean_ns, until_admitted_p50_ns, "
              "until_admitted_p90_ns, until_admitted_p95_ns, until_admitted_p99_ns, "
              "until_admitted_p999_ns, until_admitted_max_ns) "
              "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
              run, clients.nameless, clients.peakAttempts, clients.peakSecond, clients.herd,
              clients.herdNs, clients.lockouts, until.count, until.meanNs, until.p50Ns, until.p90Ns,
              until.p95Ns, until.p99Ns, until.p999Ns, until.maximumNs);
    insertBehaviours(steps, run, clients);
    for (std::size_t i = 0; i < clients.longest.size(); ++i) {
        const LockoutTotal& lockout = clients.longest[i];
        steps.run("INSERT INTO lockouts(run, place, client, attempts, gave_up, since_ns) "
                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
                  run, i, Blob {lockout.client}, lockout.attempts, lockout.gaveUp, lockout.sinceNs);
    }
}

void readServers(Steps& steps, RunId run, RunConditions& conditions)
{
    eachOfRun(
        steps,
        "SELECT name, requests, admitted, clock_ns FROM servers WHERE run = ?1 ORDER BY server",
        run, [&](const Statement& row) {
            conditions.servers.push_back(
                {row.text(0), {row.count(1), row.count(2), row.integer(3)}});
        });
    eachOfRun(steps, "SELECT from_ns, to_ns FROM outages WHERE run = ?1 ORDER BY outage", run,
              [&](const Statement& row) {
                  conditions.outages.push_back({row.integer(0), row.integer(1)});
              });
}

/// Three columns from `column` on: cost, key, begin.
MostAdmittedTotal mostFrom(const Statement& row, int column, std::size_t width)
{
    MostAdmittedTotal most;
    most.cost = row.integer(column);
    if (!row.isNull(column + 1)) {
        most.key = splitKey(row.bytes(column + 1), width);
        most.key.resize(width);
    }
    most.fromNs = row.integer(column + 2);
    return most;
}

void readServerRules(Steps& steps, RunId run, const std::vector<RuleTotals>& rules,
                     RunConditions& conditions)
{
    eachOfRun(steps,
              "SELECT rule, window_cost, window_key, window_from_ns, second_cost, second_key, "
              "second_from_ns FROM server_rules WHERE run = ?1 ORDER BY rule",
              run, [&](const Statement& row) {
                  const std::uint32_t rule = row.id(0);
                  if (rule >= rules.size()) {
                      steps.take(
                          damaged(steps.database().path(),
                                  "servers are said to share a rule that the run does not have"));
                      return;
                  }
                  const std::size_t width = rules[rule].key.size();
                  conditions.rules.push_back(
                      {rule, mostFrom(row, 1, width), mostFrom(row, 4, width),
                       std::vector<engine::OutageTally>(conditions.outages.size())});
              });
}

void readRuleOutages(Steps& steps, RunId run, RunConditions& conditions)
{
    eachOfRun(
        steps,
        "SELECT rule, outage, let_in, turned_away, judged_locally, denied_locally "
        "FROM rule_outages WHERE run = ?1",
        run, [&](const Statement& row) {
            const auto total = std::find_if(
                conditions.rules.begin(), conditions.rules.end(),
                [&](const ServerRuleTotal& candidate) { return candidate.rule == row.id(0); });
            if (total == conditions.rules.end() || row.count(1) >= total->outages.size()) {
                steps.take(
                    damaged(steps.database().path(),
                            "a rule is said to have met an outage that the run does not have"));
                return;
            }
            total->outages[row.count(1)] = {row.count(2), row.count(3), row.count(4), row.count(5)};
        });
}

void readBehaviours(Steps& steps, RunId run, ClientTotals& clients)
{
    eachOfRun(steps,
              "SELECT name, clients, first, retries, admitted_at_once, admitted_later, gave_up, "
              "out_of_budget FROM behaviours WHERE run = ?1 ORDER BY behaviour",
              run, [&](const Statement& row) {
                  BehaviourTotal total {row.text(0), {}};
                  engine::BehaviourTally& tally = total.tally;
                  takeCounts(row, 1,
                             {&tally.clients, &tally.first, &tally.retries, &tally.admittedAtOnce,
                              &tally.admittedLater, &tally.gaveUp, &tally.outOfBudget});
                  clients.behaviours.push_back(std::move(total));
              });
}

void readClients(Steps& steps, RunId run, RunConditions& conditions)
{
    std::optional<Statement> row
        = ofRun(steps,
                "SELECT nameless, peak_attempts, peak_second, herd, herd_ns, lockouts, "
                "until_admitted, until_admitted_mean_ns, until_admitted_p50_ns, "
                "until_admitted_p90_ns, until_admitted_p95_ns, until_admitted_p99_ns, "
                "until_admitted_p999_ns, until_admitted_max_ns FROM clients WHERE run = ?1",
                run);
    if (!steps.next(row)) {
        return;
    }
    ClientTotals& clients = conditions.clients.emplace();
    clients.nameless = row->count(0);
    clients.peakAttempts = row->count(1);
    clients.peakSecond = row->integer(2);
    clients.herd = row->count(3);
    clients.herdNs = row->integer(4);
    clients.lockouts = row->count(5);
    clients.untilAdmitted = delaysFrom(*row, 6);
    readBehaviours(steps, run, clients);
    eachOfRun(steps,
              "SELECT client, attempts, gave_up, since_ns FROM lockouts WHERE run = ?1 "
              "ORDER BY place",
              run, [&](const Statement& lockout) {
                  clients.longest.push_back(
                      {lockout.text(0), lockout.count(1), lockout.count(2), lockout.integer(3)});
              });
}

} // namespace

void insertConditions(Steps& steps, RunId run, const RunConditions& conditions)
{
    insertServers(steps, run, conditions);
    for (const ServerRuleTotal& rule : conditions.rules) {
        insertServerRule(steps, run, rule);
    }
    if (conditions.clients) {
        insertClients(steps, run, *conditions.clients);
    }
}

RunConditions conditionsOf(Steps& steps, RunId run, const std::vector<RuleTotals>& rules)
{
    RunConditions conditions;
    if (!has(steps, kConditionsVersion)) {
        return conditions;
    }
    readServers(steps, run, conditions);
    readServerRules(steps, run, rules, conditions);
    readRuleOutages(steps, run, conditions);
    readClients(steps, run, conditions);
    return conditions;
}

DelayTotals delaysFrom(const Statement& row, int column)
{
    DelayTotals delays;
    delays.count = row.count(column++);
    for (std::int64_t* const delay : {&delays.meanNs, &delays.p50Ns, &delays.p90Ns, &delays.p95Ns,
                                      &delays.p99Ns, &delays.p999Ns, &delays.maximumNs}) {
        *delay = row.integer(column++);
    }
    return delays;
}

} // namespace storage::runs
