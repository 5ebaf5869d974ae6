#include "app/workbench/cases.h"

#include "app/workbench/case_outcome.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/scenario_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace app {
namespace {

using policies::CaseStep;
using policies::CaseText;

constexpr std::int64_t kMostRequests = 1'000'000; ///< of a test

engine::Failure failAt(const engine::Place& place, std::string code, std::string message,
                       std::string help)
{
    engine::Failure failure = engine::fail(std::move(code), std::move(message), std::move(help));
    failure.diagnostic.place = place;
    return failure;
}

/// A step with everything that its texts mean.
struct Step {
    const CaseStep* written = nullptr;
    std::size_t first = 0; ///< its first request, in the test
    std::size_t times = 1;
    std::vector<CaseOutcome> inOrder;
    std::vector<std::pair<CaseOutcome, CaseRange>> totals;

    [[nodiscard]] bool expectsSomething() const { return !inOrder.empty() || !totals.empty(); }

    /// Which of the outcomes a request is held against.
    [[nodiscard]] const CaseOutcome& outcomeOf(std::size_t request) const
    {
        std::size_t end = 0;
        for (const CaseOutcome& outcome : inOrder) {
            end += static_cast<std::size_t>(outcome.count.value_or(1));
            if (request < end) {
                return outcome;
            }
        }
        return inOrder.back(); // the only one, without a number: for all
    }
};

engine::Result<std::int64_t> numberIn(const CaseText& text)
{
    const std::optional<std::int64_t> number = parseWhole(text.text);
    if (!number || *number < 1) {
        return failAt(text.place, "cases.number",
                      fmt::format("`{}` is no number of requests", text.text),
                      "write 1 or more, in digits");
    }
    return *number;
}

engine::Result<std::int64_t> durationIn(const CaseText& text)
{
    const std::optional<std::int64_t> ns = readSeconds(text.text);
    if (!ns) {
        return failAt(text.place, "cases.time", fmt::format("`{}` is no duration", text.text),
                      "write seconds (0.25) or a duration (250ms)");
    }
    return *ns;
}

/// `+1s` is after the request before, `10s` after the start, or a time.
engine::Result<std::int64_t> timeIn(const CaseText& text, std::int64_t startNs, std::int64_t lastNs)
{
    const bool isRelative = text.text.starts_with('+');
    const std::string_view rest = std::string_view(text.text).substr(isRelative ? 1 : 0);
    if (const std::optional<std::int64_t> ns = readSeconds(rest)) {
        std::int64_t time = 0;
        if (!__builtin_add_overflow(isRelative ? lastNs : startNs, *ns, &time)) {
            return time;
        }
        return failAt(text.place, "cases.time", fmt::format("`{}` is beyond all time", text.text),
                      "write an earlier time: they end in the year 2262");
    } else if (const engine::Result<std::int64_t> time = parseTime(rest); time && !isRelative) {
        return *time;
    }
    return failAt(text.place, "cases.time", fmt::format("`{}` is no time", text.text),
                  "write +1s (after the request before), 10s (after the start), or "
                  "2026-11-28T12:00:00Z");
}

/// Makes one test into a scenario, and its steps into what they mean.
class Test {
public:
    explicit Test(const policies::CaseTest& written)
        : m_written(written)
    {
    }

    Scenario scenario;
    std::vector<Step> steps;
    std::int64_t startNs = 0;

    engine::Status read()
    {
        scenario.file = m_written.place.file;
        if (m_written.start) {
            const engine::Result<std::int64_t> start = timeIn(*m_written.start, 0, 0);
            if (!start) {
                return engine::fail(start.error());
            }
            startNs = *start;
        }
        m_lastNs = startNs;
        for (const CaseStep& written : m_written.steps) {
            if (engine::Status status = add(written); !status) {
                return status;
            }
        }
        return engine::Done {};
    }

private:
    engine::Status readOutcomes(const CaseStep& written, Step& step)
    {
        for (const CaseText& text : written.inOrder) {
            engine::Result<CaseOutcome> outcome = readOutcome(text);
            if (!outcome) {
                return engine::fail(outcome.error());
            }
            step.inOrder.push_back(std::move(*outcome));
        }
        for (const auto& [name, count] : written.totals) {
            engine::Result<CaseOutcome> outcome = readOutcome(name);
            const std::optional<CaseRange> range = readRange(count.text, false);
            if (!outcome) {
                return engine::fail(outcome.error());
            }
            if (!range) {
                return failAt(count.place, "cases.number",
                              fmt::format("`{}` is no number of requests", count.text),
                              "write `60` or `59..61`");
            }
            step.totals.emplace_back(std::move(*outcome), *range);
        }
        return engine::Done {};
    }

    /// How many requests the step has, by `times` or by the outcomes that are counted.
    engine::Status readTimes(const CaseStep& written, Step& step)
    {
        std::int64_t counted = 0;
        for (const CaseOutcome& outcome : step.inOrder) {
            if (__builtin_add_overflow(counted, outcome.count.value_or(1), &counted)) {
                counted = kMostRequests + 1;
                break;
            }
        }
        const bool isForAll = step.inOrder.size() == 1 && !step.inOrder.front().count;
        std::int64_t times = step.inOrder.empty() || isForAll ? 1 : counted;
        if (written.times) {
            const engine::Result<std::int64_t> given = numberIn(*written.times);
            if (!given) {
                return engine::fail(given.error());
            }
            times = *given;
        }
        const auto before = static_cast<std::int64_t>(scenario.cases.size());
        if (times > kMostRequests - before) {
            return failAt(
                written.place, "cases.too-many",
                fmt::format("test `{}` has more than {} requests", m_written.name, kMostRequests),
                "divide it, or replay a log");
        }
        if (!step.inOrder.empty() && !isForAll && counted != times) {
            return failAt(
                step.inOrder.front().place, "cases.count",
                fmt::format("the outcomes are of {} requests, the step has {}", counted, times),
                "write outcomes of as many requests, as `[60 admitted, 3 rejected]`");
        }
        step.times = static_cast<std::size_t>(times);
        return engine::Done {};
    }

    void nameAttributes(const CaseStep& written, ScenarioCase& request)
    {
        for (const auto& [name, value] : written.attributes) {
            const auto known = std::find_if(
                scenario.attributes.begin(), scenario.attributes.end(),
                [&name = name](const auto& attribute) { return attribute.first == name.text; });
            if (known == scenario.attributes.end()) {
                scenario.attributes.emplace_back(name.text, name.place);
            }
            if (!value.text.empty()) {
                request.attributes.emplace_back(name.text, value.text);
            }
        }
    }

    engine::Status add(const CaseStep& written)
    {
        Step step;
        step.written = &written;
        step.first = scenario.cases.size();
        if (engine::Status status = readOutcomes(written, step); !status) {
            return status;
        }
        if (engine::Status status = readTimes(written, step); !status) {
            return status;
        }
        const engine::Result<std::int64_t> every
            = written.every ? durationIn(*written.every) : engine::Result<std::int64_t>(0);
        const engine::Result<std::int64_t> duration
            = written.duration ? durationIn(*written.duration) : engine::Result<std::int64_t>(-1);
        const engine::Result<std::int64_t> at = written.at ? timeIn(*written.at, startNs, m_lastNs)
                                                           : engine::Result<std::int64_t>(m_lastNs);
        for (const engine::Result<std::int64_t>* one : {&every, &duration, &at}) {
            if (!*one) {
                return engine::fail(one->error());
            }
        }
        ScenarioCase request;
        request.line = written.place.line;
        request.durationNs = *duration;
        nameAttributes(written, request);
        addNames(step, request);
        m_lastNs = *at;
        for (std::size_t i = 0; i < step.times; ++i) {
            if (i > 0 && __builtin_add_overflow(m_lastNs, *every, &m_lastNs)) {
                return failAt(written.place, "cases.time", "the step ends after all time",
                              "write a shorter `every`");
            }
            request.atNs = m_lastNs;
            scenario.cases.push_back(request);
            request.expected.clear(); // once is enough to find unknown rules
        }
        steps.push_back(std::move(step));
        return engine::Done {};
    }

    static void addNames(const Step& step, ScenarioCase& request)
    {
        const auto add = [&request](const CaseOutcome& outcome) {
            request.line = outcome.place.line;
            const std::vector<Expectation> named = outcome.named();
            request.expected.insert(request.expected.end(), named.begin(), named.end());
        };
        for (const CaseOutcome& outcome : step.inOrder) {
            add(outcome);
        }
        for (const auto& [outcome, count] : step.totals) {
            add(outcome);
        }
    }

    const policies::CaseTest& m_written;
    std::int64_t m_lastNs = 0;
};

/// Holds the steps of a test against what the policy answered.
class Judge {
public:
    Judge(const Test& test, const Answers& answers)
        : m_test(test)
        , m_answers(answers)
    {
    }

    [[nodiscard]] std::optional<FailedStep> failure(const Step& step) const
    {
        return step.totals.empty() ? failureInOrder(step) : failureOfTotals(step);
    }

    /// What the step would have to expect, in the form that it has.
    [[nodiscard]] policies::Expected seen(const Step& step) const
    {
        return step.totals.empty() ? seenInOrder(step) : seenTotals(step);
    }

private:
    [[nodiscard]] policies::Expected seenInOrder(const Step& step) const
    {
        policies::Expected expected;
        const std::size_t end = step.first + step.times;
        for (std::size_t at = step.first; at < end;) {
            std::vector<std::size_t> run;
            for (std::size_t next = at; next < end && isAlike(m_answers, at, next); ++next) {
                run.push_back(next);
            }
            const CaseOutcome* like
                = step.inOrder.empty() ? nullptr : &step.outcomeOf(at - step.first);
            const std::string text = outcomeText(m_answers, run, like);
            expected.inOrder.push_back(
                run.size() == step.times ? text : fmt::format("{} {}", run.size(), text));
            at += run.size();
        }
        return expected;
    }

    /// Requests with one outcome are one total, wherever they stand; it asks what the first total
    /// of that outcome asked.
    [[nodiscard]] policies::Expected seenTotals(const Step& step) const
    {
        std::vector<std::pair<const CaseOutcome*, std::vector<std::size_t>>> groups;
        for (std::size_t i = step.first; i < step.first + step.times; ++i) {
            const auto asked
                = std::find_if(step.totals.begin(), step.totals.end(), [&](const auto& total) {
                      CaseOutcome bare = total.first;
                      bare.clauses.clear();
                      return bare.holds(m_answers, i);
                  });
            const CaseOutcome* like = asked == step.totals.end() ? nullptr : &asked->first;
            auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) {
                return one.first == like && isAlike(m_answers, one.second.front(), i, like);
            });
            if (group == groups.end()) {
                group = groups.insert(groups.end(), {like, {}});
            }
            group->second.push_back(i);
        }
        policies::Expected expected;
        for (const auto& [like, requests] : groups) {
            expected.totals.emplace_back(outcomeText(m_answers, requests, like),
                                         fmt::format("{}", requests.size()));
        }
        return expected;
    }

    [[nodiscard]] FailedStep failedAt(const Step& step, std::size_t request) const
    {
        FailedStep failed;
        failed.step = static_cast<std::size_t>(&step - m_test.steps.data()) + 1;
        failed.line = step.written->place.line;
        failed.request = request - step.first + 1;
        failed.requests = step.times;
        failed.afterNs = m_test.scenario.cases[request].atNs - m_test.startNs;
        failed.said = m_answers.said(request);
        return failed;
    }

    [[nodiscard]] std::optional<FailedStep> failureInOrder(const Step& step) const
    {
        std::optional<FailedStep> failed;
        for (std::size_t i = 0; i < step.times && !step.inOrder.empty(); ++i) {
            const CaseOutcome& outcome = step.outcomeOf(i);
            const std::size_t request = step.first + i;
            if (outcome.holds(m_answers, request)) {
                continue;
            }
            if (!failed) {
                failed = failedAt(step, request);
                failed->line = outcome.place.line;
                failed->expected = outcome.text;
                failed->seen = outcomeText(m_answers, {request}, &outcome);
            }
            ++failed->wrong;
        }
        return failed;
    }

    [[nodiscard]] std::optional<FailedStep> failureOfTotals(const Step& step) const
    {
        std::vector<std::int64_t> counts(step.totals.size());
        std::optional<std::size_t> unforeseen;
        for (std::size_t i = step.first; i < step.first + step.times; ++i) {
            bool isForeseen = false;
            for (std::size_t k = 0; k < step.totals.size(); ++k) {
                const bool holds = step.totals[k].first.holds(m_answers, i);
                counts[k] += holds ? 1 : 0;
                isForeseen = isForeseen || holds;
            }
            unforeseen = isForeseen || unforeseen ? unforeseen : i;
        }
        std::vector<std::string> wanted;
        bool isAsExpected = !unforeseen;
        for (std::size_t k = 0; k < counts.size(); ++k) {
            const auto& [outcome, range] = step.totals[k];
            isAsExpected = isAsExpected && counts[k] >= range.low && counts[k] <= range.high;
            const std::string high = range.low < range.high ? fmt::format("..{}", range.high) : "";
            wanted.push_back(fmt::format("{}{} {}", range.low, high, outcome.text));
        }
        if (isAsExpected) {
            return std::nullopt;
        }
        FailedStep failed = failedAt(step, unforeseen.value_or(step.first + step.times - 1));
        failed.expected = fmt::format("{}", fmt::join(wanted, ", "));
        std::vector<std::string> were;
        for (const auto& [outcome, count] : seen(step).totals) {
            were.push_back(fmt::format("{} {}", count, outcome));
        }
        failed.seen = fmt::format("{}", fmt::join(were, ", "));
        return failed;
    }

    const Test& m_test;
    const Answers& m_answers;
};

} // namespace

engine::Result<PlayedCases> playCases(const policies::Cases& cases, const engine::Plan& plan)
{
    PlayedCases played;
    for (std::size_t t = 0; t < cases.tests.size(); ++t) {
        Test test(cases.tests[t]);
        if (const engine::Status status = test.read(); !status) {
            return engine::fail(status.error());
        }
        const engine::Result<Answers> answers = answersTo(test.scenario, plan);
        if (!answers) {
            return engine::fail(answers.error());
        }
        PlayedTest report;
        report.name = cases.tests[t].name;
        report.line = cases.tests[t].place.line;
        report.requests = test.scenario.cases.size();
        const Judge judge(test, *answers);
        for (std::size_t s = 0; s < test.steps.size(); ++s) {
            std::optional<FailedStep> failed = judge.failure(test.steps[s]);
            if (failed || !test.steps[s].expectsSomething()) {
                played.seen.push_back(judge.seen(test.steps[s]));
                played.seen.back().test = t;
                played.seen.back().step = s;
            }
            if (failed) {
                report.failed.push_back(std::move(*failed));
            }
        }
        played.tests.push_back(std::move(report));
    }
    return played;
}

} // namespace app
