#include "app/cli/messages.h"

#include "app/workbench/table.h"
#include "app/workbench/text.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace app::cli {
namespace {

std::string placeText(const engine::Place& place)
{
    std::string text = escaped(place.file);
    if (place.line > 0) {
        text += fmt::format("{}{}", text.empty() ? "line " : ":", place.line);
        text += place.column > 0 ? fmt::format(":{}", place.column) : "";
    }
    return text;
}

engine::Diagnostic diagnosticOf(engine::Severity severity, std::string code, std::string message,
                                std::string help)
{
    engine::Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    return diagnostic;
}

std::optional<std::int64_t> known(std::int64_t position)
{
    return position > 0 ? std::optional(position) : std::nullopt;
}

} // namespace

std::string rendered(const engine::Diagnostic& diagnostic, bool colour)
{
    const bool isError = diagnostic.severity == engine::Severity::Error;
    const std::string label
        = fmt::format("{}[{}]:", isError ? "error" : "warning", diagnostic.code);
    std::string text
        = fmt::format("weir: {} {}\n", painted(label, isError ? Style::Bad : Style::Warn, colour),
                      painted(escaped(diagnostic.message), Style::Strong, colour));
    if (const std::string place = placeText(diagnostic.place); !place.empty()) {
        text += fmt::format(" --> {}\n", place);
    }
    if (!diagnostic.reason.empty()) {
        text += fmt::format("reason: {}\n", escaped(diagnostic.reason));
    }
    if (!diagnostic.help.empty()) {
        text += fmt::format("help: {}\n", escaped(diagnostic.help));
    }
    return text;
}

void writeDiagnostics(Json& json, std::span<const engine::Diagnostic> diagnostics)
{
    json.beginList("diagnostics");
    for (const engine::Diagnostic& diagnostic : diagnostics) {
        const engine::Place& place = diagnostic.place;
        json.beginObject();
        json.field("code", diagnostic.code);
        json.field("severity", diagnostic.severity == engine::Severity::Error ? "error" : "advice");
        json.field("file", place.file.empty() ? std::nullopt : std::optional(place.file));
        json.field("line", known(place.line));
        json.field("column", known(place.column));
        json.field("message",
                   diagnostic.reason.empty() ? diagnostic.message
                                             : diagnostic.message + ": " + diagnostic.reason);
        json.field("help", diagnostic.help);
        json.end();
    }
    json.end();
}

std::size_t countOf(std::span<const engine::Diagnostic> diagnostics, engine::Severity severity)
{
    return static_cast<std::size_t>(
        std::count_if(diagnostics.begin(), diagnostics.end(),
                      [severity](const engine::Diagnostic& d) { return d.severity == severity; }));
}

Messages::Messages(int descriptor, Output& results, Options options)
    : m_descriptor(descriptor)
    , m_results(results)
    , m_options(options)
{
}

void Messages::write(const std::string& text)
{
    m_results.flush();
    transient({});
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(m_descriptor, rest.data(), rest.size());
        if (written < 0 && errno != EINTR) {
            return; // there is nobody left to tell
        }
        rest.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

void Messages::show(const engine::Diagnostic& diagnostic)
{
    m_all.push_back(diagnostic);
    if (diagnostic.severity == engine::Severity::Error || !m_options.quiet) {
        write(rendered(diagnostic, m_options.colour));
    }
}

void Messages::show(std::span<const engine::Diagnostic> diagnostics)
{
    for (const engine::Diagnostic& diagnostic : diagnostics) {
        show(diagnostic);
    }
}

void Messages::error(std::string code, std::string message, std::string help)
{
    show(diagnosticOf(engine::Severity::Error, std::move(code), std::move(message),
                      std::move(help)));
}

void Messages::warning(std::string code, std::string message, std::string help)
{
    show(diagnosticOf(engine::Severity::Advice, std::move(code), std::move(message),
                      std::move(help)));
}

void Messages::note(std::string_view sentence)
{
    if (!m_options.quiet) {
        write(fmt::format("weir: note: {}\n", escaped(sentence)));
    }
}

void Messages::transient(std::string_view line)
{
    if (!m_options.transient || (line.empty() && !m_hasTransient)) {
        return;
    }
    m_hasTransient = !line.empty();
    const std::string text = fmt::format("\r\x1b[K{}", escaped(line));
    [[maybe_unused]] const ssize_t written = ::write(m_descriptor, text.data(), text.size());
}

} // namespace app::cli
