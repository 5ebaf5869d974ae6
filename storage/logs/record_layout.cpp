#include "storage/logs/record_layout.h"

#include "engine/attributes.h"
#include "storage/logs/formats.h"
#include "storage/logs/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>

namespace storage::logs {
namespace {

bool contains(std::span<const std::string_view> list, std::string_view text)
{
    return std::find(list.begin(), list.end(), text) != list.end();
}

} // namespace

std::optional<std::size_t> RecordLayout::indexOf(std::string_view field) const
{
    const auto found = std::find(fields.begin(), fields.end(), field);
    return found == fields.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - fields.begin()));
}

const FieldMapping* RecordLayout::mappingOf(std::string_view name) const
{
    const auto found
        = std::find_if(options.mappings.begin(), options.mappings.end(),
                       [&](const FieldMapping& mapping) { return mapping.name == name; });
    return found == options.mappings.end() ? nullptr : &*found;
}

std::optional<std::size_t> RecordLayout::sourceOf(std::string_view attribute) const
{
    if (const FieldMapping* mapping = mappingOf(attribute)) {
        return indexOf(mapping->field);
    }
    for (const RecordSource& source : rules.sources) {
        if (source.attribute == attribute) {
            if (const auto found = indexOf(source.field)) {
                return found;
            }
        }
    }
    const auto own = indexOf(attribute);
    return own || !mayBeHeader(attribute) ? own : indexOf("http_" + std::string(attribute));
}

/// Whether a header's field stands in for an attribute that the log has not: authorization is
/// http_authorization. What has a meaning of its own (user, client_ip) is never a header's word.
bool RecordLayout::mayBeHeader(std::string_view attribute) const
{
    return !engine::isBuiltIn(attribute)
        && std::none_of(rules.sources.begin(), rules.sources.end(),
                        [&](const RecordSource& source) { return source.attribute == attribute; });
}

bool RecordLayout::isTimeField(std::string_view field) const
{
    return field == rules.start
        || std::any_of(rules.stamps.begin(), rules.stamps.end(),
                       [&](const RecordStamp& stamp) { return stamp.field == field; })
        || std::any_of(rules.durations.begin(), rules.durations.end(),
                       [&](const RecordDuration& duration) { return duration.field == field; });
}

std::vector<std::string> RecordLayout::attributes() const
{
    std::vector<std::string> names;
    std::vector<std::string_view> used {rules.request};
    if (request) {
        used.push_back(fields[*request]);
    }
    std::unordered_set<std::string> known;
    const auto add = [&](std::string_view name) {
        if (!name.empty() && known.emplace(name).second) {
            names.emplace_back(name);
        }
    };
    for (const std::string_view attribute : engine::kBuiltInAttributes) {
        const auto field = sourceOf(attribute);
        const bool split = (attribute == "method" && request)
            || ((attribute == "path" || attribute == "query") && (request || target));
        const bool timed = attribute == "duration" && (!durations.empty() || !sum.empty() || start);
        // A target may be an absolute URL, whoever the log is of.
        const bool named = (request || target) && (attribute == "host" || attribute == "scheme");
        if (field || split || timed || named) {
            add(attribute);
        }
        if (field) {
            used.push_back(fields[*field]);
        }
    }
    for (const FieldMapping& mapping : options.mappings) {
        if (mapping.name != "time" && mapping.name != "start" && mapping.name != "request") {
            add(mapping.name);
        }
    }
    for (const RecordSource& source : rules.sources) {
        if (sourceOf(source.attribute)) {
            add(source.attribute);
        }
    }
    for (const std::string& field : fields) {
        if (!isTimeField(field) && !contains(used, field)) {
            add(field);
        }
    }
    return names;
}

namespace {

engine::Failure noSuchField(const FieldMapping& mapping, const std::vector<std::string>& fields)
{
    const std::string near = nearestWord(mapping.field, fields);
    engine::Failure failure = engine::fail(
        "log.map",
        fmt::format("the log's format has no field {} to be {}", mapping.field, mapping.name),
        fields.empty() ? "name a field of the format"
                       : fmt::format("{}it has: {}",
                                     near.empty() ? "" : fmt::format("did you mean {}? ", near),
                                     fmt::join(fields, ", ")));
    failure.diagnostic.place = mapping.place;
    return failure;
}

} // namespace

engine::Status RecordLayout::applyMappings()
{
    for (FieldMapping& mapping : options.mappings) {
        std::int64_t unitNs = kSecondNs;
        if (mapping.name == "duration" && !indexOf(mapping.field)) {
            const DurationField field = durationField(mapping.field);
            unitNs = field.unitNs;
            mapping.field = std::string(field.field);
        } else if (mapping.name == "duration") {
            unitNs = durationField(mapping.field).unitNs;
        }
        const auto field = indexOf(mapping.field);
        if (!field) {
            return noSuchField(mapping, fields);
        }
        if (mapping.name == "duration") {
            durations = {{*field, unitNs}};
            sum.clear();
        } else if (mapping.name == "time" || mapping.name == "start") {
            start.reset();
            stamps.insert(stamps.begin(), {*field, mapping.name == "start"});
        }
    }
    return engine::Done {};
}

engine::Result<RecordLayout> RecordLayout::make(const RecordRules& rules,
                                                std::vector<std::string> fields,
                                                const FormatOptions& options)
{
    RecordLayout layout;
    layout.rules = rules;
    layout.fields = std::move(fields);
    layout.options = options;
    for (const RecordStamp& stamp : rules.stamps) {
        if (const auto field = layout.indexOf(stamp.field)) {
            layout.stamps.push_back({*field, stamp.isStart});
        }
    }
    for (const RecordDuration& duration : rules.durations) {
        if (const auto field = layout.indexOf(duration.field)) {
            layout.durations.push_back({*field, duration.unitNs});
        }
    }
    for (const std::string_view part : rules.sum) {
        if (const auto field = layout.indexOf(part)) {
            layout.sum.push_back(*field);
        }
    }
    layout.start = layout.indexOf(rules.start);
    if (auto done = layout.applyMappings(); !done) {
        return engine::fail(done.error());
    }
    layout.client = layout.sourceOf("client_ip");
    layout.clientIsList = layout.client && contains(rules.lists, layout.fields[*layout.client]);
    const FieldMapping* const line = layout.mappingOf("request");
    layout.request = layout.indexOf(line != nullptr ? line->field : rules.request);
    if (const FieldMapping* path = layout.mappingOf("path")) {
        layout.target = layout.indexOf(path->field);
    }
    for (std::size_t i = 0; i < rules.targets.size() && !layout.target; ++i) {
        // The first is better than the request line; the others stand in for it.
        if (i == 0 || !layout.request) {
            layout.target = layout.indexOf(rules.targets[i]);
        }
    }
    layout.status = layout.sourceOf("status");
    layout.lastRequired = layout.stamps.empty() ? 0 : layout.stamps.front().field;
    for (const auto& field : {layout.client, layout.request, layout.target, layout.status}) {
        layout.lastRequired = std::max(layout.lastRequired, field.value_or(0));
    }
    return layout;
}

} // namespace storage::logs
