#pragma once
#include "engine/request.h"
#include "engine/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace storage {

enum class Spread : std::uint8_t {
    None, ///< a coarse stamp is the begin of its second, also one that has its place already
    Even,
    Keep ///< None, but a place that a neutral log gives stays
};

/// How much earlier than the newest a line may be, where nobody says otherwise.
inline constexpr std::int64_t kUsualHorizonNs = 60'000'000'000;

struct SequencerOptions {
    std::int64_t horizonNs = kUsualHorizonNs;
    /// Regular file, `--reorder auto`: the first line that is later than the horizon makes push()
    /// answer NeedsFullSort. Off: late lines are decided at newest - horizon and flagged.
    bool autoReorder = false;
    bool fullSort = false; ///< exact order of everything, emitted by finish(); nothing is late
    Spread spread = Spread::None;
    std::size_t memoryBytes = std::size_t {32} << 20; ///< waiting records beyond this go to disk
    std::string temporaryFolder; ///< empty: $TMPDIR, else /tmp
};

/// Where a record stands in time and input; from engine::Request and Arrival::n.
struct SequencerItem {
    std::int64_t timeNs = 0;
    std::int64_t stampNs = 0;
    std::int64_t durationNs = -1; ///< -1: not known
    std::int32_t resolutionNs = 0;
    std::uint32_t file = 0;
    std::uint32_t originalFile = 0;
    std::uint64_t originalLine = 0;
    std::uint64_t n = 0; ///< strictly ascending from push to push
};

/// What a sequencer must know of the n-th request.
inline SequencerItem itemOf(const engine::Request& request, std::uint64_t n)
{
    SequencerItem item;
    item.timeNs = request.timeNs;
    item.stampNs = request.stampNs;
    item.durationNs = request.durationNs;
    item.resolutionNs = request.resolutionNs;
    item.file = request.file;
    item.originalFile = request.originalFile;
    item.originalLine = request.originalLine;
    item.n = n;
    return item;
}

/// Records that come together, with payloads of one size: that of items[i] starts at
/// payloads + i * stride.
struct SequencerBatch {
    std::span<const SequencerItem> items;
    const std::byte* payloads = nullptr;
    std::size_t payloadBytes = 0;
    std::size_t stride = 0;
};

/// A record on its way out. `payload` starts at a multiple of 8 and is valid during the call.
struct Sequenced {
    std::int64_t timeNs = 0; ///< decided arrival: spread, or newest - horizon for a late one
    std::int64_t arrivedNs = 0; ///< its own arrival, spread; the same as timeNs unless it is late
    std::uint64_t n = 0;
    bool late = false;
    std::span<std::byte> payload;
};

struct SequencerStatistics {
    std::uint64_t records = 0;
    std::uint64_t late = 0;
    std::uint64_t lateLong = 0; ///< of them, with a duration above the horizon
    std::int64_t servingHorizonNs = 0; ///< the least horizon with which none had been late
    std::uint64_t spread = 0; ///< records that got a time inside their second
    std::uint64_t spilledBytes = 0; ///< written to temporary files
};

/// Puts records into exact order of (decided arrival, n). Neutral records that are spread, or set
/// back to their seconds, stand at equal times in order of (original file, original line) instead
/// of n and before others, so that a converted log gives what the original gives.
///
/// Late (small print B1): timeNs < newest - horizon, newest being the greatest time among the
/// earlier records; it is decided at newest - horizon. Spread Even (semantics section 2): the n
/// records of one file whose stamps are the same whole second, and are not late by stamp, get
/// second + floor(i * 1 s / n), in input order (neutral records: in order of originalLine within
/// originalFile), before durations are subtracted. A neutral record's stamp may have its place in
/// the second already: it is taken away from stamp and time first, so that spreading again changes
/// nothing. Spread None takes it away as well, so that both are what the original gives; Keep
/// leaves it. Example: three records stamped 10:00:01 with durations 0 get .000000000, .333333333,
/// .666666666.
///
/// Memory stays at options.memoryBytes and a little, whatever the input; the rest waits in unlinked
/// temporary files as sorted runs. One thread. `emit` must not call back.
class Sequencer {
public:
    /// Records that go out together, in order.
    using Emit = std::function<void(std::span<const Sequenced>)>;

    enum class Answer : std::uint8_t { Taken, NeedsFullSort };

    Sequencer(SequencerOptions options, Emit emit);
    ~Sequencer();
    Sequencer(const Sequencer&) = delete;
    Sequencer& operator=(const Sequencer&) = delete;

    /// Takes a record (copies the payload, of less than 256 MiB; a larger one ends the process) and
    /// emits what cannot be overtaken any more.
    ///
    /// NeedsFullSort (autoReorder only; finish() may answer it too): throw away all that was
    /// emitted and start again with a new Sequencer with fullSort. Errors: sort.disk (the temporary
    /// file cannot be made, written or read; says where).
    engine::Result<Answer> push(const SequencerItem& item, std::span<const std::byte> payload);
    /// The same for one after the other, up to the first that NeedsFullSort.
    engine::Result<Answer> push(const SequencerBatch& batch);
    /// Emits the rest.
    engine::Result<Answer> finish();

    /// Nothing that is emitted from now on is earlier: a little before newest - horizon, or after
    /// it; the least int64 before anything came, and with fullSort.
    [[nodiscard]] std::int64_t floorNs() const;

    [[nodiscard]] const SequencerStatistics& statistics() const;

private:
    class Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace storage
