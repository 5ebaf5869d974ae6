#include "storage/run_results.h"

namespace storage {

std::string_view nameOf(RunState state)
{
    switch (state) {
    case RunState::Running:
        return "running";
    case RunState::Complete:
        return "complete";
    case RunState::Interrupted:
        return "interrupted";
    case RunState::Failed:
        return "failed";
    }
    return "failed";
}

} // namespace storage
