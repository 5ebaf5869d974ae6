#include "app/workbench/masked_figures.h"

#include <QTest>

using namespace app;

/// What of a run's figures goes into the store under --mask.
class TestMaskedFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void masksWhatIsCutFromIt();
    void keepsWhatALookupGives();
    void hidesKeysAndWhoAndKeepsTheRest();
    void masksInTermsOfAllPlans();
    void masksAddressesByWhateverName_data();
    void masksAddressesByWhateverName();
    void hidesLinesThatCouldNotBeRead();
    void hidesTheTextsOfConditions();
    void hidesClientsAndServersByTheirAttribute();
};

namespace {

engine::Plan planOf(const std::vector<engine::Derivation>& attributes)
{
    engine::Plan plan;
    plan.attributes = attributes;
    return plan;
}

engine::Derivation derived(const std::string& name, const std::string& from,
                           engine::DerivationKind kind)
{
    engine::Derivation derivation;
    derivation.name = name;
    derivation.from = from;
    derivation.kind = kind;
    return derivation;
}

/// One rule with two keys, and two whos.
class Figures : public storage::RunFigures {
public:
    [[nodiscard]] const engine::RunTally& run() const override { return m_run; }

    [[nodiscard]] std::uint64_t costMissing(std::size_t) const override { return 7; }

    [[nodiscard]] std::size_t keyCount(std::size_t) const override { return 2; }

    [[nodiscard]] engine::KeyTally keyTally(std::size_t, std::uint32_t) const override
    {
        return {};
    }

    [[nodiscard]] std::vector<std::string_view> keyText(std::size_t,
                                                        std::uint32_t key) const override
    {
        return {key == 0 ? "192.0.2.7" : "192.0.2.8", "/a"};
    }

    [[nodiscard]] std::size_t whoCount() const override { return 2; }

    [[nodiscard]] engine::WhoTally who(std::uint32_t) const override { return {}; }

    [[nodiscard]] std::string_view whoText(std::uint32_t id) const override
    {
        return id == 0 ? "192.0.2.7" : "";
    }

    [[nodiscard]] std::string_view pathGroupText(std::uint32_t) const override { return "/a"; }

    [[nodiscard]] engine::StateMemory memoryOf(std::size_t) const override { return {3, 96}; }

    [[nodiscard]] storage::RunConditions conditions() const override
    {
        storage::RunConditions conditions;
        conditions.servers = {{"", {1, 1, 0}}, {"web-1", {5, 4, 0}}};
        conditions.rules = {{0, {9, {"192.0.2.7", "/a"}, 60}, {0, {}, 0}, {}}};
        conditions.clients.emplace().longest = {{"192.0.2.8", 12, 3, 7}};
        return conditions;
    }

private:
    engine::RunTally m_run;
};

} // namespace

void TestMaskedFigures::masksWhatIsCutFromIt()
{
    const engine::Plan plan
        = planOf({derived("network", "client_ip", engine::DerivationKind::Prefix),
                  derived("site", "network", engine::DerivationKind::Prefix),
                  derived("account", "email", engine::DerivationKind::Pattern),
                  derived("key", "query", engine::DerivationKind::Param)});
    QCOMPARE(masked({&plan}, {"client_ip"}),
             (std::set<std::string> {"client_ip", "network", "remote_addr", "site"}));
    QCOMPARE(masked({&plan}, {"site"}),
             (std::set<std::string> {"client_ip", "network", "remote_addr", "site"}));
    QCOMPARE(masked({&plan}, {"account"}), (std::set<std::string> {"account", "email"}));
    QCOMPARE(masked({&plan}, {"key"}), (std::set<std::string> {"key", "query"}));
}

void TestMaskedFigures::keepsWhatALookupGives()
{
    const engine::Plan plan = planOf({derived("plan", "api_key", engine::DerivationKind::Lookup)});
    QCOMPARE(masked({&plan}, {"api_key"}), (std::set<std::string> {"api_key", "http_x_api_key"}));
    QCOMPARE(masked({&plan}, {"plan"}), (std::set<std::string> {"plan"}));
}

void TestMaskedFigures::hidesKeysAndWhoAndKeepsTheRest()
{
    engine::Plan plan;
    engine::PlanRule rule;
    rule.key = {"client_ip", "path"};
    plan.rules.push_back(rule);
    const Figures figures;
    const Masking masking {{"client_ip"}, MaskKey::ofSeed(1)};
    const MaskedFigures hidden(figures, {&plan}, 0, "client_ip", masking);

    Pseudonyms pseudonyms(masking.key);
    const std::string first = pseudonyms.of("client_ip", "192.0.2.7");
    const std::string second = pseudonyms.of("client_ip", "192.0.2.8");
    QVERIFY(first != "192.0.2.7" && first != second);
    QCOMPARE(hidden.keyText(0, 0), (std::vector<std::string_view> {first, "/a"}));
    QCOMPARE(hidden.keyText(0, 1), (std::vector<std::string_view> {second, "/a"}));
    QCOMPARE(hidden.whoText(0), std::string_view(first));
    QCOMPARE(hidden.whoText(1), std::string_view()); // a request without one
    QCOMPARE(hidden.pathGroupText(0), std::string_view("/a"));
    QCOMPARE(hidden.keyCount(0), std::size_t {2});
    QCOMPARE(hidden.costMissing(0), std::uint64_t {7});
}

/// `who` is an attribute of the first plan, and the runs of all have it.
void TestMaskedFigures::masksInTermsOfAllPlans()
{
    const engine::Plan first
        = planOf({derived("network", "client_ip", engine::DerivationKind::Prefix)});
    const engine::Plan second;
    QVERIFY(masked({&first, &second}, {"client_ip"}).contains("network"));
    const Figures figures;
    const MaskedFigures hidden(figures, {&first, &second}, 1, "network",
                               {{"client_ip"}, MaskKey::ofSeed(1)});
    QVERIFY(hidden.whoText(0) != "192.0.2.7");
}

void TestMaskedFigures::masksAddressesByWhateverName_data()
{
    QTest::addColumn<QString>("attribute");
    QTest::addColumn<QString>("named");
    QTest::addColumn<bool>("isHidden");
    QTest::newRow("its field") << "remote_addr"
                               << "client_ip" << true;
    QTest::newRow("a list") << "x_forwarded_for"
                            << "client_ip" << true;
    QTest::newRow("client_ip by its field") << "client_ip"
                                            << "remote_addr" << true;
    QTest::newRow("nothing of it") << "x_forwarded_for"
                                   << "api_key" << false;
}

void TestMaskedFigures::masksAddressesByWhateverName()
{
    QFETCH(const QString, attribute);
    QFETCH(const QString, named);
    QFETCH(const bool, isHidden);
    engine::Plan plan;
    engine::PlanRule rule;
    rule.key = {attribute.toStdString(), "path"};
    plan.rules.push_back(rule);
    const Figures figures;
    const MaskedFigures hidden(figures, {&plan}, 0, "user",
                               {{named.toStdString()}, MaskKey::ofSeed(1)});
    QCOMPARE(hidden.keyText(0, 0).front() != "192.0.2.7", isHidden);
    QCOMPARE(hidden.keyText(0, 0).back(), std::string_view("/a"));
}

void TestMaskedFigures::hidesLinesThatCouldNotBeRead()
{
    storage::BadLines bad;
    bad.reason = "bad-time";
    bad.count = 1;
    bad.examples = {{0, 12, "192.0.2.7 - - ["}};
    const std::vector<storage::BadLines> kept = withoutTexts({bad});
    QCOMPARE(kept.front().count, std::uint64_t {1});
    QCOMPARE(kept.front().examples.front().line, std::uint64_t {12});
    QCOMPARE(kept.front().examples.front().text, std::string("(not shown)"));
}

/// Keys by their attributes, clients as who; servers that have numbers stay.
void TestMaskedFigures::hidesTheTextsOfConditions()
{
    engine::Plan plan;
    plan.rules.emplace_back().key = {"client_ip", "path"};
    const Figures figures;
    const Masking masking {{"client_ip"}, MaskKey::ofSeed(1)};
    const MaskedFigures hidden(figures, {&plan}, 0, "client_ip", masking);
    Pseudonyms pseudonyms(masking.key);
    const storage::RunConditions conditions = hidden.conditions();
    QCOMPARE(conditions.rules[0].inWindow.key.front(),
             std::string(pseudonyms.of("client_ip", "192.0.2.7")));
    QCOMPARE(conditions.rules[0].inWindow.key.back(), std::string("/a"));
    QCOMPARE(conditions.rules[0].inWindow.cost, 9);
    QVERIFY(conditions.rules[0].inSecond.key.empty());
    QCOMPARE(conditions.clients->longest[0].client,
             std::string(pseudonyms.of("client_ip", "192.0.2.8")));
    QCOMPARE(conditions.clients->longest[0].attempts, std::uint64_t {12});
    QCOMPARE(conditions.servers[1].name, std::string("web-1"));
    QCOMPARE(hidden.memoryOf(0).bytes, std::uint64_t {96});
}

void TestMaskedFigures::hidesClientsAndServersByTheirAttribute()
{
    engine::Plan plan;
    plan.rules.emplace_back().key = {"user", "path"};
    engine::Conditions conditions;
    conditions.servers.balance = engine::Balance::Logged;
    conditions.servers.attribute = "upstream";
    conditions.clients = engine::clientPresets().front();
    conditions.clients->attribute = "tenant";
    const Figures figures;
    const Masking masking {{"upstream", "tenant"}, MaskKey::ofSeed(1)};
    const MaskedFigures hidden(figures, {&plan}, 0, "api_key", masking, &conditions);
    Pseudonyms pseudonyms(masking.key);
    QCOMPARE(hidden.conditions().servers[0].name, std::string()); // the requests without one
    QCOMPARE(hidden.conditions().servers[1].name, std::string(pseudonyms.of("upstream", "web-1")));
    QCOMPARE(hidden.conditions().clients->longest[0].client,
             std::string(pseudonyms.of("tenant", "192.0.2.8")));
    const MaskedFigures plain(figures, {&plan}, 0, "tenant", {{"api_key"}, MaskKey::ofSeed(1)},
                              &conditions);
    QCOMPARE(plain.conditions().servers[1].name, std::string("web-1"));
    QCOMPARE(plain.conditions().clients->longest[0].client, std::string("192.0.2.8"));
    QCOMPARE(plain.conditions().rules[0].inWindow.key.front(), std::string("192.0.2.7"));
}

QTEST_GUILESS_MAIN(TestMaskedFigures)
#include "tst_masked_figures.moc"
