#include "tests/app/nginx_limit_req.h"
#include "tests/app/recorded_replay.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <set>

using namespace tests;

namespace {

const std::string kFolder = WEIR_SOURCE_DIR "/tests/data/truth/nginx-limit-req/virtual/";

const HowToReplay kNamed {{"api_key=key"}, "", ""};

/// A location of the recorded nginx.conf.
struct Location {
    std::string name;
    std::vector<LimitReqZone> zones; ///< keyed on $http_x_api_key; a second one on $uri
    bool dryRun = false;

    [[nodiscard]] std::string log() const { return kFolder + name + ".log.gz"; }

    [[nodiscard]] std::string truth() const { return kFolder + "truth-" + name + ".csv.gz"; }
};

const std::vector<Location> kLocations {
    {"r10b0", {{10, 1, 0, 0}}, false},
    {"r10b20n", {{10, 1, 20, 20}}, false},
    {"m30b5n", {{30, 60, 5, 5}}, false},
    {"m100b10n", {{100, 60, 10, 10}}, false},
    {"two", {{10, 1, 8, 8}, {15, 1, 12, 12}}, false},
    {"dry_r10b20d", {{10, 1, 20, 0}}, true},
    {"dry_r5b10d4", {{5, 1, 10, 4}}, true},
    {"dry_two", {{10, 1, 8, 8}, {15, 1, 12, 12}}, true},
};

/// How a location is written as a policy. Several zones are rules of one tier, or each of a tier
/// of its own under `all_or_nothing`.
struct Form {
    std::string algorithm;
    bool shadow = false;
    bool tierEach = false;
};

std::string limitText(const LimitReqZone& zone, const std::string& algorithm)
{
    if (algorithm == "leaky_bucket") {
        return fmt::format("queue: {}, delay_after: {}", zone.burst, zone.delayAfter);
    }
    return fmt::format("burst: {}", zone.burst + 1);
}

std::string ruleText(const LimitReqZone& zone, std::size_t index, const Form& form)
{
    return fmt::format("    - {{ name: zone{}, key: [{}], algorithm: {}, rate: {}/{}, {}, "
                       "mode: {} }}\n",
                       index, index == 0 ? "api_key" : "path", form.algorithm, zone.requests,
                       zone.seconds == 1 ? "s" : "min", limitText(zone, form.algorithm),
                       form.shadow ? "shadow" : "enforce");
}

std::string policyText(const Location& location, const Form& form)
{
    static const std::vector<std::string> kTiers {"edge", "gateway"};
    std::string text = fmt::format("weir: 1\nname: recorded\ncounting: {}\ntiers:\n",
                                   form.tierEach ? "all_or_nothing" : "per_tier");
    for (std::size_t i = 0; i < location.zones.size(); ++i) {
        if (i == 0 || form.tierEach) {
            text += "  " + kTiers[i] + ":\n";
        }
        text += ruleText(location.zones[i], i, form);
    }
    return text;
}

std::vector<LimitReq::Answer> modelled(const Location& location, LimitReqTraits traits,
                                       const std::vector<RecordedLine>& lines)
{
    LimitReq model(location.zones, traits);
    std::vector<LimitReq::Answer> answers;
    for (const RecordedLine& line : lines) {
        answers.push_back(model.decide(line.arrivalMs, {line.key, line.uri}));
    }
    return answers;
}

/// What $limit_req_status says of an answer.
std::string verdictOf(const Location& location, const LimitReq::Answer& answer)
{
    if (!answer.rejectedBy && answer.delayMs == 0) {
        return "PASSED";
    }
    return std::string(answer.rejectedBy ? "REJECTED" : "DELAYED")
        + (location.dryRun ? "_DRY_RUN" : "");
}

/// Is it what nginx's debug log says of the same request?
bool isTruth(const TruthRow& row, const LimitReq::Answer& answer)
{
    for (std::size_t zone = 0; zone < answer.excess.size(); ++zone) {
        const std::int64_t rc = row.at("rc" + std::to_string(zone));
        if (row.at("excess" + std::to_string(zone)) != answer.excess[zone]
            || (rc == -3) != (answer.rejectedBy == zone)) {
            return false;
        }
    }
    return !row.contains("excess" + std::to_string(answer.excess.size()));
}

/// Which of nginx's traits explains a difference: each that alone, put into exact arithmetic from
/// the first request on, gives nginx's answer.
class Explainer {
public:
    Explainer(const Location& location, LimitReqTraits weir, const std::vector<RecordedLine>& lines)
    {
        static const std::vector<std::pair<QString, bool LimitReqTraits::*>> kTraits {
            {QStringLiteral("rate"), &LimitReqTraits::cutsRate},
            {QStringLiteral("steps"), &LimitReqTraits::cutsSteps},
            {QStringLiteral("zones"), &LimitReqTraits::countsTogether}};
        for (const auto& [name, trait] : kTraits) {
            LimitReqTraits withOne = weir;
            withOne.*trait = true;
            m_answers.emplace_back(name, modelled(location, withOne, lines));
        }
    }

    [[nodiscard]] QString classOf(std::size_t line, bool nginxRejects) const
    {
        QStringList enough;
        for (const auto& [name, answers] : m_answers) {
            if (answers[line].rejectedBy.has_value() == nginxRejects) {
                enough.append(name);
            }
        }
        return enough.isEmpty() ? QStringLiteral("together") : enough.join(QStringLiteral(" or "));
    }

private:
    std::vector<std::pair<QString, std::vector<LimitReq::Answer>>> m_answers;
};

std::int64_t ceilDiv(std::int64_t dividend, std::int64_t divisor)
{
    return (dividend + divisor - 1) / divisor;
}

/// Do remaining and retry_after follow from the excess that nginx had? For rates that it does not
/// cut.
bool sameFigures(const LimitReqZone& zone, std::int64_t excess, const RuleAnswer& rule)
{
    const std::int64_t over = excess - zone.burst * 1000;
    const std::int64_t before = std::max<std::int64_t>(0, 1000 - over); // it is not in it yet
    const std::int64_t waitNs
        = over > 0 ? ceilDiv(over * 1'000'000'000, zone.thousandthsPerSecond()) : 0;
    return rule.denies == (over > 0) && rule.retryAfterNs == waitNs
        && rule.remaining == (before / 1000) - (rule.counted ? 1 : 0);
}

bool sameFigures(const Location& location, const LimitReq::Answer& nginx, const LineDecision& weir)
{
    for (std::size_t zone = 0; zone < nginx.excess.size(); ++zone) {
        if (!sameFigures(location.zones[zone], nginx.excess[zone], weir.rules[zone])) {
            return false;
        }
    }
    return true;
}

/// The rule that rejected, or nothing: zone 0 is "zone0".
std::string ruleOf(const LimitReq::Answer& answer)
{
    return answer.rejectedBy ? "zone" + std::to_string(*answer.rejectedBy) : "";
}

using Classes = QMap<QString, int>;

QString textOf(const Classes& classes)
{
    QStringList parts;
    for (auto one = classes.begin(); one != classes.end(); ++one) {
        parts.append(QStringLiteral("%1 %2").arg(one.value()).arg(one.key()));
    }
    return parts.isEmpty() ? QStringLiteral("none") : parts.join(QStringLiteral(", "));
}

/// Differences by class. The algorithm is none of the reasons: all three are one meter.
Classes expectedClasses(const Location& location, const Form& form)
{
    static const QMap<std::string, Classes> kRounded {{"m30b5n", {{QStringLiteral("steps"), 18}}},
                                                      {"m100b10n",
                                                       {{QStringLiteral("rate"), 3},
                                                        {QStringLiteral("steps"), 4},
                                                        {QStringLiteral("rate or steps"), 26},
                                                        {QStringLiteral("together"), 33}}}};
    if (form.shadow && location.zones.size() > 1) {
        return {{QStringLiteral("zones"), 57}};
    }
    return kRounded.value(location.name);
}

/// A recording, what nginx's arithmetic and the exact one make of it, and what is unlike in weir.
class Comparison {
public:
    Comparison(const Location& location, const Form& form)
        : lines(recordedLines(location.log()))
        , m_location(location)
        , m_form(form)
        , m_weirTraits {false, false, !form.shadow}
        , m_exact(modelled(location, m_weirTraits, lines))
        , m_nginx(modelled(location, {}, lines))
        , m_explainer(location, m_weirTraits, lines)
    {
    }

    void add(std::size_t i, const LineDecision& weir)
    {
        const LimitReq::Answer& exact = m_exact[i];
        const bool nginxRejects = lines[i].verdict.starts_with("REJECTED");
        const bool asExact = weir.arrivalNs == lines[i].arrivalMs * 1'000'000
            && weir.denied() == exact.rejectedBy.has_value()
            && weir.rejectedBy == (m_form.shadow ? "" : ruleOf(exact));
        notExact += asExact ? 0 : 1;
        if (weir.denied() != nginxRejects) {
            ++classes[m_explainer.classOf(i, nginxRejects)];
            ++different;
        }
        int& lead = m_leads[lines[i].key];
        lead += (nginxRejects ? 1 : 0) - (weir.denied() ? 1 : 0);
        nginxAhead += lead < 0 ? 1 : 0;
        if (m_form.algorithm == "leaky_bucket" && !weir.denied()
            && weir.longestDelayNs() != m_nginx[i].delayMs * 1'000'000) {
            ++otherDelays;
        }
        otherFigures += sameFigures(m_location, m_nginx[i], weir) ? 0 : 1;
    }

    std::vector<RecordedLine> lines;
    Classes classes; ///< decisions that differ from nginx's
    int different = 0;
    int notExact = 0; ///< lines on which weir is not the exact model
    int nginxAhead = 0; ///< lines at which nginx had admitted more of the key than weir
    int otherDelays = 0;
    int otherFigures = 0; ///< remaining and retry_after that do not follow from nginx's excess

private:
    const Location& m_location;
    const Form& m_form;
    LimitReqTraits m_weirTraits;
    std::vector<LimitReq::Answer> m_exact;
    std::vector<LimitReq::Answer> m_nginx;
    Explainer m_explainer;
    std::map<std::string, int> m_leads; ///< by key: what weir admitted beyond nginx
};

} // namespace

/// nginx 1.22.1 `limit_req` on a virtual clock, so that the log has the very milliseconds by which
/// it decided, and the same lines through weir.
class TestRecordedLimitReq : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void model_data();
    void model();
    void decisions_data();
    void decisions();
    void recordedRejections_data();
    void recordedRejections();
};

void TestRecordedLimitReq::model_data()
{
    QTest::addColumn<int>("location");
    for (std::size_t i = 0; i < kLocations.size(); ++i) {
        QTest::addRow("%s", kLocations[i].name.c_str()) << static_cast<int>(i);
    }
}

/// What is held against weir below is what nginx did: verdict and excess of every request.
void TestRecordedLimitReq::model()
{
    QFETCH(int, location);
    const Location& place = kLocations[static_cast<std::size_t>(location)];
    const std::vector<RecordedLine> lines = recordedLines(place.log());
    const std::map<std::int64_t, TruthRow> truth = truthRows(place.truth());
    const std::vector<LimitReq::Answer> nginx = modelled(place, {}, lines);
    QCOMPARE(lines.size(), truth.size());
    std::set<std::string> verdicts;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const TruthRow& row = truth.at(lines[i].seq);
        QCOMPARE(lines[i].arrivalMs, row.at("wall_ms"));
        QVERIFY2(isTruth(row, nginx[i]), std::to_string(lines[i].seq).c_str());
        QCOMPARE(verdictOf(place, nginx[i]), lines[i].verdict);
        verdicts.insert(lines[i].verdict);
    }
    QVERIFY(verdicts.size() >= 2);
}

void TestRecordedLimitReq::decisions_data()
{
    QTest::addColumn<int>("location");
    QTest::addColumn<std::string>("algorithm");
    QTest::addColumn<bool>("shadow");
    QTest::addColumn<bool>("tierEach");
    const auto add = [](std::size_t index, const Form& form) {
        QTest::addRow("%s %s%s%s", kLocations[index].name.c_str(), form.algorithm.c_str(),
                      form.shadow ? " shadow" : "", form.tierEach ? " all_or_nothing" : "")
            << static_cast<int>(index) << form.algorithm << form.shadow << form.tierEach;
    };
    for (std::size_t i = 0; i < kLocations.size(); ++i) {
        for (const char* algorithm : {"gcra", "leaky_bucket", "token_bucket"}) {
            add(i, {algorithm, false, false});
            if (kLocations[i].zones.size() > 1) {
                add(i, {algorithm, false, true});
            }
            if (kLocations[i].dryRun) {
                add(i, {algorithm, true, false});
            }
        }
    }
}

void TestRecordedLimitReq::decisions()
{
    QFETCH(int, location);
    QFETCH(std::string, algorithm);
    QFETCH(bool, shadow);
    QFETCH(bool, tierEach);
    const Location& place = kLocations[static_cast<std::size_t>(location)];
    const Form form {algorithm, shadow, tierEach};
    Comparison comparison(place, form);
    const ReplayedLog weir = replayLog(place.log(), policyText(place, form), kNamed);
    QCOMPARE(weir.lines.size(), comparison.lines.size());
    for (std::size_t i = 0; i < weir.lines.size(); ++i) {
        comparison.add(i, weir.lines[i]);
    }
    const Classes expected = expectedClasses(place, form);
    qInfo("%zu decisions, %d differ: %s", weir.lines.size(), comparison.different,
          qPrintable(textOf(comparison.classes)));
    QCOMPARE(comparison.notExact, 0);
    QCOMPARE(textOf(comparison.classes), textOf(expected));
    QCOMPARE(comparison.otherDelays, 0);
    if (!shadow) {
        QCOMPARE(comparison.nginxAhead, 0); // it only ever drains less
    }
    if (expected.isEmpty()) {
        QCOMPARE(comparison.otherFigures, 0);
    }
}

void TestRecordedLimitReq::recordedRejections_data()
{
    QTest::addColumn<int>("location");
    QTest::addColumn<std::string>("sign");
    for (std::size_t i = 0; i < kLocations.size(); ++i) {
        for (const char* sign : {"", "nginx", "nginx-dry-run"}) {
            QTest::addRow("%s %s", kLocations[i].name.c_str(), sign)
                << static_cast<int>(i) << std::string(sign);
        }
    }
}

/// What production did is read as it is documented (app/workbench/recorded.h): a dry run's
/// rejections count only where they are asked for.
void TestRecordedLimitReq::recordedRejections()
{
    QFETCH(int, location);
    QFETCH(std::string, sign);
    const Location& place = kLocations[static_cast<std::size_t>(location)];
    const std::vector<RecordedLine> lines = recordedLines(place.log());
    HowToReplay how = kNamed;
    how.recordedRejection = sign;
    const ReplayedLog weir = replayLog(place.log(), policyText(place, {"gcra", false, false}), how);
    QCOMPARE(weir.lines.size(), lines.size());
    std::uint64_t rejected = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool expected = lines[i].verdict == "REJECTED"
            || (sign == "nginx-dry-run" && lines[i].verdict == "REJECTED_DRY_RUN");
        QCOMPARE(lines[i].status == 429, lines[i].verdict == "REJECTED");
        QCOMPARE(weir.lines[i].recordedRejected, expected);
        rejected += expected ? 1 : 0;
    }
    QCOMPARE(weir.totals.recordedKnown, std::uint64_t {lines.size()});
    QCOMPARE(weir.totals.recordedRejected, rejected);
    QCOMPARE(rejected > 0, !place.dryRun || sign == "nginx-dry-run");
}

QTEST_APPLESS_MAIN(TestRecordedLimitReq)
#include "tst_recorded_limit_req.moc"
