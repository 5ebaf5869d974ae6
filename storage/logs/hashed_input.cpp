#include "storage/logs/hashed_input.h"

#include <algorithm>
#include <cstring>
#include <utility>
#ifdef WEIR_XXHASH_DISPATCH
#include <xxh_x86dispatch.h> // the same hashes with the widest registers that there are
#else
#include <xxhash.h>
#endif

namespace storage::logs {
namespace {

constexpr std::size_t kWindowBytes = std::size_t {256} << 10;

} // namespace

class HashedInput::Hash {
public:
    Hash() { XXH3_128bits_reset(m_state.get()); }

    void add(const char* bytes, std::size_t size)
    {
        XXH3_128bits_update(m_state.get(), bytes, size);
    }

    [[nodiscard]] Fingerprint digest() const
    {
        const XXH128_hash_t hash = XXH3_128bits_digest(m_state.get());
        return {hash.high64, hash.low64};
    }

private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };

    std::unique_ptr<XXH3_state_t, Free> m_state {XXH3_createState()};
};

HashedInput::HashedInput(RawInput input)
    : m_input(std::move(input))
    , m_hash(std::make_unique<Hash>())
    , m_window(kWindowBytes)
{
}

HashedInput::~HashedInput() = default;

engine::Result<std::size_t> HashedInput::take(char* into, std::size_t room)
{
    auto got = m_input.read(into, room);
    if (got && *got > 0) {
        m_hash->add(into, *got);
    }
    m_ended = m_ended || (got && *got == 0);
    return got;
}

engine::Status HashedInput::need(std::size_t count)
{
    if (m_end - m_begin >= count || m_ended) {
        return engine::Done {};
    }
    std::memmove(m_window.data(), m_window.data() + m_begin, m_end - m_begin);
    m_end -= m_begin;
    m_begin = 0;
    while (m_end < count && !m_ended) {
        auto got = take(m_window.data() + m_end, m_window.size() - m_end);
        if (!got) {
            return engine::fail(got.error());
        }
        m_end += *got;
    }
    return engine::Done {};
}

engine::Result<std::size_t> HashedInput::read(char* into, std::size_t room)
{
    if (m_begin < m_end) {
        const std::size_t count = std::min(room, m_end - m_begin);
        std::memcpy(into, m_window.data() + m_begin, count);
        m_begin += count;
        return count;
    }
    return m_ended || room == 0 ? engine::Result<std::size_t>(std::size_t {0}) : take(into, room);
}

engine::Result<std::uint64_t> HashedInput::drain()
{
    std::uint64_t drained = m_end - m_begin;
    m_begin = 0;
    m_end = 0;
    while (!m_ended) {
        auto got = take(m_window.data(), m_window.size());
        if (!got) {
            return engine::fail(got.error());
        }
        drained += *got;
    }
    return drained;
}

void HashedInput::rewind()
{
    m_input.rewind();
    m_hash = std::make_unique<Hash>();
    m_begin = 0;
    m_end = 0;
    m_ended = false;
}

Fingerprint HashedInput::fingerprint() const
{
    return m_hash->digest();
}

} // namespace storage::logs

namespace storage {

Fingerprint fingerprintOf(std::string_view bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

} // namespace storage
