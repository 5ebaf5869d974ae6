// Files of time zones: any bytes are read or refused, and what is read is a table in order.
#include "storage/logs/zone_file.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace storage::logs;
    const auto table = readZoneFile({reinterpret_cast<const char*>(data), size});
    if (!table) {
        return 0;
    }
    bool isGood = !table->starts.empty() && table->starts.size() == table->offsets.size()
        && table->starts.front() == kBeforeAll;
    for (std::size_t i = 0; isGood && i < table->starts.size(); ++i) {
        isGood = table->offsets[i] > -kMostOffset && table->offsets[i] < kMostOffset;
        isGood = isGood
            && (i == 0
                || (table->starts[i - 1] < table->starts[i]
                    && table->offsets[i - 1] != table->offsets[i]));
    }
    if (!isGood) {
        std::abort();
    }
    return 0;
}
