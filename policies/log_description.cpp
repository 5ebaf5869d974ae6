#include "policies/log_description.h"

#include "engine/result.h"
#include "policies/language/document.h"
#include "policies/language/fields.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace policies {
namespace {

using language::Fields;

constexpr std::array<std::string_view, 2> kTopFields {"logs", "groups"};
constexpr std::array<std::string_view, 8> kGroupFields {
    "files", "name", "log_format", "map", "tz", "trusted_proxies", "clock", "note"};
constexpr std::string_view kVersion = "1";

struct Unit {
    std::string_view name;
    std::int64_t ns;
};

constexpr std::array<Unit, 6> kUnits {{{"ns", 1},
                                       {"us", 1'000},
                                       {"ms", 1'000'000},
                                       {"s", 1'000'000'000},
                                       {"min", 60'000'000'000},
                                       {"h", 3'600'000'000'000}}};

/// "+1.2s", "-350ms": a sign, digits with or without a point, a unit. At most a year.
std::optional<std::int64_t> clockOf(std::string_view text)
{
    if (text.empty() || (text.front() != '+' && text.front() != '-')) {
        return std::nullopt;
    }
    const bool isNegative = text.front() == '-';
    text.remove_prefix(1);
    const std::size_t unitAt = text.find_first_not_of("0123456789.");
    const std::string_view unitName = unitAt == text.npos ? "" : text.substr(unitAt);
    const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                   [unitName](const Unit& one) { return one.name == unitName; });
    const std::string_view number = text.substr(0, unitAt);
    const std::size_t point = number.find('.');
    const std::string_view whole = number.substr(0, point);
    const std::string_view fraction = point == number.npos ? "" : number.substr(point + 1);
    if (unit == kUnits.end() || whole.empty() || whole.size() > 18
        || fraction.find('.') != fraction.npos || (point != number.npos && fraction.empty())) {
        return std::nullopt;
    }
    std::int64_t ns = 0;
    for (const char digit : whole) {
        ns = ns * 10 + (digit - '0');
    }
    constexpr std::int64_t kYear = std::int64_t {366} * 24 * 3'600'000'000'000;
    if (__builtin_mul_overflow(ns, unit->ns, &ns) || ns > kYear) {
        return std::nullopt;
    }
    std::int64_t digitNs = unit->ns;
    for (const char digit : fraction) {
        if (digitNs % 10 != 0 && digit != '0') { // exact or refused: a clock is not rounded
            return std::nullopt;
        }
        digitNs /= 10;
        ns += (digit - '0') * digitNs;
    }
    return isNegative ? -ns : ns;
}

class Reader {
public:
    Reader(std::string file, language::Report& report)
        : m_file(std::move(file))
        , m_report(report)
    {
    }

    LogDescription read(const yaml::Node& root)
    {
        LogDescription description;
        const Fields fields(m_report, root, "the log description", kTopFields);
        fields.require("logs", "write `logs: 1`");
        if (const yaml::Item* version = fields.scalar("logs", kVersion);
            version != nullptr && version->value.text != kVersion) {
            m_report.error("policy.version", version->value.at,
                           fmt::format("`logs: {}` is a version of the log description that is "
                                       "not known here",
                                       version->value.text),
                           "write `logs: 1`");
        }
        fields.require("groups", "write `groups:` and below it `- files: [\"*.log\"]`");
        const yaml::Item* groups = fields.item("groups");
        if (groups != nullptr && groups->value.kind != yaml::Kind::Sequence) {
            language::reportType(m_report, groups->value, "`groups`", "a list",
                                 "write `- files: [\"*.log\"]`");
        } else if (groups != nullptr) {
            for (const yaml::Item& item : groups->value.items) {
                description.groups.push_back(group(item, description.groups.size() + 1));
            }
            if (groups->value.items.empty()) {
                m_report.error("policy.empty-list", groups->value.at, "`groups` is empty",
                               "write `- files: [\"*.log\"]`");
            }
        }
        return description;
    }

private:
    [[nodiscard]] LogText textOf(std::string text, const Span& at) const
    {
        return {std::move(text), {m_file, at.line, at.column}};
    }

    std::optional<LogText> text(const Fields& fields, std::string_view name,
                                std::string_view wanted)
    {
        const yaml::Item* item = fields.scalar(name, wanted);
        if (item == nullptr) {
            return std::nullopt;
        }
        if (item->value.text.empty()) {
            m_report.error("policy.empty-value", item->value.at,
                           fmt::format("{} is empty", fields.subject(name)),
                           fmt::format("write `{}: {}`, or leave it out", name, wanted));
            return std::nullopt;
        }
        return textOf(item->value.text, item->value.at);
    }

    std::vector<LogText> texts(const Fields& fields, std::string_view name)
    {
        std::vector<LogText> found;
        if (const yaml::Item* item = fields.item(name)) {
            const std::string subject = fields.subject(name);
            for (Word& word : language::wordsOf(m_report, item->value, subject, true)) {
                if (word.text.empty()) {
                    m_report.error("policy.empty-value", word.at,
                                   fmt::format("an item of {} is empty", subject), "remove it");
                } else {
                    found.push_back(textOf(std::move(word.text), word.at));
                }
            }
            if (item->value.kind == yaml::Kind::Sequence && item->value.items.empty()) {
                m_report.error("policy.empty-list", item->value.at, subject + " is empty",
                               "name what belongs there, or leave it out");
            }
        }
        return found;
    }

    std::vector<LogText> mappings(const Fields& fields)
    {
        std::vector<LogText> found;
        const yaml::Item* map = fields.item("map");
        if (map == nullptr) {
            return found;
        }
        if (map->value.kind != yaml::Kind::Map) {
            language::reportType(m_report, map->value, fields.subject("map"), "a map of fields",
                                 "write `map: { api_key: http_x_key }`");
            return found;
        }
        for (const yaml::Item& item : map->value.items) {
            const std::string subject
                = fmt::format("`{}` of {}", item.key.text, fields.subject("map"));
            if (item.value.kind == yaml::Kind::Null) {
                language::reportNoValue(m_report, item, subject);
                continue;
            }
            for (const Word& field : language::wordsOf(m_report, item.value, subject, true)) {
                found.push_back(textOf(item.key.text + "=" + field.text, field.at));
            }
        }
        return found;
    }

    LogGroup group(const yaml::Item& item, std::size_t number)
    {
        LogGroup group;
        const Span& at = item.value.at;
        group.place = {m_file, at.line, at.column};
        const yaml::Item* name = yaml::find(item.value, "name");
        const bool isNamed = name != nullptr && name->value.kind == yaml::Kind::Scalar;
        group.name = isNamed ? name->value.text : fmt::format("group {}", number);
        const Fields fields(m_report, item.value,
                            isNamed ? fmt::format("group `{}`", group.name) : group.name,
                            kGroupFields);
        text(fields, "name", "edge");
        text(fields, "note", "TEXT");
        fields.require("files", "write `files: [\"*.log\"]`");
        group.files = texts(fields, "files");
        group.logFormat = text(fields, "log_format", "nginx-combined");
        group.map = mappings(fields);
        group.tz = text(fields, "tz", "Europe/Berlin");
        group.trustedProxies = texts(fields, "trusted_proxies");
        if (const auto clock = text(fields, "clock", "+1.2s")) {
            group.clockNs = clockOf(clock->text);
            if (!group.clockNs) {
                m_report.error(
                    "logs.clock", fields.item("clock")->value.at,
                    fmt::format("{}: `{}` is no difference of clocks", fields.subject("clock"),
                                clock->text),
                    "write what is added to each stamp: a sign, a number and ns, us, ms, "
                    "s, min or h, as `+1.2s`");
            }
        }
        return group;
    }

    std::string m_file;
    language::Report& m_report;
};

} // namespace

CheckedLogs readLogDescription(std::string fileName, std::string_view bytes)
{
    CheckedLogs checked;
    LogDescription description;
    checked.diagnostics
        = language::readDocument(fileName, bytes, "logs.", "begin with `logs: 1` and `groups:`",
                                 [&](language::Report& report, const yaml::Node& root) {
                                     description = Reader(fileName, report).read(root);
                                 });
    if (checked.diagnostics.empty()) {
        checked.description = std::move(description);
    }
    return checked;
}

} // namespace policies
