#include "policies/language/document.h"

#include <utility>

namespace policies::language {

std::vector<engine::Diagnostic>
readDocument(const std::string& file, std::string_view bytes, std::string_view prefix,
             std::string_view beginning,
             const std::function<void(Report&, const yaml::Node&)>& read)
{
    const yaml::Source source(file, bytes, 0);
    std::vector<engine::Diagnostic> found = yaml::checkBytes(source);
    if (found.empty()) {
        const std::vector<std::string> noAdjustments;
        Report report(file, noAdjustments);
        yaml::Parsed parsed = yaml::parse(source);
        for (engine::Diagnostic& diagnostic : parsed.diagnostics) {
            report.add(std::move(diagnostic));
        }
        if (parsed.document) {
            read(report, parsed.document->root);
        }
        found = report.take();
    }
    constexpr std::string_view kPolicy = "policy.";
    for (engine::Diagnostic& diagnostic : found) {
        if (diagnostic.code == "policy.empty") {
            diagnostic.help = beginning;
        }
        if (diagnostic.code.starts_with(kPolicy)) {
            diagnostic.code.replace(0, kPolicy.size(), prefix);
        }
    }
    return found;
}

} // namespace policies::language
