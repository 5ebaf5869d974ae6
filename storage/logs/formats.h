#pragma once
#include "engine/result.h"
#include "storage/log_format.h"

#include <memory>
#include <span>
#include <string_view>
#include <vector>

/// The formats that there are. A new one is a file with a make function and a row in formats.cpp.
namespace storage::logs {

using MadeFormat = engine::Result<std::shared_ptr<const LogFormat>>;

struct FormatEntry {
    std::string_view name;
    MadeFormat (*make)(std::string_view name, const FormatOptions& options);
    bool isDetected = true;
};

/// In the order of detection: the first of those that fit equally well wins.
std::span<const FormatEntry> formats();

MadeFormat makeNeutralFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeW3cFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeCloudFrontFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeZeekFormat(std::string_view name, const FormatOptions& options);
/// "csv", "tsv".
MadeFormat makeDelimitedFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeIisFormat(std::string_view name, const FormatOptions& options);
/// "squid", "trafficserver".
MadeFormat makeSquidFormat(std::string_view name, const FormatOptions& options);
/// "logfmt", "ltsv".
MadeFormat makePairsFormat(std::string_view name, const FormatOptions& options);
/// Any kind of json_kind.h.
MadeFormat makeJsonFormat(std::string_view name, const FormatOptions& options);
/// "nginx-combined", "nginx-main", "ingress-nginx".
MadeFormat makeNamedNginxFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeAlbFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeElbFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeS3Format(std::string_view name, const FormatOptions& options);
/// "envoy", "istio".
MadeFormat makeEnvoyFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeTraefikFormat(std::string_view name, const FormatOptions& options);
MadeFormat makeHaproxyFormat(std::string_view name, const FormatOptions& options);
/// Envoy's format strings (%REQ(:PATH)%) and HAProxy's (%ci:%cp), which are told from Apache's by
/// their variables.
bool isEnvoyText(std::string_view text);
bool isHaproxyText(std::string_view text);
MadeFormat makeEnvoyTextFormat(std::string_view text, const FormatOptions& options);
MadeFormat makeHaproxyTextFormat(std::string_view text, const FormatOptions& options);
/// From the text of a log_format.
MadeFormat makeNginxFormat(std::string_view text, const FormatOptions& options);

/// "apache-common", "apache-combined", "apache-vhost-combined", "tomcat", "lighttpd", "varnish".
MadeFormat makeNamedApacheFormat(std::string_view name, const FormatOptions& options);
/// From the text of a LogFormat.
MadeFormat makeApacheFormat(std::string_view text, const FormatOptions& options);

/// A unit behind a mapped duration: "took:ms" is {took, 1000000}; without one, by the name's end.
struct DurationField {
    std::string_view field;
    std::int64_t unitNs = 1'000'000'000;
};

DurationField durationField(std::string_view field);

} // namespace storage::logs
