#include "engine/large_memory.h"

#include <atomic>

namespace engine {
namespace {

std::atomic<LargeMemoryHint> theHint {nullptr};

} // namespace

void setLargeMemoryHint(LargeMemoryHint hint)
{
    theHint.store(hint, std::memory_order_relaxed);
}

void FreeLargeMemory::operator()(std::byte* piece) const
{
    if (isLarge) {
        ::operator delete (piece, std::align_val_t {kLargePage});
    } else {
        ::operator delete(piece);
    }
}

LargeMemory takeLargeMemory(std::size_t bytes)
{
    if (bytes < kLargePage) {
        return {static_cast<std::byte*>(::operator new(bytes)), FreeLargeMemory {false}};
    }
    auto* const piece
        = static_cast<std::byte*>(::operator new (bytes, std::align_val_t {kLargePage}));
    if (const LargeMemoryHint hint = theHint.load(std::memory_order_relaxed); hint != nullptr) {
        hint(piece, bytes);
    }
    return {piece, FreeLargeMemory {true}};
}

} // namespace engine
