#pragma once
#include "app/workbench/enough_limit.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace app {

/// Looks for a number of a field that is enough while one less is not, by trials that each take a
/// pass over the log: asks for a few numbers at once, takes in what came of them.
///
/// Example: current 10, guess 25: asks for 24 and 25. If 25 is enough and 24 is not, that is it;
/// if both are, it looks between 10 and 24, if neither is, above 25.
class EnoughSearch {
public:
    /// `guess`: where to look first; nothing: just above the current number, which is not enough.
    EnoughSearch(const LimitField& field, std::optional<std::int64_t> guess);

    /// Numbers to try, ascending; none: the search has ended.
    [[nodiscard]] const std::vector<std::int64_t>& wanted() const { return m_wanted; }

    /// For each wanted number: was it enough?
    void take(const std::vector<bool>& enough);

    /// Once it has ended: the number, or nothing if none that can be counted is enough.
    [[nodiscard]] std::optional<std::int64_t> found() const { return m_high; }

    [[nodiscard]] const LimitField& field() const { return *m_field; }

private:
    void ask();

    const LimitField* m_field; ///< borrowed
    std::int64_t m_low; ///< not enough
    std::optional<std::int64_t> m_high; ///< enough
    std::vector<std::int64_t> m_wanted;
};

} // namespace app
