// Lines inside of what Docker, CRI, syslog and journals put around them, cut into pieces or not,
// and detection: the first byte says whether the format is given or found.
#include "tests/fuzz/read_both_ways.h"

#include <array>

namespace {

constexpr std::array<const char*, 4> kFormats {"", "nginx-combined", "json", "haproxy"};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size > 0) {
        tests::readBothWays({reinterpret_cast<const char*>(data + 1), size - 1},
                            kFormats[data[0] % kFormats.size()]);
    }
    return 0;
}
