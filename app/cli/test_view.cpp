#include "app/cli/test_view.h"

#include "app/workbench/figure_table.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/text.h"

#include <fmt/format.h>

namespace app::cli {
namespace {

std::string counted(std::size_t number, std::string_view one)
{
    return fmt::format("{} {}{}", number, one, number == 1 ? "" : "s");
}

std::string caseText(const std::string& file, const FailedCase& failed)
{
    std::string text = fmt::format("{}:{}: case {} is not as expected\n", escaped(file),
                                   failed.line, failed.number);
    for (const Mismatch& mismatch : failed.mismatches) {
        text += fmt::format("  {}: expected {}, was {}\n", escaped(mismatch.column),
                            escaped(mismatch.expected), escaped(mismatch.seen));
    }
    for (const std::string& line : failed.said) {
        text += fmt::format("    {}\n", escaped(line));
    }
    return text;
}

std::size_t failuresIn(const PlayedCases& cases)
{
    std::size_t failures = 0;
    for (const PlayedTest& test : cases.tests) {
        failures += test.failed.size();
    }
    return failures;
}

std::string stepText(const FailedStep& failed)
{
    std::string text = fmt::format("step {}", failed.step);
    if (failed.requests > 1) {
        text += fmt::format(", request {} of {}", failed.request, failed.requests);
    }
    text += fmt::format(", at {} s: expected {}, was {}", secondsText(failed.afterNs),
                        escaped(failed.expected), escaped(failed.seen));
    if (failed.wrong > 1) {
        text += fmt::format(" ({} more of this step)", failed.wrong - 1);
    }
    return text;
}

void writeTable(Output& out, const std::string& file, const ScenarioReport& report)
{
    for (const FailedCase& failed : report.failed) {
        out.write(caseText(file, failed));
    }
    out.write(fmt::format("{}: {}, {}\n", escaped(file), counted(report.cases, "case"),
                          report.failed.empty()
                              ? std::string("all as expected")
                              : fmt::format("{} not as expected", report.failed.size())));
}

void writeCases(Output& out, const PlayedFile& played)
{
    std::size_t requests = 0;
    std::size_t failedTests = 0;
    for (const PlayedTest& test : played.cases->tests) {
        requests += test.requests;
        failedTests += test.failed.empty() ? 0U : 1U;
        for (const FailedStep& failed : test.failed) {
            out.write(fmt::format("{}:{}: test `{}`, {}\n", escaped(played.file), failed.line,
                                  escaped(test.name), stepText(failed)));
            for (const std::string& line : failed.said) {
                out.write(fmt::format("    {}\n", escaped(line)));
            }
        }
    }
    const std::string outcome = failedTests > 0 ? fmt::format("{} failed", failedTests)
        : played.updated > 0 ? counted(played.updated, "expectation") + " updated"
                             : "all as expected";
    out.write(fmt::format("{}: {} with {}, {}\n", escaped(played.file),
                          counted(played.cases->tests.size(), "test"), counted(requests, "request"),
                          outcome));
}

void writeCase(Json& json, const FailedCase& failed)
{
    json.beginObject();
    json.field("case", std::uint64_t {failed.number});
    json.field("line", failed.line);
    json.beginList("mismatches");
    for (const Mismatch& mismatch : failed.mismatches) {
        json.beginObject();
        json.field("column", mismatch.column);
        json.field("expected", mismatch.expected);
        json.field("seen", mismatch.seen);
        json.end();
    }
    json.end();
    json.beginList("said");
    for (const std::string& line : failed.said) {
        json.value(line);
    }
    json.end();
    json.end();
}

void writeStep(Json& json, const PlayedTest& test, const FailedStep& failed)
{
    json.beginObject();
    json.field("test", test.name);
    json.field("step", std::uint64_t {failed.step});
    json.field("line", failed.line);
    json.field("request", std::uint64_t {failed.request});
    json.field("requests", std::uint64_t {failed.requests});
    json.field("wrong", std::uint64_t {failed.wrong});
    json.field("after_ns", failed.afterNs);
    json.field("expected", failed.expected);
    json.field("seen", failed.seen);
    json.beginList("said");
    for (const std::string& line : failed.said) {
        json.value(line);
    }
    json.end();
    json.end();
}

void writeFile(Json& json, const PlayedFile& played)
{
    json.beginObject();
    json.field("file", played.file);
    if (played.table) {
        json.field("cases", std::uint64_t {played.table->cases});
    } else {
        json.field("tests", std::uint64_t {played.cases->tests.size()});
        json.field("updated", std::uint64_t {played.updated});
    }
    json.beginList("failed");
    if (played.table) {
        for (const FailedCase& failed : played.table->failed) {
            writeCase(json, failed);
        }
    } else {
        for (const PlayedTest& test : played.cases->tests) {
            for (const FailedStep& failed : test.failed) {
                writeStep(json, test, failed);
            }
        }
    }
    json.end();
    json.end();
}

std::string failureXml(std::string_view message, const std::vector<std::string>& said)
{
    std::string text = fmt::format("      <failure message=\"{}\">\n", htmlText(message));
    for (const std::string& line : said) {
        text += htmlText(line) + "\n";
    }
    return text + "      </failure>\n";
}

std::string caseXml(std::string_view file, std::string_view name, const std::string& failures)
{
    const std::string head
        = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", htmlText(file), htmlText(name));
    return failures.empty() ? head + "/>\n" : head + ">\n" + failures + "    </testcase>\n";
}

std::string tableXml(const PlayedFile& played)
{
    std::string failures;
    for (const FailedCase& failed : played.table->failed) {
        std::string message = fmt::format("line {}", failed.line);
        for (const Mismatch& mismatch : failed.mismatches) {
            message += fmt::format("; {}: expected {}, was {}", mismatch.column, mismatch.expected,
                                   mismatch.seen);
        }
        failures += failureXml(message, failed.said);
    }
    return caseXml(played.file, counted(played.table->cases, "case"), failures);
}

std::string casesXml(const PlayedFile& played)
{
    std::string text;
    for (const PlayedTest& test : played.cases->tests) {
        std::string failures;
        for (const FailedStep& failed : test.failed) {
            failures += failureXml(fmt::format("line {}, {}", failed.line, stepText(failed)),
                                   failed.said);
        }
        text += caseXml(played.file, test.name, failures);
    }
    return text;
}

} // namespace

std::size_t failuresIn(const std::vector<PlayedFile>& all)
{
    std::size_t failures = 0;
    for (const PlayedFile& played : all) {
        failures += played.table ? played.table->failed.size() : failuresIn(*played.cases);
    }
    return failures;
}

void writeText(Output& out, const std::vector<PlayedFile>& all)
{
    for (const PlayedFile& played : all) {
        if (played.table) {
            writeTable(out, played.file, *played.table);
        } else {
            writeCases(out, played);
        }
    }
}

void writeJson(Context& context, const std::vector<PlayedFile>& all)
{
    Json json;
    json.beginObject();
    json.field("failed", std::uint64_t {failuresIn(all)});
    json.beginList("tables");
    for (const PlayedFile& played : all) {
        writeFile(json, played);
    }
    json.end();
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

void writeJunit(Output& out, const std::vector<PlayedFile>& all)
{
    out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (const PlayedFile& played : all) {
        std::size_t tests = 1;
        std::size_t failed = 0;
        if (played.table) {
            failed = played.table->failed.empty() ? 0 : 1;
        } else {
            tests = played.cases->tests.size();
            for (const PlayedTest& test : played.cases->tests) {
                failed += test.failed.empty() ? 0U : 1U;
            }
        }
        out.write(fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}"
                              "  </testsuite>\n",
                              htmlText(played.file), tests, failed,
                              played.table ? tableXml(played) : casesXml(played)));
    }
    out.write("</testsuites>\n");
}

} // namespace app::cli
