#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::attributes {

/// A text cut at a separator; "/a/b" at '/' is "", "a", "b". Borrows the text; reuse keeps memory.
class Segments {
public:
    void cut(std::string_view text, char separator);

    [[nodiscard]] std::size_t size() const { return m_parts.size(); }

    [[nodiscard]] std::string_view operator[](std::size_t i) const { return m_parts[i]; }

private:
    std::vector<std::string_view> m_parts;
};

/// Does this part of a pattern stand for any segment that is not empty: `*` alone, `{name}`?
bool isAnySegment(std::string_view part);

/// A path pattern, or a host pattern: segment by segment.
///
/// `**` as a whole segment is any number of segments, `*` alone and `{name}` one that is not empty,
/// `*` inside a segment any run. Matching compares each segment of the text at most once with each
/// of the pattern's, so it is linear in the text. `**` takes as little as possible, the first one
/// first: "/**/{x}/b/**" on "/a/b/b" captures x = "a".
/// Definition: small print C2, C6. Immutable; any number of threads.
class SegmentPattern {
public:
    SegmentPattern(std::string_view pattern, char separator);

    [[nodiscard]] bool matches(const Segments& text) const;

    /// Names in braces, in order.
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }

    /// The segment of the text that names()[name] stands for; nothing if the text does not match.
    [[nodiscard]] std::optional<std::string_view> capture(const Segments& text,
                                                          std::size_t name) const;

private:
    enum class Kind : std::uint8_t { Literal, One, Glob };

    struct Part {
        Kind kind = Kind::Literal;
        std::string text;
    };

    /// Parts between two `**`, and where they matched.
    struct Block {
        std::size_t begin = 0;
        std::size_t end = 0;

        [[nodiscard]] std::size_t size() const { return end - begin; }
    };

    static bool partMatches(const Part& part, std::string_view segment);
    [[nodiscard]] bool blockMatches(const Block& block, const Segments& text, std::size_t at) const;
    /// Matches, and says where block `wanted` begins.
    [[nodiscard]] bool place(const Segments& text, std::size_t wanted, std::size_t& at) const;

    std::vector<Part> m_parts;
    std::vector<Block> m_blocks; ///< one more than there are `**`
    std::vector<std::string> m_names;
    std::vector<std::size_t> m_nameParts;
};

} // namespace engine::attributes
