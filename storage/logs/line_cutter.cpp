#include "storage/logs/line_cutter.h"

#include "storage/log_report.h"
#include "storage/logs/text.h"

#include <algorithm>
#include <emmintrin.h>

namespace storage::logs {
namespace {

constexpr std::size_t kAhead = std::size_t {4} << 20;
constexpr std::size_t kStep = std::size_t {64} << 10;

const char* lastNewline(const char* from, std::size_t size)
{
    return static_cast<const char*>(::memrchr(from, '\n', size));
}

} // namespace

std::uint64_t countNewlines(const char* from, std::size_t size)
{
    const char* const end = from + size;
    const __m128i newline = _mm_set1_epi8('\n');
    std::uint64_t count = 0;
    while (end - from >= 16) {
        // Sums of 16 lanes of bytes, which hold up to 255 hits each.
        __m128i sums = _mm_setzero_si128();
        for (int round = 0; round < 255 && end - from >= 16; ++round, from += 16) {
            const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
            sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(bytes, newline));
        }
        const __m128i halves = _mm_sad_epu8(sums, _mm_setzero_si128());
        count += static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves))
            + static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_srli_si128(halves, 8)));
    }
    return count + static_cast<std::uint64_t>(std::count(from, end, '\n'));
}

engine::Status LineCutter::start(LogSource& source, std::size_t lines)
{
    m_ahead.setSize(0);
    m_carry.setSize(0);
    m_used = 0;
    m_ended = false;
    std::uint64_t found = 0;
    while (!m_ended && found < lines && m_ahead.size() < kAhead) {
        const std::size_t size = m_ahead.size();
        m_ahead.reserve(std::max(size + kStep, size * 2));
        auto got = source.read(m_ahead.data() + size, kStep);
        if (!got) {
            return engine::fail(got.error());
        }
        found += countNewlines(m_ahead.data() + size, *got);
        m_ahead.setSize(size + *got);
        m_ended = *got == 0;
    }
    if (std::string_view(m_ahead.data(), m_ahead.size()).starts_with(kByteOrderMark)) {
        m_used = kByteOrderMark.size();
    }
    return engine::Done {};
}

std::string_view LineCutter::head() const
{
    const std::string_view all(m_ahead.data() + m_used, m_ahead.size() - m_used);
    return m_ended ? all : all.substr(0, all.rfind('\n') + 1);
}

engine::Result<std::size_t> LineCutter::read(LogSource& source, char* into, std::size_t room)
{
    if (m_used < m_ahead.size()) {
        const std::size_t count = std::min(room, m_ahead.size() - m_used);
        std::memcpy(into, m_ahead.data() + m_used, count);
        m_used += count;
        if (m_used == m_ahead.size()) {
            m_ahead = {};
            m_used = 0;
        }
        return count;
    }
    if (m_ended) {
        return std::size_t {0};
    }
    auto got = source.read(into, room);
    m_ended = got && *got == 0;
    return got;
}

engine::Result<LineCutter::Cut> LineCutter::next(LogSource& source, std::size_t blockBytes,
                                                 PartialTracker& partials, ByteBuffer& into)
{
    into.assign(m_carry.data(), m_carry.size());
    m_carry.setSize(0);
    bool ended = false;
    for (;;) {
        // Half as much again at the least, so that small blocks do not look at a long line often.
        const std::size_t goal
            = std::max(into.size(), std::size_t {1}) + std::max(blockBytes, into.size() / 2);
        into.reserve(goal);
        while (into.size() < goal && !ended) {
            auto got = read(source, into.data() + into.size(), goal - into.size());
            if (!got) {
                return engine::fail(got.error());
            }
            into.setSize(into.size() + *got);
            ended = *got == 0;
        }
        const char* const newline
            = into.size() == 0 ? nullptr : lastNewline(into.data(), into.size());
        const std::size_t whole
            = newline == nullptr ? 0 : static_cast<std::size_t>(newline + 1 - into.data());
        if (whole > 0) {
            std::size_t taken = partials.take({into.data(), whole});
            if (taken == 0 && ended) {
                return Cut {true, into.size() > whole, false};
            }
            if (taken == 0 && into.size() - whole > kLongestLine) {
                partials.takeAll({into.data(), whole});
                taken = whole;
            }
            if (taken > 0) {
                m_carry.assign(into.data() + taken, into.size() - taken);
                into.setSize(taken);
                return Cut {true, false, false};
            }
        } else if (into.size() > kLongestLine) {
            into.setSize(LineReject::kMostBytes);
            if (auto done = skipLine(source); !done) {
                return engine::fail(done.error());
            }
            return Cut {true, false, true};
        }
        if (ended) { // a line without its end, or nothing
            return Cut {into.size() > 0, true, false};
        }
    }
}

engine::Status LineCutter::skipLine(LogSource& source)
{
    ByteBuffer chunk;
    chunk.reserve(kStep);
    for (;;) {
        auto got = read(source, chunk.data(), kStep);
        if (!got) {
            return engine::fail(got.error());
        }
        if (*got == 0) {
            return engine::Done {};
        }
        const auto* newline = static_cast<const char*>(std::memchr(chunk.data(), '\n', *got));
        if (newline != nullptr) {
            const auto used = static_cast<std::size_t>(newline + 1 - chunk.data());
            m_carry.assign(newline + 1, *got - used);
            return engine::Done {};
        }
    }
}

} // namespace storage::logs
