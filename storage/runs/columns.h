#pragma once
#include "engine/result.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How columns of numbers become bytes. The formats are described in storage/README.md.
namespace storage::runs {

constexpr std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

constexpr std::int64_t unzigzag(std::uint64_t value)
{
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

/// LEB128: seven bits a byte, lowest first; 300 is AC 02.
void appendVarint(std::string& out, std::uint64_t value);

/// Reads what the functions here wrote. Damage never reads beyond the bytes: isSound() turns false
/// and zeros follow.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    std::uint64_t varint();
    std::string_view bytes(std::uint64_t count);

    [[nodiscard]] bool isSound() const { return m_isSound; }

    [[nodiscard]] bool isAtEnd() const { return m_at == m_bytes.size(); }

    void spoil() { m_isSound = false; }

private:
    std::string_view m_bytes;
    std::size_t m_at = 0;
    bool m_isSound = true;
};

/// zstd with contexts that are kept. One thread.
class Compressor {
public:
    Compressor();
    ~Compressor();
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;

    /// Appends [varint: size of the frame][zstd frame]; nothing but a 0 for no bytes.
    void append(std::string& out, std::string_view plain);

    /// Appends a column of whole numbers: the bit lengths as a compressed byte column, then what
    /// follows each number's highest bit, packed without gaps. 5 is length 3, bits 01.
    void appendNumbers(std::string& out, std::span<const std::uint64_t> values);

private:
    struct Context;
    std::unique_ptr<Context> m_context;
    std::string m_lengths;
    std::string m_packed;
};

/// A block of points by second, as series and timelines have them: [varint: how many][varint: the
/// first one's second, zigzag][each column of varints in a frame].
std::string pointBlock(std::size_t points, std::int64_t firstSecond,
                       std::span<const std::string> columns, Compressor& compressor);

/// The other way. Sizes are checked before memory is taken: a frame that claims more than
/// `atMost` bytes spoils the reader.
class Decompressor {
public:
    Decompressor();
    ~Decompressor();
    Decompressor(const Decompressor&) = delete;
    Decompressor& operator=(const Decompressor&) = delete;

    /// Valid until the next call.
    std::string_view read(ByteReader& in, std::size_t atMost);
    /// Exactly `count` numbers.
    void readNumbers(ByteReader& in, std::size_t count, std::vector<std::uint64_t>& values);

private:
    struct Context;
    std::unique_ptr<Context> m_context;
    std::string m_plain;
};

/// Columns of varints, each in a frame: of one row, read side by side.
class VarintColumns {
public:
    /// `atMost`: bytes of one column, whatever it claims.
    VarintColumns(ByteReader& in, Decompressor& decompressor, std::size_t count,
                  std::size_t atMost);
    VarintColumns(const VarintColumns&) = delete;
    VarintColumns& operator=(const VarintColumns&) = delete;

    [[nodiscard]] ByteReader& operator[](std::size_t column) { return m_readers[column]; }

    /// All of them were read to their end, and nothing beyond it.
    [[nodiscard]] bool areRead() const;

private:
    std::vector<std::string> m_bytes;
    std::vector<ByteReader> m_readers;
};

} // namespace storage::runs
