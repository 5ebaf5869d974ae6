#include "policies/language/report.h"

#include <algorithm>
#include <tuple>

namespace policies::language {

Report::Report(std::string file, const std::vector<std::string>& adjustments)
    : m_file(std::move(file))
    , m_adjustments(adjustments)
{
}

engine::Place Report::placeOf(const Span& at) const
{
    if (at.source == 0) {
        return {m_file, at.line, at.column};
    }
    return {m_adjustments[at.source - 1], 0, 0};
}

void Report::error(std::string code, const Span& at, std::string message, std::string help)
{
    engine::Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    add(std::move(diagnostic), at);
}

void Report::error(const engine::Diagnostic& diagnostic, const Span& at)
{
    error(diagnostic.code, at, diagnostic.message, diagnostic.help);
}

void Report::add(engine::Diagnostic diagnostic)
{
    m_found.push_back(std::move(diagnostic));
}

void Report::add(engine::Diagnostic diagnostic, const Span& at)
{
    diagnostic.place = placeOf(at);
    m_found.push_back(std::move(diagnostic));
}

bool Report::hasErrors() const
{
    return std::any_of(m_found.begin(), m_found.end(), [](const engine::Diagnostic& diagnostic) {
        return diagnostic.severity == engine::Severity::Error;
    });
}

std::vector<engine::Diagnostic> Report::take()
{
    const auto order = [&](const engine::Diagnostic& one) {
        return std::make_tuple(one.place.file != m_file, one.place.line, one.place.column);
    };
    std::stable_sort(m_found.begin(), m_found.end(),
                     [&](const auto& a, const auto& b) { return order(a) < order(b); });
    return std::move(m_found);
}

} // namespace policies::language
