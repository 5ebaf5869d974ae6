#pragma once
#include "storage/run_figures.h"
#include "storage/run_writer.h"
#include "storage/runs/steps.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// The rows of keys and of whos that a run keeps: gathered from its figures, then inserted. To
/// gather is to walk through all of them, which another thread can do while rows are inserted.
namespace storage::runs {

struct KeyFigures {
    std::uint32_t id = 0;
    engine::KeyTally tally;
};

/// What there is to say of a rule's keys.
struct KeyRows {
    std::uint64_t judged = 0; ///< keys
    std::uint64_t denied = 0;
    std::uint64_t leftOut = 0; ///< were denied and have no row
    std::vector<KeyFigures> rows; ///< by id: those that were denied, and the largest others
    engine::StateMemory memory;
};

KeyRows gatherKeys(const RunFigures& figures, std::size_t rule, const RunLimits& limits);
void insertKeys(Steps& steps, RunId run, std::size_t rule, const RunFigures& figures,
                const std::vector<KeyFigures>& rows);

/// Each who that was rejected, and the largest others, by id.
std::vector<std::uint32_t> gatherWhos(const RunFigures& figures, std::size_t largest);
void insertWhos(Steps& steps, RunId run, const RunFigures& figures,
                const std::vector<std::uint32_t>& ids);

} // namespace storage::runs
