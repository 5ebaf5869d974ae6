#include "storage/logs/gzip.h"

#include "storage/logs/packing.h"

#include <algorithm>
#include <cstring>
#include <isa-l/igzip_lib.h>
#include <limits>
#include <vector>

namespace storage::logs {
namespace {

std::uint32_t atMost(std::size_t size)
{
    return static_cast<std::uint32_t>(
        std::min<std::size_t>(size, std::numeric_limits<std::int32_t>::max()));
}

/// ISA-L only reads from next_in, but has no const in its types.
std::uint8_t* readOnly(const char* bytes)
{
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes)); // NOLINT
}

class GzipDecoder final : public Decoder {
public:
    GzipDecoder()
    {
        isal_inflate_init(&m_inflate);
        m_inflate.crc_flag = ISAL_GZIP;
    }

    Step step(std::string_view bytes, char* into, std::size_t room) override
    {
        if (!m_damage.empty()) {
            return {0, giveRest(into, room)};
        }
        m_inflate.next_in = readOnly(bytes.data());
        m_inflate.avail_in = atMost(bytes.size());
        m_inflate.next_out = reinterpret_cast<std::uint8_t*>(into);
        m_inflate.avail_out = atMost(room);
        const int answer = isal_inflate(&m_inflate);
        const std::size_t used = atMost(bytes.size()) - m_inflate.avail_in;
        std::size_t given = atMost(room) - m_inflate.avail_out;
        if (answer != ISAL_DECOMP_OK) {
            m_damage = answer == ISAL_INCORRECT_CHECKSUM ? "a checksum is wrong"
                                                         : "the compressed data is damaged";
            given += giveRest(into + given, room - given);
        } else if (m_inflate.block_state == ISAL_BLOCK_FINISH) {
            toState(State::BetweenParts);
        }
        return {used, given};
    }

    [[nodiscard]] bool beginsPart(std::string_view head) const override
    {
        return head.starts_with(kGzipMagic);
    }

    void nextPart() override
    {
        isal_inflate_reset(&m_inflate);
        m_inflate.crc_flag = ISAL_GZIP;
        toState(State::Running);
    }

private:
    /// What was decoded before the damage and had no room: ISA-L keeps it, and does not give it.
    std::size_t giveRest(char* into, std::size_t room)
    {
        const auto held
            = static_cast<std::size_t>(m_inflate.tmp_out_valid - m_inflate.tmp_out_processed);
        const std::size_t count = std::min(room, held);
        std::memcpy(into, m_inflate.tmp_out_buffer + m_inflate.tmp_out_processed, count);
        m_inflate.tmp_out_processed += static_cast<std::int32_t>(count);
        if (count == held) {
            endWith(State::Damaged, m_damage);
        }
        return count;
    }

    inflate_state m_inflate {};
    std::string m_damage; ///< found, while there is still text of before
};

class GzipEncoder final : public Encoder {
public:
    GzipEncoder()
        : m_levelMemory(ISAL_DEF_LVL3_DEFAULT)
        , m_packed(kPackedBytes)
    {
        isal_deflate_init(&m_deflate);
        m_deflate.level = 3;
        m_deflate.level_buf = m_levelMemory.data();
        m_deflate.level_buf_size = static_cast<std::uint32_t>(m_levelMemory.size());
        m_deflate.gzip_flag = IGZIP_GZIP;
    }

    engine::Status add(std::string_view text, bool isLast, const Sink& sink) override
    {
        do {
            const std::string_view piece = text.substr(0, kMostPiece);
            text.remove_prefix(piece.size());
            m_deflate.next_in = readOnly(piece.data());
            m_deflate.avail_in = atMost(piece.size());
            m_deflate.end_of_stream = isLast && text.empty() ? 1 : 0;
            do {
                m_deflate.next_out = m_packed.data();
                m_deflate.avail_out = atMost(m_packed.size());
                isal_deflate(&m_deflate);
                const std::size_t size = m_packed.size() - m_deflate.avail_out;
                if (size > 0) {
                    if (auto done = sink({reinterpret_cast<const char*>(m_packed.data()), size});
                        !done) {
                        return done;
                    }
                }
            } while (m_deflate.avail_out == 0);
        } while (!text.empty());
        return engine::Done {};
    }

private:
    static constexpr std::size_t kPackedBytes = std::size_t {64} << 10;
    static constexpr std::size_t kMostPiece = std::size_t {1} << 30;

    std::vector<std::uint8_t> m_levelMemory;
    std::vector<std::uint8_t> m_packed;
    isal_zstream m_deflate {};
};

} // namespace

std::unique_ptr<Encoder> makeGzipEncoder()
{
    return std::make_unique<GzipEncoder>();
}

std::unique_ptr<Decoder> makeGzipDecoder()
{
    return std::make_unique<GzipDecoder>();
}

} // namespace storage::logs
