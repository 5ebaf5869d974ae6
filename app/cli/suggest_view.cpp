#include "app/cli/suggest_view.h"

#include "app/cli/run_view.h"
#include "app/workbench/figure_table.h"
#include "app/workbench/figures_text.h"
#include "app/workbench/text.h"
#include "policies/rates.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app::cli {
namespace {

using Align = TextTable::Align;

/// "sliding_window_log 1min", "token_bucket 10/s".
std::string kindText(const Measured& measured)
{
    return fmt::format("{} {}", engine::nameOf(measured.algorithm),
                       measured.isWindow() ? policies::textOfDuration(measured.rate.periodNs)
                                           : policies::textOf(measured.rate));
}

std::string limitText(const Measured& measured, std::int64_t limit)
{
    return measured.isWindow() ? policies::textOf({limit, measured.rate.periodNs})
                               : fmt::format("burst {}", limit);
}

std::string sharesText(const NeedShares& shares)
{
    return fmt::format("p50 {}, p90 {}, p99 {}, p99.9 {}, most {}", grouped(shares.p50),
                       grouped(shares.p90), grouped(shares.p99), grouped(shares.p999),
                       grouped(shares.most));
}

std::string headroomText(const LimitEffect& effect)
{
    if (effect.largestServed == 0) {
        return "-";
    }
    const auto limit = static_cast<std::uint64_t>(effect.limit);
    return fmt::format("{} ({} free)", grouped(effect.largestServed),
                       percent(limit - effect.largestServed, limit));
}

std::string countText(std::uint64_t part, std::uint64_t whole)
{
    return fmt::format("{} ({})", grouped(part), percent(part, whole));
}

/// One line for each kind of limit on each key, with its suggestion.
std::string sideBySide(const Suggestion& suggestion, bool colour)
{
    std::vector<TextTable::Column> columns {{"key", Align::Left},
                                            {"measured as", Align::Left},
                                            {"suggested", Align::Left},
                                            {"rejected", Align::Right},
                                            {"keys", Align::Right}};
    if (suggestion.hasStop) {
        columns.push_back({"stopped", Align::Right});
    }
    if (suggestion.hasProtect) {
        columns.push_back({"customers hit", Align::Right});
    }
    TextTable table(std::move(columns));
    const std::optional<Suggestion::Choice> best = suggestion.best();
    for (std::size_t key = 0; key < suggestion.keys.size(); ++key) {
        const KeyMeasures& measures = suggestion.keys[key];
        for (std::size_t i = 0; i < measures.measured.size(); ++i) {
            const Measured& measured = measures.measured[i];
            if (!measured.suggested) {
                table.add({keyName(measures.key), kindText(measured), "none"}, Style::Faint);
                continue;
            }
            const LimitEffect& effect = measured.effects[*measured.suggested];
            std::vector<std::string> cells {keyName(measures.key), kindText(measured),
                                            limitText(measured, effect.limit),
                                            countText(effect.requests, suggestion.requests),
                                            countText(effect.keys, measures.keys)};
            if (suggestion.hasStop) {
                cells.push_back(countText(effect.stopped, suggestion.toStop));
            }
            if (suggestion.hasProtect) {
                cells.push_back(countText(effect.customers, suggestion.customers));
            }
            const bool isBest = best && best->key == key && best->measured == i;
            table.add(std::move(cells), isBest ? Style::Strong : Style::Plain);
        }
    }
    return table.render(colour);
}

std::string curve(const Suggestion& suggestion, const KeyMeasures& measures,
                  const Measured& measured, bool colour)
{
    std::vector<TextTable::Column> columns {{"limit", Align::Right},
                                            {"rejected", Align::Right},
                                            {"keys", Align::Right},
                                            {"", Align::Left},
                                            {"largest served", Align::Left}};
    if (suggestion.hasStop) {
        columns.push_back({"stopped", Align::Right});
    }
    if (suggestion.hasProtect) {
        columns.push_back({"customers hit", Align::Right});
        columns.push_back({"their requests", Align::Right});
    }
    columns.push_back({"", Align::Left});
    TextTable table(std::move(columns), 4);
    std::uint64_t most = 0;
    for (const LimitEffect& effect : measured.effects) {
        most = std::max(most, effect.requests);
    }
    for (std::size_t i = 0; i < measured.effects.size(); ++i) {
        const LimitEffect& effect = measured.effects[i];
        std::vector<std::string> cells {grouped(static_cast<std::uint64_t>(effect.limit)),
                                        countText(effect.requests, suggestion.requests),
                                        countText(effect.keys, measures.keys),
                                        bar(effect.requests, most), headroomText(effect)};
        if (suggestion.hasStop) {
            cells.push_back(countText(effect.stopped, suggestion.toStop));
        }
        if (suggestion.hasProtect) {
            cells.push_back(grouped(effect.customers));
            cells.push_back(grouped(effect.protectedRequests));
        }
        cells.push_back(fmt::format("{}", fmt::join(effect.reasons, ", ")));
        table.add(std::move(cells), measured.suggested == i ? Style::Strong : Style::Plain);
    }
    return table.render(colour);
}

/// "the largest customer is k-pro-1: 34".
std::string largestText(const Suggestion& suggestion, const KeyMeasures& measures,
                        const LargestNeed& largest, const SecretAttributes& secrets)
{
    const std::vector<std::string> attributes = largestAttributes(suggestion, measures, largest);
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < largest.values.size(); ++i) {
        shown.push_back(secrets.shown(attributes[i], largest.values[i]));
    }
    const std::string name = !shown.empty() ? fmt::format("{}", fmt::join(shown, ", "))
        : largest.isCustomer                ? "(none)"
                                            : keyName(measures.key);
    return fmt::format("    the largest {} is {}: {}\n", largest.isCustomer ? "customer" : "key",
                       escaped(name), grouped(largest.need));
}

/// All of one key: its measures, each with its curve.
std::string keyText(const SuggestionView& view, const KeyMeasures& measures, bool colour)
{
    std::string text = fmt::format("\n{}: {} keys, {} requests",
                                   painted(escaped(keyName(measures.key)), Style::Strong, colour),
                                   grouped(measures.keys), grouped(measures.requests));
    text += measures.without > 0
        ? fmt::format(" ({} without it are not limited)\n", grouped(measures.without))
        : "\n";
    for (const Measured& measured : measures.measured) {
        text += fmt::format("  {}\n    keys need {}\n    requests need {}{}\n", kindText(measured),
                            sharesText(measured.keys), measured.isWindow() ? "" : "at most ",
                            sharesText(measured.requests));
        if (measured.knee) {
            text += fmt::format("    the knee is at {}: above it keys need {} or more\n",
                                grouped(measured.knee->below), grouped(measured.knee->above));
        }
        if (measured.largest.need > 0) {
            text += largestText(view.suggestion, measures, measured.largest, view.notes.secrets);
        }
        text += curve(view.suggestion, measures, measured, colour);
    }
    return text;
}

std::string bestText(const Suggestion& suggestion)
{
    if (const std::optional<Suggestion::Choice> best = suggestion.best()) {
        const KeyMeasures& measures = suggestion.keys[best->key];
        const Measured& measured = measures.measured[best->measured];
        return fmt::format("\n{} As a rule:\n  {}\n",
                           suggestion.hasStop ? "Stops most." : "Rejects fewest.",
                           escaped(ruleText("suggested", measures.key, measured,
                                            measured.effects[*measured.suggested].limit)));
    }
    return suggestion.hasStop
        ? "\nNo limit on these keys stops any of that without hitting a customer.\n"
        : "\nNothing to suggest.\n";
}

/// What was read, and whom it is about.
std::string headText(const Suggestion& suggestion)
{
    std::string text = fmt::format("{} requests; who is {}\n", grouped(suggestion.requests),
                                   escaped(suggestion.who));
    if (suggestion.hasStop) {
        text += fmt::format("to stop: {} requests\n", grouped(suggestion.toStop));
    }
    if (suggestion.hasProtect) {
        text += fmt::format("to protect: {} requests of {} customers\n",
                            grouped(suggestion.toProtect), grouped(suggestion.customers));
    }
    return text;
}

std::vector<Cell> csvCells(const Suggestion& suggestion, const KeyMeasures& measures,
                           const Measured& measured, std::size_t i)
{
    const LimitEffect& effect = measured.effects[i];
    const auto ifAsked
        = [](bool asked, std::uint64_t count) { return asked ? Cell::number(count) : Cell {}; };
    return {Cell::value(keyName(measures.key)),
            Cell::words(std::string(engine::nameOf(measured.algorithm))),
            measured.isWindow() ? Cell {} : Cell::words(policies::textOf(measured.rate)),
            measured.isWindow() ? Cell::duration(measured.rate.periodNs) : Cell {},
            Cell::number(static_cast<std::uint64_t>(effect.limit)),
            Cell::words(measured.suggested == i ? "yes" : "no"),
            Cell::number(effect.requests),
            Cell::number(effect.keys),
            ifAsked(suggestion.hasStop, effect.stopped),
            ifAsked(suggestion.hasProtect, effect.protectedRequests),
            ifAsked(suggestion.hasProtect, effect.customers),
            Cell::number(effect.largestServed),
            Cell::words(fmt::format("{}", fmt::join(effect.reasons, ", ")))};
}

} // namespace

std::vector<std::string> largestAttributes(const Suggestion& suggestion,
                                           const KeyMeasures& measures, const LargestNeed& largest)
{
    return largest.isCustomer ? std::vector<std::string> {suggestion.who} : measures.key;
}

std::string keyName(const std::vector<std::string>& key)
{
    return key.empty() ? "everybody together" : fmt::format("{}", fmt::join(key, ", "));
}

std::string ruleText(const std::string& name, const std::vector<std::string>& key,
                     const Measured& measured, std::int64_t limit)
{
    const std::string values = measured.isWindow()
        ? fmt::format("rate: {}", policies::textOf({limit, measured.rate.periodNs}))
        : fmt::format("rate: {}, burst: {}", policies::textOf(measured.rate), limit);
    std::string attributes;
    for (const std::string& attribute : key) {
        attributes += (attributes.empty() ? "" : ", ") + policies::textOfName(attribute);
    }
    return fmt::format("{{ name: {}, key: [{}], algorithm: {}, {} }}", name, attributes,
                       engine::nameOf(measured.algorithm), values);
}

void writeSuggestion(Context& context, const SuggestionView& view)
{
    const bool colour = context.common.colour;
    const Suggestion& suggestion = view.suggestion;
    context.out.write(headText(suggestion) + "\n" + sideBySide(suggestion, colour));
    writeSampled(context, view.notes.sampled);
    for (const KeyMeasures& measures : suggestion.keys) {
        context.out.write(keyText(view, measures, colour));
        writeSampled(context, view.notes.sampled);
    }
    context.out.write(bestText(suggestion));
    writeNotes(context, view.notes.notes, view.notes.badLines, KeyNames(view.notes.secrets));
}

void writeSuggestionCsv(Context& context, const SuggestionView& view)
{
    FigureTable table {"limits", {}, {}};
    for (const char* const id :
         {"key", "algorithm", "rate", "window_ns", "limit", "suggested", "requests", "keys",
          "stopped", "protected_requests", "customers", "largest_served", "reasons"}) {
        table.columns.push_back({id, {}});
    }
    for (const KeyMeasures& measures : view.suggestion.keys) {
        for (const Measured& measured : measures.measured) {
            for (std::size_t i = 0; i < measured.effects.size(); ++i) {
                table.add(csvCells(view.suggestion, measures, measured, i));
            }
        }
    }
    context.out.write(csvTables({table}));
    sayNotes(context.messages, view.notes);
}

} // namespace app::cli
