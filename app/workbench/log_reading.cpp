#include "app/workbench/log_reading.h"

#include "storage/zone.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <functional>

namespace app {
namespace {

std::string mapText(const LogChoice& log)
{
    std::string text;
    for (const storage::FieldMapping& mapping : log.mappings) {
        text += (text.empty() ? "" : "\n") + mapping.name + "=" + mapping.field;
    }
    return text;
}

std::string zoneText(const LogChoice& log)
{
    return log.zone && !log.zone->isUtc() ? log.zone->name() : std::string();
}

std::string proxiesText(const LogChoice& log)
{
    std::string text;
    for (const engine::Network& network : log.trustedProxies) {
        text += fmt::format("{}{}/{}", text.empty() ? "" : ",", engine::toText(network.base),
                            network.prefixBits);
    }
    return text;
}

std::string clockText(const LogChoice& log)
{
    return log.clockNs == 0 ? std::string() : fmt::format("{}ns", log.clockNs);
}

engine::Status setMap(std::string_view text, LogChoice& log)
{
    log.mappings.clear();
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const engine::Result<storage::FieldMapping> mapping = storage::parseMapping(line);
        if (!mapping) {
            return engine::fail(mapping.error());
        }
        log.mappings.push_back(*mapping);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return engine::Done {};
}

engine::Status setZone(std::string_view text, LogChoice& log)
{
    if (text.empty()) {
        log.zone = nullptr;
        return engine::Done {};
    }
    auto zone = storage::Zone::named(text);
    if (!zone) {
        return engine::fail(zone.error());
    }
    log.zone = std::move(*zone);
    return engine::Done {};
}

engine::Status setProxies(std::string_view text, LogChoice& log)
{
    log.trustedProxies.clear();
    if (text.empty()) {
        return engine::Done {};
    }
    auto networks = parseNetworks(text);
    if (!networks) {
        return engine::fail(networks.error());
    }
    log.trustedProxies = std::move(*networks);
    return engine::Done {};
}

engine::Status setClock(std::string_view text, LogChoice& log)
{
    log.clockNs = 0;
    if (text.empty()) {
        return engine::Done {};
    }
    const char* const end = text.data() + text.size();
    const auto [unit, error] = std::from_chars(text.data(), end, log.clockNs);
    if (error != std::errc {} || std::string_view(unit, end) != "ns") { // as clockText() wrote it
        return engine::fail(
            "store.damaged",
            fmt::format("the store says of a log that its clock was `{}` behind", text),
            "replay the log again");
    }
    return engine::Done {};
}

struct Kept {
    std::string_view name;
    std::string_view separator; ///< between the parts of several LOGs; in no part
    bool always; ///< kept where it is empty, too
    std::string (*text)(const LogChoice& log);
    engine::Status (*set)(std::string_view text, LogChoice& log);
};

constexpr std::array<Kept, 4> kKept {{
    {"map", "\n\n", true, mapText, setMap},
    {"tz", "\n", false, zoneText, setZone},
    {"proxies", "\n", false, proxiesText, setProxies},
    {"clock", "\n", false, clockText, setClock},
}};

std::vector<std::string_view> parted(std::string_view text, std::string_view separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == text.npos) {
            return parts;
        }
        text.remove_prefix(end + separator.size());
    }
}

} // namespace

engine::Result<std::vector<engine::Network>> parseNetworks(std::string_view text)
{
    std::vector<engine::Network> networks;
    for (std::string_view part : parted(text, ",")) {
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        part = part.substr(0, part.find_last_not_of(' ') + 1);
        if (part.empty()) {
            return engine::fail("cli.usage", fmt::format("a block is missing in `{}`", text),
                                "write blocks with commas between them: 10.0.0.0/8,2001:db8::/32");
        }
        auto network = engine::parseNetwork(part);
        if (!network) {
            return engine::fail(network.error());
        }
        networks.push_back(*network);
    }
    return networks;
}

std::vector<storage::Option> readingOf(const std::vector<LogChoice>& logs)
{
    std::vector<storage::Option> reading;
    for (const Kept& kept : kKept) {
        std::string value;
        bool differ = false;
        const std::string first = logs.empty() ? std::string() : kept.text(logs.front());
        for (std::size_t i = 0; i < logs.size(); ++i) {
            const std::string text = kept.text(logs[i]);
            differ = differ || text != first;
            value += (i == 0 ? std::string() : std::string(kept.separator)) + text;
        }
        value = differ ? value : first;
        if (kept.always || !value.empty()) {
            reading.push_back({std::string(kept.name), value});
        }
    }
    return reading;
}

engine::Status readAs(const std::vector<storage::Option>& reading, std::vector<LogChoice>& logs)
{
    for (const Kept& kept : kKept) {
        const auto found
            = std::find_if(reading.begin(), reading.end(), [&kept](const storage::Option& option) {
                  return option.name == kept.name;
              });
        const std::string_view value
            = found == reading.end() ? std::string_view() : std::string_view(found->value);
        const std::vector<std::string_view> parts = parted(value, kept.separator);
        const bool differ = logs.size() > 1 && parts.size() == logs.size();
        for (std::size_t i = 0; i < logs.size(); ++i) {
            if (auto done = kept.set(differ ? parts[i] : value, logs[i]); !done) {
                return done;
            }
        }
    }
    return engine::Done {};
}

} // namespace app
