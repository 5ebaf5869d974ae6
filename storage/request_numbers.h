#pragma once
#include "engine/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storage {

/// Numbers of the requests of several LOGs that are read side by side.
///
/// n numbers requests from 1 on in order of (LOG, line), but how many an earlier LOG has is known
/// only at its end. Meanwhile a request has a *place*: the i-th request (from 1) of LOG f of L has
/// the place (i - 1) * L + f + 1. With one LOG, place and n are the same.
///
/// Example: three LOGs of 10, 20 and 30 requests; the second request of the last one has place 6
/// and n 32.
class RequestNumbers {
public:
    /// Places are numbers: one LOG, or several that were read one after the other.
    RequestNumbers() = default;

    /// `requests`: how many each LOG has.
    explicit RequestNumbers(const std::vector<std::uint64_t>& requests);

    static std::uint64_t placeOf(std::size_t log, std::uint64_t ordinal, std::size_t logs)
    {
        return (ordinal - 1) * logs + log + 1;
    }

    /// The n of a place; 0, which stands for "not known", stays.
    [[nodiscard]] std::uint64_t numberOf(std::uint64_t place) const
    {
        if (m_before.empty() || place == 0) {
            return place;
        }
        const std::uint64_t logs = m_before.size();
        return m_before[static_cast<std::size_t>((place - 1) % logs)] + (place - 1) / logs + 1;
    }

    /// The place of an n from 1 on; one behind the last request gives a place that none has.
    [[nodiscard]] std::uint64_t placeOf(std::uint64_t n) const;

    [[nodiscard]] bool areNumbers() const { return m_before.empty(); }

    /// "10,20,30", as the store keeps it among the reading options ("places"); "" for one LOG.
    [[nodiscard]] std::string toText() const;
    /// The reverse. Errors: store.damaged (no such text).
    static engine::Result<RequestNumbers> fromText(std::string_view text);

    static constexpr std::string_view kOption = "places";

private:
    std::vector<std::uint64_t> m_requests; ///< of each LOG
    std::vector<std::uint64_t> m_before; ///< of all LOGs before it
};

} // namespace storage
