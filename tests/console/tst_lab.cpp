#include "app/console/author/lab_panel.h"
#include "app/console/author/lab_plot.h"
#include "app/console/author/rule_form.h"
#include "app/console/frame/figure_view.h"
#include "app/console/look/theme.h"
#include "tests/console/author_example.h"

#include <QElapsedTimer>
#include <QPushButton>
#include <QTextDocument>

using namespace app::console;
using namespace tests::console;

namespace {

const std::string kText = R"(weir: 1
name: p
tiers:
  tenant:
    - name: tenant-total
      key: [tenant]
      algorithm: token_bucket
      rate: 100/s
      burst: 500
    - name: in-flight
      key: [tenant]
      algorithm: concurrency
      in_flight: 50
)";

const std::string kManyText = R"(weir: 1
name: p
tiers:
  edge:
    - { name: per-minute, key: [tenant], algorithm: fixed_window, rate: 100/min }
    - { name: learned, key: [], algorithm: adaptive_concurrency, strategy: aimd, max: 200 }
    - name: shed
      key: []
      algorithm: load_shedder
      capacity: 100
      classes:
        - { name: batch, match: { plan: free }, up_to: 50% }
)";

LabPanel& labOf(const AuthorPage& page)
{
    return page.faces().lab();
}

} // namespace

class TestLab : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsThePublishedFigures();
    void followsTheForm();
    void patterns();
    void triesTheBusiestKeyOfALog();
    void readsTheLogAsItWasReplayed();
    void isATableToo();
    void saysWhatIsMissing();
    void keepsThePictureOfARuleWithAnError();
    void asIfThereWereServersAndClients();
    void showsALearnedLimit();
};

void TestLab::showsThePublishedFigures()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    QTRY_COMPARE(labOf(page).figures(),
                 QStringLiteral("Offered 1,000, Admitted 705, Rejected 295, First second 500 of "
                                "600, Worst rolling second 500"));
    QTest::qWait(50);
    const QImage plot = page.findChild<LabPlot*>()->grab().toImage();
    QVERIFY(shareOf(plot, theme().admitted) > 0.001);
    QVERIFY(shareOf(plot, theme().rejected) > 0.0003);
    QVERIFY(shareOf(plot, theme().tenant) > 0.0003);
    fixture.pictures(QStringLiteral("lab"));
}

void TestLab::followsTheForm()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    QTRY_VERIFY(labOf(page).figures().startsWith(QLatin1String("Offered 1,000, Admitted 705")));
    // The pattern stays, so that what changes is the answer.
    enter(page.faces().form(), QStringLiteral("Burst"), QStringLiteral("400"));
    QTRY_VERIFY(labOf(page).figures().startsWith(QLatin1String("Offered 1,000, Admitted 605")));
    enter(labOf(page), QStringLiteral("Lab: how many requests"), QStringLiteral("300"));
    QTRY_VERIFY(labOf(page).figures().startsWith(QLatin1String("Offered 600, Admitted 600")));
    page.selectRule(QStringLiteral("in-flight"));
    QTRY_VERIFY(labOf(page).figures().contains(QLatin1String("Most in flight 50")));
    QTest::qWait(50);
    fixture.picture(QStringLiteral("lab-in-flight"), {});
}

void TestLab::patterns()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    const QStringList starts {QStringLiteral("Offered 1,000, "), QStringLiteral("Offered 1,000, "),
                              QStringLiteral("Offered 2,"), QStringLiteral("Offered 2,")};
    QStringList seen;
    for (int i = 0; i < 4; ++i) {
        QTRY_VERIFY(!labOf(page).isBusy());
        seen << labOf(page).figures();
        QTest::qWait(50);
        fixture.picture(QStringLiteral("lab-pattern-%1").arg(i + 1), {});
        QElapsedTimer clock;
        clock.start();
        fixture.trigger(ActionId::LabPattern);
#ifndef WEIR_SANITIZES
        QVERIFY(clock.elapsed() < 100);
#endif
    }
    QCOMPARE(QSet<QString>(seen.begin(), seen.end()).size(), 4);
}

void TestLab::triesTheBusiestKeyOfALog()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    fixture.session().setLastLogs({QStringLiteral(WEIR_SOURCE_DIR "/app/demo/access.log.gz")});
    page.selectRule(QStringLiteral("per-address"));
    choose(labOf(page), QStringLiteral("Lab pattern"),
           QStringLiteral("Busiest key of access.log.gz"));
    QTRY_VERIFY_WITH_TIMEOUT(labOf(page).caption().contains(QLatin1String("the busiest of")),
                             20'000);
    QVERIFY(!labOf(page).figures().startsWith(QLatin1String("Offered 0")));
    QTest::qWait(50);
    fixture.picture(QStringLiteral("lab-log"), {});
    page.selectRule(QStringLiteral("exports"));
    QTRY_VERIFY_WITH_TIMEOUT(!labOf(page).isBusy(), 20'000);
    fixture.session().setLastLogs({QStringLiteral("/nowhere/a.log")});
    choose(labOf(page), QStringLiteral("Lab pattern"), QStringLiteral("Busiest key of a.log"));
    QTRY_VERIFY_WITH_TIMEOUT(!labOf(page).isBusy(), 20'000);
    QVERIFY(!labOf(page).figures().contains(QLatin1String("Offered")));
}

void TestLab::readsTheLogAsItWasReplayed()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    LabPanel& lab = labOf(page);
    const QStringList log {QStringLiteral(WEIR_SOURCE_DIR "/app/demo/access.log.gz")};
    const QString entry = QStringLiteral("Busiest key of access.log.gz");
    app::GivenOptions given;
    given.add("to", "2001-01-01"); // before all of it
    fixture.session().setLastLogs(log, given);
    page.selectRule(QStringLiteral("per-address"));
    choose(lab, QStringLiteral("Lab pattern"), entry);
    QTRY_VERIFY_WITH_TIMEOUT(!lab.isBusy(), 20'000);
    QVERIFY2(!lab.figures().contains(QLatin1String("Offered")), qPrintable(lab.figures()));
    // The same log, read otherwise.
    fixture.session().setLastLogs(log, {});
    choose(lab, QStringLiteral("Lab pattern"), entry);
    QTRY_VERIFY_WITH_TIMEOUT(lab.caption().contains(QLatin1String("the busiest of")), 20'000);
}

void TestLab::isATableToo()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    QTRY_VERIFY(labOf(page).figures().startsWith(QLatin1String("Offered 1,000")));
    fixture.trigger(ActionId::ChartAsTable);
    const QString table
        = named<FigureView>(page, QStringLiteral("Lab chart as a table"))->plainText();
    QVERIFY2(table.contains(QLatin1String("tokens left")), qPrintable(table.left(200)));
    QVERIFY(table.contains(QLatin1String("705")));
    fixture.picture(QStringLiteral("lab-table"), {});
    fixture.trigger(ActionId::ChartAsTable);
    QVERIFY(page.findChild<LabPlot*>()->isVisible());
}

void TestLab::saysWhatIsMissing()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, "weir: 1\nname: p\ntiers: {}\n");
    QCOMPARE(labOf(page).figures(), QStringLiteral("Choose a rule to see it at work."));
}

void TestLab::keepsThePictureOfARuleWithAnError()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kText);
    QTRY_VERIFY(labOf(page).figures().startsWith(QLatin1String("Offered 1,000")));
    Document& document = fixture.session().document();
    const int at = static_cast<int>(kText.find("100/s"));
    QTextCursor cursor(&document.text());
    cursor.setPosition(at);
    cursor.insertText(QStringLiteral("x"));
    document.checkNow();
    QVERIFY(labOf(page).figures().startsWith(QLatin1String("Offered 1,000")));
    QCOMPARE(labOf(page).caption(), QStringLiteral("mend the rule to draw it"));
    fixture.picture(QStringLiteral("lab-stale"), {});
}

void TestLab::asIfThereWereServersAndClients()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kManyText);
    LabPanel& lab = labOf(page);
    QTRY_VERIFY(lab.figures().startsWith(QLatin1String("Offered 200, Admitted 200")));
    auto* const asIf
        = named<QPushButton>(page, QStringLiteral("Lab: as if there were servers and clients"));
    asIf->setFocus();
    QTest::keyClick(asIf, Qt::Key_Space);
    choose(lab, QStringLiteral("Lab pattern"), QStringLiteral("100 at once, twice, 2 s apart"));
    enter(lab, QStringLiteral("Lab: how many requests"), QStringLiteral("1000"));
    choose(lab, QStringLiteral("Lab: servers"), QStringLiteral("10 servers"));
    choose(lab, QStringLiteral("Lab: where servers keep their counts"),
           QStringLiteral("local counts"));
    QTRY_COMPARE(lab.figures(),
                 QStringLiteral("Offered 2,000, Admitted 1,000, Rejected 1,000, Most in 1 min "
                                "1,000: 10 times"));
    QTest::qWait(50);
    fixture.pictures(QStringLiteral("lab-servers"));
    choose(lab, QStringLiteral("Lab: clients that come again"), QStringLiteral("exponential"));
    QTRY_VERIFY2(lab.figures().contains(QLatin1String(" each, Admitted 1,000")),
                 qPrintable(lab.figures()));
    QVERIFY2(page.findChild<LabPlot*>()->accessibleDescription().endsWith(
                 QLatin1String("1,000 requests were given up")),
             qPrintable(page.findChild<LabPlot*>()->accessibleDescription()));
    QTest::qWait(50);
    const QImage plot = page.findChild<LabPlot*>()->grab().toImage();
    QVERIFY(shareOf(plot, theme().delayed) > 0.0002); // attempts
    fixture.picture(QStringLiteral("lab-clients"), {});
    QCOMPARE(namelessWidgets(lab).join(QLatin1Char('\n')), QString());
    // Pressed again, all is as usual.
    QTest::keyClick(asIf, Qt::Key_Space);
    QTRY_VERIFY2(lab.figures().startsWith(QLatin1String("Offered 2,000, Admitted 100,")),
                 qPrintable(lab.figures()));
}

void TestLab::showsALearnedLimit()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, kManyText);
    page.selectRule(QStringLiteral("learned"));
    QTRY_VERIFY2(labOf(page).figures().contains(QLatin1String("Most in flight")),
                 qPrintable(labOf(page).figures()));
    choose(labOf(page), QStringLiteral("Lab pattern"), QStringLiteral("Steady: 30 in each 1 s"));
    QTRY_VERIFY(labOf(page).figures().startsWith(QLatin1String("Offered 600")));
    QTest::qWait(50);
    fixture.picture(QStringLiteral("lab-learned"), {});
    page.selectRule(QStringLiteral("shed"));
    QTRY_VERIFY2(labOf(page).figures().contains(QLatin1String("Replay a log")),
                 qPrintable(labOf(page).figures()));
}

QTEST_MAIN(TestLab)
#include "tst_lab.moc"
