#include "engine/match_order.h"

#include "engine/attributes.h"
#include "engine/attributes/pattern_meet.h"
#include "engine/attributes/segment_pattern.h"
#include "engine/attributes/text_glob.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace engine {
namespace {

using attributes::isAnySegment;
using attributes::SegmentPattern;
using attributes::Segments;

constexpr std::size_t kMostSteps = 4096; ///< pairs of segments; longer patterns stay unproved

bool hasStar(std::string_view text)
{
    return text.find('*') != std::string_view::npos;
}

bool pathMatches(std::string_view pattern, std::string_view text)
{
    Segments segments;
    segments.cut(text, '/');
    return SegmentPattern(pattern, '/').matches(segments);
}

constexpr char kAnyRun = '\x01'; ///< stands for what a star leaves open
constexpr char kAnyOne = '\x02';

/// What a pattern leaves open as letters of their own: another pattern that takes these only by its
/// stars takes whatever may stand there. Nothing if they are in the text already.
std::optional<std::string> withOpenLetters(std::string_view pattern, std::string_view wider)
{
    constexpr std::string_view kOpen {"\x01\x02"};
    if (pattern.find_first_of(kOpen) != pattern.npos || wider.find_first_of(kOpen) != wider.npos) {
        return std::nullopt;
    }
    std::string text(pattern);
    std::replace(text.begin(), text.end(), '*', kAnyRun);
    return text;
}

bool segmentCovers(std::string_view wider, std::string_view narrower)
{
    if (isAnySegment(wider)) {
        return isAnySegment(narrower) || narrower.find_first_not_of('*') != std::string_view::npos;
    }
    if (wider == narrower) {
        return true;
    }
    const std::optional<std::string> open = withOpenLetters(narrower, wider);
    return !isAnySegment(narrower) && hasStar(wider) && open && pathMatches(wider, *open);
}

/// `**` of the wider pattern takes in any run of the narrower one's segments, its `**` too; what
/// else the narrower one leaves open must be met by something at least as open.
bool pathCovers(std::string_view wider, std::string_view narrower)
{
    Segments wide;
    Segments narrow;
    wide.cut(wider, '/');
    narrow.cut(narrower, '/');
    if (wide.size() * narrow.size() > kMostSteps) {
        return false;
    }
    // rest[j]: do wide[i..] cover narrow[j..]?
    std::vector<bool> rest(narrow.size() + 1, false);
    rest.back() = true;
    for (std::size_t i = wide.size(); i-- > 0;) {
        std::vector<bool> next(narrow.size() + 1, false);
        const bool isAny = wide[i] == "**";
        next[narrow.size()] = isAny && rest[narrow.size()];
        for (std::size_t j = narrow.size(); j-- > 0;) {
            next[j] = isAny ? rest[j] || next[j + 1]
                            : narrow[j] != "**" && rest[j + 1] && segmentCovers(wide[i], narrow[j]);
        }
        rest = std::move(next);
    }
    return rest.front();
}

std::optional<std::int64_t> numberOf(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

bool networkHas(std::string_view block, std::string_view text)
{
    const Result<Network> network = parseNetwork(block);
    const std::optional<Address> address = parseAddress(text);
    return network && address && contains(*network, *address);
}

bool networkCovers(std::string_view wider, std::string_view narrower)
{
    const Result<Network> wide = parseNetwork(wider);
    const Result<Network> narrow = parseNetwork(narrower);
    return wide && narrow && wide->base.isIpv6 == narrow->base.isIpv6
        && wide->prefixBits <= narrow->prefixBits && contains(*wide, narrow->base);
}

/// Is the test true of a value that is exactly this text?
bool isTrueOf(const Test& test, std::string_view text)
{
    switch (test.kind) {
    case TestKind::Absent:
        return false;
    case TestKind::Equals:
        return test.text == text;
    case TestKind::Glob:
        return attributes::globMatches(test.text, text);
    case TestKind::Path:
        return pathMatches(test.text, text);
    case TestKind::Network:
        return networkHas(test.text, text);
    case TestKind::Range: {
        const std::optional<std::int64_t> number = numberOf(text);
        return number && *number >= test.low && *number <= test.high;
    }
    }
    return false;
}

/// "*a*" covers "b*ac": the stars of the wider one take all that the narrower one leaves open. A
/// `?` might take the whole of a star there, so that such pairs stay unproved.
bool globCovers(std::string_view wider, std::string_view narrower)
{
    if (wider == narrower) {
        return true;
    }
    if (wider.find('?') != wider.npos && hasStar(narrower)) {
        return false;
    }
    std::optional<std::string> open = withOpenLetters(narrower, wider);
    if (!open) {
        return false;
    }
    std::replace(open->begin(), open->end(), '?', kAnyOne);
    return attributes::globMatches(wider, *open);
}

bool testCovers(const Test& wider, const Test& narrower)
{
    if (narrower.kind == TestKind::Equals) {
        return isTrueOf(wider, narrower.text);
    }
    if (wider.kind == TestKind::Glob && wider.text == "*") {
        return narrower.kind != TestKind::Absent;
    }
    if (wider.kind != narrower.kind) {
        return false;
    }
    switch (wider.kind) {
    case TestKind::Absent:
        return true;
    case TestKind::Equals:
        return false; // told above
    case TestKind::Glob:
        return globCovers(wider.text, narrower.text);
    case TestKind::Path:
        return pathCovers(wider.text, narrower.text);
    case TestKind::Network:
        return networkCovers(wider.text, narrower.text);
    case TestKind::Range:
        return wider.low <= narrower.low && narrower.high <= wider.high;
    }
    return false;
}

bool testsExclude(const Test& one, const Test& other)
{
    if (one.kind == TestKind::Absent || other.kind == TestKind::Absent) {
        return one.kind != other.kind;
    }
    if (one.kind == TestKind::Equals) {
        return !isTrueOf(other, one.text);
    }
    if (other.kind == TestKind::Equals) {
        return !isTrueOf(one, other.text);
    }
    if (one.kind != other.kind) {
        return false;
    }
    switch (one.kind) {
    case TestKind::Absent:
    case TestKind::Equals:
        return false; // told above
    case TestKind::Glob:
        return !attributes::globsMeet(one.text, other.text);
    case TestKind::Path:
        return !attributes::pathsMeet(one.text, other.text);
    case TestKind::Network:
        return parseNetwork(one.text) && parseNetwork(other.text)
            && !networkCovers(one.text, other.text) && !networkCovers(other.text, one.text);
    case TestKind::Range:
        return one.high < other.low || other.high < one.low;
    }
    return false;
}

template <class Predicate> bool all(const std::vector<Test>& tests, const Predicate& holds)
{
    return std::all_of(tests.begin(), tests.end(), holds);
}

template <class Predicate> bool any(const std::vector<Test>& tests, const Predicate& holds)
{
    return std::any_of(tests.begin(), tests.end(), holds);
}

bool anyCovers(const std::vector<Test>& wider, const Test& narrower)
{
    return any(wider, [&](const Test& test) { return testCovers(test, narrower); });
}

bool entryCovers(const Matcher& wider, const Matcher& narrower)
{
    const auto isAbsent = [](const Test& test) { return test.kind == TestKind::Absent; };
    if (!wider.negated) {
        if (narrower.negated) { // there, and none of these: only "anything" surely covers that
            return any(wider.anyOf, [](const Test& test) {
                return test.kind == TestKind::Glob && test.text == "*";
            });
        }
        return all(narrower.anyOf, [&](const Test& test) { return anyCovers(wider.anyOf, test); });
    }
    if (!narrower.negated) {
        return all(narrower.anyOf, [&](const Test& test) {
            return !isAbsent(test) && all(wider.anyOf, [&](const Test& refused) {
                return testsExclude(refused, test);
            });
        });
    }
    return all(wider.anyOf, [&](const Test& refused) {
        return isAbsent(refused) || anyCovers(narrower.anyOf, refused);
    });
}

bool entriesExclude(const Matcher& one, const Matcher& other)
{
    if (one.negated && other.negated) {
        return false;
    }
    if (one.negated) {
        return entriesExclude(other, one);
    }
    if (other.negated) {
        return all(one.anyOf, [&](const Test& test) {
            return test.kind == TestKind::Absent || anyCovers(other.anyOf, test);
        });
    }
    return all(one.anyOf, [&](const Test& test) {
        return all(other.anyOf, [&](const Test& against) { return testsExclude(test, against); });
    });
}

/// What an entry leaves of a test of another one about the same attribute: the test, those of the
/// entry's tests that are part of it, or nothing.
std::vector<Test> leftOf(const Test& test, const Matcher& by)
{
    if (by.negated) {
        const bool isRefused = test.kind == TestKind::Absent || anyCovers(by.anyOf, test);
        return isRefused ? std::vector<Test> {} : std::vector<Test> {test};
    }
    if (anyCovers(by.anyOf, test)) {
        return {test};
    }
    std::vector<Test> left;
    for (const Test& part : by.anyOf) {
        if (testCovers(test, part)) {
            left.push_back(part);
        } else if (!testsExclude(test, part)) {
            return {test}; // some of it, which no text says
        }
    }
    return left;
}

void narrow(Matcher& entry, const Matcher& by)
{
    const std::size_t most = std::max(entry.anyOf.size(), by.anyOf.size());
    std::vector<Test> left;
    for (const Test& test : entry.anyOf) {
        const std::vector<Test> more = leftOf(test, by);
        left.insert(left.end(), more.begin(), more.end());
        if (left.size() > most) {
            return; // patterns that overlap: no shorter than what stands there
        }
    }
    entry.anyOf = std::move(left);
}

template <class Relation>
bool anyEntry(const Match& match, const Matcher& about, const Relation& holds)
{
    return std::any_of(match.begin(), match.end(), [&](const Matcher& entry) {
        return entry.attribute == about.attribute && holds(about, entry);
    });
}

} // namespace

bool covers(const Match& wider, const Match& narrower)
{
    return std::all_of(wider.begin(), wider.end(), [&](const Matcher& entry) {
        return anyEntry(narrower, entry, entryCovers);
    });
}

bool excludes(const Match& one, const Match& other)
{
    return std::any_of(one.begin(), one.end(), [&](const Matcher& entry) {
        return anyEntry(other, entry, entriesExclude);
    });
}

std::optional<Match> both(const Match& one, const Match& other)
{
    Match all = one;
    all.insert(all.end(), other.begin(), other.end());
    for (Matcher& entry : all) {
        for (const Matcher& by : all) {
            if (!entry.negated && &by != &entry && by.attribute == entry.attribute) {
                narrow(entry, by);
            }
        }
        if (!entry.negated && entry.anyOf.empty()) {
            return std::nullopt;
        }
    }
    return all;
}

} // namespace engine
