#pragma once
#include "storage/logs/decoder.h"
#include "storage/logs/encoder.h"

#include <memory>

namespace storage::logs {

/// zstd (RFC 8878): frames, skippable frames among them (pzstd writes those). A frame may ask for a
/// window of up to 128 MiB, which is what `zstd -d` allows without an option and what bounds
/// memory; one that asks for more, or for a dictionary, is refused.
std::unique_ptr<Decoder> makeZstdDecoder();

/// Level 3, with a checksum.
std::unique_ptr<Encoder> makeZstdEncoder();

} // namespace storage::logs
