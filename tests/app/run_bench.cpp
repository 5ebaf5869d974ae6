#include "tests/app/run_bench.h"

#include <QFile>
#include <QString>

namespace tests {

RunBench::RunBench(const std::string& log)
{
    write("log.jsonl", log);
    auto opened = storage::RunStore::open(path("runs.db"), storage::Access::Write);
    if (!opened) {
        qFatal("%s", opened.error().message.c_str());
    }
    store = std::move(*opened);
}

storage::RunId RunBench::replay(const std::string& policy, std::vector<std::string> sets,
                                std::int64_t warmupNs)
{
    app::PolicyOptions options;
    options.adjustments.sets = std::move(sets);
    auto loaded = app::loadPolicyText(path("policy.yaml"), policy, options);
    if (!loaded || !loaded->isValid()) {
        qFatal("the policy is not valid: %s",
               loaded ? loaded->diagnostics.front().message.c_str()
                      : loaded.error().message.c_str());
    }
    app::ReplayPolicy replayed;
    replayed.plan = &*loaded->plan;
    replayed.record.name = loaded->plan->name;
    replayed.record.path = loaded->file;
    replayed.record.text = policy;
    replayed.record.fingerprint = loaded->fingerprint;
    for (const std::string& set : options.adjustments.sets) {
        replayed.options.push_back({"set", set});
    }
    app::ReplayRequest request;
    request.policies.push_back(replayed);
    request.pass.logs.emplace_back().path = path("log.jsonl");
    request.pass.warmupNs = warmupNs;
    if (warmupNs > 0) {
        request.options.push_back({"warmup", std::to_string(warmupNs / 1'000'000) + "ms"});
    }
    request.store = store.get();
    request.clock = [] { return std::int64_t {2}; };
    const auto outcome = app::replay(request);
    if (!outcome) {
        qFatal("%s", outcome.error().message.c_str());
    }
    return *outcome->runs.front();
}

std::string RunBench::path(const char* name) const
{
    return m_folder.filePath(QString::fromUtf8(name)).toStdString();
}

void RunBench::write(const char* name, const std::string& bytes) const
{
    QFile file(QString::fromStdString(path(name)));
    if (!file.open(QIODevice::WriteOnly)
        || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0) {
        qFatal("no file");
    }
}

} // namespace tests
