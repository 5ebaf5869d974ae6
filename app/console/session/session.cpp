#include "app/console/session/session.h"

#include "app/console/frame/page.h"
#include "storage/run_reader.h"
#include "storage/run_store.h"

#include <algorithm>

namespace app::console {

namespace {

using Runs = engine::Result<std::vector<storage::RunSummary>>;

Runs listRuns(const std::string& path)
{
    const auto store = storage::RunStore::open(path, storage::Access::Read);
    if (!store) {
        if (store.error().code == "store.missing") {
            return std::vector<storage::RunSummary> {}; // the first replay makes it
        }
        return engine::fail(store.error());
    }
    Runs runs = storage::RunReader(**store).list();
    if (runs) {
        std::reverse(runs->begin(), runs->end());
    }
    return runs;
}

} // namespace

Session::Session(QObject* parent)
    : QObject(parent)
{
}

void Session::setStorePath(const std::string& path)
{
    m_storePath = path;
    m_currentRun.reset();
    m_runs.clear();
    m_storeProblem.reset();
    Q_EMIT storeChanged();
    refreshRuns();
}

void Session::refreshRuns()
{
    m_lister.start([path = m_storePath](const StopFlag&) { return listRuns(path); },
                   [this](Runs runs) {
                       m_storeProblem.reset();
                       if (runs) {
                           m_runs = std::move(*runs);
                       } else {
                           m_runs.clear();
                           m_storeProblem = runs.error();
                       }
                       Q_EMIT runsChanged();
                   });
}

const storage::RunSummary* Session::run(storage::RunId id) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(),
                                    [&](const storage::RunSummary& one) { return one.id == id; });
    return found == m_runs.end() ? nullptr : &*found;
}

void Session::openRun(storage::RunId id)
{
    m_currentRun = id;
    Q_EMIT runOpened(id);
    show(PageId::Runs);
}

void Session::compare(CompareBase base, storage::RunId candidate)
{
    Q_EMIT compareAsked(base, candidate);
    show(PageId::Compare);
}

void Session::explain(storage::RunId id, const ExplainTarget& target)
{
    Q_EMIT explainAsked(id, target);
    show(PageId::Explain);
}

void Session::explainKey(storage::RunId id, const std::string& rule, const std::string& key)
{
    Q_EMIT explainKeyAsked(id, rule, key);
    show(PageId::Explain);
}

void Session::findRequests(storage::RunId id, std::int64_t fromNs, std::int64_t toNs)
{
    Q_EMIT findAsked(id, fromNs, toNs);
    show(PageId::Explain);
}

void Session::suggestFor(const QString& rule)
{
    Q_EMIT suggestAsked(rule);
    show(PageId::Suggest);
}

void Session::showLogs(const QStringList& paths)
{
    Q_EMIT logsAsked(paths);
    show(PageId::Replay);
}

void Session::show(PageId page)
{
    Q_EMIT pageAsked(page);
}

void Session::openDraft(const std::string& text, const QString& name)
{
    Q_EMIT draftAsked(text, name);
}

void Session::reload()
{
    Q_EMIT reloadAsked();
}

void Session::setLastLogs(const QStringList& paths, const GivenOptions& given)
{
    m_lastLogs = paths;
    m_lastGiven = given;
    Q_EMIT lastLogsChanged();
}

void Session::handle(ActionId id, std::function<bool()> can, std::function<void()> perform)
{
    m_handlers[id] = {std::move(can), std::move(perform)};
}

bool Session::can(ActionId id) const
{
    const auto found = m_handlers.find(id);
    return found != m_handlers.end() && found->second.can();
}

void Session::perform(ActionId id) const
{
    if (can(id)) {
        m_handlers.at(id).perform();
    }
}

void Session::say(const QString& what)
{
    Q_EMIT said(what);
}

} // namespace app::console
