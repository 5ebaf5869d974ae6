#include "app/workbench/convert_shape.h"

#include <QTest>

#include <algorithm>
#include <deque>
#include <map>

using app::ConvertShape;
using app::KeySample;
using app::MaskKey;
using app::Shaper;

namespace {

const std::vector<std::string> kFields {"client_ip", "method",  "path",      "status",
                                        "user",      "api_key", "user_agent"};

/// Requests with values for kFields.
engine::RequestBatch batchOf(const Shaper& shaper,
                             const std::vector<std::vector<std::string>>& rows,
                             std::deque<std::string>& texts)
{
    engine::RequestBatch batch;
    batch.fieldCount = shaper.reads().size();
    for (const auto& row : rows) {
        batch.requests.emplace_back();
        batch.requests.back().line = batch.requests.size();
        for (const std::string& field : shaper.reads()) {
            const auto at = std::find(kFields.begin(), kFields.end(), field);
            const std::string& text = row[static_cast<std::size_t>(at - kFields.begin())];
            batch.values.push_back(text.empty() ? std::string_view()
                                                : std::string_view(texts.emplace_back(text)));
        }
    }
    return batch;
}

/// "client_ip=..; user=.." of each request that is written.
std::vector<std::string> shaped(const ConvertShape& shape,
                                const std::vector<std::vector<std::string>>& rows,
                                Shaper::LeftOut* leftOut = nullptr)
{
    const auto shaper = std::move(Shaper::make(shape, kFields)).value();
    std::deque<std::string> texts;
    const engine::RequestBatch batch = batchOf(*shaper, rows, texts);
    const auto room = shaper->makeShaped();
    const engine::RequestBatch& out = shaper->shape(batch, *room);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < out.requests.size(); ++i) {
        std::string& line = lines.emplace_back();
        for (std::size_t f = 0; f < shaper->writes().size(); ++f) {
            if (!out.valuesOf(i)[f].empty()) {
                line += (line.empty() ? "" : "; ") + shaper->writes()[f] + "=";
                line += out.valuesOf(i)[f];
            }
        }
    }
    if (leftOut != nullptr) {
        *leftOut = Shaper::leftOut(*room);
    }
    return lines;
}

std::vector<std::string> row(const std::string& client, const std::string& user,
                             const std::string& key)
{
    return {client, "GET", "/a", "200", user, key, "agent"};
}

engine::Plan planByPlan()
{
    engine::Plan plan;
    engine::Derivation derived;
    derived.name = "plan";
    derived.from = "api_key";
    derived.kind = engine::DerivationKind::Lookup;
    derived.table = std::make_shared<engine::LookupTable>(engine::LookupTable {{"k1", "pro"}});
    derived.fallback = "free";
    plan.attributes = {derived};
    engine::PlanRule rule;
    rule.rule = "r";
    rule.key = {"plan", "api_key"};
    plan.rules = {rule};
    return plan;
}

} // namespace

class TestConvertShape : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void keepsAllByDefault()
    {
        QCOMPARE(shaped({}, {row("192.0.2.1", "", "k1")}),
                 (std::vector<std::string> {"client_ip=192.0.2.1; method=GET; path=/a; status=200; "
                                            "api_key=k1; user_agent=agent"}));
    }

    /// What the policies read, and what every replay asks for.
    void keepsWhatPoliciesUse()
    {
        const engine::Plan plan = planByPlan();
        ConvertShape shape;
        shape.plans = {&plan};
        QCOMPARE(shaped(shape, {row("192.0.2.1", "ann", "k1")}),
                 (std::vector<std::string> {
                     "client_ip=192.0.2.1; path=/a; status=200; user=ann; api_key=k1"}));
    }

    void givesWhatAMaskedFieldWasLookedUpFor()
    {
        const engine::Plan plan = planByPlan();
        ConvertShape shape;
        shape.plans = {&plan};
        shape.mask = {"api_key"};
        app::Pseudonyms pseudonyms(shape.maskKey);
        const auto lines = shaped(
            shape,
            {row("192.0.2.1", "", "k1"), row("192.0.2.2", "", "k2"), row("192.0.2.3", "", "")});
        QCOMPARE(lines[0],
                 "client_ip=192.0.2.1; path=/a; status=200; api_key="
                     + pseudonyms.of("api_key", "k1") + "; resolved.plan=pro");
        QCOMPARE(lines[1],
                 "client_ip=192.0.2.2; path=/a; status=200; api_key="
                     + pseudonyms.of("api_key", "k2") + "; resolved.plan=free");
        QCOMPARE(lines[2], std::string("client_ip=192.0.2.3; path=/a; status=200"));
    }

    /// Two spellings of one address are one client.
    void masksNormalForms()
    {
        ConvertShape shape;
        shape.mask = {"client_ip"};
        const auto lines = shaped(shape,
                                  {row("192.0.2.1", "", ""), row("::ffff:192.0.2.1", "", ""),
                                   row("192.0.2.1:443", "", ""), row("192.0.2.2", "", "")});
        QCOMPARE(lines[1], lines[0]);
        QCOMPARE(lines[2], lines[0]);
        QVERIFY(lines[3] != lines[0]);
        QVERIFY(lines[0].find("192.0.2.1") == std::string::npos);
    }

    void samplesWholeKeys()
    {
        ConvertShape shape;
        shape.maskKey = MaskKey::ofSeed(7);
        shape.sample = std::move(KeySample::of("user", "25%")).value();
        std::vector<std::vector<std::string>> rows;
        for (int i = 0; i < 4000; ++i) {
            rows.push_back(row("192.0.2.1", "u" + std::to_string(i % 1000), ""));
        }
        rows.push_back(row("192.0.2.1", "", ""));
        Shaper::LeftOut leftOut;
        const auto lines = shaped(shape, rows, &leftOut);
        std::map<std::string, int> kept;
        for (const std::string& line : lines) {
            ++kept[line];
        }
        for (const auto& [line, count] : kept) {
            QCOMPARE(count, 4); // all of a user or nothing
        }
        // 1,000 draws at 1/4: within five standard deviations (13.7).
        QVERIFY2(kept.size() > 181 && kept.size() < 319, std::to_string(kept.size()).c_str());
        QCOMPARE(leftOut.withoutKey, std::uint64_t {1});
        QCOMPARE(leftOut.bySample, std::uint64_t {4000 - lines.size()});
    }

    void readsShares_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isShare");
        for (const char* good : {"5%", "0.5%", "99.999999%", "50.0%"}) {
            QTest::newRow(good) << QString::fromLatin1(good) << true;
        }
        for (const char* bad : {"5", "0%", "100%", "-1%", "%", "1e2%", "0.0000001%", "x%", "5 %"}) {
            QTest::newRow(bad) << QString::fromLatin1(bad) << false;
        }
    }

    void readsShares()
    {
        QFETCH(QString, text);
        QFETCH(bool, isShare);
        QCOMPARE(KeySample::of("user", text.toStdString()).has_value(), isShare);
    }

    void halfIsHalf()
    {
        QCOMPARE(KeySample::of("user", "50%").value().below, std::uint64_t {1} << 63);
    }

    void leavesOutWhatWhereDoesNotHoldFor()
    {
        ConvertShape shape;
        shape.where = {{"user", false, {{engine::TestKind::Equals, "ann", 0, 0}}}};
        Shaper::LeftOut leftOut;
        QCOMPARE(shaped(shape, {row("192.0.2.1", "ann", ""), row("192.0.2.1", "bob", "")}, &leftOut)
                     .size(),
                 std::size_t {1});
        QCOMPARE(leftOut.byWhere, std::uint64_t {1});
    }

    void refusesWhatTheLogDoesNotHave()
    {
        ConvertShape shape;
        shape.mask = {"api_kye"};
        const auto made = Shaper::make(shape, kFields);
        QVERIFY(!made);
        QCOMPARE(made.error().code, std::string("convert.no-attribute"));
        QVERIFY(made.error().help.find("api_key") != std::string::npos);
        ConvertShape sampled;
        sampled.sample = std::move(KeySample::of("tenant", "5%")).value();
        QCOMPARE(Shaper::make(sampled, kFields).error().code, std::string("convert.no-attribute"));
    }
};

QTEST_APPLESS_MAIN(TestConvertShape)
#include "tst_convert_shape.moc"
