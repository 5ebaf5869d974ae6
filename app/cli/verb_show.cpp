#include "app/cli/compare_args.h"
#include "app/cli/run_view.h"

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
    m_view.withCost = args.has(OptionId::Cost);
    m_view.withSeconds = true;
    const engine::Result<Period> period = givenPeriod(givenOf(args));
    if (!period) {
        return engine::fail(period.error());
    }
    m_view.period = *period;
    return engine::Done {};
}

ExitCode ShowVerb::run()
{
    if (engine::Status read = readOptions(); !read) {
        return m_context.fail(read.error());
    }
    const auto store = openStore(m_context, storage::Access::Read);
    if (!store) {
        return m_context.fail(store.error());
    }
    const storage::RunReader reader(**store);
    std::optional<PeriodView> narrowed;
    if (!m_view.period.isAll()) {
        engine::Result<PeriodView> view = periodOf(reader, m_run, m_view.period);
        if (!view) {
            return m_context.fail(view.error());
        }
        narrowed.emplace(std::move(*view));
        m_view.narrowed = &*narrowed;
    }
    engine::Result<std::vector<Attribute>> counted
        = attributesOf(m_context, **store, m_run, m_view.period, m_progress);
    if (!counted) {
        return m_context.fail(counted.error());
    }
    m_view.by = std::move(*counted);
    const engine::Status written = m_context.common.json
        ? writeRunJson(m_context, reader, m_run, m_view)
        : writeRun(m_context, reader, m_run, m_view);
    return written ? ExitCode::Done : m_context.fail(written.error());
}

} // namespace

ExitCode runShow(Context& context)
{
    return ShowVerb(context).run();
}

} // namespace app::cli
