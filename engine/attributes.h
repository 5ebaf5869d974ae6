#pragma once
#include "engine/plan.h"
#include "engine/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What an attribute is: names, normal forms, patterns. The one place that knows.
/// Definition: semantics section 4, policy-language "Matching", small print C2 to C35.
namespace engine {

/// The attributes that every log can give, in this order.
inline constexpr std::array<std::string_view, 14> kBuiltInAttributes {
    "client_ip", "request_id", "method",  "path",       "query",   "host",  "scheme",
    "status",    "user",       "api_key", "user_agent", "referer", "bytes", "duration"};

bool isBuiltIn(std::string_view attribute);

/// An IP address in network byte order; IPv4-mapped IPv6 is IPv4.
struct Address {
    std::array<std::uint8_t, 16> bytes {};
    bool isIpv6 = false;
};

/// Reads an address as logs write it: surrounding blanks, brackets, a port (IPv4, or IPv6 in
/// brackets) and a zone are dropped. "[::FFFF:192.0.2.1]:443" is 192.0.2.1. Nothing if it is none.
std::optional<Address> parseAddress(std::string_view text);

/// RFC 5952 text, "2001:db8::1" or "192.0.2.1", written to out (at least 46 bytes); its length.
std::size_t formatAddress(const Address& address, char* out);
std::string toText(const Address& address);

/// A block of addresses: the first `prefixBits` bits of `base`.
struct Network {
    Address base;
    int prefixBits = 0;
};

/// "192.0.2.0/24", or an address alone. Errors: attribute.network (no block; bits beyond the
/// family; host bits set, with the network that was meant in help).
Result<Network> parseNetwork(std::string_view text);
bool contains(const Network& network, const Address& address);

/// Writes the normal form of an attribute's value to `out` and returns it, or returns `value`
/// itself where it is in normal form already. A value that is missing by rule (empty text; a
/// status below 100) gives a view with data() == nullptr.
///
/// client_ip: canonical address, a token without blanks as it is, free text is missing;
/// host: lower case without port; method: upper case; anything else as it is.
/// "EXAMPLE.com:8080" as host gives "example.com".
std::string_view normalise(std::string_view attribute, std::string_view value, std::string& out);

/// A path, host or text pattern that is well formed, or why it is not.
/// Errors: attribute.pattern. Names in braces are returned in order.
Result<std::vector<std::string>> capturesOf(std::string_view attribute, std::string_view pattern);

} // namespace engine
