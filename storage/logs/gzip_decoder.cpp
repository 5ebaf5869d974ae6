#include "storage/logs/gzip_decoder.h"

#include "storage/logs/packing.h"

#include <algorithm>
#include <isa-l/igzip_lib.h>
#include <limits>

namespace storage::logs {
namespace {

std::uint32_t atMost(std::size_t size)
{
    return static_cast<std::uint32_t>(
        std::min<std::size_t>(size, std::numeric_limits<std::int32_t>::max()));
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
        // ISA-L only reads from next_in, but has no const in its types.
        m_inflate.next_in
            = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data())); // NOLINT
        m_inflate.avail_in = atMost(bytes.size());
        m_inflate.next_out = reinterpret_cast<std::uint8_t*>(into);
        m_inflate.avail_out = atMost(room);
        const int answer = isal_inflate(&m_inflate);
        if (answer != ISAL_DECOMP_OK) {
            endWith(State::Damaged,
                    answer == ISAL_INCORRECT_CHECKSUM ? "a checksum is wrong"
                                                      : "the compressed data is damaged");
        } else if (m_inflate.block_state == ISAL_BLOCK_FINISH) {
            toState(State::BetweenParts);
        }
        return {atMost(bytes.size()) - m_inflate.avail_in, atMost(room) - m_inflate.avail_out};
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
    inflate_state m_inflate {};
};

} // namespace

std::unique_ptr<Decoder> makeGzipDecoder()
{
    return std::make_unique<GzipDecoder>();
}

} // namespace storage::logs
