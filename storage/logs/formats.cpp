#include "storage/logs/formats.h"

#include "storage/logs/units.h"

#include <array>

namespace storage::logs {
namespace {

constexpr FormatEntry kFormats[] = {
    {"alb-json", makeJsonFormat}, // has `time` and `client_ip` like the neutral format
    {"weir", makeNeutralFormat},
    {"varnish", makeNamedApacheFormat},
    {"nginx-combined", makeNamedNginxFormat},
    {"nginx-main", makeNamedNginxFormat},
    {"ingress-nginx", makeNamedNginxFormat},
    {"lighttpd", makeNamedApacheFormat},
    {"apache-combined", makeNamedApacheFormat},
    {"apache-vhost-combined", makeNamedApacheFormat},
    {"apache-common", makeNamedApacheFormat},
    {"tomcat", makeNamedApacheFormat, false},
    {"alb", makeAlbFormat},
    {"elb", makeElbFormat},
    {"s3", makeS3Format},
    {"envoy", makeEnvoyFormat},
    {"istio", makeEnvoyFormat},
    {"traefik", makeTraefikFormat},
    {"haproxy", makeHaproxyFormat},
    {"nginx-json", makeJsonFormat},
    {"caddy", makeJsonFormat},
    {"traefik-json", makeJsonFormat},
    {"kong", makeJsonFormat},
    {"gcp-lb", makeJsonFormat},
    {"cloudflare", makeJsonFormat},
    {"envoy-json", makeJsonFormat},
    {"api-gateway", makeJsonFormat},
    {"azure", makeJsonFormat},
    {"zeek-json", makeJsonFormat},
    {"json", makeJsonFormat},
    {"cloudfront", makeCloudFrontFormat},
    {"w3c", makeW3cFormat},
    {"zeek", makeZeekFormat},
    {"squid", makeSquidFormat},
    {"trafficserver", makeSquidFormat, false},
    {"iis", makeIisFormat},
    {"ltsv", makePairsFormat},
    {"logfmt", makePairsFormat},
    {"tsv", makeDelimitedFormat},
    {"csv", makeDelimitedFormat},
};

} // namespace

std::span<const FormatEntry> formats()
{
    return kFormats;
}

DurationField durationField(std::string_view field)
{
    if (const auto mapped = unitAtEnd(field, ':')) {
        return {mapped->name, mapped->unitNs};
    }
    if (const auto named = unitAtEnd(field, '_')) {
        return {field, named->unitNs};
    }
    return {field, 1'000'000'000};
}

} // namespace storage::logs
