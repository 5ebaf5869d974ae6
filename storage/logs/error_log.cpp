#include "storage/logs/error_log.h"

#include "storage/logs/stamps.h"

#include <algorithm>

namespace storage::logs {
namespace {

/// Whether `text` begins with the form: 0 is a digit, a a letter, all else itself.
bool hasForm(std::string_view text, std::string_view form)
{
    const auto fits = [](char is, char wanted) {
        const bool isLetter = (is | 0x20) >= 'a' && (is | 0x20) <= 'z';
        return wanted == '0' ? isDigit(is) : wanted == 'a' ? isLetter : is == wanted;
    };
    return text.size() >= form.size()
        && std::equal(form.begin(), form.end(), text.begin(),
                      [&](char wanted, char is) { return fits(is, wanted); });
}

} // namespace

bool isErrorLogLine(std::string_view line)
{
    if (hasForm(line, "0000/00/00 00:00:00 [aaa")) {
        return true;
    }
    constexpr std::size_t kClockEnd = 20;
    return hasForm(line, "[aaa aaa 00 00:00:00") && line.find("] [", kClockEnd) < kClockEnd + 16;
}

} // namespace storage::logs
