#include "app/workbench/line_diff.h"

#include <QTest>

#include <string>

using app::lineDiff;

class TestLineDiff : public QObject {
    Q_OBJECT
private Q_SLOTS:

    void showsWhatDiffersWithThreeLinesAround()
    {
        QCOMPARE(lineDiff("p", "a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nX\nf\n"),
                 std::string("--- p\n+++ p\n@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+X\n f\n"));
        QCOMPARE(lineDiff("p", "same\n", "same\n"), std::string());
    }

    void partsWhatIsFarApart()
    {
        const std::string middle = "1\n2\n3\n4\n5\n6\n7\n";
        QCOMPARE(lineDiff("p", "a\n" + middle + "b\n", "A\n" + middle + "B\n"),
                 std::string("--- p\n+++ p\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
                             "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"));
    }

    void placesOfNothingAreThoseBefore()
    {
        QCOMPARE(lineDiff("p", "", "a\n"), std::string("--- p\n+++ p\n@@ -0,0 +1,1 @@\n+a\n"));
        QCOMPARE(lineDiff("p", "a\n", ""), std::string("--- p\n+++ p\n@@ -1,1 +0,0 @@\n-a\n"));
    }

    void saysWhereTheLastLineDoesNotEnd()
    {
        QCOMPARE(lineDiff("p", "a\r\nb", "a\r\nb\r\n"),
                 std::string("--- p\n+++ p\n@@ -1,2 +1,2 @@\n a\n-b\n"
                             "\\ No newline at end of file\n+b\n"));
    }

    void findsFewChangesInLongTexts()
    {
        std::string before;
        for (int i = 0; i < 9000; ++i) {
            before += std::to_string(i) + "\n";
        }
        std::string after = before;
        after.replace(after.find("\n100\n") + 1, 3, "X");
        after.replace(after.find("\n8000\n") + 1, 5, "");
        QCOMPARE(lineDiff("p", before, after),
                 std::string("--- p\n+++ p\n"
                             "@@ -98,7 +98,7 @@\n 97\n 98\n 99\n-100\n+X\n 101\n 102\n 103\n"
                             "@@ -7998,7 +7998,6 @@\n 7997\n 7998\n 7999\n-8000\n 8001\n 8002\n"
                             " 8003\n"));
    }

    void showsBackslashesAsTheyAre()
    {
        QCOMPARE(lineDiff("p", "", "a\\tb\n"),
                 std::string("--- p\n+++ p\n@@ -0,0 +1,1 @@\n+a\\tb\n"));
    }

    void escapesLines()
    {
        QCOMPARE(lineDiff("p", "", "\x1b[1m\n"),
                 std::string("--- p\n+++ p\n@@ -0,0 +1,1 @@\n+\\x1b[1m\n"));
    }
};

QTEST_APPLESS_MAIN(TestLineDiff)
#include "tst_line_diff.moc"
