#include "storage/logs/formats.h"

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

struct Unit {
    std::string_view name;
    std::int64_t ns;
};

constexpr std::array<Unit, 4> kUnits {
    {{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};

} // namespace

std::span<const FormatEntry> formats()
{
    return kFormats;
}

DurationField durationField(std::string_view field)
{
    for (const char mark : {':', '_'}) {
        for (const Unit& unit : kUnits) {
            const bool ends = field.size() > unit.name.size() + 1 && field.ends_with(unit.name)
                && field[field.size() - unit.name.size() - 1] == mark;
            if (ends) {
                return {mark == ':' ? field.substr(0, field.size() - unit.name.size() - 1) : field,
                        unit.ns};
            }
        }
    }
    return {field, 1'000'000'000};
}

} // namespace storage::logs
