#pragma once
#include "app/workbench/pass.h"
#include "engine/diagnostic.h"
#include "engine/result.h"

#include <optional>

namespace app {

/// What walks along stored results while their recording is read again: each request that is
/// decided must be the next of the store, so the recording may be read once only, and as it was.
class Reread : public PassListener {
public:
    engine::Status begin(const engine::Intake& intake, const engine::Replay& replay) final;
    void settle(const engine::Settled& settled) final;
    engine::Status health() final;

    /// recording.changed: the recording has requests that the run has not, or the other way.
    static engine::Diagnostic otherRequests();

protected:
    /// The next request. Not called any more after a failure.
    virtual engine::Status take(const engine::Arrival& arrival) = 0;

    [[nodiscard]] const engine::Intake& intake() const { return *m_intake; }

private:
    const engine::Intake* m_intake = nullptr;
    std::optional<engine::Diagnostic> m_failure;
    bool m_hasBegun = false; ///< a request was settled
};

} // namespace app
