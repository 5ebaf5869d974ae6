#include "engine/attributes/segment_pattern.h"

#include "engine/attributes/text_hash.h"

#include <cstring>

namespace engine::attributes {
namespace {

/// `*` is any run, everything else itself.
bool starMatches(std::string_view pattern, std::string_view text)
{
    std::size_t star = pattern.find('*');
    if (!text.starts_with(pattern.substr(0, star))) {
        return false;
    }
    text.remove_prefix(star);
    while (true) {
        pattern.remove_prefix(star + 1);
        star = pattern.find('*');
        if (star == pattern.npos) {
            return text.ends_with(pattern);
        }
        // The leftmost place is as good as any later one, because a star follows.
        const std::size_t found = text.find(pattern.substr(0, star));
        if (found == text.npos) {
            return false;
        }
        text.remove_prefix(found + star);
    }
}

bool isCapture(std::string_view segment)
{
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

} // namespace

bool isAnySegment(std::string_view part)
{
    return part == "*" || isCapture(part);
}

void Segments::cut(std::string_view text, char separator)
{
    m_parts.clear();
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        const auto left = static_cast<std::size_t>(end - at);
        const void* found = left == 0 ? nullptr : std::memchr(at, separator, left);
        if (found == nullptr) {
            m_parts.emplace_back(at, left);
            return;
        }
        const char* const stop = static_cast<const char*>(found);
        m_parts.emplace_back(at, static_cast<std::size_t>(stop - at));
        at = stop + 1;
    }
}

SegmentPattern::SegmentPattern(std::string_view pattern, char separator)
{
    Segments segments;
    segments.cut(pattern, separator);
    Block block;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const std::string_view segment = segments[i];
        if (segment == "**") {
            block.end = m_parts.size();
            m_blocks.push_back(block);
            block.begin = m_parts.size();
        } else if (segment == "*") {
            m_parts.push_back({Kind::One, {}});
        } else if (isCapture(segment)) {
            m_names.emplace_back(segment.substr(1, segment.size() - 2));
            m_nameParts.push_back(m_parts.size());
            m_parts.push_back({Kind::One, {}});
        } else {
            const Kind kind = segment.find('*') == segment.npos ? Kind::Literal : Kind::Glob;
            m_parts.push_back({kind, std::string(segment)});
        }
    }
    block.end = m_parts.size();
    m_blocks.push_back(block);
}

bool SegmentPattern::partMatches(const Part& part, std::string_view segment)
{
    switch (part.kind) {
    case Kind::Literal:
        return sameText(part.text, segment);
    case Kind::One:
        return !segment.empty();
    case Kind::Glob:
        return starMatches(part.text, segment);
    }
    return false;
}

bool SegmentPattern::blockMatches(const Block& block, const Segments& text, std::size_t at) const
{
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (!partMatches(m_parts[block.begin + i], text[at + i])) {
            return false;
        }
    }
    return true;
}

bool SegmentPattern::place(const Segments& text, std::size_t wanted, std::size_t& at) const
{
    const Block& first = m_blocks.front();
    const Block& last = m_blocks.back();
    if (m_blocks.size() == 1) {
        at = 0;
        return text.size() == first.size() && blockMatches(first, text, 0);
    }
    if (text.size() < m_parts.size() || !blockMatches(first, text, 0)) {
        return false;
    }
    const std::size_t lastAt = text.size() - last.size();
    if (!blockMatches(last, text, lastAt)) {
        return false;
    }
    if (wanted == 0) {
        at = 0;
    }
    std::size_t next = first.size();
    for (std::size_t b = 1; b + 1 < m_blocks.size(); ++b) {
        // The earliest place leaves most room for the blocks behind, and `**` least.
        while (next + m_blocks[b].size() <= lastAt && !blockMatches(m_blocks[b], text, next)) {
            ++next;
        }
        if (next + m_blocks[b].size() > lastAt) {
            return false;
        }
        if (wanted == b) {
            at = next;
        }
        next += m_blocks[b].size();
    }
    if (wanted + 1 == m_blocks.size()) {
        at = lastAt;
    }
    return next <= lastAt;
}

bool SegmentPattern::matches(const Segments& text) const
{
    std::size_t at = 0;
    return place(text, 0, at);
}

std::optional<std::string_view> SegmentPattern::capture(const Segments& text,
                                                        std::size_t name) const
{
    const std::size_t part = m_nameParts[name];
    std::size_t block = 0;
    while (m_blocks[block].end <= part) {
        ++block;
    }
    std::size_t at = 0;
    if (!place(text, block, at)) {
        return std::nullopt;
    }
    return text[at + part - m_blocks[block].begin];
}

} // namespace engine::attributes
