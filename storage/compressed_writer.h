#pragma once
#include "engine/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace storage {

namespace logs {
class Encoder;
}

/// Packs text into gzip or zstd while it is written, in constant memory. What comes out is one gzip
/// member or zstd frame with a checksum, the same bytes for the same text in the same steps.
///
///     CompressedWriter writer(CompressedWriter::Kind::Zstd, sink);
///     writer.write("{...}\n"); writer.finish();
///
/// One thread.
class CompressedWriter {
public:
    enum class Kind : std::uint8_t { Gzip, Zstd };
    using Sink = std::function<engine::Status(std::string_view packed)>;

    /// What the name of a file asks for: ".gz" or ".zst" at its end, else nothing.
    static std::optional<Kind> kindOf(std::string_view name);

    /// `sink` is called with packed bytes in order, and must outlive finish().
    CompressedWriter(Kind kind, Sink sink);
    ~CompressedWriter();
    CompressedWriter(const CompressedWriter&) = delete;
    CompressedWriter& operator=(const CompressedWriter&) = delete;

    /// Errors: the sink's.
    engine::Status write(std::string_view text);
    /// Once, at the end; without it what was written is cut. Errors: the sink's.
    engine::Status finish();

private:
    std::unique_ptr<logs::Encoder> m_encoder;
    Sink m_sink;
};

} // namespace storage
