#include "app/workbench/key_sample.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace app {

engine::Result<KeySample> KeySample::of(std::string attribute, std::string_view share)
{
    const auto wrong = [&] {
        return engine::fail("cli.usage", fmt::format("--sample-by: {} is no share", share),
                            "write a percentage above 0 and below 100: 5%, 0.5%");
    };
    if (!share.ends_with('%')) {
        return wrong();
    }
    share.remove_suffix(1);
    // Exact: up to six decimals, as millionths of a percent.
    constexpr std::uint64_t kHundred = 100'000'000;
    const std::size_t point = std::min(share.find('.'), share.size());
    std::string digits(share.substr(0, point));
    std::string decimals(share.substr(std::min(point + 1, share.size())));
    decimals.resize(std::max<std::size_t>(decimals.size(), 6), '0');
    digits += decimals;
    std::uint64_t millionths = 0;
    const auto [end, error]
        = std::from_chars(digits.data(), digits.data() + digits.size(), millionths);
    if (error != std::errc {} || end != digits.data() + digits.size() || decimals.size() > 6
        || millionths == 0 || millionths >= kHundred) {
        return wrong();
    }
    // millionths * 2^64 / kHundred, in two steps of 32 bits.
    const std::uint64_t high = (millionths << 32) / kHundred;
    const std::uint64_t low = ((millionths << 32) % kHundred << 32) / kHundred;
    return KeySample {std::move(attribute), (high << 32) + low};
}

} // namespace app
