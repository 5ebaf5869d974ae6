#pragma once
#include "engine/attributes.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace storage::logs {

/// Who sent a request that came through proxies which are trusted to say so.
///
/// Trusted 10.0.0.0/8, peer 10.0.0.1, X-Forwarded-For "198.51.100.9, 192.0.2.7, 10.0.0.2": the
/// client is 192.0.2.7, the first from the right that is not trusted. What is left of it is what
/// that client claims. Immutable; any thread.
class ClientChooser {
public:
    /// `fields` are those that the log can give; its lists of addresses are found by their names.
    ClientChooser(std::vector<engine::Network> trusted, const std::vector<std::string>& fields);

    /// The fields that hold such lists, best first: x_forwarded_for, then Forwarded (RFC 7239).
    [[nodiscard]] const std::vector<std::string>& lists() const { return m_lists; }

    enum class From { Peer, List, UnusableList };

    struct Choice {
        std::string_view client; ///< part of one of the texts; no data: missing
        From from = From::Peer;
    };

    /// The client of a list that stands where the peer's address belongs.
    [[nodiscard]] Choice chooseOf(std::string_view list) const;

    /// `peer` is who connected; missing and `unix:` are trusted, as is an address of a trusted
    /// block. `lists[i]` is the value of lists()[i]; the first that is there counts. If all
    /// addresses are trusted, the left-most is the client. The peer is, where it is not trusted,
    /// where there is no list, and where an entry that is no address comes first.
    [[nodiscard]] Choice choose(std::string_view peer,
                                std::span<const std::string_view> lists) const;

private:
    [[nodiscard]] bool isTrusted(const engine::Address& address) const;
    [[nodiscard]] bool isTrustedPeer(std::string_view peer) const;
    template <class Entries> Choice walk(std::string_view peer, Entries entries) const;

    std::vector<engine::Network> m_trusted;
    std::vector<std::string> m_lists;
    std::size_t m_firstForwarded = 0; ///< lists from here on are in the form of RFC 7239
};

/// The last entry of "192.0.2.7, 10.0.0.5", the nearest proxy; entries without text do not count
/// (RFC 9110, 5.6.1).
std::string_view lastOfList(std::string_view list);

} // namespace storage::logs
