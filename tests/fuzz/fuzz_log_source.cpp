// The bytes of a log, gzip and zstd above all: whatever they are, reading ends, small steps give
// what large ones give, and the fingerprint is of all stored bytes.
#include "storage/log_source.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

struct Text {
    std::string text;
    std::string failure;
    bool partial = false;
    std::size_t warnings = 0;
    std::string fingerprint;

    friend bool operator==(const Text&, const Text&) = default;
};

Text readAll(const std::string& path, std::size_t room)
{
    storage::SourceOptions options;
    options.limits.maxRatio = storage::SourceLimits::kNoLimit;
    options.limits.maxBytes = std::uint64_t {1} << 22;
    Text all;
    auto source = storage::LogSource::open(path, options);
    if (!source) {
        all.failure = source.error().code;
        return all;
    }
    std::vector<char> buffer(room);
    for (;;) {
        const auto got = (*source)->read(buffer.data(), room);
        if (!got) {
            all.failure = got.error().code;
            all.text.clear(); // how much came before the failure depends on the steps
            return all;
        }
        if (*got == 0) {
            break;
        }
        all.text.append(buffer.data(), *got);
    }
    all.partial = (*source)->isPartial();
    all.warnings = (*source)->warnings().size();
    all.fingerprint = (*source)->fingerprint().toText();
    return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const int descriptor = ::memfd_create("log", MFD_CLOEXEC);
    if (descriptor < 0) {
        return 0;
    }
    const bool isWritten = ::write(descriptor, data, size) == static_cast<ssize_t>(size);
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    if (isWritten) {
        const Text large = readAll(path, std::size_t {1} << 20);
        const Text small = readAll(path, 61);
        const auto stored = storage::fingerprintFile(path);
        if (!(large == small)
            || (large.failure.empty()
                && (!stored || stored->fingerprint.toText() != large.fingerprint))) {
            std::abort();
        }
    }
    ::close(descriptor);
    return 0;
}
