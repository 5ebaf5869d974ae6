#include "storage/logs/client_chooser.h"

#include "storage/logs/line_parser.h"

#include <algorithm>
#include <array>
#include <optional>

namespace storage::logs {
namespace {

constexpr std::array<std::string_view, 3> kForwardedFor {"x_forwarded_for", "http_x_forwarded_for",
                                                         "xff"};
constexpr std::array<std::string_view, 2> kForwarded {"forwarded", "http_forwarded"};

/// "request.headers.X-Forwarded-For" is x_forwarded_for.
std::string plainName(std::string_view field)
{
    std::string name(field.substr(field.rfind('.') + 1)); // npos + 1 is the start
    for (char& c : name) {
        c = c == '-' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
    return name;
}

/// Blanks as logs write them, and quotes, around an entry.
std::string_view stripped(std::string_view text)
{
    constexpr std::string_view kAround = " \t\"+";
    constexpr std::string_view kEncoded = "%20";
    for (bool changed = true; changed;) {
        const std::size_t before = text.size();
        text.remove_prefix(std::min(text.find_first_not_of(kAround), text.size()));
        text = text.substr(0, text.find_last_not_of(kAround) + 1);
        text.remove_prefix(text.starts_with(kEncoded) ? kEncoded.size() : 0);
        text.remove_suffix(text.ends_with(kEncoded) ? kEncoded.size() : 0);
        changed = text.size() != before;
    }
    return text;
}

/// Entries of "a, b, c" from the right.
class ListEntries {
public:
    static constexpr bool kSkipsEmpty = true; ///< RFC 9110, 5.6.1

    explicit ListEntries(std::string_view list)
        : m_rest(list)
    {
    }

    std::optional<std::string_view> next()
    {
        if (m_isDone) {
            return std::nullopt;
        }
        const std::size_t comma = m_rest.rfind(',');
        m_isDone = comma == m_rest.npos;
        const std::string_view entry = m_rest.substr(comma + 1);
        m_rest = m_isDone ? std::string_view() : m_rest.substr(0, comma);
        return stripped(entry);
    }

private:
    std::string_view m_rest;
    bool m_isDone = false;
};

/// Cuts at `separator` outside of quotes.
std::vector<std::string_view> parted(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    bool isQuoted = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\\' && isQuoted) {
            ++at;
        } else if (text[at] == '"') {
            isQuoted = !isQuoted;
        } else if (text[at] == separator && !isQuoted) {
            parts.push_back(text.substr(begin, at - begin));
            begin = at + 1;
        }
    }
    parts.push_back(text.substr(begin));
    return parts;
}

/// Entries of `for=192.0.2.60;proto=http;by=203.0.113.43, for="[2001:db8::17]:4711"` from the
/// right. One without `for=` is an entry without an address.
class ForwardedEntries {
public:
    static constexpr bool kSkipsEmpty = false; ///< one without `for=` hides who it was

    explicit ForwardedEntries(std::string_view list)
        : m_elements(parted(list, ','))
    {
    }

    std::optional<std::string_view> next()
    {
        if (m_elements.empty()) {
            return std::nullopt;
        }
        const std::string_view element = m_elements.back();
        m_elements.pop_back();
        for (const std::string_view pair : parted(element, ';')) {
            const std::size_t equals = pair.find('=');
            if (equals != pair.npos && plainName(stripped(pair.substr(0, equals))) == "for") {
                return stripped(pair.substr(equals + 1));
            }
        }
        return std::string_view("");
    }

private:
    std::vector<std::string_view> m_elements;
};

} // namespace

ClientChooser::ClientChooser(std::vector<engine::Network> trusted,
                             const std::vector<std::string>& fields)
    : m_trusted(std::move(trusted))
{
    const auto addAll = [&](std::span<const std::string_view> names) {
        for (const std::string_view name : names) {
            std::copy_if(fields.begin(), fields.end(), std::back_inserter(m_lists),
                         [name](const std::string& field) { return plainName(field) == name; });
        }
    };
    addAll(kForwardedFor);
    m_firstForwarded = m_lists.size();
    addAll(kForwarded);
}

bool ClientChooser::isTrusted(const engine::Address& address) const
{
    return std::any_of(m_trusted.begin(), m_trusted.end(), [&](const engine::Network& network) {
        return engine::contains(network, address);
    });
}

bool ClientChooser::isTrustedPeer(std::string_view peer) const
{
    if (peer.empty() || peer == "-" || peer.starts_with("unix:")) {
        return true;
    }
    const auto address = engine::parseAddress(peer);
    return address && isTrusted(*address);
}

template <class Entries>
ClientChooser::Choice ClientChooser::walk(std::string_view peer, Entries entries) const
{
    Choice choice {peer, From::Peer};
    while (const auto entry = entries.next()) {
        if (entry->empty() && Entries::kSkipsEmpty) {
            continue;
        }
        const auto address = engine::parseAddress(*entry);
        if (!address) {
            return {peer, From::UnusableList};
        }
        choice = {*entry, From::List};
        if (!isTrusted(*address)) {
            break;
        }
    }
    return choice;
}

ClientChooser::Choice ClientChooser::chooseOf(std::string_view list) const
{
    return walk(lastOfList(list), ListEntries(list));
}

ClientChooser::Choice ClientChooser::choose(std::string_view peer,
                                            std::span<const std::string_view> lists) const
{
    if (!isTrustedPeer(peer)) {
        return {peer, From::Peer};
    }
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (!lists[i].empty() && lists[i] != "-") {
            return i < m_firstForwarded ? walk(peer, ListEntries(lists[i]))
                                        : walk(peer, ForwardedEntries(lists[i]));
        }
    }
    return {peer, From::Peer};
}

std::string_view lastOfList(std::string_view list)
{
    ListEntries entries(list);
    std::optional<std::string_view> entry = entries.next();
    while (entry && entry->empty()) {
        entry = entries.next();
    }
    return entry.value_or(std::string_view {});
}

bool readOddClient(std::string_view text, std::string_view& client, std::string_view& clients)
{
    if (text.size() > 1 && text.front() == '"' && text.back() == '"') {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    if (text.find(',') != std::string_view::npos) {
        const std::string_view last = lastOfList(text);
        ListEntries entries(text);
        for (auto entry = entries.next(); entry; entry = entries.next()) {
            std::string_view token;
            if (!readToken(*entry, token)) {
                return false;
            }
        }
        client = last;
        clients = text;
        return engine::parseAddress(last).has_value();
    }
    client = text;
    const std::size_t filling = std::min(text.find('='), text.size()); // of base64
    return text.find('"') == std::string_view::npos
        && text.find_first_not_of('=', filling) == std::string_view::npos
        && readToken(text, client);
}

} // namespace storage::logs
