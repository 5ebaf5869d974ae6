#pragma once
#include "engine/attributes.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// The strict readers behind parseAddress() and parseNetwork().
namespace engine::attributes {

/// "192.0.2.1" and nothing else: four numbers up to 255 without leading zeros. Whatever it takes is
/// in normal form already. Host byte order.
bool readIpv4(std::string_view text, std::uint32_t& address);

/// Any of the forms of RFC 4291 section 2.2, without zone, brackets and port.
bool readIpv6(std::string_view text, std::array<std::uint8_t, 16>& bytes);

Address addressOf(std::uint32_t ipv4);
/// IPv4 where the bytes are an IPv4-mapped address.
Address addressOf(const std::array<std::uint8_t, 16>& bytes);

/// The address with all bits behind the first `bits` cleared.
Address masked(const Address& address, int bits);

/// "192.0.2.0/24", written to out (at least 52 bytes); its length.
std::size_t formatNetwork(const Address& address, int bits, char* out);
std::size_t formatNetwork(std::uint32_t ipv4, int bits, char* out);

} // namespace engine::attributes
