#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

namespace storage::logs {

/// gzip members, decompressed as a stream: give() stored bytes, take() text.
class Inflater {
public:
    enum class State : std::uint8_t {
        Running,
        BetweenMembers, ///< a member is complete; more bytes may follow
        Damaged
    };

    Inflater();
    ~Inflater();
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    /// Borrows the bytes until they are used up (pending() is 0).
    void give(const void* bytes, std::size_t size);
    /// Up to `room` bytes of text; less when it needs more input or a member ended.
    std::size_t take(char* into, std::size_t room);
    /// Begins the next member with the bytes pending.
    void nextMember();

    [[nodiscard]] State state() const { return m_state; }

    /// Bytes given and not used yet, and where they are.
    [[nodiscard]] std::size_t pending() const;
    [[nodiscard]] const std::uint8_t* next() const;

    /// What is wrong: "its checksum is wrong".
    [[nodiscard]] const char* fault() const { return m_fault; }

private:
    class Decoder;
    std::unique_ptr<Decoder> m_decoder;
    State m_state = State::Running;
    const char* m_fault = "";
};

} // namespace storage::logs
