#include "storage/log_format.h"

#include "storage/logs/detection.h"
#include "storage/logs/formats.h"
#include "storage/logs/mixed_format.h"
#include "storage/logs/text.h"
#include "storage/logs/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace storage {
namespace {

std::string listOfNames()
{
    std::string list;
    for (const auto& name : logFormatNames()) {
        list += (list.empty() ? "" : ", ") + name;
    }
    return list;
}

std::string helpFor(std::string_view name)
{
    const std::string near = logs::nearestWord(name, logFormatNames());
    return near.empty()
        ? fmt::format("write one of {}, or an nginx log_format or Apache LogFormat in quotes",
                      listOfNames())
        : fmt::format("did you mean {}?", near);
}

} // namespace

void LogFormat::collectFields(std::string_view /*line*/, FieldNames& /*names*/) const { }

engine::Result<FieldMapping> parseMapping(std::string_view text)
{
    const auto equals = text.find('=');
    std::string_view field
        = equals == std::string_view::npos ? std::string_view {} : text.substr(equals + 1);
    field.remove_prefix(std::min(field.find_first_not_of('$'), field.size()));
    if (field.empty() || equals == 0) {
        return engine::fail("log.map", fmt::format("{} is no NAME=FIELD", text),
                            "write the attribute, `=`, and the log's field: api_key=http_x_key");
    }
    return FieldMapping {std::string(text.substr(0, equals)), std::string(field)};
}

std::vector<std::string> logFormatNames()
{
    std::vector<std::string> names;
    for (const auto& entry : logs::formats()) {
        names.emplace_back(entry.name);
    }
    return names;
}

namespace {

/// A configuration of Apache, or a LogFormat whose literals hold a `$`.
bool isApacheText(std::string_view text)
{
    return logs::trimmed(text).starts_with('%') || text.find("LogFormat") != std::string_view::npos
        || text.find("CustomLog") != std::string_view::npos;
}

/// "alb,elb".
engine::Result<std::shared_ptr<const LogFormat>> formatOfList(std::string_view list,
                                                              const FormatOptions& options)
{
    std::vector<std::shared_ptr<const LogFormat>> formats;
    for (bool more = true; more;) {
        const auto comma = list.find(',');
        auto format = logFormat(logs::trimmed(list.substr(0, comma)), options);
        if (!format) {
            return format;
        }
        formats.push_back(std::move(*format));
        more = comma != std::string_view::npos;
        list.remove_prefix(more ? comma + 1 : 0);
    }
    return logs::makeMixedFormat(std::move(formats));
}

} // namespace

engine::Result<std::shared_ptr<const LogFormat>> logFormat(std::string_view text,
                                                           const FormatOptions& options)
{
    for (const auto& entry : logs::formats()) {
        if (entry.name == text) {
            return entry.make(text, options);
        }
    }
    if (text.find(',') != std::string_view::npos
        && text.find_first_of("$%\"") == std::string_view::npos) {
        return formatOfList(text, options);
    }
    const bool isApache = isApacheText(text);
    if (!isApache && text.find('$') != std::string_view::npos) {
        return logs::makeNginxFormat(text, options);
    }
    if (logs::isEnvoyText(text)) {
        return logs::makeEnvoyTextFormat(text, options);
    }
    if (logs::isHaproxyText(text)) {
        return logs::makeHaproxyTextFormat(text, options);
    }
    if (isApache || text.find('%') != std::string_view::npos) {
        return logs::makeApacheFormat(text, options);
    }
    return engine::fail("log.format", fmt::format("there is no log format {}", text),
                        helpFor(text));
}

engine::Result<Detection> detectLogFormat(std::string_view head, const FormatOptions& options)
{
    auto reading = logs::readHead(head, options);
    if (!reading) {
        return engine::fail(reading.error());
    }
    return reading->detection;
}

} // namespace storage
