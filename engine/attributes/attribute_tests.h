#pragma once
#include "engine/attributes.h"
#include "engine/attributes/normal_form.h"
#include "engine/attributes/segment_pattern.h"
#include "engine/attributes/text_hash.h"
#include "engine/plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine::attributes {

/// A value that is being asked about, with what was found out about it on the way.
class Subject {
public:
    void set(std::string_view text, std::optional<std::int64_t> number = std::nullopt);

    [[nodiscard]] std::string_view text() const { return m_text; }

    /// What it counts as, or nothing: digits with an optional minus, or a number given with it.
    const std::optional<std::int64_t>& number();
    const std::optional<Address>& address();
    const Segments& segments(char separator);

private:
    std::string_view m_text;
    bool m_numberKnown = false;
    bool m_addressKnown = false;
    char m_separator = '\0';
    std::optional<std::int64_t> m_number;
    std::optional<Address> m_address;
    Segments m_segments;
};

/// All entries of `match` that ask about one attribute, evaluated together: one bit each.
///
/// Equal entries share a bit, and equal tests of different entries are made once. An Equals test
/// costs nothing by itself: all of them are one lookup.
class AttributeTests {
public:
    explicit AttributeTests(NormalForm form = NormalForm::AsIs);

    /// The number of the entry's bit. `matcher.attribute` does not matter here.
    std::size_t add(const Matcher& matcher);

    [[nodiscard]] std::size_t entryCount() const { return m_entries.size(); }

    [[nodiscard]] std::size_t wordCount() const { return (m_entries.size() + 63) / 64; }

    /// Tests that look at a value one by one; what a cache saves.
    [[nodiscard]] std::size_t costlyTests() const
    {
        return m_globs.size() + m_paths.size() + m_networks.size();
    }

    [[nodiscard]] bool needsText() const { return costlyTests() + m_equals.size() > 0; }

    /// Writes wordCount() words: entry e is bit e % 64 of word e / 64.
    void evaluate(Subject& subject, std::uint64_t* words) const;
    void evaluateMissing(std::uint64_t* words) const;

private:
    struct Entry {
        bool negated = false;
        bool absent = false;
    };

    template <class What> struct Asked {
        What what;
        std::vector<std::uint32_t> entries;
    };

    struct Span {
        std::int64_t low = 0;
        std::int64_t high = 0;

        bool operator==(const Span&) const = default;
    };

    void addTest(const Test& test, std::uint32_t entry);
    void addEquals(std::string_view text, std::uint32_t entry);
    void addGlob(std::string_view text, std::uint32_t entry);
    void evaluateOneByOne(Subject& subject, std::uint64_t* words) const;
    void flip(const std::vector<std::uint32_t>& entries, std::uint64_t* words) const;

    NormalForm m_form;
    std::vector<Entry> m_entries;
    std::vector<std::uint64_t> m_whenMissing; ///< the words of a missing value
    std::vector<std::uint64_t> m_whenThere; ///< those of a value that no test is true of
    std::unordered_map<std::string, std::size_t> m_known;
    std::vector<Asked<std::string>> m_equals;
    std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> m_equalsIndex;
    std::vector<Asked<std::string>> m_globs;
    std::vector<Asked<std::optional<std::pair<std::string, SegmentPattern>>>> m_paths;
    std::vector<Asked<std::pair<std::string, Network>>> m_networks;
    std::vector<Asked<Span>> m_ranges;
};

} // namespace engine::attributes
