#pragma once
#include "storage/logs/decoder.h"
#include "storage/logs/encoder.h"

#include <memory>

namespace storage::logs {

/// gzip (RFC 1952), by ISA-L.
std::unique_ptr<Decoder> makeGzipDecoder();

/// Level 3 of ISA-L, about `gzip -2`.
std::unique_ptr<Encoder> makeGzipEncoder();

} // namespace storage::logs
