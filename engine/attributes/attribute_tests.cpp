#include "engine/attributes/attribute_tests.h"

#include "engine/attributes/text.h"
#include "engine/attributes/text_glob.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace engine::attributes {
namespace {

constexpr std::size_t kFewEquals = 6; ///< up to here comparing beats hashing

/// One text for each meaning, whatever the order of the alternatives.
std::string signatureOf(const Matcher& matcher)
{
    using Row = std::tuple<int, std::string_view, std::int64_t, std::int64_t>;
    std::vector<Row> rows;
    for (const Test& test : matcher.anyOf) {
        rows.emplace_back(static_cast<int>(test.kind), test.text, test.low, test.high);
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::string signature = matcher.negated ? "-" : "+";
    for (const auto& [kind, text, low, high] : rows) {
        signature += std::to_string(kind) + ' ' + std::to_string(low) + ' ' + std::to_string(high)
            + ' ' + std::to_string(text.size()) + ' ';
        signature += text;
    }
    return signature;
}

template <class List, class Same> auto& findOrAdd(List& list, Same same)
{
    const auto found = std::find_if(list.begin(), list.end(), same);
    return found == list.end() ? list.emplace_back() : *found;
}

} // namespace

void Subject::set(std::string_view text, std::optional<std::int64_t> number)
{
    m_text = text;
    m_number = number;
    m_numberKnown = number.has_value();
    m_addressKnown = false;
    m_separator = '\0';
}

const std::optional<std::int64_t>& Subject::number()
{
    if (!m_numberKnown) {
        m_number = wholeValue(m_text);
        m_numberKnown = true;
    }
    return m_number;
}

const std::optional<Address>& Subject::address()
{
    if (!m_addressKnown) {
        m_address = parseAddress(m_text);
        m_addressKnown = true;
    }
    return m_address;
}

const Segments& Subject::segments(char separator)
{
    if (m_separator != separator) {
        m_segments.cut(m_text, separator);
        m_separator = separator;
    }
    return m_segments;
}

AttributeTests::AttributeTests(NormalForm form)
    : m_form(form)
{
}

std::size_t AttributeTests::add(const Matcher& matcher)
{
    const auto [known, isNew] = m_known.emplace(signatureOf(matcher), m_entries.size());
    if (!isNew) {
        return known->second;
    }
    const auto entry = static_cast<std::uint32_t>(m_entries.size());
    m_entries.push_back({matcher.negated, false});
    for (const Test& test : matcher.anyOf) {
        addTest(test, entry);
    }
    m_whenMissing.resize(wordCount());
    m_whenThere.resize(wordCount());
    const std::uint64_t bit = std::uint64_t {1} << (entry % 64);
    if (matcher.negated) {
        m_whenThere[entry / 64] |= bit; // a missing attribute matches no `not`
    } else if (m_entries[entry].absent) {
        m_whenMissing[entry / 64] |= bit;
    }
    return entry;
}

void AttributeTests::addTest(const Test& test, std::uint32_t entry)
{
    switch (test.kind) {
    case TestKind::Absent:
        m_entries[entry].absent = true;
        break;
    case TestKind::Equals:
        addEquals(test.text, entry);
        break;
    case TestKind::Glob:
        addGlob(test.text, entry);
        break;
    case TestKind::Path: {
        auto& asked = findOrAdd(m_paths, [&](const auto& a) { return a.what->first == test.text; });
        if (!asked.what) {
            asked.what.emplace(test.text, SegmentPattern(test.text, '/'));
        }
        asked.entries.push_back(entry);
        break;
    }
    case TestKind::Network: {
        const Result<Network> network = parseNetwork(test.text);
        if (network) { // a block that is none has no addresses
            auto& asked
                = findOrAdd(m_networks, [&](const auto& a) { return a.what.first == test.text; });
            asked.what = {test.text, *network};
            asked.entries.push_back(entry);
        }
        break;
    }
    case TestKind::Range: {
        const Span span {test.low, test.high};
        auto& asked = findOrAdd(m_ranges, [&](const auto& a) { return a.what == span; });
        asked.what = span;
        asked.entries.push_back(entry);
        break;
    }
    }
}

void AttributeTests::addEquals(std::string_view text, std::uint32_t entry)
{
    std::string room(normalFormRoom(text.size()), '\0');
    const std::string_view normal = toNormalForm(m_form, text, room.data());
    if (isMissing(normal)) {
        return; // no value is ever that
    }
    const auto [known, isNew] = m_equalsIndex.emplace(normal, m_equals.size());
    if (isNew) {
        m_equals.push_back({std::string(normal), {}});
    }
    m_equals[known->second].entries.push_back(entry);
}

void AttributeTests::addGlob(std::string_view text, std::uint32_t entry)
{
    std::string pattern(text);
    if (m_form == NormalForm::Host) {
        std::transform(pattern.begin(), pattern.end(), pattern.begin(), toLower);
    } else if (m_form == NormalForm::Method) {
        std::transform(pattern.begin(), pattern.end(), pattern.begin(), toUpper);
    }
    auto& asked = findOrAdd(m_globs, [&](const auto& a) { return a.what == pattern; });
    asked.what = pattern;
    asked.entries.push_back(entry);
}

void AttributeTests::flip(const std::vector<std::uint32_t>& entries, std::uint64_t* words) const
{
    for (const std::uint32_t entry : entries) {
        const std::uint64_t bit = std::uint64_t {1} << (entry % 64);
        if (m_entries[entry].negated) {
            words[entry / 64] &= ~bit;
        } else {
            words[entry / 64] |= bit;
        }
    }
}

void AttributeTests::evaluateMissing(std::uint64_t* words) const
{
    std::copy(m_whenMissing.begin(), m_whenMissing.end(), words);
}

void AttributeTests::evaluate(Subject& subject, std::uint64_t* words) const
{
    std::copy(m_whenThere.begin(), m_whenThere.end(), words);
    if (m_equals.size() > kFewEquals) {
        const auto found = m_equalsIndex.find(subject.text());
        if (found != m_equalsIndex.end()) {
            flip(m_equals[found->second].entries, words);
        }
    } else {
        for (const auto& [what, entries] : m_equals) {
            if (sameText(what, subject.text())) {
                flip(entries, words);
            }
        }
    }
    if (costlyTests() + m_ranges.size() > 0) {
        evaluateOneByOne(subject, words);
    }
}

void AttributeTests::evaluateOneByOne(Subject& subject, std::uint64_t* words) const
{
    for (const auto& [what, entries] : m_globs) {
        if (globMatches(what, subject.text())) {
            flip(entries, words);
        }
    }
    for (const auto& [what, entries] : m_paths) {
        if (what->second.matches(subject.segments('/'))) {
            flip(entries, words);
        }
    }
    for (const auto& [what, entries] : m_networks) {
        if (subject.address() && contains(what.second, *subject.address())) {
            flip(entries, words);
        }
    }
    for (const auto& [what, entries] : m_ranges) {
        if (subject.number() && what.low <= *subject.number() && *subject.number() <= what.high) {
            flip(entries, words);
        }
    }
}

} // namespace engine::attributes
