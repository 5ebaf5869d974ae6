#pragma once
#include "storage/log_reader.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

/// What a log gives when it is read in blocks of two sizes; both must be the same.
namespace tests {

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

inline Sums readAll(const std::string& path, const char* format, std::size_t blockBytes)
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

/// Reads the bytes as a log of this format ("": found from content) in blocks of 48 bytes and as
/// one; aborts where they differ, and where sums do not add up.
inline void readBothWays(std::string_view bytes, const char* format)
{
    const int descriptor = ::memfd_create("log", MFD_CLOEXEC);
    if (descriptor < 0) {
        return;
    }
    const bool isWritten
        = ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    if (isWritten) {
        const Sums whole = readAll(path, format, std::size_t {1} << 20);
        const Sums cut = readAll(path, format, 48);
        if (whole.lines != cut.lines || whole.requests != cut.requests
            || whole.rejected != cut.rejected || whole.hash != cut.hash) {
            std::abort();
        }
    }
    ::close(descriptor);
}

} // namespace tests
