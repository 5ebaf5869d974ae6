#include "storage/compressed_writer.h"

#include "storage/logs/encoder.h"
#include "storage/logs/gzip.h"
#include "storage/logs/zstd.h"

#include <utility>

namespace storage {

std::optional<CompressedWriter::Kind> CompressedWriter::kindOf(std::string_view name)
{
    if (name.ends_with(".gz")) {
        return Kind::Gzip;
    }
    return name.ends_with(".zst") ? std::optional(Kind::Zstd) : std::nullopt;
}

CompressedWriter::CompressedWriter(Kind kind, Sink sink)
    : m_encoder(kind == Kind::Gzip ? logs::makeGzipEncoder() : logs::makeZstdEncoder())
    , m_sink(std::move(sink))
{
}

CompressedWriter::~CompressedWriter() = default;

engine::Status CompressedWriter::write(std::string_view text)
{
    return m_encoder->add(text, false, m_sink);
}

engine::Status CompressedWriter::finish()
{
    return m_encoder->add({}, true, m_sink);
}

} // namespace storage
