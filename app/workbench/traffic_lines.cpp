#include "app/workbench/traffic_lines.h"

#include <charconv>

namespace app {
namespace {

constexpr std::size_t kBlock = std::size_t {1} << 16;
constexpr std::uint64_t kFourBytes = std::uint64_t {1} << 17; ///< addresses in 198.18.0.0/15
constexpr std::size_t kKeyDigits = 6;

void appendNumber(std::uint64_t value, std::string& out, std::size_t digits = 1, int base = 10)
{
    std::array<char, 24> text {};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, base).ptr;
    const auto size = static_cast<std::size_t>(end - text.data());
    out.append(size < digits ? digits - size : 0, '0');
    out.append(text.data(), size);
}

void writeAddress(std::uint64_t key, std::string& out)
{
    if (key + 1 < kFourBytes) { // not the first, which would name the network
        const std::uint64_t host = key + 1;
        out = "198.";
        appendNumber(18 + (host >> 16), out);
        out += '.';
        appendNumber(host >> 8 & 255, out);
        out += '.';
        appendNumber(host & 255, out);
        return;
    }
    out = "2001:db8::";
    appendNumber(key >> 16, out, 1, 16);
    out += ':';
    appendNumber(key & 0xffff, out, 1, 16);
}

void writePath(const TrafficRequest& request, std::string& out)
{
    out = trafficRoutes()[request.route].path;
    if (out.ends_with('/')) {
        appendNumber(request.item, out);
    }
}

} // namespace

TrafficLines::TrafficLines()
    : m_writer(
        {"client_ip", "method", "path", "status", "api_key", "tenant"}) // as convert writes them
{
}

void TrafficLines::append(const TrafficRequest& request, std::string& out)
{
    auto& [address, method, path, status, apiKey, tenant] = m_texts;
    writeAddress(request.key, address);
    apiKey = "key-";
    appendNumber(request.key, apiKey, kKeyDigits);
    tenant = "tenant-";
    appendNumber(request.tenant + 1, tenant);
    method = trafficRoutes()[request.route].method;
    writePath(request, path);
    status.clear();
    appendNumber(request.status, status);

    engine::Request line;
    line.timeNs = request.atNs;
    line.stampNs = request.atNs;
    line.durationNs = request.durationNs;
    line.line = ++m_line;
    const std::array<std::string_view, 6> values {address, method, path, status, apiKey, tenant};
    m_writer.append(line, values.data(), out);
}

engine::Result<TrafficOutcome> writeTraffic(const TrafficJob& job)
{
    TrafficOutcome outcome;
    TrafficLines lines;
    std::string block;
    ProgressState state;
    const auto flush = [&] {
        const engine::Status written = job.write(block);
        state.bytesRead += block.size();
        state.lines = outcome.written;
        block.clear();
        if (job.progress != nullptr) {
            job.progress->update(state);
        }
        return written;
    };
    TrafficRequest request;
    while (!outcome.interrupted && (!job.count || outcome.written < *job.count)
           && job.stream->next(request)) {
        lines.append(request, block);
        ++outcome.written;
        if (block.size() >= kBlock) {
            if (engine::Status written = flush(); !written) {
                return engine::fail(written.error());
            }
            outcome.interrupted = job.stop != nullptr && job.stop->load(std::memory_order_relaxed);
        }
    }
    if (engine::Status written = flush(); !written) {
        return engine::fail(written.error());
    }
    return outcome;
}

} // namespace app
