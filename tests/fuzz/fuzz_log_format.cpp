// Texts of log formats (nginx, Apache, Envoy, HAProxy) of any kind: they are refused with a reason,
// or read lines of any kind. The first line is the text, the others are the log.
#include "storage/log_format.h"
#include "tests/fuzz/read_both_ways.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(all.find('\n'), all.size());
    const std::string text(all.substr(0, end));
    const auto format = storage::logFormat(text);
    if (!format) {
        if (format.error().code.empty() || format.error().message.empty()) {
            std::abort();
        }
        return 0;
    }
    tests::readBothWays(all.substr(std::min(end + 1, all.size())), text.c_str());
    return 0;
}
