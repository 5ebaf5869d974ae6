#pragma once
#include "storage/logs/text.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <emmintrin.h>
#include <string_view>

namespace storage::logs {

/// A request line or target in its parts; a part that is not there has data() == nullptr.
struct RequestParts {
    std::string_view method;
    std::string_view path;
    std::string_view query; ///< without `?`
    std::string_view host; ///< from an absolute URI
    std::string_view scheme;
};

/// How many capitals stand at the begin of a text with padding, 16 at the most.
inline std::size_t capitalsAt(const char* text)
{
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    const __m128i fromA = _mm_add_epi8(bytes, _mm_set1_epi8(static_cast<char>(-128 - 'A')));
    const auto others = ~static_cast<unsigned>(
        _mm_movemask_epi8(_mm_cmplt_epi8(fromA, _mm_set1_epi8(-128 + 26))));
    return static_cast<std::size_t>(std::countr_zero(others));
}

/// "GET /a?b HTTP/1.1" is {GET, /a, b}; "GET http://h/a HTTP/1.1" is {GET, /a, -, h, http}. A
/// target may hold blanks. What is no request line (bytes of a TLS handshake, empty, "-") has no
/// parts. Has kPadding readable bytes behind it, as has a target.
RequestParts splitRequestLine(std::string_view line);

/// The same for the usual ones: capitals, a target with a slash, `HTTP/` and three characters, a
/// blank between. False: it is none of these, and `parts` are as before.
inline bool splitUsualRequest(std::string_view line, RequestParts& parts)
{
    constexpr std::string_view kVersion = " HTTP/1.1";
    constexpr std::size_t kShortest = 3 + kVersion.size();
    if (line.size() < kShortest) {
        return false;
    }
    const std::size_t method = capitalsAt(line.data());
    const char* const target = line.data() + method + 1;
    const char* const version = line.data() + line.size() - kVersion.size();
    if (method == 0 || target >= version || target[-1] != ' ' || *target != '/'
        || version[-1] == ' ' || std::memcmp(version, kVersion.data(), 6) != 0 || version[6] == ' '
        || version[7] == ' ' || version[8] == ' ') {
        return false;
    }
    const char* const mark = findByte(target, version, '?');
    parts.method = {line.data(), method};
    parts.path = {target, static_cast<std::size_t>(mark - target)};
    if (version - mark > 1) {
        parts.query = {mark + 1, static_cast<std::size_t>(version - mark - 1)};
    }
    return true;
}

/// Takes path and query from a field that is called so, if it has text. Some write the whole
/// request line there ("GET /a?b HTTP/1.1"): then the method, too.
void readTarget(std::string_view target, RequestParts& parts);

/// "/a?b" or "http://h/a?b" into path, query, host and scheme.
void splitTarget(std::string_view target, RequestParts& parts);

} // namespace storage::logs
