#include "engine/attributes/pattern_meet.h"

#include "engine/attributes/segment_pattern.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace engine::attributes {
namespace {

constexpr std::size_t kMostSteps = 4096; ///< pairs of parts; longer patterns stay unproved

/// Patterns are sequences of parts: some stand for one element, some (`isRun`) for any run of them,
/// also none. `meet` says whether two parts that stand for one element can be the same one.
template <class Sequence, class IsRun, class Meet>
bool sequencesMeet(const Sequence& one, const Sequence& other, const IsRun& isRun, const Meet& meet)
{
    if (one.size() * other.size() > kMostSteps) {
        return true;
    }
    // rest[j]: can one[i..] and other[j..] be the same?
    std::vector<bool> rest(other.size() + 1, true);
    for (std::size_t j = other.size(); j-- > 0;) {
        rest[j] = rest[j + 1] && isRun(other[j]);
    }
    for (std::size_t i = one.size(); i-- > 0;) {
        std::vector<bool> next(other.size() + 1, false);
        next[other.size()] = isRun(one[i]) && rest[other.size()];
        for (std::size_t j = other.size(); j-- > 0;) {
            // A run ends here, or takes in what the other pattern has next.
            next[j] = isRun(one[i]) || isRun(other[j]) ? rest[j] || next[j + 1]
                                                       : rest[j + 1] && meet(one[i], other[j]);
        }
        rest = std::move(next);
    }
    return rest.front();
}

bool isStar(char letter)
{
    return letter == '*';
}

bool isAscii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
}

bool segmentsMeet(std::string_view one, std::string_view other)
{
    if (isAnySegment(one)) {
        return !other.empty();
    }
    if (isAnySegment(other)) {
        return !one.empty();
    }
    return sequencesMeet(one, other, isStar, [](char a, char b) { return a == b; });
}

} // namespace

bool globsMeet(std::string_view one, std::string_view other)
{
    const auto hasAnyOne = [](std::string_view text) { return text.find('?') != text.npos; };
    if ((hasAnyOne(one) || hasAnyOne(other)) && !(isAscii(one) && isAscii(other))) {
        return true; // `?` is a code point, and what follows goes byte by byte
    }
    return sequencesMeet(one, other, isStar,
                         [](char a, char b) { return a == b || a == '?' || b == '?'; });
}

bool pathsMeet(std::string_view one, std::string_view other)
{
    Segments ones;
    Segments others;
    ones.cut(one, '/');
    others.cut(other, '/');
    return sequencesMeet(
        ones, others, [](std::string_view segment) { return segment == "**"; }, segmentsMeet);
}

} // namespace engine::attributes
