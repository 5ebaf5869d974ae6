#pragma once
#include "storage/logs/text.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <emmintrin.h>
#include <optional>
#include <string_view>

/// Times and durations as logs write them, always exact, never through floating point.
namespace storage::logs {

inline constexpr std::int64_t kSecondNs = 1'000'000'000;

struct Stamp {
    std::int64_t ns = 0;
    std::int32_t resolutionNs = 0; ///< kSecondNs for whole seconds, 0 if it has a part below
    bool isLocal = false; ///< the text names no zone: `ns` is as if it were UTC
};

/// The last date and zone that were read: lines of a block mostly share them.
struct StampCache {
    enum class Kind : std::uint8_t { None, Clf, Iso };

    Kind kind = Kind::None;
    char date[16] = {};
    char zone[8] = {};
    std::int64_t dayNs = 0; ///< midnight of the date (Clf: in the zone), as UTC
    char text[32] = {}; ///< all of the last Clf stamp with a zone: many lines have the same second
    std::int64_t textNs = 0;
};

/// "28/Nov/2026:00:00:00 +0000", month in any case, `:60` is the next second; also without a zone.
/// 1970 to 2200.
bool readClfTime(std::string_view text, StampCache& cache, Stamp& stamp);

inline constexpr std::size_t kClfSize = 26; ///< of 28/Nov/2026:00:00:00 +0000

/// Whether `text`, of kClfSize bytes and padding, is the last one that readClfTime() read.
inline bool isLastClfTime(std::string_view text, const StampCache& cache)
{
    constexpr std::size_t kTail = kClfSize - sizeof(__m128i);
    const auto same = [&](std::size_t from) {
        return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + from)),
                              _mm_loadu_si128(reinterpret_cast<const __m128i*>(cache.text + from)));
    };
    // A cache that has read none yet is all zeros, and so may a text be.
    return _mm_movemask_epi8(_mm_and_si128(same(0), same(kTail))) == 0xFFFF && cache.text[2] == '/';
}

/// RFC 3339 and $time_iso8601: "2026-11-28T10:00:00.123+01:00", also with a blank for T, `,` for
/// the point, `/` for `-` in the date (not with `needZone`), +0100, any number of digits (beyond
/// nanoseconds cut off). `needZone`: one must be there, else UTC is assumed. `wide`: any time that
/// fits, else 1970 to 2200.
bool readIsoTime(std::string_view text, bool needZone, bool wide, StampCache& cache, Stamp& stamp);

/// "2026-11-28T10:00:00" at the start, as far as a glance tells.
bool looksLikeIsoTime(std::string_view text);

/// Whole or decimal count since 1970 in s, ms, us or ns, told apart by magnitude:
/// below 10^11 s, below 10^14 ms, below 10^17 us, else ns. 1970 to 2200.
bool readEpoch(std::string_view text, Stamp& stamp);

/// Any of the above (UTC without a zone), and what readWrittenTime() knows, the month first.
bool readAnyTime(std::string_view text, StampCache& cache, Stamp& stamp);

/// "0.250" in units of `unitNs` as ns, exact, digits below a nanosecond cut off. Nothing for
/// anything else (signs, exponents, "-", more than fits).
std::optional<std::int64_t> readDecimal(std::string_view text, std::int64_t unitNs);

/// readDecimal() for what durations mostly are: up to eight characters, digits and a point.
///
/// Example: of seconds, "0.250" is 250000000.
class ShortDecimals {
public:
    explicit ShortDecimals(std::int64_t unitNs)
    {
        for (std::int64_t& scale : m_scales) {
            scale = unitNs;
            unitNs = unitNs % 10 == 0 ? unitNs / 10 : 0;
        }
    }

    /// `text` has padding behind it. False: it is none, or has digits below a nanosecond.
    bool read(std::string_view text, std::int64_t& ns) const
    {
        constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
        constexpr std::uint64_t kZeros = '0' * kOnes;
        constexpr std::uint64_t kHigh = 0x80 * kOnes;
        if (text.empty() || text.size() > 8) {
            return false;
        }
        std::uint64_t digits = 0; // the last one in the highest byte
        std::memcpy(&digits, text.data(), sizeof digits);
        digits <<= 8 * (8 - text.size());
        const std::uint64_t others = digits ^ '.' * kOnes;
        const std::uint64_t points = (others - kOnes) & ~others & kHigh;
        std::size_t missing = 8 - text.size();
        std::size_t places = 0;
        if (points != 0) { // the first is one; whatever the others are, they are no digits
            const auto at = static_cast<std::size_t>(std::countr_zero(points)) / 8;
            places = 7 - at;
            if (places == 0 || at == missing) {
                return false;
            }
            const std::uint64_t before = digits & ((std::uint64_t {1} << 8 * at) - 1);
            digits = (digits & ~std::uint64_t {0} << 8 * (at + 1)) | before << 8;
            ++missing;
        }
        digits |= kZeros & ((std::uint64_t {1} << 8 * missing) - 1);
        if ((((digits + (0x7F - '9') * kOnes) | (digits - kZeros)) & kHigh) != 0) {
            return false;
        }
        ns = static_cast<std::int64_t>(valueOf(digits - kZeros)) * m_scales[places];
        return m_scales[places] != 0;
    }

private:
    /// Of eight digits, the first in the lowest byte.
    static std::uint64_t valueOf(std::uint64_t digits)
    {
        constexpr std::uint64_t kPairs = 0x0000'00FF'0000'00FF;
        digits = digits * 10 + (digits >> 8); // in every other byte two of them
        const std::uint64_t high = (digits & kPairs) * (100 + (std::uint64_t {1'000'000} << 32));
        const std::uint64_t low = (digits >> 16 & kPairs) * (1 + (std::uint64_t {10'000} << 32));
        return (high + low) >> 32;
    }

    std::array<std::int64_t, 8> m_scales {}; ///< of a digit, by places behind the point; 0: none
};

/// A number with an exponent ("5e-7") as a plain one in the arena ("0.0000005"), exact; empty if it
/// is negative or has more than 64 digits or places to move. Other texts as they are.
std::string_view plainDecimal(std::string_view text, Arena& arena);

/// An int64 with nothing around it.
std::optional<std::int64_t> readInteger(std::string_view text);

/// Two digits, or -1.
inline int twoDigits(const char* at)
{
    return isDigit(at[0]) && isDigit(at[1]) ? (at[0] - '0') * 10 + (at[1] - '0') : -1;
}

/// 1 to 12 for three letters of an English name in any case, or -1.
int monthNamed(const char* at);

/// A day of the Gregorian calendar.
bool isDate(int year, int month, int day);

/// "+0100", "+01:00", "+01", "Z" as seconds.
bool readZone(std::string_view text, std::int64_t& seconds);

/// Up to nine digits of a fraction as ns; the rest is cut off. Moves `text` behind the digits.
std::int64_t readFraction(std::string_view& text);

/// Days since 1970-01-01 of a date of the Gregorian calendar.
std::int64_t daysFromCivil(std::int64_t year, unsigned month, unsigned day);

} // namespace storage::logs
