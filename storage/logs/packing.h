#pragma once
#include "storage/logs/decoder.h"

#include <memory>
#include <string>
#include <string_view>

namespace storage::logs {

inline constexpr std::string_view kGzipMagic("\x1f\x8b", 2);

/// A frame of zstd or a skippable one begins with these bytes.
[[nodiscard]] bool isZstd(std::string_view head);

/// How a log's bytes are packed, told by their beginning and never by a name.
struct Packing {
    std::string_view name; ///< "gzip", "tar archive"; empty: not packed
    /// A command that writes the text of the file `NAME`; empty: none.
    std::string_view unpack;
    std::unique_ptr<Decoder> (*decoder)() = nullptr; ///< nothing: not read here
};

/// So many bytes tell the packing.
inline constexpr std::size_t kPackingBytes = 262;

/// Of the first kPackingBytes of a log, or of all where there are fewer.
[[nodiscard]] const Packing& packingOf(std::string_view head);

/// `unpack` for the file `path`: "xz -dc 'my log.xz'", without a backslash, so that it may be
/// escaped for a terminal and is the same command; FILE where the name itself would not be.
[[nodiscard]] std::string unpackCommand(std::string_view unpack, std::string_view path);

} // namespace storage::logs
