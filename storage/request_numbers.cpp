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

RequestNumbers RequestNumbers::fromText(std::string_view text)
{
    std::vector<std::uint64_t> requests;
    while (!text.empty()) {
        std::uint64_t count = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (error != std::errc {}) {
            return {};
        }
        requests.push_back(count);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        text.remove_prefix(text.starts_with(',') ? 1 : 0);
    }
    return RequestNumbers(requests);
}

} // namespace storage
