#include "app/console/suggest/suggest_work.h"

#include "app/workbench/stored_run.h"
#include "app/workbench/where.h"
#include "storage/run_reader.h"
#include "storage/run_store.h"

#include <algorithm>
#include <thread>

namespace app::console {

namespace {

engine::Status readMatch(const std::string& text, const char* name,
                         std::optional<engine::Match>& match)
{
    if (text.empty()) {
        return engine::Done {};
    }
    engine::Result<engine::Match> read = parseMatch(text, name);
    if (!read) {
        return engine::fail(read.error());
    }
    match = std::move(*read);
    return engine::Done {};
}

} // namespace

engine::Result<RuleCurve> answerOf(CurveQuestion question, const StopFlag& stop)
{
    RuleCurveRequest request {std::move(question.policy), question.rule, {}, {}, {}, {}};
    if (engine::Status read = readMatch(question.stop, "Stop", request.stop); !read) {
        return engine::fail(read.error());
    }
    if (engine::Status read = readMatch(question.protect, "Protect", request.protect); !read) {
        return engine::fail(read.error());
    }
    const auto store = storage::RunStore::open(question.store, storage::Access::Read);
    if (!store) {
        return engine::fail(store.error());
    }
    const auto detail = storage::RunReader(**store).detail(question.run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    ReadAgain again;
    again.jobs = std::max(1U, std::thread::hardware_concurrency());
    again.stop = &stop;
    engine::Result<StoredRun> stored = openStoredRun(*detail, again);
    if (!stored) {
        return engine::fail(stored.error());
    }
    request.pass = std::move(stored->pass);
    request.pass.stop = &stop;
    return ruleCurve(std::move(request));
}

} // namespace app::console
