#include "storage/request_numbers.h"

#include <algorithm>
#include <charconv>

namespace storage {

RequestNumbers::RequestNumbers(const std::vector<std::uint64_t>& requests)
    : m_requests(requests)
{
    std::uint64_t before = 0;
    for (const std::uint64_t count : m_requests) {
        m_before.push_back(before);
        before += count;
    }
}

std::uint64_t RequestNumbers::placeOf(std::uint64_t n) const
{
    if (m_before.empty()) {
        return n;
    }
    // The last LOG that begins before n: one without requests is passed over.
    const auto next = std::lower_bound(m_before.begin(), m_before.end(), n);
    const auto log = static_cast<std::size_t>(next - m_before.begin()) - 1;
    return placeOf(log, n - m_before[log], m_before.size());
}

std::string RequestNumbers::toText() const
{
    std::string text;
    for (const std::uint64_t count : m_requests) {
        text += (text.empty() ? "" : ",") + std::to_string(count);
    }
    return text;
}

engine::Result<RequestNumbers> RequestNumbers::fromText(std::string_view text)
{
    if (text.empty()) {
        return RequestNumbers();
    }
    std::vector<std::uint64_t> requests;
    std::uint64_t all = 0;
    for (const char* at = text.data();; ++at) {
        const char* const end = text.data() + text.size();
        const auto [next, error] = std::from_chars(at, end, requests.emplace_back());
        const bool isFine = error == std::errc {} && (next == end || *next == ',')
            && !__builtin_add_overflow(all, requests.back(), &all);
        if (!isFine) {
            return engine::fail("store.damaged",
                                "the store says of a recording that its LOGs have `"
                                    + std::string(text) + "` requests",
                                "replay the log again");
        }
        if (next == end) {
            return RequestNumbers(requests);
        }
        at = next;
    }
}

} // namespace storage
