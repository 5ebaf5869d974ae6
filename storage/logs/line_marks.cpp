#include "storage/logs/line_marks.h"

#include <immintrin.h>

/// The pass over all bytes of a log, with registers of twice the width where the processor has
/// them: it is the part of reading whose cost goes with the bytes and not with the lines.
namespace storage::logs {
namespace {

constexpr std::size_t kStep = 64; ///< bytes of a word

std::uint64_t maskOf(__m128i bytes, char wanted)
{
    const __m128i hits = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(wanted));
    return static_cast<std::uint64_t>(_mm_movemask_epi8(hits));
}

std::uint64_t markNarrow(const char* at, std::size_t steps, MarkBits& newlines, MarkBits& quotes)
{
    std::uint64_t odd = 0;
    for (std::size_t step = 0; step < steps; ++step) {
        std::uint64_t newlineBits = 0;
        std::uint64_t quoteBits = 0;
        std::uint64_t oddBits = 0;
        for (unsigned bit = 0; bit < kStep; bit += 16, at += 16) {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
            newlineBits |= maskOf(bytes, '\n') << bit;
            quoteBits |= maskOf(bytes, '"') << bit;
            oddBits |= maskOf(bytes, '\r') | maskOf(bytes, '\\');
        }
        newlines[step] = newlineBits;
        quotes[step] = quoteBits;
        odd |= std::uint64_t {oddBits != 0} << step;
    }
    return odd;
}

__attribute__((target("avx2"))) inline std::uint64_t wordOf(__m256i first, __m256i second)
{
    const auto low = static_cast<std::uint32_t>(_mm256_movemask_epi8(first));
    const auto high = static_cast<std::uint32_t>(_mm256_movemask_epi8(second));
    return low | std::uint64_t {high} << 32;
}

__attribute__((target("avx2"))) std::uint64_t markWide(const char* at, std::size_t steps,
                                                       MarkBits& newlines, MarkBits& quotes)
{
    const __m256i newline = _mm256_set1_epi8('\n');
    const __m256i quote = _mm256_set1_epi8('"');
    const __m256i carriageReturn = _mm256_set1_epi8('\r');
    const __m256i backslash = _mm256_set1_epi8('\\');
    std::uint64_t odd = 0;
    for (std::size_t step = 0; step < steps; ++step, at += kStep) {
        const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
        const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 32));
        newlines[step]
            = wordOf(_mm256_cmpeq_epi8(first, newline), _mm256_cmpeq_epi8(second, newline));
        quotes[step] = wordOf(_mm256_cmpeq_epi8(first, quote), _mm256_cmpeq_epi8(second, quote));
        const __m256i oddBytes
            = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(first, carriageReturn),
                                              _mm256_cmpeq_epi8(first, backslash)),
                              _mm256_or_si256(_mm256_cmpeq_epi8(second, carriageReturn),
                                              _mm256_cmpeq_epi8(second, backslash)));
        odd |= std::uint64_t {_mm256_testz_si256(oddBytes, oddBytes) == 0} << step;
    }
    return odd;
}

std::uint64_t countNarrow(const char*& from, const char* end)
{
    const __m128i newline = _mm_set1_epi8('\n');
    const auto hits = [newline](const char* at) { // -1 for each
        return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), newline);
    };
    __m128i counts = _mm_setzero_si128();
    for (; end - from >= 64; from += 64) {
        const __m128i firstHalf = _mm_add_epi8(hits(from), hits(from + 16));
        const __m128i secondHalf = _mm_add_epi8(hits(from + 32), hits(from + 48));
        const __m128i sums = _mm_sub_epi8(_mm_setzero_si128(), _mm_add_epi8(firstHalf, secondHalf));
        counts = _mm_add_epi64(counts, _mm_sad_epu8(sums, _mm_setzero_si128()));
    }
    const auto upper = _mm_cvtsi128_si64(_mm_srli_si128(counts, 8));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(counts) + upper);
}

__attribute__((target("avx2"))) inline __m256i newlinesAt(const char* at)
{
    return _mm256_cmpeq_epi8(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)),
                             _mm256_set1_epi8('\n')); // -1 for each
}

__attribute__((target("avx2"))) std::uint64_t countWide(const char*& from, const char* end)
{
    const __m256i zero = _mm256_setzero_si256();
    __m256i counts = zero;
    for (; end - from >= 128; from += 128) {
        const __m256i firstHalf = _mm256_add_epi8(newlinesAt(from), newlinesAt(from + 32));
        const __m256i secondHalf = _mm256_add_epi8(newlinesAt(from + 64), newlinesAt(from + 96));
        const __m256i sums = _mm256_sub_epi8(zero, _mm256_add_epi8(firstHalf, secondHalf));
        counts = _mm256_add_epi64(counts, _mm256_sad_epu8(sums, zero));
    }
    return static_cast<std::uint64_t>(
        _mm256_extract_epi64(counts, 0) + _mm256_extract_epi64(counts, 1)
        + _mm256_extract_epi64(counts, 2) + _mm256_extract_epi64(counts, 3));
}

} // namespace

bool hasWideRegisters()
{
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}

std::uint64_t markBytes(const char* at, std::size_t steps, MarkBits& newlines, MarkBits& quotes,
                        bool isWide)
{
    return isWide ? markWide(at, steps, newlines, quotes) : markNarrow(at, steps, newlines, quotes);
}

std::uint64_t countNewlines(const char* from, std::size_t size, bool isWide)
{
    const char* const end = from + size;
    const std::uint64_t count = isWide ? countWide(from, end) : countNarrow(from, end);
    return count + static_cast<std::uint64_t>(std::count(from, end, '\n'));
}

} // namespace storage::logs
