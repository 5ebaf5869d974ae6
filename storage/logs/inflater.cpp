#include "storage/logs/inflater.h"

#include <algorithm>
#include <isa-l/igzip_lib.h>
#include <limits>

namespace storage::logs {

class Inflater::Decoder {
public:
    inflate_state state {};
};

Inflater::Inflater()
    : m_decoder(std::make_unique<Decoder>())
{
    isal_inflate_init(&m_decoder->state);
    m_decoder->state.crc_flag = ISAL_GZIP;
}

Inflater::~Inflater() = default;

void Inflater::give(const void* bytes, std::size_t size)
{
    // ISA-L only reads from next_in, but has no const in its types.
    m_decoder->state.next_in = static_cast<std::uint8_t*>(const_cast<void*>(bytes)); // NOLINT
    m_decoder->state.avail_in = static_cast<std::uint32_t>(size);
}

std::size_t Inflater::take(char* into, std::size_t room)
{
    if (m_state != State::Running) {
        return 0;
    }
    auto& state = m_decoder->state;
    const auto space = static_cast<std::uint32_t>(
        std::min<std::size_t>(room, std::numeric_limits<std::int32_t>::max()));
    state.next_out = reinterpret_cast<std::uint8_t*>(into);
    state.avail_out = space;
    const int answer = isal_inflate(&state);
    const std::size_t got = space - state.avail_out;
    if (answer != ISAL_DECOMP_OK) {
        m_state = State::Damaged;
        m_fault = answer == ISAL_INCORRECT_CHECKSUM ? "a checksum is wrong"
                                                    : "the compressed data is damaged";
    } else if (state.block_state == ISAL_BLOCK_FINISH) {
        m_state = State::BetweenMembers;
    }
    return got;
}

void Inflater::nextMember()
{
    auto& state = m_decoder->state;
    isal_inflate_reset(&state);
    state.crc_flag = ISAL_GZIP;
    m_state = State::Running;
}

std::size_t Inflater::pending() const
{
    return m_decoder->state.avail_in;
}

const std::uint8_t* Inflater::next() const
{
    return m_decoder->state.next_in;
}

} // namespace storage::logs
