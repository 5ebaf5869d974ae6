#include "engine/attributes/text_glob.h"

#include <cstdint>

namespace engine::attributes {
namespace {

bool isContinuation(unsigned byte)
{
    return (byte & 0xC0U) == 0x80;
}

/// Length that the first byte announces, and the range of the second that is not overlong, no
/// surrogate and not beyond U+10FFFF.
struct Lead {
    std::size_t length = 1;
    unsigned secondLow = 0x80;
    unsigned secondHigh = 0xBF;
};

Lead leadOf(unsigned byte)
{
    if (byte >= 0xC2 && byte <= 0xDF) {
        return {2};
    }
    if (byte >= 0xE0 && byte <= 0xEF) {
        return {3, byte == 0xE0 ? 0xA0U : 0x80U, byte == 0xED ? 0x9FU : 0xBFU};
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        return {4, byte == 0xF0 ? 0x90U : 0x80U, byte == 0xF4 ? 0x8FU : 0xBFU};
    }
    return {};
}

} // namespace

std::size_t codePointLength(std::string_view text)
{
    const auto byteAt = [text](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(text[i]));
    };
    if (byteAt(0) < 0x80) {
        return 1;
    }
    const Lead lead = leadOf(byteAt(0));
    if (lead.length == 1 || text.size() < lead.length || byteAt(1) < lead.secondLow
        || byteAt(1) > lead.secondHigh) {
        return 1;
    }
    for (std::size_t i = 2; i < lead.length; ++i) {
        if (!isContinuation(byteAt(i))) {
            return 1;
        }
    }
    return lead.length;
}

bool globMatches(std::string_view pattern, std::string_view text)
{
    constexpr std::size_t kNoStar = std::string_view::npos;
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = kNoStar; // pattern position behind the last star
    std::size_t resume = 0; // text position where that star ends for now
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            resume = t;
        } else if (p < pattern.size() && pattern[p] == '?') {
            ++p;
            t += codePointLength(text.substr(t));
        } else if (p < pattern.size() && pattern[p] == text[t]) {
            ++p;
            ++t;
        } else if (star != kNoStar) {
            // The star grows by whole code points, else `?` could be half of one.
            resume += codePointLength(text.substr(resume));
            p = star;
            t = resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') {
        ++p;
    }
    return p == pattern.size();
}

} // namespace engine::attributes
