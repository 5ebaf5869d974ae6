#include "storage/runs/blocks.h"

#include <algorithm>
#include <limits>

namespace storage::runs {
namespace {

constexpr std::uint8_t kShadowFlag = 8;
constexpr std::uint8_t kOutcomeMask = 7;

/// Positions as the gaps between them: 3, 4, 9 are 3, 0, 4.
class Gaps {
public:
    std::uint64_t gapTo(std::uint32_t position)
    {
        const std::uint64_t gap = position - m_next;
        m_next = position + 1;
        return gap;
    }

    std::uint64_t after(std::uint64_t gap)
    {
        // Damaged columns may hold any gap; what would wrap around lies behind every block.
        const std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t position = gap >= end - m_next ? end : m_next + gap;
        m_next = position == end ? end : position + 1;
        return position;
    }

private:
    std::uint64_t m_next = 0;
};

/// A column must never take more memory than its block can fill, whatever it claims.
std::size_t largestColumn(std::uint32_t requests)
{
    return std::size_t {requests} * 10;
}

} // namespace

std::string encodeVerdicts(const std::vector<Special>& specials, Compressor& compressor)
{
    std::string gaps;
    std::string codes;
    std::string rules;
    std::string shadowRules;
    Gaps positions;
    for (const Special& special : specials) {
        appendVarint(gaps, positions.gapTo(special.position));
        auto code = static_cast<std::uint8_t>(special.outcome);
        if (special.rule != engine::kNoId) {
            appendVarint(rules, special.rule);
        }
        if (special.shadowRule != engine::kNoId) {
            code |= kShadowFlag;
            appendVarint(shadowRules, special.shadowRule);
        }
        codes.push_back(static_cast<char>(code));
    }
    std::string out;
    for (const std::string* column : {&gaps, &codes, &rules, &shadowRules}) {
        compressor.append(out, *column);
    }
    return out;
}

bool decodeVerdicts(std::string_view bytes, std::uint32_t requests, Decompressor& decompressor,
                    std::vector<Special>& specials)
{
    specials.clear();
    ByteReader in(bytes);
    const std::string gaps(decompressor.read(in, largestColumn(requests)));
    const std::string codes(decompressor.read(in, requests));
    const std::string rules(decompressor.read(in, largestColumn(requests)));
    const std::string shadowRules(decompressor.read(in, largestColumn(requests)));
    ByteReader gapReader(gaps);
    ByteReader ruleReader(rules);
    ByteReader shadowReader(shadowRules);
    Gaps positions;
    for (const char c : codes) {
        const auto code = static_cast<std::uint8_t>(c);
        const std::uint64_t position = positions.after(gapReader.varint());
        if (position >= requests
            || (code & kOutcomeMask) > static_cast<int>(StoredOutcome::WarmupRejected)) {
            return false;
        }
        Special special;
        special.position = static_cast<std::uint32_t>(position);
        special.outcome = static_cast<StoredOutcome>(code & kOutcomeMask);
        if (special.outcome == StoredOutcome::Rejected
            || special.outcome == StoredOutcome::WarmupRejected) {
            special.rule = static_cast<std::uint32_t>(ruleReader.varint());
        }
        if ((code & kShadowFlag) != 0) {
            special.shadowRule = static_cast<std::uint32_t>(shadowReader.varint());
        }
        specials.push_back(special);
    }
    return in.isSound() && in.isAtEnd() && gapReader.isSound() && gapReader.isAtEnd()
        && ruleReader.isSound() && shadowReader.isSound();
}

std::string encodeMarks(const RecordedMarks& marks, Compressor& compressor)
{
    std::string known((marks.known.size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < marks.known.size(); ++i) {
        const unsigned bits
            = static_cast<unsigned char>(known[i / 8]) | (unsigned {marks.known[i]} << (i % 8));
        known[i / 8] = static_cast<char>(static_cast<unsigned char>(bits));
    }
    std::string gaps;
    Gaps positions;
    for (const std::uint32_t position : marks.rejected) {
        appendVarint(gaps, positions.gapTo(position));
    }
    std::string out;
    compressor.append(out, known);
    compressor.append(out, gaps);
    return out;
}

bool decodeMarks(std::string_view bytes, std::uint32_t requests, Decompressor& decompressor,
                 RecordedMarks& marks)
{
    marks.known.assign(requests, 0);
    marks.rejected.clear();
    ByteReader in(bytes);
    const std::string_view known = decompressor.read(in, largestColumn(requests));
    if (known.size() != (std::size_t {requests} + 7) / 8) {
        return false;
    }
    for (std::size_t i = 0; i < requests; ++i) {
        const unsigned bits = static_cast<unsigned char>(known[i / 8]);
        marks.known[i] = static_cast<std::uint8_t>((bits >> (i % 8)) & 1U);
    }
    ByteReader gaps(decompressor.read(in, largestColumn(requests)));
    Gaps positions;
    while (gaps.isSound() && !gaps.isAtEnd()) {
        const std::uint64_t position = positions.after(gaps.varint());
        if (position >= requests) {
            return false;
        }
        marks.rejected.push_back(static_cast<std::uint32_t>(position));
    }
    return in.isSound() && in.isAtEnd() && gaps.isSound();
}

} // namespace storage::runs
