#include "app/cli/log_args.h"
#include "app/cli/process.h"
#include "app/cli/replay_args.h"
#include "app/cli/run_view.h"
#include "app/workbench/near_miss.h"
#include "app/workbench/stored_run.h"

#include <algorithm>
#include <fmt/format.h>

namespace app::cli {
namespace {

/// One `weir show`.
class ShowVerb {
public:
    explicit ShowVerb(Context& context)
        : m_context(context)
        , m_progress(context.messages, "show")
    {
    }

    ExitCode run();

private:
    engine::Status readOptions();
    engine::Status countBy(storage::RunStore& store);

    ExitCode failed(const engine::Diagnostic& diagnostic)
    {
        return m_context.fail(diagnostic, exitCodeOf(diagnostic));
    }

    Context& m_context;
    PassProgress m_progress;
    storage::RunId m_run = 0;
    RunViewOptions m_view;
};

engine::Status ShowVerb::readOptions()
{
    const LowArgs& args = m_context.args;
    const engine::Result<storage::RunId> run = runIdOf(args.arguments.front());
    if (!run) {
        return engine::fail(run.error());
    }
    m_run = *run;
    const engine::Result<std::size_t> top = topOf(args);
    if (!top) {
        return engine::fail(top.error());
    }
    m_view.top = *top;
    const engine::Result<Period> period = readPeriod(args);
    if (!period) {
        return engine::fail(period.error());
    }
    m_view.period = *period;
    return engine::Done {};
}

/// --by: the log is read again.
engine::Status ShowVerb::countBy(storage::RunStore& store)
{
    const std::vector<std::string> attributes = listOf(m_context.args, OptionId::By);
    if (attributes.empty()) {
        return engine::Done {};
    }
    const engine::Result<storage::RunDetail> detail = storage::RunReader(store).detail(m_run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    const engine::Result<StoredPlan> stored = planOfRun(*detail);
    if (!stored) {
        return engine::fail(stored.error());
    }
    if (engine::Status known
        = checkAttributes(attributes, knownNames({}, {&stored->plan}, stored->logs));
        !known) {
        return known;
    }
    const engine::Result<unsigned> jobs = jobsOf(m_context.args);
    if (!jobs) {
        return engine::fail(jobs.error());
    }
    const ReadAgain again {m_context.args.all(OptionId::Recording), *jobs, &interrupted(),
                           &m_progress};
    const auto counts = countByAttributes(store, m_run, attributes, m_view.period, again);
    m_context.messages.transient("");
    if (!counts) {
        return engine::fail(counts.error());
    }
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        m_view.by.emplace_back(attributes[i], (*counts)[i]);
    }
    return engine::Done {};
}

ExitCode ShowVerb::run()
{
    if (engine::Status read = readOptions(); !read) {
        return failed(read.error());
    }
    const auto store = openStore(m_context, storage::Access::Read);
    if (!store) {
        return failed(store.error());
    }
    const storage::RunReader reader(**store);
    std::optional<PeriodView> narrowed;
    if (!m_view.period.isAll()) {
        engine::Result<PeriodView> view = periodOf(reader, m_run, m_view.period);
        if (!view) {
            return failed(view.error());
        }
        narrowed.emplace(std::move(*view));
        m_view.narrowed = &*narrowed;
    }
    if (engine::Status counted = countBy(**store); !counted) {
        return failed(counted.error());
    }
    const engine::Status written = m_context.common.json
        ? writeRunJson(m_context, reader, m_run, m_view)
        : writeRun(m_context, reader, m_run, m_view);
    return written ? ExitCode::Done : failed(written.error());
}

} // namespace

ExitCode runShow(Context& context)
{
    return ShowVerb(context).run();
}

} // namespace app::cli
