// The log reader on bytes of any kind: it never fails on what a regular file holds, its sums add
// up, and blocks of 48 bytes give what one large block gives. The first byte picks the format.
#include "tests/fuzz/read_both_ways.h"

#include <array>

namespace {

constexpr auto kFormats = std::to_array<const char*>(
    {"weir",
     "json",
     "nginx-combined",
     "nginx-main",
     "ingress-nginx",
     "apache-vhost-combined",
     "%h %{%d/%b/%Y:%H:%M:%S}t.%{usec_frac}t %{%z}t %U%q \"%r\" %>s %{User-Agent}i %{end:msec}t",
     "$remote_addr - $remote_user - $host [$time_local] \"$request\" $upstream_addr "
     "$upstream_response_time $msec $request_time $status $http_user_agent $http_x_forwarded_for",
     "escape=json "
     "{\"t\":\"$time_iso8601\",\"a\":\"$remote_addr:$remote_port\",\"u\":\"$scheme://"
     "$host$request_uri\",\"s\":$status}",
     "alb",
     "elb",
     "s3",
     "envoy",
     "istio",
     "traefik",
     "haproxy",
     "[%START_TIME(%Y/%m/%d %H:%M:%S.%3f)%] \"%REQ(:METHOD)% %REQ(:PATH)%\" %RESPONSE_CODE% "
     "%DURATION% %REQ(X-FORWARDED-FOR)% %DOWNSTREAM_REMOTE_ADDRESS%",
     "%ci:%cp [%tr] %ft %b/%s %TR/%Ta %ST %hr %hs %{+Q}r",
     "w3c",
     "cloudfront",
     "zeek",
     "squid",
     "iis",
     "ltsv",
     "logfmt",
     "tsv",
     "csv"});

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size > 0) {
        tests::readBothWays({reinterpret_cast<const char*>(data + 1), size - 1},
                            kFormats[data[0] % kFormats.size()]);
    }
    return 0;
}
