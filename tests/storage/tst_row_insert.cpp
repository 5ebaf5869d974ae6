#include "storage/runs/row_insert.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace storage::runs;

/// Rows go into a table many at a time, and all of them do.
class TestRowInsert : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void insertsAll_data();
    void insertsAll();
    void stopsAtAFailure();

private:
    QTemporaryDir m_folder;
};

namespace {

Database opened(const QTemporaryDir& folder, const char* name)
{
    auto database = Database::open(folder.filePath(QLatin1String(name)).toStdString(),
                                   Database::Kind::Create);
    return std::move(*database);
}

} // namespace

void TestRowInsert::insertsAll_data()
{
    QTest::addColumn<int>("rows");
    for (const int rows : {0, 1, 49, 50, 51, 100, 149}) {
        QTest::addRow("%d", rows) << rows;
    }
}

void TestRowInsert::insertsAll()
{
    QFETCH(const int, rows);
    Database database = opened(m_folder, QTest::currentDataTag());
    QVERIFY(database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, name BLOB) STRICT"));
    Steps steps(database);
    RowInsert<int, OwnBlob> insert(steps, "t(id, name)");
    for (int i = 0; i < rows; ++i) {
        insert.add(i,
                   {std::string("a name of more than a few letters, number ") + std::to_string(i)});
    }
    insert.finish();
    insert.finish(); // adds nothing
    QVERIFY(steps.isFine());
    auto read = steps.prepare("SELECT id, name FROM t ORDER BY id");
    int i = 0;
    for (; steps.next(read); ++i) {
        QCOMPARE(read->integer(0), std::int64_t {i});
        QVERIFY(read->bytes(1).ends_with("number " + std::to_string(i)));
    }
    QCOMPARE(i, rows);
}

void TestRowInsert::stopsAtAFailure()
{
    Database database = opened(m_folder, "failure");
    QVERIFY(database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY) STRICT"));
    Steps steps(database);
    RowInsert<int> insert(steps, "t(id)");
    for (int i = 0; i < 170; ++i) {
        insert.add(i == 70 ? 3 : i); // twice the same
    }
    insert.finish();
    QVERIFY(!steps.isFine());
    const auto count = database.number("SELECT count(*) FROM t");
    QVERIFY(count && *count == 50);
}

QTEST_APPLESS_MAIN(TestRowInsert)
#include "tst_row_insert.moc"
