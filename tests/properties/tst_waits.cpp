#include "tests/support/model/engine_run.h"

#include <QTest>

#include <algorithm>

using tests::model::Case;
using tests::model::CaseOptions;
using tests::model::Decision;
using tests::model::EngineRun;
using tests::model::firstComplaint;
using tests::model::Request;
using tests::model::runEngine;

namespace {

/// The requests that stand up to `rejected` in order of arrival, and its repetition at `againNs`.
Case repeated(const Case& given, const std::vector<Request>& ordered, std::size_t rejected,
              std::int64_t againNs)
{
    Case with = given;
    with.requests.assign(ordered.begin(),
                         ordered.begin() + static_cast<std::ptrdiff_t>(rejected) + 1);
    with.requests.push_back(ordered[rejected]);
    with.requests.back().timeNs = againNs;
    return with;
}

bool lastIsRejected(const Case& given)
{
    const EngineRun run = runEngine(given, {.cuts = 0});
    const auto last = std::find_if(
        run.decisions[0].begin(), run.decisions[0].end(),
        [&](const Decision& decision) { return decision.n == given.requests.size(); });
    return last->rejected;
}

std::string complaintAbout(const Case& given)
{
    Case ordered = given;
    std::stable_sort(ordered.requests.begin(), ordered.requests.end(),
                     [](const Request& a, const Request& b) { return a.timeNs < b.timeNs; });
    const EngineRun run = runEngine(ordered, {.cuts = 0});
    int asked = 0;
    for (const Decision& decision : run.decisions[0]) {
        if (!decision.rejected || ++asked > 4) {
            continue;
        }
        const std::size_t at = decision.n - 1;
        const std::string which = "request " + std::to_string(decision.n);
        if (!decision.retryAfterNs) {
            if (!lastIsRejected(repeated(given, ordered.requests, at, INT64_MAX))) {
                return which + " is told that no wait helps, and one does";
            }
            continue;
        }
        const std::int64_t waitNs = *decision.retryAfterNs;
        if (waitNs > INT64_MAX - std::max<std::int64_t>(decision.decidedNs, 0)) {
            continue;
        }
        const std::int64_t againNs = decision.decidedNs + waitNs;
        if (lastIsRejected(repeated(given, ordered.requests, at, againNs))) {
            return which + " waited exactly its retry_after and is rejected again";
        }
        if (waitNs > 0 && !lastIsRejected(repeated(given, ordered.requests, at, againNs - 1))) {
            return which + " waited one nanosecond less than its retry_after and is admitted";
        }
    }
    return "";
}

} // namespace

/// What a rejected client is told is the truth, to the nanosecond.
class TestWaits : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void retryAfterIsEnoughAndOneNanosecondLessIsNot()
    {
        const CaseOptions options {.maxPlans = 1, .maxRules = 1, .maxRequests = 40};
        int rejections = 0;
        const std::string complaint = firstComplaint(200000, options, [&](Case given) {
            // One rule decides: its overrides and its mode would only hide it.
            engine::Plan& plan = given.plans[0];
            plan.rules.erase(plan.rules.begin(), plan.rules.end() - 1);
            plan.rules[0].mode = engine::Mode::Enforce;
            plan.rules[0].unless.clear();
            plan.rules[0].stateBefore = 0;
            plan.rules[0].tighten.reset();
            const engine::Limit& limit = plan.rules[0].limit;
            if (limit.algorithm == engine::Algorithm::AdaptiveConcurrency
                || limit.strategy == engine::Strategy::Utilisation) {
                return std::string(); // what it goes by changes while one waits
            }
            rejections += runEngine(given).tallies[0].rejected > 0 ? 1 : 0;
            return complaintAbout(given);
        });
        QVERIFY2(complaint.empty(), complaint.c_str());
        QVERIFY(rejections > 0);
    }
};

QTEST_APPLESS_MAIN(TestWaits)
#include "tst_waits.moc"
