#pragma once
#include "engine/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace app {

/// Keeps all requests of some values of an attribute, and none of the others.
///
/// Example: {"client_ip", 2^64 / 100} keeps the requests of one address in a hundred; the same ones
/// for the same mask key, however often and from whichever log.
struct KeySample {
    std::string attribute;
    std::uint64_t below = 0; ///< keeps a value whose hash is less

    /// "5%", "0.5%", above 0 and below 100. Errors: cli.usage.
    static engine::Result<KeySample> of(std::string attribute, std::string_view share);
};

} // namespace app
