#include "storage/key_list.h"
#include "tests/storage/run_fixture.h"

#include <QElapsedTimer>

using namespace storage;
using namespace tests;

class TestKeyList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();

    void sortsByEveryColumn_data();
    void sortsByEveryColumn();
    void rowsAreThoseOfTheirPlaces();
    void someRulesAlone();
    void keysThatWereNotDenied();
    void filterLooksAtRuleAndKey_data();
    void filterLooksAtRuleAndKey();
    void filterDoesNotLookUnderVeils();
    void unknownRunIsSaid();
    void manyKeysPageAtOnce();

private:
    [[nodiscard]] std::string shown(const KeyQuery& query) const;

    std::unique_ptr<RunStore> m_store;
    RunId m_run = 0;
};

namespace {

/// Rule 0 (search): w0 8 of 10, w1 3 of 100, w2 0 of 7. Rule 1 (tenant-total/acme, keys of two):
/// t0 8 of 40, t1 8 of 8.
RunId writeKeys(RunStore& store)
{
    FakeRun run;
    run.whoTexts = {"K_Alpha", "k_beta", "k_gamma"};
    run.keyTallies[0].resize(103);
    run.keyTallies[0][100] = {10, 8};
    run.keyTallies[0][101] = {100, 3};
    run.keyTallies[0][102] = {7, 0};
    run.keyTallies[1] = {{40, 8}, {8, 8}};
    const auto writer
        = need(RunWriter::begin(store, FakeRun::header(), run.plan, FakeRun::shape()));
    need(writer->finish(run, FakeRun::closing()));
    return writer->id();
}

KeyQuery by(KeySort sort, bool descending)
{
    KeyQuery query;
    query.sort = sort;
    query.descending = descending;
    return query;
}

} // namespace

void TestKeyList::initTestCase()
{
    m_store = openStore(":memory:");
    writeKeys(*m_store); // another run's keys are never among them
    m_run = writeKeys(*m_store);
}

std::string TestKeyList::shown(const KeyQuery& query) const
{
    std::string text;
    const std::vector<KeyPlace> places = need(keyPlaces(*m_store, m_run, query));
    for (const KeyRow& row : need(keysAt(*m_store, m_run, places))) {
        text += (text.empty() ? "" : " ") + std::to_string(row.rule) + ":" + row.values.front();
    }
    return text;
}

void TestKeyList::sortsByEveryColumn_data()
{
    QTest::addColumn<int>("sort");
    QTest::addColumn<bool>("descending");
    QTest::addColumn<std::string>("rows");
    const auto add = [](const char* name, KeySort sort, bool descending, const char* rows) {
        QTest::newRow(name) << static_cast<int>(sort) << descending << std::string(rows);
    };
    add("denied", KeySort::Denied, true, "1:t0 0:K_Alpha 1:t1 0:k_beta");
    add("least denied", KeySort::Denied, false, "0:k_beta 1:t0 0:K_Alpha 1:t1");
    add("judged", KeySort::Judged, true, "0:k_beta 1:t0 0:K_Alpha 1:t1");
    add("share", KeySort::Share, true, "1:t1 0:K_Alpha 1:t0 0:k_beta");
    add("rule", KeySort::Rule, false, "0:K_Alpha 0:k_beta 1:t0 1:t1");
    add("last rule", KeySort::Rule, true, "1:t0 1:t1 0:K_Alpha 0:k_beta");
    add("key", KeySort::Key, false, "0:K_Alpha 0:k_beta 1:t0 1:t1");
    add("last key", KeySort::Key, true, "1:t1 1:t0 0:k_beta 0:K_Alpha");
}

void TestKeyList::sortsByEveryColumn()
{
    QFETCH(int, sort);
    QFETCH(bool, descending);
    QFETCH(std::string, rows);
    QCOMPARE(shown(by(static_cast<KeySort>(sort), descending)), rows);
}

void TestKeyList::rowsAreThoseOfTheirPlaces()
{
    const std::vector<KeyPlace> places {{1, 0}, {0, 9'999}, {0, 101}, {1, 0}};
    const std::vector<KeyRow> rows = need(keysAt(*m_store, m_run, places));
    QCOMPARE(rows.size(), 3U); // no row has id 9,999
    QCOMPARE(rows[0].values, (std::vector<std::string> {"t0", std::string("p\0\x01", 3)}));
    QCOMPARE(rows[1].values, std::vector<std::string> {"k_beta"});
    QCOMPARE(rows[1].judged, 100U);
    QCOMPARE(rows[1].denied, 3U);
    QCOMPARE(rows[1].id, 101U);
    QCOMPARE(rows[2].rule, 1U);
    QVERIFY(need(keysAt(*m_store, m_run, {})).empty());
}

void TestKeyList::someRulesAlone()
{
    KeyQuery query;
    query.rules = {1};
    QCOMPARE(shown(query), std::string("1:t0 1:t1"));
    query.rules = {1, 0};
    QCOMPARE(shown(query), shown({}));
}

void TestKeyList::keysThatWereNotDenied()
{
    KeyQuery query = by(KeySort::Denied, false);
    query.deniedOnly = false;
    QCOMPARE(shown(query), std::string("0:k_gamma 0:k_beta 1:t0 0:K_Alpha 1:t1"));
}

void TestKeyList::filterLooksAtRuleAndKey_data()
{
    QTest::addColumn<std::string>("filter");
    QTest::addColumn<std::string>("rows");
    const auto add = [](const char* name, std::string filter, const char* rows) {
        QTest::newRow(name) << std::move(filter) << std::string(rows);
    };
    add("part of a key", "_bet", "0:k_beta");
    add("any case", "k_ALPHA", "0:K_Alpha");
    add("rule", "earc", "0:K_Alpha 0:k_beta");
    add("override", "total/ac", "1:t0 1:t1");
    add("behind a NUL", "p", "1:t0 0:K_Alpha 1:t1"); // of "p", or of Alpha
    add("nothing", "%", "");
    add("quote", "' OR 1=1 --", "");
}

void TestKeyList::filterLooksAtRuleAndKey()
{
    QFETCH(std::string, filter);
    QFETCH(std::string, rows);
    KeyQuery query;
    query.filter = filter;
    QCOMPARE(shown(query), rows);
}

void TestKeyList::filterDoesNotLookUnderVeils()
{
    KeyQuery query;
    query.veiled = {0};
    query.filter = "k_";
    QCOMPARE(shown(query), std::string());
    query.filter = "search";
    QCOMPARE(shown(query), std::string("0:K_Alpha 0:k_beta"));
    query.filter = "t1";
    QCOMPARE(shown(query), std::string("1:t1"));
}

void TestKeyList::unknownRunIsSaid()
{
    const std::vector<KeyPlace> places {{0, 100}};
    QCOMPARE(codeOf(keyPlaces(*m_store, 77, {})), std::string("store.unknown-run"));
    QCOMPARE(codeOf(keysAt(*m_store, 77, places)), std::string("store.unknown-run"));
}

void TestKeyList::manyKeysPageAtOnce()
{
    constexpr std::size_t kKeys = 200'000;
    const auto store = openStore(":memory:");
    FakeRun run;
    run.keyTallies[0].resize(100 + kKeys);
    for (std::size_t key = 0; key < kKeys; ++key) {
        run.keyTallies[0][100 + key] = {1'000 + key % 977, 1 + key * 7'919 % 997};
    }
    const auto writer
        = need(RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape()));
    need(writer->finish(run, FakeRun::closing()));
    for (const KeySort sort :
         {KeySort::Rule, KeySort::Key, KeySort::Judged, KeySort::Denied, KeySort::Share}) {
        for (const char* const filter : {"", "w1"}) {
            KeyQuery query = by(sort, true);
            query.filter = filter;
            QElapsedTimer timer;
            timer.start();
            const std::vector<KeyPlace> places = need(keyPlaces(*store, writer->id(), query));
            const qint64 sorted = timer.restart();
            const std::span<const KeyPlace> last = std::span(places).last(200);
            QCOMPARE(need(keysAt(*store, writer->id(), last)).size(), 200U);
            qInfo("sort %d, %zu keys: %lld ms, 200 rows: %lld ms", static_cast<int>(sort),
                  places.size(), sorted, timer.elapsed());
            QCOMPARE(places.size() == kKeys, query.filter.empty());
            QVERIFY(sorted < 3'000); // tens of ms; sanitizers and busy machines are slow
            QVERIFY(timer.elapsed() < 500);
        }
    }
}

QTEST_GUILESS_MAIN(TestKeyList)
#include "tst_key_list.moc"
