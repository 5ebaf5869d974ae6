#include "app/workbench/reread.h"

namespace app {

engine::Status Reread::begin(const engine::Intake& intake, const engine::Replay& /*replay*/)
{
    m_intake = &intake;
    if (m_hasBegun) {
        return engine::fail("recording.order",
                            "the recording is not in the order in which it was replayed",
                            "replay it again");
    }
    return engine::Done {};
}

void Reread::settle(const engine::Settled& settled)
{
    m_hasBegun = true;
    if (m_failure) {
        return;
    }
    if (engine::Status taken = take(*settled.arrival); !taken) {
        m_failure = taken.error();
    }
}

engine::Status Reread::health()
{
    return m_failure ? engine::Status(engine::fail(*m_failure)) : engine::Done {};
}

engine::Diagnostic Reread::otherRequests()
{
    return engine::fail("recording.changed",
                        "the recording does not have the requests that the run has",
                        "replay it again")
        .diagnostic;
}

} // namespace app
