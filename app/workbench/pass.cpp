#include "app/workbench/pass.h"

#include "app/workbench/attempt.h"
#include "app/workbench/log_feed.h"
#include "app/workbench/recorded.h"
#include "app/workbench/twice.h"
#include "app/workbench/who_sample.h"

#include <algorithm>
#include <functional>

namespace app {
namespace {

/// Derived attributes that a log has the values of, from `convert --for --mask`.
void addResolved(const storage::LogReader& reader, std::vector<std::string>& names)
{
    for (const std::string& field : reader.allFields()) {
        if (field.starts_with(engine::kResolvedPrefix)) {
            std::string name = field.substr(engine::kResolvedPrefix.size());
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(std::move(name));
            }
        }
    }
}

/// What is learnt of the logs while they are opened.
class Opening {
public:
    Opening(std::vector<std::string> fields, const PassOptions& options)
        : sample(withSigns(std::move(fields)), options.logs.size())
        , twice(options.logs.size())
        , m_options(options)
    {
    }

    LogFeedOptions feeding()
    {
        return {m_options.blockBytes, m_options.stop,
                [this](std::size_t log, storage::LogReader& reader) { return look(log, reader); }};
    }

    WhoSample sample;
    TwiceCheck twice;
    std::vector<std::string> signs; ///< of rejections, that some log has
    std::vector<std::string>
        resolved; ///< attributes that some log gives as another had derived them

private:
    static std::vector<std::string> withSigns(std::vector<std::string> fields)
    {
        fields.insert(fields.end(), recordedFields().begin(), recordedFields().end());
        return fields;
    }

    engine::Status look(std::size_t log, storage::LogReader& reader)
    {
        addResolved(reader, resolved);
        const std::vector<std::string>& all = reader.allFields();
        for (const std::string& sign : recordedFields()) {
            if (std::find(all.begin(), all.end(), sign) != all.end()) {
                signs.push_back(sign);
            }
        }
        std::sort(signs.begin(), signs.end());
        signs.erase(std::unique(signs.begin(), signs.end()), signs.end());
        if (m_options.logs.size() > 1) {
            sample.look(reader);
            twice.look(log, reader);
        }
        return engine::Done {};
    }

    const PassOptions& m_options;
};

/// The attributes by which servers and clients are told apart, as further facets.
void addFacets(engine::Conditions& conditions, std::vector<std::string>& facets)
{
    if (!conditions.servers.attribute.empty()) {
        conditions.servers.facet = facets.size();
        facets.push_back(conditions.servers.attribute);
    }
    if (conditions.clients && !conditions.clients->attribute.empty()) {
        conditions.clients->facet = facets.size();
        facets.push_back(conditions.clients->attribute);
    }
}

using MadeIntake = engine::Result<std::unique_ptr<engine::Intake>>;

/// Reads the logs, and again from the start where only that shows that all must be sorted.
engine::Status attemptAll(Pass& pass, MadeIntake intake,
                          const std::function<MadeIntake()>& makeIntake, LogFeed& feed,
                          WhoSample& sample, const PassOptions& options, PassListener& listener)
{
    for (bool fullSort = options.sortWhole;; fullSort = true) {
        if (!intake) {
            return engine::fail(intake.error());
        }
        feed.selectFields((*intake)->fields());
        pass.replay.reset();
        pass.intake = std::move(*intake);
        pass.replay = std::make_unique<engine::Replay>(
            *pass.intake, listener,
            engine::ReplayOptions {options.warmupNs, options.decisions, options.decides,
                                   pass.conditions.get(), options.series});
        pass.order = {};
        pass.numbers = {};
        pass.outOfRange = 0;
        pass.sortedWhole = fullSort;
        Attempt attempt(pass, feed, sample, options, listener, fullSort);
        const engine::Result<bool> done = attempt.run();
        if (!done) {
            return engine::fail(done.error());
        }
        if (*done) {
            return engine::Done {};
        }
        intake = makeIntake();
    }
}

} // namespace

engine::Result<Pass> runPass(const std::vector<const engine::Plan*>& plans,
                             const PassOptions& options, PassListener& listener)
{
    Pass pass;
    pass.conditions = std::make_unique<engine::Conditions>(options.conditions);
    for (const engine::Plan* const plan : plans) {
        if (const auto against = engine::checkConditions(*pass.conditions, *plan)) {
            return engine::fail(*against);
        }
    }
    engine::IntakeOptions asked = options.intake;
    addFacets(*pass.conditions, asked.facets);
    MadeIntake intake = engine::Intake::make(plans, asked);
    if (!intake) {
        return engine::fail(intake.error());
    }
    Opening opening((*intake)->fields(), options);
    auto feed = LogFeed::open(options.logs, opening.feeding());
    if (!feed) {
        return engine::fail(feed.error());
    }
    if (options.findRecorded) {
        addRecordedSigns(opening.signs, asked);
    }
    asked.resolved.insert(asked.resolved.end(), opening.resolved.begin(), opening.resolved.end());
    const auto makeIntake = [&] { return engine::Intake::make(plans, asked); };
    if (!opening.signs.empty() || !opening.resolved.empty()) {
        intake = makeIntake(); // what the logs have is more to read, of the first lines too
    }
    if (engine::Status read = attemptAll(pass, std::move(intake), makeIntake, **feed,
                                         opening.sample, options, listener);
        !read) {
        return engine::fail(read.error());
    }
    pass.logs = (*feed)->logs();
    pass.report = totalOf(pass.logs, pass.intake->fields().size());
    pass.twice = opening.twice.notes(pass.logs);
    return pass;
}

engine::Result<Pass> runWholePass(const std::vector<const engine::Plan*>& plans,
                                  const PassOptions& options, PassListener& listener)
{
    engine::Result<Pass> pass = runPass(plans, options, listener);
    if (pass && pass->interrupted) {
        return engine::fail("run.interrupted", "interrupted before there was an answer");
    }
    return pass;
}

} // namespace app
