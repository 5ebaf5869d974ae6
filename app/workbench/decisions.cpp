#include "app/workbench/decisions.h"

#include "app/workbench/json.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace app {
namespace {

constexpr std::size_t kWriteBytes = std::size_t {1} << 16;

std::string jsonOrNull(const std::optional<std::string>& text)
{
    return text ? jsonString(*text) : "null";
}

void appendOrNull(std::string& out, const std::optional<std::int64_t>& number)
{
    if (number) {
        fmt::format_to(std::back_inserter(out), "{}", *number);
    } else {
        out += "null";
    }
}

} // namespace

engine::Result<std::unique_ptr<DecisionFile>> DecisionFile::create(const std::string& path,
                                                                   const engine::Plan& plan)
{
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (file == nullptr) {
        return engine::fail("file.write",
                            fmt::format("`{}` cannot be written: {}", path,
                                        std::strerror(errno)), // NOLINT(concurrency-mt-unsafe)
                            "name a file in a folder that you may write to");
    }
    return std::unique_ptr<DecisionFile>(new DecisionFile(path, file, plan));
}

DecisionFile::DecisionFile(std::string path, std::FILE* file, const engine::Plan& plan)
    : m_path(std::move(path))
    , m_file(file)
    , m_plan(plan)
{
    for (const engine::PlanRule& rule : plan.rules) {
        m_ruleHeads.push_back(fmt::format(
            R"({{"rule": {}, "override": {}, "mode": "{}", "admits": )", jsonString(rule.rule),
            jsonOrNull(rule.overrideName), engine::nameOf(rule.mode)));
    }
}

DecisionFile::~DecisionFile()
{
    if (m_file != nullptr) {
        std::fclose(m_file);
    }
}

engine::Status DecisionFile::begin(const engine::Intake&, const engine::Replay&)
{
    m_waiting.clear();
    std::rewind(m_file);
    // A pipe cannot be emptied; it can only have been written to in a first pass over a file that
    // was out of order.
    if (::ftruncate(::fileno(m_file), 0) != 0 && errno != EINVAL) {
        m_error = errno;
        return failure();
    }
    return engine::Done {};
}

void DecisionFile::decided(std::size_t plan, const engine::Decision& decision)
{
    if (plan != 0) {
        return;
    }
    const engine::Arrival& arrival = *decision.arrival;
    const engine::Verdict& verdict = decision.verdict;
    const bool rejected = verdict.outcome == engine::Outcome::Rejected;
    auto out = std::back_inserter(m_waiting);
    fmt::format_to(
        out,
        R"({{"n": {}, "line": {}, "file": {}, "time_ns": {}, "decided_ns": {}, "outcome": "{}", )",
        arrival.n, arrival.line, arrival.file, arrival.arrivedNs, decision.decidedNs,
        rejected ? "rejected" : "admitted");
    if (rejected) {
        const engine::PlanRule& rule = m_plan.rules[verdict.rule];
        fmt::format_to(out, R"("rejected_by": {}, "tier": "{}", )", jsonString(rule.rule),
                       engine::nameOf(rule.tier));
    } else {
        m_waiting += R"("rejected_by": null, "tier": null, )";
    }
    m_waiting += R"("exempt": )";
    m_waiting += verdict.exemption == engine::kNoId
        ? "null"
        : jsonString(m_plan.exempt[verdict.exemption].name);
    m_waiting += R"(, "retry_after_ns": )";
    appendOrNull(m_waiting, decision.retryAfterNs);
    fmt::format_to(out, R"(, "delay_ns": {}, "late": {}, "attempt": 1, "node": 0, "rules": [)",
                   verdict.delayNs, (arrival.flags & engine::kArrivalLate) != 0);
    for (std::size_t i = 0; i < decision.rules.size(); ++i) {
        m_waiting += i == 0 ? "" : ", ";
        appendRule(decision.rules[i]);
    }
    m_waiting += "]}\n";
    if (m_waiting.size() >= kWriteBytes) {
        flush();
    }
}

void DecisionFile::appendRule(const engine::RuleDecision& rule)
{
    m_waiting += m_ruleHeads[rule.rule];
    fmt::format_to(std::back_inserter(m_waiting),
                   R"({}, "counted": {}, "remaining": {}, "retry_after_ns": )", rule.admits,
                   rule.counted, rule.figures.remaining);
    appendOrNull(m_waiting, rule.figures.retryAfterNs);
    fmt::format_to(std::back_inserter(m_waiting), R"(, "next_after_ns": {}, "full_after_ns": )",
                   rule.figures.nextAfterNs);
    appendOrNull(m_waiting, rule.figures.fullAfterNs);
    m_waiting += "}";
}

void DecisionFile::flush()
{
    if (m_error == 0
        && std::fwrite(m_waiting.data(), 1, m_waiting.size(), m_file) != m_waiting.size()) {
        m_error = errno;
    }
    m_waiting.clear();
}

engine::Failure DecisionFile::failure() const
{
    if (m_error == EPIPE) {
        return engine::fail("file.gone", "nobody reads the decisions any more");
    }
    return engine::fail("file.write",
                        fmt::format("`{}` cannot be written: {}", m_path,
                                    std::strerror(m_error)), // NOLINT(concurrency-mt-unsafe)
                        "make room, or name another file");
}

engine::Status DecisionFile::health()
{
    return m_error == 0 ? engine::Status(engine::Done {}) : failure();
}

engine::Status DecisionFile::finish()
{
    flush();
    const bool closed = std::fclose(m_file) == 0;
    m_file = nullptr;
    if (m_error == 0 && !closed) {
        m_error = errno;
    }
    return health();
}

} // namespace app
