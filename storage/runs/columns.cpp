#include "storage/runs/columns.h"

#include <algorithm>
#include <cstdlib>
#include <zstd.h>

namespace storage::runs {
namespace {

constexpr int kLevel = 1;
constexpr int kWidestBits = 64;
__extension__ using Wide = unsigned __int128;

/// Packs numbers of 0 to 63 bits one after the other, lowest bit first.
class BitPacker {
public:
    explicit BitPacker(std::string& out)
        : m_out(out)
    {
    }

    void add(std::uint64_t value, unsigned bits)
    {
        m_held |= static_cast<Wide>(value) << m_count;
        m_count += bits;
        while (m_count >= 8) {
            m_out.push_back(static_cast<char>(static_cast<unsigned char>(m_held)));
            m_held >>= 8;
            m_count -= 8;
        }
    }

    void flush()
    {
        if (m_count > 0) {
            m_out.push_back(static_cast<char>(static_cast<unsigned char>(m_held)));
        }
        m_held = 0;
        m_count = 0;
    }

private:
    std::string& m_out;
    Wide m_held = 0;
    unsigned m_count = 0;
};

class BitUnpacker {
public:
    explicit BitUnpacker(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    std::uint64_t take(unsigned bits)
    {
        while (m_count < bits) {
            const auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
            m_held |= static_cast<Wide>(byte) << m_count;
            m_count += 8;
        }
        const std::uint64_t value
            = static_cast<std::uint64_t>(m_held) & ((std::uint64_t {1} << bits) - 1);
        m_held >>= bits;
        m_count -= bits;
        return value;
    }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
    Wide m_held = 0;
    unsigned m_count = 0;
};

} // namespace

void appendVarint(std::string& out, std::uint64_t value)
{
    while (value >= 0x80) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(value | 0x80)));
        value >>= 7;
    }
    out.push_back(static_cast<char>(static_cast<unsigned char>(value)));
}

std::uint64_t ByteReader::varint()
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < kWidestBits; shift += 7) {
        if (!m_isSound || m_at == m_bytes.size()) {
            break;
        }
        const auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    m_isSound = false;
    return 0;
}

std::string_view ByteReader::bytes(std::uint64_t count)
{
    if (!m_isSound || count > m_bytes.size() - m_at) {
        m_isSound = false;
        return {};
    }
    const std::string_view taken = m_bytes.substr(m_at, count);
    m_at += count;
    return taken;
}

struct Compressor::Context {
    ZSTD_CCtx* zstd = ZSTD_createCCtx();
};

Compressor::Compressor()
    : m_context(std::make_unique<Context>())
{
}

Compressor::~Compressor()
{
    ZSTD_freeCCtx(m_context->zstd);
}

void Compressor::append(std::string& out, std::string_view plain)
{
    if (plain.empty()) {
        appendVarint(out, 0);
        return;
    }
    std::string frame(ZSTD_compressBound(plain.size()), '\0');
    const std::size_t size = ZSTD_compressCCtx(m_context->zstd, frame.data(), frame.size(),
                                               plain.data(), plain.size(), kLevel);
    if (ZSTD_isError(size) != 0) {
        std::abort(); // the output has room for the worst case: only a lack of memory is left
    }
    appendVarint(out, size);
    out.append(frame, 0, size);
}

void Compressor::appendNumbers(std::string& out, std::span<const std::uint64_t> values)
{
    m_lengths.clear();
    m_packed.clear();
    BitPacker packer(m_packed);
    for (const std::uint64_t value : values) {
        const auto length = static_cast<unsigned>(std::bit_width(value));
        m_lengths.push_back(static_cast<char>(static_cast<unsigned char>(length)));
        if (length > 1) {
            packer.add(value & ~(std::uint64_t {1} << (length - 1)), length - 1);
        }
    }
    packer.flush();
    append(out, m_lengths);
    out += m_packed;
}

std::string pointBlock(std::size_t points, std::int64_t firstSecond,
                       std::span<const std::string> columns, Compressor& compressor)
{
    std::string out;
    appendVarint(out, points);
    appendVarint(out, zigzag(firstSecond));
    for (const std::string& column : columns) {
        compressor.append(out, column);
    }
    return out;
}

struct Decompressor::Context {
    ZSTD_DCtx* zstd = ZSTD_createDCtx();
};

Decompressor::Decompressor()
    : m_context(std::make_unique<Context>())
{
}

Decompressor::~Decompressor()
{
    ZSTD_freeDCtx(m_context->zstd);
}

std::string_view Decompressor::read(ByteReader& in, std::size_t atMost)
{
    const std::string_view frame = in.bytes(in.varint());
    if (frame.empty()) {
        return {};
    }
    const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > atMost) {
        in.spoil();
        return {};
    }
    m_plain.resize(static_cast<std::size_t>(size));
    const std::size_t got = ZSTD_decompressDCtx(m_context->zstd, m_plain.data(), m_plain.size(),
                                                frame.data(), frame.size());
    if (ZSTD_isError(got) != 0 || got != size) {
        in.spoil();
        return {};
    }
    return m_plain;
}

void Decompressor::readNumbers(ByteReader& in, std::size_t count,
                               std::vector<std::uint64_t>& values)
{
    values.assign(count, 0);
    const std::string_view lengths = read(in, count);
    std::uint64_t bits = 0;
    for (const char length : lengths) {
        const auto width = static_cast<unsigned char>(length);
        if (width > kWidestBits) {
            in.spoil();
            return;
        }
        bits += width > 1 ? width - 1U : 0U;
    }
    const std::string_view packed = in.bytes((bits + 7) / 8);
    if (!in.isSound() || lengths.size() != count) {
        in.spoil();
        return;
    }
    BitUnpacker unpacker(packed);
    for (std::size_t i = 0; i < count; ++i) {
        const auto width = static_cast<unsigned char>(lengths[i]);
        if (width > 0) {
            const std::uint64_t top = std::uint64_t {1} << (width - 1);
            values[i] = top | (width > 1 ? unpacker.take(width - 1U) : 0);
        }
    }
}

VarintColumns::VarintColumns(ByteReader& in, Decompressor& decompressor, std::size_t count,
                             std::size_t atMost)
    : m_bytes(count)
{
    m_readers.reserve(count);
    for (std::string& bytes : m_bytes) {
        bytes = decompressor.read(in, atMost);
        m_readers.emplace_back(bytes);
    }
}

bool VarintColumns::areRead() const
{
    return std::all_of(m_readers.begin(), m_readers.end(), [](const ByteReader& reader) {
        return reader.isSound() && reader.isAtEnd();
    });
}

} // namespace storage::runs
