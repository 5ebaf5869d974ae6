#include "app/cli/run_view.h"
#include "app/cli/suggest_view.h"
#include "app/workbench/json.h"
#include "policies/rates.h"

namespace app::cli {
namespace {

void writeShares(Json& json, std::string_view name, const NeedShares& shares)
{
    json.beginObject(name);
    json.field("p50", std::uint64_t {shares.p50});
    json.field("p90", std::uint64_t {shares.p90});
    json.field("p99", std::uint64_t {shares.p99});
    json.field("p999", std::uint64_t {shares.p999});
    json.field("most", std::uint64_t {shares.most});
    json.end();
}

void writeEffect(Json& json, const LimitEffect& effect)
{
    json.beginObject();
    json.field("limit", effect.limit);
    json.beginList("reasons");
    for (const std::string& reason : effect.reasons) {
        json.value(reason);
    }
    json.end();
    json.field("requests", effect.requests);
    json.field("keys", effect.keys);
    json.field("stopped", effect.stopped);
    json.field("protected_requests", effect.protectedRequests);
    json.field("customers", effect.customers);
    json.field("largest_served", std::uint64_t {effect.largestServed});
    json.end();
}

void writeLargest(Json& json, const SuggestionView& view, const KeyMeasures& measures,
                  const LargestNeed& largest)
{
    json.key("largest");
    if (largest.need == 0) {
        json.null();
        return;
    }
    const std::vector<std::string> attributes = attributesOf(view.suggestion, measures, largest);
    json.beginObject();
    json.field("of", largest.isCustomer ? "customers" : "keys");
    json.beginObject("values");
    for (std::size_t i = 0; i < largest.values.size(); ++i) {
        json.field(attributes[i], view.notes.secrets.shown(attributes[i], largest.values[i]));
    }
    json.end();
    json.field("need", std::uint64_t {largest.need});
    json.end();
}

void writeMeasured(Json& json, const SuggestionView& view, const KeyMeasures& measures,
                   const Measured& measured)
{
    json.beginObject();
    json.field("algorithm", engine::nameOf(measured.algorithm));
    json.key("rate");
    isWindow(measured) ? json.null() : json.value(policies::textOf(measured.rate));
    json.key("window_ns");
    isWindow(measured) ? json.value(measured.rate.periodNs) : json.null();
    writeShares(json, "keys_need", measured.keys);
    writeShares(json, "requests_need", measured.requests);
    json.key("knee");
    if (measured.knee) {
        json.beginObject();
        json.field("below", std::uint64_t {measured.knee->below});
        json.field("above", std::uint64_t {measured.knee->above});
        json.end();
    } else {
        json.null();
    }
    writeLargest(json, view, measures, measured.largest);
    json.key("suggested");
    if (measured.suggested) {
        const std::int64_t limit = measured.effects[*measured.suggested].limit;
        json.beginObject();
        json.field("limit", limit);
        json.field("rule", ruleText("suggested", measures.key, measured, limit));
        json.end();
    } else {
        json.null();
    }
    json.beginList("effects");
    for (const LimitEffect& effect : measured.effects) {
        writeEffect(json, effect);
    }
    json.end();
    json.end();
}

} // namespace

void writeSuggestionJson(Context& context, const SuggestionView& view)
{
    const Suggestion& suggestion = view.suggestion;
    Json json;
    json.beginObject();
    json.field("requests", suggestion.requests);
    json.field("who", suggestion.who);
    json.key("stop");
    suggestion.hasStop ? json.value(suggestion.toStop) : json.null();
    json.key("protect");
    suggestion.hasProtect ? json.value(suggestion.toProtect) : json.null();
    json.key("customers");
    suggestion.hasProtect ? json.value(suggestion.customers) : json.null();
    json.beginList("keys");
    for (const KeyMeasures& measures : suggestion.keys) {
        json.beginObject();
        json.beginList("key");
        for (const std::string& attribute : measures.key) {
            json.value(attribute);
        }
        json.end();
        json.field("keys", measures.keys);
        json.field("requests", measures.requests);
        json.field("without", measures.without);
        json.beginList("measured");
        for (const Measured& measured : measures.measured) {
            writeMeasured(json, view, measures, measured);
        }
        json.end();
        json.end();
    }
    json.end();
    json.key("best");
    if (const std::optional<Suggestion::Choice> best = suggestion.best()) {
        json.beginObject();
        json.field("key", std::uint64_t {best->key});
        json.field("measured", std::uint64_t {best->measured});
        json.end();
    } else {
        json.null();
    }
    writeNotesJson(json, view.notes.notes, view.notes.badLines);
    writeDiagnostics(json, context.messages.all());
    json.end();
    context.out.write(json.take());
}

} // namespace app::cli
