#pragma once
#include "storage/logs/key_table.h"
#include "storage/logs/record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What the keys of logfmt and LTSV mean.
namespace storage::logs {

enum class PairSyntax : std::uint8_t { Logfmt, Ltsv };

PairSyntax pairSyntax(std::string_view format);

/// The fields of one list of attributes, and the keys that fill them.
struct PairLayout {
    // Fields that no key names.
    static constexpr std::string_view kHost = "(host)"; ///< of LTSV: the client, or the Host
    static constexpr std::string_view kRequest = "(request)";
    static constexpr std::string_view kTotal = "(total)"; ///< Heroku's connect and service
    static constexpr std::string_view kPrefix = "(prefix)"; ///< a time before the first pair

    RecordLayout layout;
    KeyTable keys;
    std::size_t ranked = 0; ///< fields before this one have several keys

    /// Errors: log.map. None that it has not without `wanted` as well.
    static engine::Result<PairLayout> make(PairSyntax syntax, const FormatOptions& options,
                                           const std::vector<std::string>& wanted);
};

/// The keys that are no further fields of a line, sorted.
std::vector<std::string> usedPairKeys(PairSyntax syntax, const FormatOptions& options);

/// A mapping of a time or the duration, which is no attribute of that name.
bool mapsTime(const FieldMapping& mapping);

} // namespace storage::logs
