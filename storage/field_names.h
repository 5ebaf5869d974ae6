#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace storage {

/// The names of the fields that a log's lines have, each once, in the order in which they were met.
///
/// The first 1,024 are kept: memory and time grow with fields times lines, and a log with more has
/// data for names (a map by user). What finds no room is counted: after 1,030 names, each in two
/// lines, leftOut() is 12. For one thread.
class FieldNames {
public:
    static constexpr std::size_t kMost = 1'024;
    static constexpr std::size_t kLongest = 1'024; ///< bytes of a name

    FieldNames() = default;

    explicit FieldNames(const std::vector<std::string>& names)
    {
        for (const std::string& name : names) {
            add(name);
        }
    }

    void add(std::string_view name)
    {
        if (has(name)) {
            return;
        }
        if (m_names.size() >= kMost || name.size() > kLongest) {
            ++m_leftOut;
            return;
        }
        m_known.emplace(name);
        m_names.emplace_back(name);
    }

    /// As add() of so many names that are too long to be given.
    void leaveOut(std::uint64_t count) { m_leftOut += count; }

    /// Counts anew, for a second pass over the same lines.
    void recount() { m_leftOut = 0; }

    [[nodiscard]] bool has(std::string_view name) const { return m_known.contains(name); }

    [[nodiscard]] const std::vector<std::string>& list() const { return m_names; }

    /// How often a name was added that found no room.
    [[nodiscard]] std::uint64_t leftOut() const { return m_leftOut; }

private:
    struct Hash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view> {}(text);
        }
    };

    std::vector<std::string> m_names;
    std::unordered_set<std::string, Hash, std::equal_to<>> m_known;
    std::uint64_t m_leftOut = 0;
};

} // namespace storage
