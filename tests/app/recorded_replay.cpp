#include "tests/app/recorded_replay.h"

#include "app/workbench/recorded.h"
#include "app/workbench/replay.h"
#include "policies/compile.h"
#include "policies/read.h"
#include "tests/support/gunzip.h"
#include "tests/support/json.h"

#include <QtTest>

#include <algorithm>

namespace tests {
namespace {

using support::Json;

/// "1772323200.008" is 1772323200008; never through a double.
std::int64_t millisecondsOf(const Json& seconds)
{
    const QByteArray text = QByteArray::fromStdString(seconds.text());
    const qsizetype point = text.indexOf('.');
    if (point < 0 || text.size() - point != 4) {
        qFatal("%s is no number of seconds with three decimals", text.constData());
    }
    return text.left(point).toLongLong() * 1000 + text.mid(point + 1).toLongLong();
}

RecordedLine recordedLine(const QByteArray& text)
{
    const std::optional<Json> line = Json::parse(text.toStdString());
    if (!line || line->find("msec") == nullptr) {
        qFatal("no recorded line: %s", text.constData());
    }
    const Json* verdict = line->find("limit_req_status");
    if (verdict == nullptr) {
        verdict = line->find("limit_conn_status");
    }
    RecordedLine recorded;
    recorded.seq = line->find("seq")->integer();
    recorded.endMs = millisecondsOf(*line->find("msec"));
    recorded.arrivalMs = recorded.endMs - millisecondsOf(*line->find("request_time"));
    recorded.key = line->find("key")->text();
    recorded.uri = line->find("uri")->text();
    recorded.verdict = verdict->text();
    recorded.status = static_cast<int>(line->find("status")->integer());
    return recorded;
}

/// The lines of a text file; the end of the last one starts no further line.
QList<QByteArray> linesOf(const std::string& path)
{
    const QByteArray content = support::contentOf(QString::fromStdString(path)).trimmed();
    if (content.isEmpty()) {
        qFatal("%s cannot be read, or is empty", path.c_str());
    }
    return content.split('\n');
}

engine::Plan planOf(const std::string& text)
{
    const policies::Checked checked = policies::read("recorded.yaml", text);
    if (!checked.policy) {
        qFatal("%s", policies::render(checked.diagnostics.at(0)).c_str());
    }
    policies::Compiled compiled = policies::compile(*checked.policy, [](const std::string& file) {
        return engine::fail("no.file", file + " is not there");
    });
    if (!compiled.plan) {
        qFatal("%s", policies::render(compiled.diagnostics.at(0)).c_str());
    }
    return std::move(*compiled.plan);
}

/// Keeps the decisions of plan 0 by line.
class Keeper final : public app::PassListener, public engine::DecisionSink {
public:
    explicit Keeper(const engine::Plan& plan)
        : m_plan(plan)
    {
    }

    engine::Status begin(const engine::Intake& /*intake*/,
                         const engine::Replay& /*replay*/) override
    {
        byLine.clear();
        return engine::Done {};
    }

    void settle(const engine::Settled& /*settled*/) override { }

    void rejected(std::size_t /*log*/, const std::vector<storage::LineReject>& lines) override
    {
        unread += lines.size();
    }

    bool wants(std::size_t /*plan*/, const engine::Arrival& /*arrival*/) override { return true; }

    void decided(std::size_t /*plan*/, const engine::Decision& decision) override
    {
        LineDecision& line = byLine[decision.arrival->line];
        line.arrivalNs = decision.arrival->arrivedNs;
        line.rejected = decision.verdict.outcome == engine::Outcome::Rejected;
        line.rejectedBy = line.rejected ? m_plan.rules[decision.verdict.rule].rule : "";
        line.recordedRejected = (decision.arrival->flags & engine::kArrivalRecordedRejected) != 0;
        for (const engine::RuleDecision& rule : decision.rules) {
            line.rules.push_back({!rule.admits, rule.counted, rule.figures.remaining,
                                  rule.figures.retryAfterNs, rule.delayNs});
        }
    }

    std::map<std::uint64_t, LineDecision> byLine;
    std::size_t unread = 0;

private:
    const engine::Plan& m_plan;
};

app::ReplayRequest requestOf(const std::string& log, const engine::Plan& plan,
                             const HowToReplay& how)
{
    app::ReplayRequest request;
    request.policies.emplace_back().plan = &plan;
    request.clock = [] { return std::int64_t {0}; };
    app::LogChoice& choice = request.pass.logs.emplace_back();
    choice.path = log;
    choice.format = how.format;
    for (const std::string& text : how.map) {
        choice.mappings.push_back(*storage::parseMapping(text));
    }
    if (!how.recordedRejection.empty()) {
        request.pass.findRecorded = false;
        if (!app::readRecorded(how.recordedRejection, request.pass.intake)) {
            qFatal("%s says nothing", how.recordedRejection.c_str());
        }
    }
    return request;
}

} // namespace

std::vector<RecordedLine> recordedLines(const std::string& path)
{
    std::vector<RecordedLine> lines;
    for (const QByteArray& line : linesOf(path)) {
        lines.push_back(recordedLine(line));
    }
    return lines;
}

std::map<std::int64_t, TruthRow> truthRows(const std::string& path)
{
    std::map<std::int64_t, TruthRow> rows;
    QList<QByteArray> columns;
    for (const QByteArray& line : linesOf(path)) {
        const QList<QByteArray> cells = line.trimmed().split(',');
        if (columns.isEmpty()) {
            columns = cells;
            continue;
        }
        TruthRow& row = rows[cells.front().toLongLong()];
        for (qsizetype i = 0; i < cells.size(); ++i) {
            if (!cells[i].isEmpty()) {
                row[columns[i].toStdString()] = cells[i].toLongLong();
            }
        }
    }
    return rows;
}

bool LineDecision::denied() const
{
    return std::any_of(rules.begin(), rules.end(),
                       [](const RuleAnswer& rule) { return rule.denies; });
}

std::int64_t LineDecision::longestDelayNs() const
{
    std::int64_t longest = 0;
    for (const RuleAnswer& rule : rules) {
        longest = std::max(longest, rule.delayNs);
    }
    return longest;
}

ReplayedLog replayLog(const std::string& log, const std::string& policy, const HowToReplay& how)
{
    const engine::Plan plan = planOf(policy);
    Keeper keeper(plan);
    app::ReplayRequest request = requestOf(log, plan, how);
    request.pass.decisions = &keeper;
    request.listeners.push_back(&keeper);
    const engine::Result<app::ReplayOutcome> outcome = app::replay(request);
    if (!outcome) {
        qFatal("%s: %s", log.c_str(), outcome.error().message.c_str());
    }
    if (keeper.unread != 0 || keeper.byLine.empty()
        || keeper.byLine.rbegin()->first != keeper.byLine.size()) {
        qFatal("%s: not every line is a request", log.c_str());
    }
    ReplayedLog replayed;
    for (auto& [line, decision] : keeper.byLine) {
        replayed.lines.push_back(std::move(decision));
    }
    replayed.totals = outcome->tally->run(0);
    return replayed;
}

} // namespace tests
