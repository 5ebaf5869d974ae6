#pragma once
#include <atomic>
#include <cstdint>
#include <optional>

/// Pipes that are opened for reading without waiting (O_NONBLOCK), and then waited for.
namespace storage {

/// Who writes to a pipe by name.
struct PipeWriter {
    enum class Found : std::uint8_t {
        Came, ///< has it open, or has closed it again: reading to the end gives all that it wrote
        Nobody, ///< within kWriterSeconds
        Stopped ///< *stop became true before anybody came
    };

    Found found = Found::Came;
    std::optional<char> first {}; ///< the first byte, where it had to be read to find out
};

inline constexpr int kWriterSeconds = 2;

/// Waits for somebody to open the pipe for writing: who writes may start a moment later than who
/// reads. One without a name is not waited for. Then makes reads of the descriptor wait. `stop`:
/// may be nullptr; is looked at ten times a second.
///
/// Example: `gen > fifo & weir check fifo`, where the shell starts `gen` last: Came.
PipeWriter awaitWriter(int descriptor, const std::atomic<bool>* stop);

} // namespace storage
