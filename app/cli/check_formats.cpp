#include "app/cli/check_formats.h"

#include "app/cli/github_command.h"
#include "app/workbench/json.h"
#include "app/workbench/text.h"
#include "app/workbench/version.h"
#include "policies/advice.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace app::cli {
namespace {

using engine::Diagnostic;

bool isError(const Diagnostic& diagnostic)
{
    return diagnostic.severity == engine::Severity::Error;
}

/// Message, reason and help, a line each.
std::string paragraphs(const Diagnostic& diagnostic)
{
    std::string text = escaped(diagnostic.message);
    if (!diagnostic.reason.empty()) {
        text += "\nreason: " + escaped(diagnostic.reason);
    }
    if (!diagnostic.help.empty()) {
        text += "\nhelp: " + escaped(diagnostic.help);
    }
    return text;
}

/// The text that a diagnostic's place points into, if it is at hand.
std::string_view textOf(const LoadedPolicy& policy, const std::string& file)
{
    if (file == policy.file) {
        return policy.text;
    }
    for (const auto& [name, bytes] : policy.lookups) {
        if (name == file) {
            return bytes;
        }
    }
    return {};
}

/// The column in code points, of one in bytes.
std::int64_t codePointColumn(std::string_view text, const engine::Place& place)
{
    std::size_t begin = 0;
    for (std::int64_t line = 1; line < place.line; ++line) {
        const std::size_t end = text.find('\n', begin);
        if (end == std::string_view::npos) {
            return place.column;
        }
        begin = end + 1;
    }
    std::int64_t column = place.column;
    const auto bytes = static_cast<std::size_t>(std::max<std::int64_t>(0, place.column - 1));
    for (const char c : text.substr(begin, bytes)) {
        column -= (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 1 : 0;
    }
    return column;
}

std::string xml(std::string_view text)
{
    return replacedIn(
        text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\n', "&#10;"}});
}

std::string nameOf(const std::string& file)
{
    return file == "-" ? "stdin" : escaped(file);
}

/// A path as a URI reference: what is not unreserved or a slash is percent-encoded.
std::string uriOf(std::string_view path)
{
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
            || (c >= '0' && c <= '9')
            || std::string_view("-._~/").find(c) != std::string_view::npos;
        uri += isPlain ? std::string({c}) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

/// The codes that were found, each once, in order.
std::vector<std::string> codesOf(const std::vector<LoadedPolicy>& policies)
{
    std::vector<std::string> codes;
    for (const LoadedPolicy& policy : policies) {
        for (const Diagnostic& diagnostic : policy.diagnostics) {
            codes.push_back(diagnostic.code);
        }
    }
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    return codes;
}

void writeText(Json& json, std::string_view name, std::string_view text)
{
    json.beginObject(name);
    json.field("text", text);
    json.end();
}

void writeSarifRules(Json& json, const std::vector<std::string>& codes)
{
    json.beginList("rules");
    for (const std::string& code : codes) {
        json.beginObject();
        json.field("id", code);
        if (const policies::AdviceCode* advice = policies::adviceCode(code)) {
            writeText(json, "shortDescription", advice->title);
            writeText(json, "fullDescription", advice->reason);
            writeText(json, "help", advice->fix);
        }
        json.end();
    }
    json.end();
}

void writeSarifLocation(Json& json, const LoadedPolicy& policy, const engine::Place& place)
{
    json.beginList("locations");
    if (place.file == policy.file || place.line > 0) {
        json.beginObject();
        json.beginObject("physicalLocation");
        json.beginObject("artifactLocation");
        json.field("uri", place.file == "-" ? nameOf(place.file) : uriOf(place.file));
        json.end();
        if (place.line > 0) {
            json.beginObject("region");
            json.field("startLine", place.line);
            json.field("startColumn", codePointColumn(textOf(policy, place.file), place));
            json.end();
        }
        json.end();
        json.end();
    }
    json.end();
}

void writeSarifResult(Json& json, const LoadedPolicy& policy, const Diagnostic& diagnostic,
                      const std::vector<std::string>& codes)
{
    const auto index = std::lower_bound(codes.begin(), codes.end(), diagnostic.code);
    json.beginObject();
    json.field("ruleId", diagnostic.code);
    json.field("ruleIndex", std::int64_t {index - codes.begin()});
    json.field("level", isError(diagnostic) ? "error" : "warning");
    json.beginObject("message");
    const bool isOfFile = diagnostic.place.line > 0 || diagnostic.place.file == policy.file;
    json.field("text",
               fmt::format("{}{}{}", isOfFile ? "" : diagnostic.place.file + ": ",
                           diagnostic.message,
                           diagnostic.help.empty() ? "" : " (" + diagnostic.help + ")"));
    json.end();
    writeSarifLocation(json, policy, diagnostic.place);
    json.end();
}

/// "8:18 window.edge", or the place alone where it has no line.
std::string caseName(const Diagnostic& diagnostic)
{
    const engine::Place& place = diagnostic.place;
    return place.line > 0 ? fmt::format("{}:{} {}", place.line, place.column, diagnostic.code)
                          : diagnostic.code;
}

std::string placed(const Diagnostic& diagnostic)
{
    const engine::Place& place = diagnostic.place;
    const std::string at
        = place.line > 0 ? fmt::format(":{}:{}", place.line, place.column) : std::string();
    return fmt::format("{}{}: {}", escaped(place.file), at, paragraphs(diagnostic));
}

std::string junitCase(const std::string& suite, const Diagnostic& diagnostic)
{
    const std::string text = xml(placed(diagnostic));
    const std::string outcome = isError(diagnostic)
        ? fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", xml(diagnostic.code),
                      xml(escaped(diagnostic.message)), text)
        : fmt::format("<system-out>{}</system-out>", text);
    return fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n      {}\n    </testcase>\n",
                       suite, xml(caseName(diagnostic)), outcome);
}

struct Suite {
    std::string xml;
    std::size_t cases = 0;
    std::size_t failures = 0;
};

Suite junitSuite(const LoadedPolicy& policy)
{
    Suite suite;
    const std::string name = xml(escaped(policy.file));
    suite.failures = static_cast<std::size_t>(
        std::count_if(policy.diagnostics.begin(), policy.diagnostics.end(), isError));
    suite.cases = policy.diagnostics.size();
    std::string cases;
    if (suite.failures == 0) {
        ++suite.cases;
        cases = fmt::format("    <testcase classname=\"{}\" name=\"valid\"/>\n", name);
    }
    for (const Diagnostic& diagnostic : policy.diagnostics) {
        cases += junitCase(name, diagnostic);
    }
    suite.xml = fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n"
        "{}  </testsuite>\n",
        name, suite.cases, suite.failures, cases);
    return suite;
}

} // namespace

std::string githubAnnotations(const std::vector<LoadedPolicy>& policies)
{
    std::string text;
    for (const LoadedPolicy& policy : policies) {
        for (const Diagnostic& diagnostic : policy.diagnostics) {
            const engine::Place& place = diagnostic.place;
            GithubCommand command {isError(diagnostic) ? "error" : "warning", diagnostic.code,
                                   paragraphs(diagnostic), nameOf(place.file), place.line};
            command.column
                = place.column > 0 ? codePointColumn(textOf(policy, place.file), place) : 0;
            text += githubCommand(command);
        }
    }
    return text;
}

std::string sarifLog(const std::vector<LoadedPolicy>& policies)
{
    const std::vector<std::string> codes = codesOf(policies);
    Json json;
    json.beginObject();
    json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json.field("version", "2.1.0");
    json.beginList("runs");
    json.beginObject();
    json.beginObject("tool");
    json.beginObject("driver");
    json.field("name", "weir");
    json.field("version", kVersion);
    writeSarifRules(json, codes);
    json.end();
    json.end();
    json.field("columnKind", "unicodeCodePoints");
    json.beginList("results");
    for (const LoadedPolicy& policy : policies) {
        for (const Diagnostic& diagnostic : policy.diagnostics) {
            writeSarifResult(json, policy, diagnostic, codes);
        }
    }
    json.end();
    json.end();
    json.end();
    json.end();
    return json.take();
}

std::string junitReport(const std::vector<LoadedPolicy>& policies)
{
    std::string suites;
    std::size_t cases = 0;
    std::size_t failed = 0;
    for (const LoadedPolicy& policy : policies) {
        const Suite suite = junitSuite(policy);
        suites += suite.xml;
        cases += suite.cases;
        failed += suite.failures;
    }
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<testsuites name=\"weir check\" tests=\"{}\" failures=\"{}\">\n"
                       "{}</testsuites>\n",
                       cases, failed, suites);
}

} // namespace app::cli
