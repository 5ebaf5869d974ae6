// The log reader on bytes of any kind: it never fails on what a regular file holds, its sums add
// up, and blocks of 48 bytes give what one large block gives. The first byte picks the format.
#include "storage/log_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

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

struct Sums {
    std::uint64_t lines = 0;
    std::uint64_t requests = 0;
    std::uint64_t rejected = 0;
    std::uint64_t hash = 14'695'981'039'346'656'037U;

    void mix(std::string_view bytes)
    {
        for (const char c : bytes) {
            hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
        }
        hash = (hash ^ bytes.size()) * 1'099'511'628'211U;
    }
};

Sums readAll(const std::string& path, const char* format, std::size_t blockBytes)
{
    storage::LogOptions options;
    options.format = format;
    options.blockBytes = blockBytes;
    options.limits.maxBytes = std::uint64_t {1} << 22;
    auto reader = storage::LogReader::open(path, options);
    Sums sums;
    if (!reader) { // a foreign compression
        return sums;
    }
    (*reader)->selectFields({"client_ip", "method", "path", "query", "host", "status", "user_agent",
                             "duration", "a.b", "x"});
    storage::LogBlock block;
    for (;;) {
        const auto more = (*reader)->readBlock(block);
        if (!more || !*more) {
            break;
        }
        (*reader)->parse(block);
        (*reader)->note(block);
        for (std::size_t i = 0; i < block.batch.requests.size(); ++i) {
            const auto& request = block.batch.requests[i];
            sums.mix(std::to_string(request.timeNs) + ' ' + std::to_string(request.line));
            for (std::size_t f = 0; f < block.batch.fieldCount; ++f) {
                const std::string_view value = block.batch.valuesOf(i)[f];
                if ((value.data() == nullptr) != value.empty()) {
                    std::abort(); // an empty text never occurs
                }
                sums.mix(value);
            }
        }
    }
    const auto& report = (*reader)->report();
    sums.lines = report.lines;
    sums.requests = report.requests;
    sums.rejected = report.rejected;
    if (report.lines
        != report.requests + report.rejected + report.blankLines + report.directiveLines) {
        std::abort();
    }
    return sums;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) {
        return 0;
    }
    const int descriptor = ::memfd_create("log", MFD_CLOEXEC);
    if (descriptor < 0) {
        return 0;
    }
    const bool isWritten
        = ::write(descriptor, data + 1, size - 1) == static_cast<ssize_t>(size - 1);
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    const char* const format = kFormats[data[0] % kFormats.size()];
    if (isWritten) {
        const Sums whole = readAll(path, format, std::size_t {1} << 20);
        const Sums cut = readAll(path, format, 48);
        if (whole.lines != cut.lines || whole.requests != cut.requests
            || whole.rejected != cut.rejected || whole.hash != cut.hash) {
            std::abort();
        }
    }
    ::close(descriptor);
    return 0;
}
