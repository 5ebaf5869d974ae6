#include "app/cli/run_view.h"
#include "app/cli/suggest_view.h"
#include "app/workbench/json.h"
#include "policies/rates.h"

namespace app::cli {
namespace {

void writeShares(Json& json, std::string_view name, const NeedShares& shares, bool isExact)
{
    json.beginObject(name);
    json.field("exact", isExact);
    json.field("p50", std::uint64_t {shares.p50});
    json.field("p90", std::uint64_t {shares.p90});
    json.field("p99", std::uint64_t {shares.p99});
    json.field("p999", std::uint64_t {shares.p999});
    json.field("most", std::uint64_t {shares.most});
    json.end();
}

/// null where nobody asked, or there is none.
void writeIf(Json& json, std::string_view name, bool asked, std::uint64_t count)
{
    json.key(name);
    asked ? json.value(count) : json.null();
}

void writeEffect(Json& json, const Suggestion& suggestion, const LimitEffect& effect)
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
    writeIf(json, "stopped", suggestion.hasStop, effect.stopped);
    writeIf(json, "protected_requests", suggestion.hasProtect, effect.protectedRequests);
    writeIf(json, "customers", suggestion.hasProtect, effect.customers);
    writeIf(json, "largest_served", effect.largestServed > 0, effect.largestServed);
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
    const std::vector<std::string> attributes
        = largestAttributes(view.suggestion, measures, largest);
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

void writeKnee(Json& json, const Measured& measured)
{
    json.key("knee");
    if (measured.knee) {
        json.beginObject();
        json.field("below", std::uint64_t {measured.knee->below});
        json.field("above", std::uint64_t {measured.knee->above});
        json.end();
    } else {
        json.null();
    }
}

void writeMeasured(Json& json, const SuggestionView& view, const KeyMeasures& measures,
                   const Measured& measured)
{
    json.beginObject();
    json.field("algorithm", engine::nameOf(measured.algorithm));
    json.key("rate");
    measured.isWindow() ? json.null() : json.value(policies::textOf(measured.rate));
    json.key("window_ns");
    measured.isWindow() ? json.value(measured.rate.periodNs) : json.null();
    writeShares(json, "keys_need", measured.keys, true);
    writeShares(json, "requests_need", measured.requests, measured.isWindow());
    writeKnee(json, measured);
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
        writeEffect(json, view.suggestion, effect);
    }
    json.end();
    json.end();
}

void writeMeasures(Json& json, const SuggestionView& view, const KeyMeasures& measures)
{
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

} // namespace

void writeSuggestionJson(Context& context, const SuggestionView& view)
{
    const Suggestion& suggestion = view.suggestion;
    Json json;
    json.beginObject();
    json.field("requests", suggestion.requests);
    json.field("who", suggestion.who);
    writeIf(json, "stop", suggestion.hasStop, suggestion.toStop);
    writeIf(json, "protect", suggestion.hasProtect, suggestion.toProtect);
    writeIf(json, "customers", suggestion.hasProtect, suggestion.customers);
    json.beginList("keys");
    for (const KeyMeasures& measures : suggestion.keys) {
        writeMeasures(json, view, measures);
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
