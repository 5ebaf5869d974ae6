#include "app/workbench/published_figures.h"

#include <QTest>

#include <fstream>
#include <string>

using namespace app;

/// Figures from articles on rate limiting: each is reproduced, and the list has them all.
class TestPublishedFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyFigureIsReproduced_data();
    void everyFigureIsReproduced();
    void theTraceIsThePublishedOne();
    void figuresGoByNumberOrName();
    void whatDiffersIsSeen();
};

void TestPublishedFigures::everyFigureIsReproduced_data()
{
    QTest::addColumn<QString>("number");
    QTest::addColumn<int>("checks");
    QTest::addColumn<QString>("seen"); // one of them, so that the figures are not all forgotten
    QTest::newRow("i") << QStringLiteral("i") << 2 << QStringLiteral("100, 100; at most 200");
    QTest::newRow("ii") << QStringLiteral("ii") << 12 << QStringLiteral("500, 205");
    QTest::newRow("iii") << QStringLiteral("iii") << 9 << QStringLiteral("11, 49, 99");
    QTest::newRow("iv") << QStringLiteral("iv") << 8 << QStringLiteral("60, 20, 20, 20, 20");
    QTest::newRow("v") << QStringLiteral("v") << 9 << QStringLiteral("2.393");
    QTest::newRow("vii") << QStringLiteral("vii") << 12
                         << QStringLiteral("8,040 B a user, 80,400,000 B");
}

void TestPublishedFigures::everyFigureIsReproduced()
{
    QFETCH(QString, number);
    QFETCH(int, checks);
    QFETCH(QString, seen);
    const ReproducedFigure figure = publishedFigure(number.toStdString())->reproduce();
    QCOMPARE(int(figure.checks.size()), checks);
    bool wasSeen = false;
    for (const FigureCheck& check : figure.checks) {
        QVERIFY2(check.holds,
                 (check.what + ": " + check.expected + " expected, seen " + check.seen).c_str());
        wasSeen = wasSeen || check.seen == seen.toStdString();
    }
    QVERIFY(wasSeen);
}

void TestPublishedFigures::theTraceIsThePublishedOne()
{
    std::ifstream in(WEIR_SOURCE_DIR "/tests/data/truth/published/v_example_120s_seed6015.csv");
    std::string line;
    QVERIFY(std::getline(in, line));
    QCOMPARE(line, std::string("t_us"));
    for (const std::int32_t us : publishedTraceUs()) {
        QVERIFY(std::getline(in, line));
        QCOMPARE(line, std::to_string(us));
    }
    QVERIFY(!std::getline(in, line));
}

void TestPublishedFigures::figuresGoByNumberOrName()
{
    for (const PublishedFigure& figure : publishedFigures()) {
        QCOMPARE(publishedFigure(figure.number), &figure);
        QCOMPARE(publishedFigure(figure.name), &figure);
        QVERIFY((figure.reproduce == nullptr) == !figure.missing.empty());
        QVERIFY(labHelp().find(figure.title) != std::string::npos);
    }
    QVERIFY(publishedFigure("viii") == nullptr);
}

void TestPublishedFigures::whatDiffersIsSeen()
{
    QVERIFY(sameText("a", "205", "205").holds);
    QVERIFY(!sameText("a", "205", "204").holds);
}

QTEST_APPLESS_MAIN(TestPublishedFigures)
#include "tst_published_figures.moc"
