#pragma once
#include "app/cli/pass_notes.h"
#include "app/workbench/suggest.h"

namespace app::cli {

/// How a key is written in tables: "client_ip, path", or "everybody together".
std::string keyName(const std::vector<std::string>& key);

/// A rule with a limit, as a policy has it: "{ name: suggested, key: [client_ip], ... }".
std::string ruleText(const std::string& name, const std::vector<std::string>& key,
                     const Measured& measured, std::int64_t limit);

struct SuggestionView {
    const Suggestion& suggestion;
    PassNotes notes;
};

/// Of which attributes the values of a largest need are.
std::vector<std::string> largestAttributes(const Suggestion& suggestion,
                                           const KeyMeasures& measures, const LargestNeed& largest);

void writeSuggestion(Context& context, const SuggestionView& view);
void writeSuggestionJson(Context& context, const SuggestionView& view);
void writeSuggestionCsv(Context& context, const SuggestionView& view);

} // namespace app::cli
