#include "app/workbench/rule_text.h"

#include "app/workbench/figures_text.h"

#include <fmt/format.h>

namespace app {

std::string limitText(const engine::PlanRule& rule)
{
    const engine::Limit& limit = rule.limit;
    std::string text(engine::nameOf(limit.algorithm));
    if (limit.algorithm == engine::Algorithm::Concurrency) {
        return text + fmt::format(", in_flight {}", limit.inFlight);
    }
    if (limit.algorithm == engine::Algorithm::AdaptiveConcurrency) {
        return text
            + fmt::format(", {}, {} to {}", engine::nameOf(limit.strategy), limit.minimum,
                          limit.maximum);
    }
    if (limit.algorithm == engine::Algorithm::LoadShedder) {
        text += fmt::format(", {}, capacity {}", engine::nameOf(limit.strategy), limit.inFlight);
        return text + (limit.upTo == 100 ? "" : fmt::format(", up_to {}%", limit.upTo));
    }
    text += fmt::format(", {} per {}", limit.rate.count, durationText(limit.rate.periodNs));
    if (limit.algorithm == engine::Algorithm::TokenBucket
        || limit.algorithm == engine::Algorithm::Gcra) {
        text += limit.toleranceNs ? fmt::format(", tolerance {}", durationText(*limit.toleranceNs))
                                  : fmt::format(", burst {}", limit.burst);
    }
    if (limit.algorithm == engine::Algorithm::LeakyBucket) {
        text += fmt::format(", queue {}", limit.queue);
    }
    return text;
}

std::string keyText(const engine::PlanRule& rule, const std::vector<std::string>& key)
{
    std::string text;
    for (std::size_t i = 0; i < key.size(); ++i) {
        text += fmt::format("{}{}={}", i == 0 ? "" : ", ", rule.key[i], key[i]);
    }
    return text.empty() ? "one bucket for all" : text;
}

void writeRuleFields(Json& json, const engine::PlanRule& rule, const std::vector<std::string>& key)
{
    json.field("rule", rule.rule);
    json.field("override", rule.overrideName);
    json.field("class", rule.className);
    json.field("tier", engine::nameOf(rule.tier));
    json.field("mode", engine::nameOf(rule.mode));
    json.field("algorithm", engine::nameOf(rule.limit.algorithm));
    json.beginObject("key");
    for (std::size_t i = 0; i < key.size(); ++i) {
        json.field(rule.key[i], key[i]);
    }
    json.end();
}

} // namespace app
