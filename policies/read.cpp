#include "policies/read.h"

#include "policies/language/build.h"
#include "policies/yaml/parse.h"

#include <fmt/format.h>
#include <memory>

namespace policies {

Checked read(std::string fileName, std::string_view bytes)
{
    const yaml::Source source(fileName, bytes, 0);
    language::Origin origin;
    origin.file = std::move(fileName);
    origin.found = yaml::checkBytes(source);
    if (!origin.found.empty()) {
        return language::build(nullptr, std::move(origin));
    }
    yaml::Parsed parsed = yaml::parse(source);
    origin.found = std::move(parsed.diagnostics);
    origin.text = std::string(bytes);
    std::shared_ptr<const yaml::Document> document;
    if (parsed.document) {
        document = std::make_shared<const yaml::Document>(std::move(*parsed.document));
    }
    return language::build(std::move(document), std::move(origin));
}

std::string render(const engine::Diagnostic& diagnostic)
{
    const char* severity = diagnostic.severity == engine::Severity::Error ? "error" : "advice";
    std::string place = diagnostic.place.file;
    if (diagnostic.place.line > 0) {
        place += fmt::format(":{}:{}", diagnostic.place.line, diagnostic.place.column);
    }
    place += place.empty() ? "" : ": ";
    return fmt::format("{}{}[{}]: {}{}{}", place, severity, diagnostic.code, diagnostic.message,
                       diagnostic.help.empty() ? "" : " | ", diagnostic.help);
}

const Rule* Policy::rule(std::string_view ruleName) const
{
    for (const std::vector<Rule>& rules : tiers) {
        for (const Rule& one : rules) {
            if (one.name.value == ruleName) {
                return &one;
            }
        }
    }
    return nullptr;
}

} // namespace policies
