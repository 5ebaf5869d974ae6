#include "app/console/author/value_edits.h"

#include "app/console/author/limit_edits.h"
#include "app/console/author/option_edits.h"
#include "app/console/author/slot_edits.h"
#include "app/console/frame/values.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace app::console {

namespace {

template <class T> std::optional<T> valueOf(const policies::Given<T>& field)
{
    return field ? std::optional(field->value) : std::nullopt;
}

struct Maker {
    std::string_view field;
    ValueEdit* (*make)(const QString& label);
};

constexpr std::array<Maker, 22> kMakers {{
    {"rate", [](const QString&) { return makeRateEdit(); }},
    {"burst", [](const QString&) { return makeBurstEdit(); }},
    {"tolerance",
     [](const QString& label) {
         return makeDurationEdit(
             label, [](const FieldSource& s) { return valueOf(s.values.toleranceNs); }, {});
     }},
    {"queue",
     [](const QString& label) { return makeCountEdit(label, &policies::Values::queue, {}); }},
    {"delay_after",
     [](const QString& label) {
         return makeCountEdit(label, &policies::Values::delayAfter, QStringLiteral("0"));
     }},
    {"in_flight",
     [](const QString& label) { return makeCountEdit(label, &policies::Values::inFlight, {}); }},
    {"capacity",
     [](const QString& label) { return makeCountEdit(label, &policies::Values::capacity, {}); }},
    {"classes", [](const QString&) { return makeClassesEdit(); }},
    {"strategy", [](const QString&) { return makeStrategyEdit(); }},
    {"initial",
     [](const QString& label) {
         return makeBoundEdit(label, &policies::Rule::initial, &engine::Limit::initial);
     }},
    {"min",
     [](const QString& label) {
         return makeBoundEdit(label, &policies::Rule::minimum, &engine::Limit::minimum);
     }},
    {"max",
     [](const QString& label) {
         return makeBoundEdit(label, &policies::Rule::maximum, &engine::Limit::maximum);
     }},
    {"tighten", [](const QString&) { return makeTightenEdit(); }},
    {"align",
     [](const QString& label) {
         return makeChoiceEdit(
             label, {QStringLiteral("on the clock"), QStringLiteral("with the first request")},
             {"", "first_request"}, [](const FieldSource& s) {
                 return valueOf(s.rule.alignToFirstRequest).value_or(false) ? 1 : 0;
             });
     }},
    {"anchor",
     [](const QString& label) {
         return makeDurationEdit(
             label, [](const FieldSource& s) { return valueOf(s.rule.anchorNs); },
             QStringLiteral("0"));
     }},
    {"rounding",
     [](const QString&) {
         return makeFlagEdit(
             QStringLiteral("round the estimate down"), "floor",
             [](const FieldSource& s) { return valueOf(s.rule.floorEstimate).value_or(false); });
     }},
    {"count_rejected",
     [](const QString&) {
         return makeFlagEdit(
             QStringLiteral("rejected requests count, too"), "true",
             [](const FieldSource& s) { return valueOf(s.rule.countRejected).value_or(false); });
     }},
    {"assume_duration",
     [](const QString& label) {
         return makeDurationEdit(
             label, [](const FieldSource& s) { return valueOf(s.rule.assumeDurationNs); }, {});
     }},
    {"cost", [](const QString&) { return makeCostEdit(); }},
    {"status", [](const QString&) { return makeStatusEdit(); }},
    {"on_store_failure",
     [](const QString& label) {
         return makeChoiceEdit(
             label,
             {QStringLiteral("open: admits"), QStringLiteral("closed: rejects"),
              QStringLiteral("local: counts by itself")},
             {"", "closed", "local"}, [](const FieldSource& s) {
                 return static_cast<int>(
                     valueOf(s.rule.onStoreFailure).value_or(engine::StoreFailure::Open));
             });
     }},
    {"note", [](const QString&) { return makeNoteEdit(); }},
}};

} // namespace

ValueEdit* makeValueEdit(std::string_view field)
{
    const auto maker = std::find_if(kMakers.begin(), kMakers.end(),
                                    [&](const Maker& one) { return one.field == field; });
    if (maker == kMakers.end()) {
        std::abort();
    }
    return maker->make(labelOf(field));
}

QString labelOf(std::string_view field)
{
    struct Row {
        std::string_view field;
        const char* label;
    };

    static constexpr std::array kLabels {
        Row {"rate", "Rate"},
        Row {"burst", "Burst"},
        Row {"tolerance", "Tolerance"},
        Row {"queue", "Queue"},
        Row {"delay_after", "Delay after"},
        Row {"in_flight", "In flight"},
        Row {"capacity", "Capacity"},
        Row {"classes", "Classes"},
        Row {"strategy", "Strategy"},
        Row {"initial", "At first"},
        Row {"min", "At least"},
        Row {"max", "At most"},
        Row {"tighten", "Tighten"},
        Row {"align", "Windows begin"},
        Row {"anchor", "Anchor"},
        Row {"rounding", "Rounding"},
        Row {"count_rejected", "Rejected"},
        Row {"assume_duration", "If unknown"},
        Row {"cost", "Cost"},
        Row {"status", "Status"},
        Row {"on_store_failure", "Store fails"},
        Row {"note", "Note"},
    };
    for (const Row& row : kLabels) {
        if (row.field == field) {
            return QString::fromLatin1(row.label);
        }
    }
    return words(field);
}

std::optional<policies::Span> spanOf(const policies::Rule& rule, const policies::Values& values,
                                     std::string_view field)
{
    std::optional<policies::Span> span;
    const auto look = [&](std::string_view name, const auto& given) {
        if (name == field && given) {
            span = given->at;
        }
    };
    look("rate", values.rate);
    look("burst", values.burst);
    look("tolerance", values.toleranceNs);
    look("queue", values.queue);
    look("delay_after", values.delayAfter);
    look("in_flight", values.inFlight);
    look("capacity", values.capacity);
    look("classes", rule.classes);
    look("strategy", rule.strategy);
    look("initial", rule.initial);
    look("min", rule.minimum);
    look("max", rule.maximum);
    look("tighten", rule.tighten);
    look("cost", values.cost);
    look("mode", values.mode);
    look("align", rule.alignToFirstRequest);
    look("anchor", rule.anchorNs);
    look("rounding", rule.floorEstimate);
    look("count_rejected", rule.countRejected);
    look("assume_duration", rule.assumeDurationNs);
    look("status", rule.status);
    look("on_store_failure", rule.onStoreFailure);
    look("note", rule.note);
    look("name", std::optional(rule.name));
    look("key", std::optional(rule.key));
    look("algorithm", std::optional(rule.algorithm));
    if (field == "match" && rule.match) {
        span = rule.match->at;
    }
    return span;
}

} // namespace app::console
