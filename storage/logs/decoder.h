#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace storage::logs {

/// Undoes one packing, as a stream. A packed log is one or more parts (gzip members, zstd frames)
/// with nothing or zeros between them; their texts follow each other. One file for each packing.
class Decoder {
public:
    enum class State : std::uint8_t {
        Running,
        BetweenParts, ///< a part is complete; more bytes may follow
        Damaged, ///< text up to here was good, as far as could be told
        Refused ///< a part that may be sound and is not read
    };

    struct Step {
        std::size_t used = 0; ///< stored bytes
        std::size_t given = 0; ///< bytes of text
    };

    Decoder() = default;
    virtual ~Decoder() = default;
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;

    /// Uses some of `bytes`, gives up to `room` (more than 0) bytes of text. Neither used nor
    /// given: it needs more bytes, or the state says why it ended.
    virtual Step step(std::string_view bytes, char* into, std::size_t room) = 0;

    /// Whether another part begins with `head`, of kHeadBytes unless the log ends before.
    [[nodiscard]] virtual bool beginsPart(std::string_view head) const = 0;
    static constexpr std::size_t kHeadBytes = 4;

    /// From BetweenParts to Running.
    virtual void nextPart() = 0;

    [[nodiscard]] State state() const { return m_state; }

    /// What is wrong: "a checksum is wrong"; for Refused "it needs a window of more than 128 MiB".
    [[nodiscard]] const std::string& fault() const { return m_fault; }

    /// For Refused: what to do instead, as a command that writes the text of the log `NAME`.
    [[nodiscard]] virtual std::string_view otherWay() const { return {}; }

protected:
    void toState(State state) { m_state = state; }

    void endWith(State state, std::string fault)
    {
        m_state = state;
        m_fault = std::move(fault);
    }

private:
    State m_state = State::Running;
    std::string m_fault;
};

} // namespace storage::logs
