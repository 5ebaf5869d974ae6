#include "app/console/session/log_request.h"

#include "app/workbench/files.h"
#include "app/workbench/log_list.h"
#include "app/workbench/log_options.h"
#include "app/workbench/replay_options.h"

namespace app::console {

engine::Result<ReplayRequest> logRequest(const std::vector<std::string>& logs,
                                         const GivenOptions& given, const StopFlag& stop)
{
    engine::Result<LogChoice> defaults = logChoiceOf(given, "", storage::Spread::Even);
    if (!defaults) {
        return engine::fail(defaults.error());
    }
    LogList list = expandLogs({logs, {}, std::move(*defaults), &stop});
    if (!list.errors.empty()) {
        return engine::fail(list.errors.front());
    }
    const auto readClients
        = [&stop](const std::string& path) { return readFile(path, kMostClientBytes, &stop); };
    constexpr std::uint64_t kSeed = 1;
    engine::Result<ReplayRequest> request
        = replayRequestOf(given, std::move(list.logs), kSeed, readClients);
    if (request) {
        request->pass.stop = &stop;
    }
    return request;
}

} // namespace app::console
