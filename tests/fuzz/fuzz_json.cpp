// The kinds of JSON logs on bytes of any kind: a line means what it means alone, whatever lines
// were read before it along whose shape it is read. The first byte picks the kind.
#include "storage/log_format.h"
#include "storage/logs/formats.h"
#include "storage/logs/line_parser.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace storage;

constexpr std::array<const char*, 13> kFormats {
    "json",       "nginx-json",  "caddy", "traefik-json", "kong",      "gcp-lb", "cloudflare",
    "envoy-json", "api-gateway", "azure", "alb-json",     "zeek-json", "weir"};

const std::vector<std::string> kFields {
    "client_ip",      "method", "path", "query",       "host",     "status", "api_key",        "x",
    "http_x_api_key", "a.b",    "l[1]", "tries[0].ip", "duration", "user",   "x_forwarded_for"};

std::vector<std::unique_ptr<logs::LineParser>> makeParsers()
{
    std::vector<std::unique_ptr<logs::LineParser>> parsers;
    for (const char* name : kFormats) {
        parsers.push_back(logFormat(name).value()->parser(kFields));
    }
    return parsers;
}

/// What a line gives, as text. `line` gets padding of its own, and is gone when this returns.
std::string readLine(const logs::LineParser& parser, std::string_view line,
                     logs::LineScratch& scratch)
{
    std::string padded(line);
    padded.append(logs::kPadding, '}');
    std::vector<std::string_view> values(kFields.size());
    logs::ParsedLine parsed;
    parsed.values = values.data();
    const auto outcome
        = parser.parse(std::string_view(padded).substr(0, line.size()), false, scratch, parsed);
    std::string text = std::to_string(static_cast<int>(outcome));
    if (outcome == logs::LineOutcome::Request) {
        text += " " + std::to_string(parsed.request.timeNs) + " "
            + std::to_string(parsed.request.stampNs) + " "
            + std::to_string(parsed.request.durationNs);
        for (const std::string_view value : values) {
            if ((value.data() == nullptr) != value.empty()) {
                std::abort(); // an empty text never occurs
            }
            text.append("|").append(value);
        }
    }
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto kParsers = makeParsers();
    if (size == 0) {
        return 0;
    }
    const logs::LineParser& parser = *kParsers[data[0] % kParsers.size()];
    std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    logs::Arena arena;
    logs::LineScratch together;
    together.arena = &arena;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.empty()) {
            continue;
        }
        logs::Arena other;
        logs::LineScratch alone;
        alone.arena = &other;
        if (readLine(parser, line, together) != readLine(parser, line, alone)) {
            std::abort();
        }
    }
    return 0;
}
