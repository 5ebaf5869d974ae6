#pragma once
#include "storage/logs/decoder.h"

#include <memory>

namespace storage::logs {

/// gzip (RFC 1952), by ISA-L.
std::unique_ptr<Decoder> makeGzipDecoder();

} // namespace storage::logs
