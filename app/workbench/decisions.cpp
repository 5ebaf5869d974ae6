#include "app/workbench/decisions.h"

#include "app/workbench/client_answer.h"
#include "app/workbench/json.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace app {
namespace {

constexpr std::size_t kWriteBytes = std::size_t {1} << 16;

constexpr std::string_view kHead = R"({"n": )";

/// Without a name, in $TMPDIR or /tmp: gone when it is closed. nullptr: errno says why.
std::FILE* temporaryFile()
{
    const char* const folder = std::getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe)
    std::string path = folder != nullptr && *folder != '\0' ? folder : "/tmp";
    path += "/weir-decisions-XXXXXX";
    const int descriptor = ::mkstemp(path.data());
    if (descriptor < 0) {
        return nullptr;
    }
    ::unlink(path.c_str());
    return ::fdopen(descriptor, "w+");
}

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

engine::Result<std::unique_ptr<DecisionFile>>
DecisionFile::create(const std::string& path, const engine::Plan& plan, const Options& options)
{
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (file == nullptr) {
        return engine::fail("file.write",
                            fmt::format("`{}` cannot be written: {}", path,
                                        std::strerror(errno)), // NOLINT(concurrency-mt-unsafe)
                            "name a file in a folder that you may write to");
    }
    std::FILE* waiting = nullptr;
    if (options.numbersComeLater) {
        waiting = temporaryFile();
        if (waiting == nullptr) {
            const int error = errno;
            std::fclose(file);
            return engine::fail("file.write",
                                fmt::format("no temporary file can be made: {}",
                                            std::strerror(error)), // NOLINT(concurrency-mt-unsafe)
                                "set TMPDIR to a folder that you may write to");
        }
    }
    return std::unique_ptr<DecisionFile>(new DecisionFile(path, file, waiting, plan, options));
}

DecisionFile::DecisionFile(std::string path, std::FILE* file, std::FILE* waiting,
                           const engine::Plan& plan, const Options& options)
    : m_path(std::move(path))
    , m_file(file)
    , m_numberless(waiting)
    , m_plan(plan)
    , m_answers(options.answers)
{
    for (const engine::PlanRule& rule : plan.rules) {
        const std::string shed
            = rule.className ? fmt::format(R"("class": {}, )", jsonString(*rule.className)) : "";
        m_ruleHeads.push_back(fmt::format(
            R"({{"rule": {}, "override": {}, {}"mode": "{}", "admits": )", jsonString(rule.rule),
            jsonOrNull(rule.overrideName), shed, engine::nameOf(rule.mode)));
    }
}

DecisionFile::~DecisionFile()
{
    if (m_file != nullptr) {
        std::fclose(m_file);
    }
    if (m_numberless != nullptr) {
        std::fclose(m_numberless);
    }
}

engine::Status DecisionFile::begin(const engine::Intake&, const engine::Replay&)
{
    m_waiting.clear();
    std::FILE* const file = m_numberless != nullptr ? m_numberless : m_file;
    std::rewind(file);
    // A pipe cannot be emptied; it can only have been written to in a first pass over a file that
    // was out of order.
    if (::ftruncate(::fileno(file), 0) != 0 && errno != EINVAL) {
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
    fmt::format_to(out, R"(, "delay_ns": {}, "late": {}, "attempt": {}, "node": {}, "rules": [)",
                   verdict.delayNs, (arrival.flags & engine::kArrivalLate) != 0, decision.attempt,
                   decision.server);
    for (std::size_t i = 0; i < decision.rules.size(); ++i) {
        m_waiting += i == 0 ? "" : ", ";
        appendRule(decision.rules[i]);
    }
    m_waiting += "]";
    if (m_answers) {
        appendAnswer(decision);
    }
    m_waiting += "}\n";
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
    m_waiting += rule.isStoreAway ? R"(, "store_away": true})" : "}";
}

/// `, "headers": {...}, "body": {...}`: the inside of an object.
void DecisionFile::appendAnswer(const engine::Decision& decision)
{
    Json json(Json::Layout::OneLine);
    json.beginObject();
    writeAnswer(json, engine::answerTo(m_plan, decision, *m_answers));
    json.end();
    std::string_view object = json.text(); // {...} and a line end
    object.remove_prefix(1);
    object.remove_suffix(2);
    m_waiting.append(", ").append(object);
}

void DecisionFile::flush()
{
    std::FILE* const file = m_numberless != nullptr ? m_numberless : m_file;
    if (m_error == 0
        && std::fwrite(m_waiting.data(), 1, m_waiting.size(), file) != m_waiting.size()) {
        m_error = errno;
    }
    m_waiting.clear();
}

/// Puts the number in the place of the place, which is the first thing in each line.
void DecisionFile::copyNumbered(const storage::RequestNumbers& numbers)
{
    std::rewind(m_numberless);
    char* line = nullptr;
    std::size_t room = 0;
    while (m_error == 0) {
        const ::ssize_t size = ::getline(&line, &room, m_numberless);
        if (size <= 0) {
            m_error = std::ferror(m_numberless) != 0 ? errno : 0;
            break;
        }
        std::string_view rest(line, static_cast<std::size_t>(size));
        rest.remove_prefix(kHead.size());
        std::uint64_t place = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), place);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        const std::string head = fmt::format("{}{}", kHead, numbers.numberOf(place));
        if (std::fwrite(head.data(), 1, head.size(), m_file) != head.size()
            || std::fwrite(rest.data(), 1, rest.size(), m_file) != rest.size()) {
            m_error = errno;
        }
    }
    std::free(line); // NOLINT: getline's
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

engine::Status DecisionFile::finish(const storage::RequestNumbers& numbers)
{
    flush();
    if (m_numberless != nullptr && m_error == 0) {
        if (std::fflush(m_numberless) != 0) {
            m_error = errno;
        } else {
            copyNumbered(numbers);
        }
    }
    const bool closed = std::fclose(m_file) == 0;
    m_file = nullptr;
    if (m_error == 0 && !closed) {
        m_error = errno;
    }
    return health();
}

} // namespace app
