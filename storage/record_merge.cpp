#include "storage/record_merge.h"

#include "storage/logs/record_queue.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace storage {
namespace {

constexpr std::size_t kLeastMemory = std::size_t {64} << 10; ///< of one input

} // namespace

class RecordMerge::Parts {
public:
    struct Input {
        std::optional<logs::RecordQueue> waiting; ///< made when first needed
        std::int64_t floorNs = std::numeric_limits<std::int64_t>::min();
        std::int64_t nextNs = 0; ///< time of the first that waits, else the floor
        bool isFinished = false;

        [[nodiscard]] bool isEmpty() const { return !waiting || waiting->isEmpty(); }
    };

    Options options;
    Emit emit;
    std::size_t share = 0;
    std::vector<Input> inputs;
    std::vector<std::size_t> heap; ///< inputs that may still give something, the next one first
    std::uint64_t writtenBytes = 0;

    [[nodiscard]] bool isAfter(std::size_t a, std::size_t b) const
    {
        return inputs[a].nextNs != inputs[b].nextNs ? inputs[a].nextNs > inputs[b].nextNs : a > b;
    }

    engine::Status lookAt(Input& input);
    engine::Status emitFirst(Input& input);
    void sink();
};

/// Settles nextNs.
engine::Status RecordMerge::Parts::lookAt(Input& input)
{
    input.nextNs = input.floorNs;
    if (input.isEmpty()) {
        return engine::Done {};
    }
    if (auto done = input.waiting->loadFront(); !done) {
        return done;
    }
    input.nextNs = input.waiting->front().timeNs;
    return engine::Done {};
}

engine::Status RecordMerge::Parts::emitFirst(Input& input)
{
    if (auto done = input.waiting->loadFront(); !done) {
        return done;
    }
    logs::WaitingRecord& record = input.waiting->front();
    input.floorNs = std::max(input.floorNs, record.timeNs);
    emit({record.payload(), record.size});
    input.waiting->pop();
    return lookAt(input);
}

/// The first of the heap may have become later: down to its place.
void RecordMerge::Parts::sink()
{
    for (std::size_t at = 0;;) {
        std::size_t child = 2 * at + 1;
        if (child >= heap.size()) {
            return;
        }
        if (child + 1 < heap.size() && isAfter(heap[child], heap[child + 1])) {
            ++child;
        }
        if (!isAfter(heap[at], heap[child])) {
            return;
        }
        std::swap(heap[at], heap[child]);
        at = child;
    }
}

RecordMerge::RecordMerge(const Options& options, Emit emit)
    : m_parts(std::make_unique<Parts>())
{
    m_parts->options = options;
    m_parts->emit = std::move(emit);
    m_parts->inputs.resize(options.inputs);
    m_parts->share
        = std::max(options.memoryBytes / std::max<std::size_t>(options.inputs, 1), kLeastMemory);
}

RecordMerge::~RecordMerge() = default;

engine::Status RecordMerge::push(std::size_t input, std::int64_t timeNs,
                                 std::span<const std::byte> payload)
{
    Parts::Input& to = m_parts->inputs[input];
    if (!to.waiting) {
        to.waiting.emplace(m_parts->share, m_parts->options.temporaryFolder);
    }
    logs::WaitingRecord record;
    record.timeNs = timeNs;
    record.setSize(payload.size());
    return to.waiting->push(record, payload.data());
}

void RecordMerge::raiseFloor(std::size_t input, std::int64_t floorNs)
{
    Parts::Input& of = m_parts->inputs[input];
    of.floorNs = std::max(of.floorNs, floorNs);
}

void RecordMerge::finish(std::size_t input)
{
    m_parts->inputs[input].isFinished = true;
}

engine::Status RecordMerge::settle()
{
    Parts& parts = *m_parts;
    parts.heap.clear();
    for (std::size_t i = 0; i < parts.inputs.size(); ++i) {
        Parts::Input& input = parts.inputs[i];
        if (input.isFinished && input.isEmpty()) {
            continue;
        }
        if (auto done = parts.lookAt(input); !done) {
            return done;
        }
        parts.heap.push_back(i);
    }
    const auto isAfter = [&parts](std::size_t a, std::size_t b) { return parts.isAfter(a, b); };
    std::make_heap(parts.heap.begin(), parts.heap.end(), isAfter);
    while (!parts.heap.empty()) {
        Parts::Input& input = parts.inputs[parts.heap.front()];
        if (input.isEmpty()) {
            break; // it may still give what comes first
        }
        if (auto done = parts.emitFirst(input); !done) {
            return done;
        }
        if (input.isEmpty() && input.isFinished) {
            parts.writtenBytes += input.waiting->writtenBytes();
            input.waiting.reset();
            parts.heap.front() = parts.heap.back();
            parts.heap.pop_back();
        }
        parts.sink();
    }
    return engine::Done {};
}

std::uint64_t RecordMerge::writtenBytes() const
{
    std::uint64_t written = m_parts->writtenBytes;
    for (const Parts::Input& input : m_parts->inputs) {
        written += input.waiting ? input.waiting->writtenBytes() : 0;
    }
    return written;
}

} // namespace storage
