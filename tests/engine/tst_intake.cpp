#include "engine/attributes/text_hash.h"
#include "engine/intake/workspace.h"
#include "tests/engine/intake_run.h"

#include <QElapsedTimer>
#include <QTest>

#include <random>
#include <thread>

using namespace engine;
using intake_run::absent;
using intake_run::equals;
using intake_run::Input;
using intake_run::make;
using intake_run::Output;
using intake_run::path;
using intake_run::play;
using intake_run::rule;

namespace {

constexpr std::int64_t kUnknown = kUnknownDuration;

/// "edge: a b; skips c(1); exempt 2": what one request meets, in words.
std::string profileText(const Intake& intake, std::size_t plan, const Output& output)
{
    const Profile& profile
        = intake.profile(plan, output.arrival().ids()[intake.layout().profileAt(plan)]);
    std::string text;
    for (std::size_t tier = 0; tier < kTierCount; ++tier) {
        for (const std::uint32_t index : profile.rules[tier]) {
            const PlanRule& met = intake.plans()[plan]->rules[index];
            text += met.rule + (met.overrideName ? '.' + *met.overrideName : "") + ' ';
        }
    }
    for (const Profile::Skip& skip : profile.skips) {
        text += "skip:" + intake.plans()[plan]->rules[skip.rule].rule + '('
            + std::to_string(skip.attribute) + ") ";
    }
    if (profile.exemption != kNoId) {
        text += "exempt:" + std::to_string(profile.exemption) + ' ';
    }
    return text;
}

std::uint32_t idOf(const Intake& intake, std::size_t plan, std::size_t ruleIndex,
                   const Output& output)
{
    return output.arrival().ids()[intake.layout().tupleAt(intake.tupleOf(plan, ruleIndex))];
}

std::string groupOf(const Intake& intake, std::size_t plan, const Output& output)
{
    return std::string(
        intake.pathGroupText(plan, output.arrival().ids()[intake.layout().pathGroupAt(plan)]));
}

Derivation network24()
{
    Derivation made;
    made.name = "network";
    made.from = "client_ip";
    made.kind = DerivationKind::Prefix;
    made.ipv4Bits = 24;
    made.ipv6Bits = 64;
    return made;
}

/// A policy with something of everything.
Plan mixedPlan()
{
    Plan plan;
    plan.attributes = {network24()};
    Derivation owner;
    owner.name = "owner";
    owner.from = "path";
    owner.kind = DerivationKind::Pattern;
    owner.pattern = "/repos/{owner}/**";
    owner.take = "owner";
    plan.attributes.push_back(owner);
    plan.exempt = {{"probe", {{"user_agent", false, {{TestKind::Glob, "probe*", 0, 0}}}}}};
    plan.rules = {rule("address", {"client_ip"}),
                  rule("key", {"api_key", "user"}, {{"api_key", true, {absent()}}}),
                  rule("login", {"client_ip"},
                       {{"path", false, {path("/login/**")}}, {"method", false, {equals("POST")}}}),
                  rule("network", {"network"}, {{"path", true, {path("/static/**")}}}),
                  rule("owner", {"owner", "method"}),
                  rule("all", {})};
    plan.rules[4].cost.attribute = "bytes";
    plan.rules[4].cost.per = 1000;
    plan.rules[5].limit.algorithm = Algorithm::Concurrency;
    return plan;
}

std::vector<Input> mixedInputs(std::size_t count)
{
    std::mt19937 random(9);
    const std::vector<std::string> paths {"/login",        "/login/x", "/static/a", "/repos/o1/r",
                                          "/repos/o2/r/t", "/a/b/c",   "*",         "/"};
    const std::vector<std::string> agents {"probe/1", "curl", "browser"};
    std::vector<Input> inputs(count);
    for (Input& input : inputs) {
        auto& to = input.attributes;
        const auto maybe = [&](const char* name, std::string value) {
            if (random() % 4 != 0) {
                to[name] = std::move(value);
            }
        };
        maybe("client_ip",
              "192.0." + std::to_string(random() % 3) + '.' + std::to_string(random() % 50));
        maybe("path",
              random() % 20 == 0 ? "/x/" + std::to_string(random() % 500)
                                 : paths[random() % paths.size()]);
        maybe("method", random() % 2 == 0 ? "get" : "POST");
        maybe("api_key", "k" + std::to_string(random() % 20));
        maybe("user", "u" + std::to_string(random() % 20));
        maybe("user_agent", agents[random() % agents.size()]);
        maybe("bytes", std::to_string(random() % 5000));
        maybe("status", random() % 5 == 0 ? "429" : "200");
        input.durationNs
            = random() % 3 == 0 ? kUnknown : static_cast<std::int64_t>(random() % 1000);
    }
    return inputs;
}

/// All that an intake can say after a run, as text.
std::string everything(const Intake& intake, const std::vector<Output>& outputs)
{
    std::string text
        = std::to_string(intake.requests()) + ' ' + std::to_string(intake.leftOut()) + '\n';
    for (std::size_t field = 0; field < intake.fields().size(); ++field) {
        text += intake.fields()[field] + '=' + std::to_string(intake.filled(field)) + '\n';
    }
    for (std::size_t tuple = 0; tuple < intake.layout().tupleCount; ++tuple) {
        for (std::uint32_t id = 0; id < intake.keyCount(tuple); ++id) {
            for (const std::string_view part : intake.keyText(tuple, id)) {
                text += std::string(part) + '|';
            }
            text += '\n';
        }
    }
    for (std::size_t plan = 0; plan < intake.plans().size(); ++plan) {
        for (std::uint32_t id = 0; id < intake.pathGroupCount(plan); ++id) {
            text += std::string(intake.pathGroupText(plan, id)) + '\n';
        }
        for (std::size_t r = 0; r < intake.plans()[plan]->rules.size(); ++r) {
            text += std::to_string(intake.costMissing(plan, r)) + '\n';
        }
        for (const Output& output : outputs) {
            text += profileText(intake, plan, output);
        }
    }
    for (std::uint32_t id = 0; id < intake.whoCount(); ++id) {
        text += std::string(intake.whoText(id)) + '\n';
    }
    return text;
}

} // namespace

class TestIntake : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersKeysInOrderOfAppearance();
    void tuplesAreNeverJoinedAmbiguously();
    void joinsAnyNumberOfAttributes_data();
    void joinsAnyNumberOfAttributes();
    void profiles_data();
    void profiles();
    void oneBucketForAll();
    void keysOfRulesThatDoNotApplyAreNotKept();
    void pathGroups_data();
    void pathGroups();
    void pathGroupsAreBounded();
    void costs_data();
    void costs();
    void costsMissingWhereTheRuleApplies();
    void recordedRejections_data();
    void recordedRejections();
    void whatProductionRejectedIsDropped();
    void whereLeavesOut();
    void whereAndMarkSpeakInTheTermsOfThePlan();
    void choosesWho_data();
    void choosesWho();
    void whoMayBeDerived();
    void facetsAreResolvedByPlan();
    void countsWhatIsFilled();
    void refusesEmptyNames();
    void doesNotDependOnBatches_data();
    void doesNotDependOnBatches();
    void doesNotDependOnThreads();
    void agreesWithEachPlanAlone();
    void aFullCacheChangesNothing();
    void twoThousandRulesTakeMicroseconds();
};

void TestIntake::numbersKeysInOrderOfAppearance()
{
    Plan a;
    a.rules = {rule("r", {"client_ip"})};
    Plan b;
    b.rules = {rule("s", {"client_ip"}), rule("t", {"user"})};
    IntakeOptions options;
    options.who = {"client_ip"};
    const auto intake = make({&a, &b}, options);
    QCOMPARE(intake->tupleOf(0, 0), intake->tupleOf(1, 0));
    const auto outputs = play(*intake,
                              {{{{"client_ip", "192.0.2.9"}}, kUnknown},
                               {{{"client_ip", "::FFFF:192.0.2.9"}, {"user", "u"}}, kUnknown},
                               {{}, 5},
                               {{{"client_ip", "192.0.2.1"}}, kUnknown}});
    QCOMPARE(outputs.size(), std::size_t {4});
    QCOMPARE(idOf(*intake, 0, 0, outputs[0]), 0U);
    QCOMPARE(idOf(*intake, 0, 0, outputs[1]), 0U);
    QCOMPARE(idOf(*intake, 0, 0, outputs[2]), kNoId);
    QCOMPARE(idOf(*intake, 0, 0, outputs[3]), 1U);
    QCOMPARE(idOf(*intake, 1, 1, outputs[0]), kNoId);
    QCOMPARE(idOf(*intake, 1, 1, outputs[1]), 0U);
    QVERIFY(intake->keyText(intake->tupleOf(0, 0), 1)[0] == "192.0.2.1");
    QCOMPARE(outputs[3].arrival().ids()[ArrivalLayout::kWho], 1U);
    QCOMPARE(outputs[2].arrival().ids()[ArrivalLayout::kWho], kNoId);
    QVERIFY(intake->whoText(1) == "192.0.2.1");
    QVERIFY(intake->whoText(kNoId).empty());
    QCOMPARE(outputs[2].arrival().durationNs, std::int64_t {5});
    QCOMPARE(outputs[2].arrival().timeNs, std::int64_t {2000});
    QCOMPARE(outputs[2].arrival().n, std::uint64_t {3});
    QCOMPARE(outputs[2].arrival().line, std::uint64_t {3});
}

void TestIntake::tuplesAreNeverJoinedAmbiguously()
{
    Plan plan;
    plan.rules = {rule("r", {"a", "b"})};
    const auto intake = make({&plan});
    const std::string nul(1, '\0');
    const std::vector<std::pair<std::string, std::string>> pairs {
        {"x", "yz"},      {"xy", "z"},      {"x|", "y"}, {"x", "|y"},
        {"x" + nul, "y"}, {"x", nul + "y"}, {"x", "yz"}};
    std::vector<Input> inputs;
    for (const auto& [a, b] : pairs) {
        inputs.push_back({{{"a", a}, {"b", b}}, kUnknown});
    }
    inputs.push_back({{{"a", "x"}}, kUnknown});
    const auto outputs = play(*intake, inputs);
    for (std::uint32_t i = 0; i < 6; ++i) {
        QCOMPARE(idOf(*intake, 0, 0, outputs[i]), i);
        const auto parts = intake->keyText(0, i);
        QCOMPARE(parts.size(), std::size_t {2});
        QVERIFY(parts[0] == pairs[i].first && parts[1] == pairs[i].second);
    }
    QCOMPARE(idOf(*intake, 0, 0, outputs[6]), 0U);
    QCOMPARE(idOf(*intake, 0, 0, outputs[7]), kNoId);
}

void TestIntake::joinsAnyNumberOfAttributes_data()
{
    QTest::addColumn<int>("parts");
    for (int parts = 2; parts <= 6; ++parts) {
        QTest::addRow("%d", parts) << parts;
    }
}

/// Batches whose keys fill many pieces of memory, to the last byte of each.
void TestIntake::joinsAnyNumberOfAttributes()
{
    QFETCH(int, parts);
    std::vector<std::string> names;
    for (int part = 0; part < parts; ++part) {
        names.push_back("a" + std::to_string(part));
    }
    Plan plan;
    plan.rules = {rule("all of them", names)};
    const auto intake = make({&plan});
    constexpr std::size_t kRequests = 40'000;
    std::vector<Input> inputs(kRequests);
    for (std::size_t i = 0; i < kRequests; ++i) {
        for (std::size_t part = 0; part < names.size(); ++part) {
            // All combinations differ, all texts of one attribute come again.
            const std::size_t value = part == 0 ? i % 200 : i / 200;
            inputs[i].attributes[names[part]]
                = std::string(1 + value % 7, 'x') + std::to_string(value);
        }
    }
    const std::vector<Output> outputs = play(*intake, inputs, kRequests);
    for (std::size_t i = 0; i < kRequests; ++i) {
        QCOMPARE(idOf(*intake, 0, 0, outputs[i]), static_cast<std::uint32_t>(i));
    }
}

void TestIntake::profiles_data()
{
    QTest::addColumn<QByteArray>("attributes"); // name=value, by blanks
    QTest::addColumn<int>("duration");
    QTest::addColumn<QByteArray>("profile");
    const auto row = [](const char* attributes, int duration, const char* profile) {
        QTest::addRow("%s, %d", attributes, duration)
            << QByteArray(attributes) << duration << QByteArray(profile);
    };
    row("client_ip=192.0.2.1", 7, "address in-flight ");
    row("client_ip=192.0.2.1", -1, "address skip:in-flight(1) ");
    row("", 7, "skip:address(0) skip:in-flight(0) "); // the key before the duration
    row("", -1, "skip:address(0) skip:in-flight(0) ");
    row("client_ip=192.0.2.1 user=u method=GET", 7, "address in-flight pair ");
    row("client_ip=192.0.2.1 method=GET", 7,
        "address in-flight skip:pair(1) "); // the first that is missing
    row("client_ip=192.0.2.1 method=PUT", 7, "address in-flight "); // no match, no skip
    row("client_ip=192.0.2.1 plan=pro", 7, "address in-flight pro ");
    row("client_ip=192.0.2.1 plan=pro tenant=acme", 7, "address in-flight pro.acme ");
    row("client_ip=192.0.2.1 plan=pro tenant=big", 7, "address in-flight pro.large ");
    row("client_ip=192.0.2.1 plan=pro tenant=big size=9", 7, "address in-flight pro.large ");
    row("client_ip=192.0.2.1 plan=pro tenant=acme size=9", 7, "address in-flight pro.acme ");
    row("client_ip=192.0.2.1 plan=free tenant=acme", 7, "address in-flight ");
    row("client_ip=192.0.2.1 user_agent=probe/2", 7, "exempt:0 ");
    row("user_agent=probe/2", -1, "exempt:0 "); // no skips either
    row("client_ip=192.0.2.1 user_agent=probe/2 user=root", 7, "exempt:0 "); // the first entry
    row("client_ip=192.0.2.1 user=root method=GET", 7, "exempt:1 ");
}

void TestIntake::profiles()
{
    Plan plan;
    plan.exempt = {{"probe", {{"user_agent", false, {{TestKind::Glob, "probe*", 0, 0}}}}},
                   {"root", {{"user", false, {equals("root")}}}}};
    const Match acme {{"tenant", false, {equals("acme")}}};
    const Match large {{"tenant", false, {equals("acme"), equals("big")}}};
    const Match pro {{"plan", false, {equals("pro")}}};
    plan.rules = {rule("address", {"client_ip"}),
                  rule("in-flight", {"client_ip"}),
                  rule("assumed", {"no"}),
                  rule("pro", {}, pro),
                  rule("pro", {}, pro),
                  rule("pro", {}, pro),
                  rule("pair", {"client_ip", "user"}, {{"method", false, {equals("get")}}})};
    plan.rules[1].limit.algorithm = Algorithm::Concurrency;
    plan.rules[2].mode = Mode::Off;
    plan.rules[3].overrideName = "acme";
    plan.rules[3].overrideMatch = acme;
    plan.rules[4].overrideName = "large";
    plan.rules[4].overrideMatch = large;
    plan.rules[4].unless = {acme};
    plan.rules[5].unless = {acme, large};
    for (std::size_t i = 3; i < 7; ++i) {
        plan.rules[i].tier = i < 6 ? Tier::Gateway : Tier::Tenant;
    }
    QFETCH(const QByteArray, attributes);
    QFETCH(const int, duration);
    QFETCH(const QByteArray, profile);
    Input input;
    input.durationNs = duration;
    for (const QByteArray& entry : attributes.split(' ')) {
        const qsizetype equal = entry.indexOf('=');
        if (equal > 0) {
            input.attributes[entry.left(equal).toStdString()] = entry.mid(equal + 1).toStdString();
        }
    }
    const auto intake = make({&plan});
    const auto outputs = play(*intake, {input, input});
    QCOMPARE(QByteArray::fromStdString(profileText(*intake, 0, outputs[0])), profile);
    QCOMPARE(intake->profileCount(0), std::size_t {1});

    plan.rules[1].limit.assumeDurationNs = 1;
    const auto assumed = make({&plan});
    const std::string text = profileText(*assumed, 0, play(*assumed, {input})[0]);
    QVERIFY(text.find("skip:in-flight(1)") == text.npos);
}

void TestIntake::oneBucketForAll()
{
    Plan plan;
    plan.rules = {rule("all", {})};
    const auto intake = make({&plan});
    const auto outputs = play(*intake, {{{}, kUnknown}, {{{"user", "u"}}, kUnknown}});
    QCOMPARE(idOf(*intake, 0, 0, outputs[0]), 0U);
    QCOMPARE(idOf(*intake, 0, 0, outputs[1]), 0U);
    QCOMPARE(intake->keyCount(intake->tupleOf(0, 0)), std::size_t {1});
    QVERIFY(intake->keyText(intake->tupleOf(0, 0), 0).empty());
}

void TestIntake::keysOfRulesThatDoNotApplyAreNotKept()
{
    Plan plan;
    plan.rules = {rule("login", {"user"}, {{"path", false, {path("/login")}}})};
    IntakeOptions options;
    options.who = {"client_ip"};
    const auto intake = make({&plan}, options);
    const auto outputs = play(*intake,
                              {{{{"user", "a"}, {"path", "/x"}}, kUnknown},
                               {{{"user", "b"}, {"path", "/login"}}, kUnknown}});
    QCOMPARE(idOf(*intake, 0, 0, outputs[0]), kNoId);
    QCOMPARE(idOf(*intake, 0, 0, outputs[1]), 0U);
    QCOMPARE(intake->keyCount(intake->tupleOf(0, 0)), std::size_t {1});
}

void TestIntake::pathGroups_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("group");
    const auto row = [](const char* path, const char* group) {
        QTest::newRow(path) << QByteArray(path) << QByteArray(group);
    };
    row("/search/a/b", "/search/**"); // the first that matches, though /search/a/* does too
    row("/search/a/c", "/search/**");
    row("/login/deep/er", "/login/deep/er"); // one whole path is a pattern
    row("/health/x/y", "/health/**"); // of an exemption
    row("/repos/o/r/t", "/repos/{o}/**"); // of a derived attribute
    row("/private/x/y", "/private/x"); // a pattern that is only excluded names nothing
    row("/a/b/c", "/a/b");
    row("/a/b", "/a/b");
    row("/a", "/a");
    row("/", "/");
    row("*", "*");
    row("", "");
}

void TestIntake::pathGroups()
{
    Plan plan;
    Derivation repo;
    repo.name = "o";
    repo.from = "path";
    repo.kind = DerivationKind::Pattern;
    repo.pattern = "/repos/{o}/**";
    repo.take = "o";
    plan.attributes = {repo};
    plan.exempt = {{"health", {{"path", false, {path("/health/**")}}}}};
    plan.rules = {rule("a", {}, {{"path", true, {path("/private/**")}}}),
                  rule("b", {}, {{"path", false, {path("/search/**"), equals("/login/deep/er")}}}),
                  rule("c", {}, {{"path", false, {path("/search/a/*")}}})};
    QFETCH(const QByteArray, path);
    QFETCH(const QByteArray, group);
    Input input;
    if (!path.isEmpty()) {
        input.attributes["path"] = path.toStdString();
    }
    Plan bare;
    const auto intake = make({&plan, &bare});
    const auto outputs = play(*intake, {input, input});
    QCOMPARE(QByteArray::fromStdString(groupOf(*intake, 0, outputs[1])), group);
    if (path == "/search/a/b") {
        QCOMPARE(groupOf(*intake, 1, outputs[1]),
                 std::string("/search/a")); // each plan by its own patterns
    }
}

void TestIntake::pathGroupsAreBounded()
{
    Plan plan;
    plan.rules = {rule("a", {}, {{"path", false, {path("/late/**")}}})};
    const auto intake = make({&plan});
    std::vector<Input> inputs;
    for (int i = 0; i < 66000; ++i) {
        inputs.push_back({{{"path", "/scan/" + std::to_string(i)}}, kUnknown});
    }
    inputs.push_back({{{"path", "/late/x"}}, kUnknown});
    inputs.push_back({{{"path", "/scan/7"}}, kUnknown});
    const auto outputs = play(*intake, inputs, 4096);
    QCOMPARE(groupOf(*intake, 0, outputs[65535]), std::string("/scan/65535"));
    QCOMPARE(groupOf(*intake, 0, outputs[65536]), std::string("(other paths)"));
    QCOMPARE(groupOf(*intake, 0, outputs[65999]), std::string("(other paths)"));
    QCOMPARE(groupOf(*intake, 0, outputs[66000]),
             std::string("/late/**")); // patterns keep their name
    QCOMPARE(groupOf(*intake, 0, outputs[66001]), std::string("/scan/7"));
    QCOMPARE(intake->pathGroupCount(0), std::size_t {65538});
}

void TestIntake::costs_data()
{
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<qint64>("byThousand");
    QTest::addColumn<bool>("usable");
    const auto row = [](const char* value, qint64 byThousand, bool usable) {
        QTest::newRow(value) << QByteArray(value) << byThousand << usable;
    };
    row("2500", 3, true);
    row("2000", 2, true);
    row("2001", 3, true);
    row("1", 1, true);
    row("0", 1, true); // at least 1
    row("00003001", 4, true);
    row("9223372036854775807", 9223372036854776, true);
    row("99999999999999999999", 9223372036854776, true); // as much as can be counted
    row("-5", 1, false);
    row("2.5", 1, false);
    row("2500 ", 1, false);
    row("many", 1, false);
    row("", 1, false);
}

void TestIntake::costs()
{
    Plan plan;
    plan.rules = {rule("fixed", {}), rule("bytes", {}), rule("same", {}), rule("single", {}),
                  rule("time", {})};
    plan.rules[1].cost = {1, "bytes", 1000};
    plan.rules[2].cost = {1, "bytes", 1000};
    plan.rules[3].cost = {1, "bytes", 1};
    plan.rules[4].cost = {1, "duration", 1000};
    QFETCH(const QByteArray, value);
    QFETCH(const qint64, byThousand);
    QFETCH(const bool, usable);
    Input input;
    input.durationNs = 2001;
    if (!value.isEmpty()) {
        input.attributes["bytes"] = value.toStdString();
    }
    const auto intake = make({&plan});
    QCOMPARE(intake->costOf(0, 0), Intake::kFixedCost);
    QCOMPARE(intake->costOf(0, 1), intake->costOf(0, 2));
    QCOMPARE(intake->layout().costCount, std::size_t {3});
    const auto outputs = play(*intake, {input});
    const ArrivalLayout& layout = intake->layout();
    QCOMPARE(layout.cost(outputs[0].arrival(), intake->costOf(0, 1)), byThousand);
    QCOMPARE(layout.cost(outputs[0].arrival(), intake->costOf(0, 4)), qint64 {3});
    QCOMPARE(intake->costMissing(0, 1), usable ? 0U : 1U);
    QCOMPARE(intake->costMissing(0, 3), usable ? 0U : 1U);
    QCOMPARE(intake->costMissing(0, 4), 0U);
    QCOMPARE(intake->costMissing(0, 0), 0U);
}

void TestIntake::costsMissingWhereTheRuleApplies()
{
    Plan plan;
    plan.rules = {rule("all", {}), rule("put", {}, {{"method", false, {equals("PUT")}}})};
    plan.rules[0].cost = {1, "bytes", 10};
    plan.rules[1].cost = {1, "bytes", 10};
    const auto intake = make({&plan});
    play(*intake,
         {{{{"method", "PUT"}}, kUnknown},
          {{{"method", "GET"}}, kUnknown},
          {{{"method", "PUT"}, {"bytes", "5"}}, kUnknown}});
    QCOMPARE(intake->costMissing(0, 0), std::uint64_t {2});
    QCOMPARE(intake->costMissing(0, 1), std::uint64_t {1});
}

void TestIntake::recordedRejections_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<bool>("known");
    QTest::addColumn<bool>("rejected");
    const auto row = [](const char* what, int which, const char* status, bool known,
                        bool rejected) {
        QTest::addRow("%s: %s", what, status) << which << QByteArray(status) << known << rejected;
    };
    row("default", 0, "429", true, true);
    row("default", 0, "200", true, false);
    row("default", 0, "0", false, false); // none was sent
    row("default", 0, "", false, false);
    row("absent counts", 1, "", true, true);
    row("absent counts", 1, "200", true, false);
    row("nothing asked", 2, "429", false, false);
    row("another sign", 3, "200", true, false);
    row("another sign", 3, "REJECTED", true, true);
    row("another sign beside the first", 4, "429", true, true);
    row("another sign beside the first", 4, "REJECTED", true, true);
    row("a sign alone is no answer", 5, "REJECTED", false, false);
}

void TestIntake::recordedRejections()
{
    QFETCH(const int, which);
    QFETCH(const QByteArray, status);
    QFETCH(const bool, known);
    QFETCH(const bool, rejected);
    Plan plan; // that derives a status does not change what production did
    Derivation derived;
    derived.name = "status";
    derived.from = "x";
    plan.attributes = {derived};
    plan.rules = {rule("r", {"status"})};
    IntakeOptions options;
    if (which == 1) {
        options.recordedRejection = {{"status", false, {absent()}}};
    } else if (which == 2) {
        options.recordedRejection.clear();
    } else if (which >= 3) {
        options.recordedRejection = which == 3 ? Match {} : options.recordedRejection;
        options.otherRejections = {{{"sign", false, {{TestKind::Equals, "REJECTED", 0, 0}}}}};
        options.recordedBy = which == 5 ? std::vector<std::string> {}
                                        : std::vector<std::string> {"sign", "status"};
    }
    Input input;
    if (which >= 3 && status == "REJECTED") {
        input.attributes["sign"] = "REJECTED";
        const auto intake = make({&plan}, options);
        const std::uint32_t flags = play(*intake, {input})[0].arrival().flags;
        QCOMPARE((flags & kArrivalRecordedKnown) != 0, known);
        QCOMPARE((flags & kArrivalRecordedRejected) != 0, rejected);
        return;
    }
    if (!status.isEmpty()) {
        input.attributes["status"] = status.toStdString();
    }
    const auto intake = make({&plan}, options);
    const std::uint32_t flags = play(*intake, {input})[0].arrival().flags;
    QCOMPARE((flags & kArrivalRecordedKnown) != 0, known);
    QCOMPARE((flags & kArrivalRecordedRejected) != 0, rejected);
}

void TestIntake::whatProductionRejectedIsDropped()
{
    Plan plan;
    plan.rules = {rule("r", {"user"})};
    IntakeOptions options;
    options.dropRecorded = true;
    options.where = {{"user", true, {{TestKind::Equals, "z", 0, 0}}}};
    const auto intake = make({&plan}, options);
    const auto outputs = play(*intake,
                              {{{{"status", "200"}, {"user", "a"}}, kUnknown},
                               {{{"status", "429"}, {"user", "b"}}, kUnknown},
                               {{{"user", "c"}}, kUnknown}, // not known: it stays
                               {{{"status", "429"}, {"user", "z"}}, kUnknown}});
    QCOMPARE(outputs.size(), std::size_t {2});
    QCOMPARE(outputs[1].arrival().n, std::uint64_t {3});
    QCOMPARE(intake->requests(), std::uint64_t {4});
    QCOMPARE(intake->dropped(), std::uint64_t {1});
    QCOMPARE(intake->leftOut(), std::uint64_t {1}); // by where, which comes first
}

void TestIntake::whereLeavesOut()
{
    Plan plan;
    plan.rules = {rule("r", {"user"})};
    IntakeOptions options;
    options.where = {{"path", true, {path("/health")}}};
    const auto intake = make({&plan}, options);
    const auto outputs = play(*intake,
                              {{{{"path", "/a"}, {"user", "a"}}, kUnknown},
                               {{{"path", "/health"}, {"user", "b"}}, kUnknown},
                               {{{"user", "c"}}, kUnknown}, // missing: not even `not`
                               {{{"path", "/a"}, {"user", "d"}}, kUnknown}});
    QCOMPARE(outputs.size(), std::size_t {2});
    QCOMPARE(outputs[1].arrival().n, std::uint64_t {4}); // those left out take numbers
    QCOMPARE(intake->requests(), std::uint64_t {4});
    QCOMPARE(intake->leftOut(), std::uint64_t {2});
    QCOMPARE(intake->keyCount(intake->tupleOf(0, 0)), std::size_t {2});
}

void TestIntake::whereAndMarkSpeakInTheTermsOfThePlan()
{
    Plan plan;
    Derivation tenant;
    tenant.name = "tenant";
    tenant.from = "host";
    tenant.kind = DerivationKind::Pattern;
    tenant.pattern = "{tenant}.example.com";
    tenant.take = "tenant";
    plan.attributes = {tenant};
    plan.rules = {rule("r", {})};
    IntakeOptions options;
    options.where = {{"tenant", false, {{TestKind::Equals, "acme", 0, 0}}}};
    options.mark = {{"tenant", false, {{TestKind::Glob, "a*", 0, 0}}},
                    {"user", false, {{TestKind::Equals, "u", 0, 0}}}};
    const auto intake = make({&plan}, options);
    const auto outputs = play(*intake,
                              {{{{"host", "acme.example.com"}, {"user", "u"}}, kUnknown},
                               {{{"host", "other.example.com"}, {"user", "u"}}, kUnknown},
                               {{{"host", "acme.example.com"}}, kUnknown}});
    QCOMPARE(outputs.size(), std::size_t {2});
    QVERIFY((outputs[0].arrival().flags & kArrivalMarked) != 0);
    QVERIFY((outputs[1].arrival().flags & kArrivalMarked) == 0);
    QCOMPARE(intake->leftOut(), std::uint64_t {1});
}

void TestIntake::choosesWho_data()
{
    QTest::addColumn<int>("withKey");
    QTest::addColumn<int>("withUser");
    QTest::addColumn<QByteArray>("who");
    QTest::newRow("half have a key") << 5 << 10 << QByteArray("api_key");
    QTest::newRow("less than half do") << 4 << 10 << QByteArray("user");
    QTest::newRow("none has enough") << 4 << 4 << QByteArray("client_ip");
}

void TestIntake::choosesWho()
{
    QFETCH(const int, withKey);
    QFETCH(const int, withUser);
    QFETCH(const QByteArray, who);
    Plan plan;
    plan.rules = {rule("r", {"client_ip"})};
    const auto intake = make({&plan});
    std::vector<Input> inputs(10);
    for (int i = 0; i < 10; ++i) {
        auto& to = inputs[static_cast<std::size_t>(i)].attributes;
        if (i < withKey) {
            to["api_key"] = "key" + std::to_string(i);
        }
        if (i < withUser) {
            to["user"] = "user" + std::to_string(i);
        }
        to["client_ip"] = "two words"; // missing, after all
    }
    inputs[9].attributes["client_ip"] = "192.0.2.1";
    intake->chooseWho(intake_run::batchOf(intake->fields(), inputs, 0, 10).requests);
    QCOMPARE(QByteArray::fromStdString(intake->who()), who);
    const auto outputs = play(*intake, inputs);
    const std::string first(intake->whoText(outputs[0].arrival().ids()[ArrivalLayout::kWho]));
    QCOMPARE(first, who == "api_key" ? "key0" : who == "user" ? "user0" : "");
    QCOMPARE(intake->whoCount(),
             std::size_t(who == "api_key"    ? withKey
                             : who == "user" ? withUser
                                             : 1));
}

void TestIntake::whoMayBeDerived()
{
    Plan plan;
    plan.attributes = {network24()};
    IntakeOptions options;
    options.who = {"network"};
    const auto intake = make({&plan}, options);
    const auto outputs = play(*intake, {{{{"client_ip", "192.0.2.1"}}, kUnknown}});
    QVERIFY(intake->whoText(outputs[0].arrival().ids()[0]) == "192.0.2.0/24");
    QCOMPARE(intake->who(), std::string("network"));
}

void TestIntake::facetsAreResolvedByPlan()
{
    Plan derives;
    derives.attributes = {network24()};
    Plan plain;
    IntakeOptions options;
    options.facets = {"method", "network"};
    const auto intake = make({&derives, &plain}, options);
    QCOMPARE(intake->facetTuple(0, 0), intake->facetTuple(1, 0));
    QVERIFY(intake->facetTuple(0, 1) != intake->facetTuple(1, 1));
    const auto outputs
        = play(*intake,
               {{{{"client_ip", "192.0.2.1"}, {"network", "log"}, {"method", "get"}}, kUnknown},
                {{}, kUnknown}});
    const auto text = [&](std::size_t plan, std::size_t facet, std::size_t request) {
        const std::size_t tuple = intake->facetTuple(plan, facet);
        const std::uint32_t id = outputs[request].arrival().ids()[intake->layout().tupleAt(tuple)];
        return id == kNoId ? std::string("-") : std::string(intake->keyText(tuple, id)[0]);
    };
    QCOMPARE(text(0, 0, 0), std::string("GET"));
    QCOMPARE(text(0, 1, 0), std::string("192.0.2.0/24"));
    QCOMPARE(text(1, 1, 0), std::string("log"));
    QCOMPARE(text(0, 0, 1), std::string("-"));
}

void TestIntake::countsWhatIsFilled()
{
    Plan plan;
    plan.rules = {rule("r", {"tenant_id", "status"})};
    const auto intake = make({&plan});
    play(*intake, {{{{"status", "200"}}, kUnknown}, {{{"status", "0"}}, kUnknown}});
    const auto& fields = intake->fields();
    const auto at = [&](const char* name) {
        return static_cast<std::size_t>(std::find(fields.begin(), fields.end(), name)
                                        - fields.begin());
    };
    QCOMPARE(intake->filled(at("tenant_id")), std::uint64_t {0});
    QCOMPARE(intake->filled(at("status")), std::uint64_t {1});
}

void TestIntake::refusesEmptyNames()
{
    const Plan plan;
    IntakeOptions options;
    options.who.clear();
    QCOMPARE(Intake::make({&plan}, options).error().code, std::string("intake.who"));
    options.who = {"user", ""};
    QCOMPARE(Intake::make({&plan}, options).error().code, std::string("intake.who"));
    options.who = {"user"};
    options.facets = {""};
    QCOMPARE(Intake::make({&plan}, options).error().code, std::string("intake.facet"));
}

void TestIntake::doesNotDependOnBatches_data()
{
    QTest::addColumn<int>("size");
    for (const int size : {1, 7, 511, 512, 513, 4096}) {
        QTest::addRow("%d", size) << size;
    }
}

void TestIntake::doesNotDependOnBatches()
{
    QFETCH(const int, size);
    const Plan plan = mixedPlan();
    const auto inputs = mixedInputs(3000);
    IntakeOptions options;
    options.facets = {"user_agent", "owner"};
    options.where = {{"client_ip", true, {{TestKind::Network, "192.0.1.0/28", 0, 0}}}};
    const auto whole = make({&plan}, options);
    const auto cut = make({&plan}, options);
    const auto expected = play(*whole, inputs, inputs.size());
    const auto outputs = play(*cut, inputs, static_cast<std::size_t>(size));
    QVERIFY(outputs.size() > 1500 && outputs.size() < inputs.size());
    QVERIFY(outputs == expected);
    QVERIFY(everything(*cut, outputs) == everything(*whole, expected));
    QVERIFY(cut->profileCount(0) > 20);
}

void TestIntake::doesNotDependOnThreads()
{
    const Plan plan = mixedPlan();
    const auto inputs = mixedInputs(8000);
    const auto serial = make({&plan});
    const auto expected = play(*serial, inputs, 1000);

    const auto intake = make({&plan});
    std::vector<intake_run::Batch> batches;
    std::vector<Intake::PreparedPtr> prepared;
    for (std::size_t begin = 0; begin < inputs.size(); begin += 500) {
        batches.push_back(intake_run::batchOf(intake->fields(), inputs, begin, begin + 500));
        prepared.push_back(intake->makePrepared());
    }
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t i = t; i < batches.size(); i += 4) {
                intake->prepare(batches[i].requests, *prepared[i]);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    std::vector<Output> outputs;
    for (const auto& batch : prepared) {
        intake->intern(*batch, [&](Arrival& arrival, const Request&) {
            outputs.emplace_back(arrival, intake->layout());
        });
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) { // batches number their lines for themselves
        QCOMPARE(outputs[i].arrival().n, std::uint64_t {i + 1});
        QCOMPARE(outputs[i].arrival().line, expected[i].arrival().line);
    }
    QVERIFY(outputs == expected);
    QVERIFY(everything(*intake, outputs) == everything(*serial, expected));
}

void TestIntake::agreesWithEachPlanAlone()
{
    // Sharing attributes, tests and tuples among plans changes nothing for any of them.
    const Plan a = mixedPlan();
    Plan b = mixedPlan();
    b.attributes[0].ipv4Bits = 16;
    b.exempt.clear();
    b.rules.erase(b.rules.begin() + 1);
    const auto inputs = mixedInputs(3000);
    const auto both = make({&a, &b});
    const auto outputs = play(*both, inputs);
    const std::vector<const Plan*> plans {&a, &b};
    for (std::size_t p = 0; p < 2; ++p) {
        const auto alone = make({plans[p]});
        const auto expected = play(*alone, inputs);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            QCOMPARE(profileText(*both, p, outputs[i]), profileText(*alone, 0, expected[i]));
            QCOMPARE(groupOf(*both, p, outputs[i]), groupOf(*alone, 0, expected[i]));
            const Profile& profile
                = alone->profile(0, expected[i].arrival().ids()[alone->layout().profileAt(0)]);
            for (const std::uint32_t r : profile.rules[0]) {
                QVERIFY(both->keyText(both->tupleOf(p, r), idOf(*both, p, r, outputs[i]))
                        == alone->keyText(alone->tupleOf(0, r), idOf(*alone, 0, r, expected[i])));
            }
        }
    }
}

void TestIntake::aFullCacheChangesNothing()
{
    // A small cache that forgets all the time against none at all.
    const Plan plan = mixedPlan();
    const intake::Schema schema = intake::makeSchema({&plan}, {});
    intake::Workspace small(schema, 40000);
    intake::Workspace none(schema, 0);
    attributes::TextArena arena;
    std::vector<Input> inputs = mixedInputs(4000);
    for (std::size_t i = 0; i < inputs.size(); i += 2) {
        inputs[i].attributes["path"]
            = "/repos/" + std::to_string(i) + "/some/long/path/that/takes/room";
        inputs[i].attributes["user_agent"] = "agent " + std::to_string(i % 1000);
    }
    const auto batch = intake_run::batchOf(schema.fields, inputs, 0, inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        arena.clear();
        small.evaluate(batch.requests.requests[i], batch.requests.valuesOf(i), arena);
        none.evaluate(batch.requests.requests[i], batch.requests.valuesOf(i), arena);
        QVERIFY(small.words() == none.words());
        QVERIFY(small.pathGroup(0).text() == none.pathGroup(0).text());
        QCOMPARE(small.pathGroup(0).hash, attributes::hashText(small.pathGroup(0).text()));
        for (std::uint32_t slot = 0; slot < schema.slots.size(); ++slot) {
            QVERIFY(small.value(slot) == none.value(slot));
        }
    }
}

void TestIntake::twoThousandRulesTakeMicroseconds()
{
    Plan plan;
    for (int i = 0; i < 2000; ++i) {
        const std::string number = std::to_string(i);
        plan.rules.push_back(
            rule("r", {"client_ip"},
                 {{"path", false, {path("/**/p" + number + "/*/x*y/**")}},
                  {"user_agent", false, {{TestKind::Glob, "*bot*" + number + "*", 0, 0}}},
                  {"client_ip",
                   true,
                   {{TestKind::Network, "10." + std::to_string(i % 250) + ".0.0/16", 0, 0}}}}));
    }
    const auto intake = make({&plan});
    std::vector<Input> inputs;
    for (int i = 0; i < 20000; ++i) {
        inputs.push_back({{{"client_ip", "192.0.2." + std::to_string(i % 256)},
                           {"path", "/a/b/p" + std::to_string(i % 100) + "/c/xzy/d"},
                           {"user_agent", "some bot " + std::to_string(i % 100)}},
                          kUnknown});
    }
    QElapsedTimer timer;
    timer.start();
    const auto outputs = play(*intake, inputs, 4096);
    QVERIFY2(timer.elapsed() < 10000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(profileText(*intake, 0, outputs[7]) == "r ");
    QCOMPARE(intake->profile(0, outputs[7].arrival().ids()[1]).rules[0],
             (std::vector<std::uint32_t> {7}));
}

QTEST_APPLESS_MAIN(TestIntake)
#include "tst_intake.moc"
