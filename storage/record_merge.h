#pragma once
#include "engine/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace storage {

/// Joins inputs that are each in order of time into one: of (time, input), and as they came within
/// one input.
///
/// Example: input 0 gives 10 and 30, input 1 gives 20 and has a floor of 25: 10 and 20 go out; 30
/// waits, because input 1 may still give 25.
///
/// What waits beyond `memoryBytes` goes to unlinked temporary files. One thread; `emit` must not
/// call back. The order of what goes out does not depend on the order of the calls.
class RecordMerge {
public:
    using Emit = std::function<void(std::span<std::byte> payload)>;

    struct Options {
        std::size_t inputs = 0;
        std::size_t memoryBytes = std::size_t {32} << 20;
        std::string temporaryFolder; ///< empty: $TMPDIR, else /tmp
    };

    RecordMerge(const Options& options, Emit emit);
    ~RecordMerge();
    RecordMerge(const RecordMerge&) = delete;
    RecordMerge& operator=(const RecordMerge&) = delete;

    /// The next record of an input; not before the one before it, nor before the input's floor.
    /// Payloads start at a multiple of 8 when they are emitted; one of 256 MiB or more ends the
    /// process. Errors: sort.disk.
    engine::Status push(std::size_t input, std::int64_t timeNs, std::span<const std::byte> payload);

    /// Nothing that the input will give is earlier than `floorNs`. Floors only rise.
    void raiseFloor(std::size_t input, std::int64_t floorNs);
    /// The input gives nothing any more.
    void finish(std::size_t input);

    /// Emits what no input can precede any more. Errors: sort.disk.
    engine::Status settle();

    [[nodiscard]] std::uint64_t writtenBytes() const; ///< to temporary files

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace storage
