#include "app/console/charts/time_chart.h"
#include "app/console/compare/changes_model.h"
#include "app/console/compare/compare_page.h"
#include "app/console/frame/figure_view.h"
#include "app/console/look/theme.h"
#include "storage/run_reader.h"
#include "tests/console/console_fixture.h"
#include "tests/console/demo_runs.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>

using namespace app::console;
using namespace tests;
using tests::console::cell;
using tests::console::Fixture;

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup();

    void withoutRunsItSaysWhatToDo();
    void twoRunsAreCompared();
    void tilesAddUp();
    void sidesAreSwapped();
    void withWhatProductionDid();
    void byPathAndByAttribute();
    void theListIsFilteredSortedAndSaved();
    void returnExplainsTheFirstRejection();
    void policiesDifferInWords();
    void nothingDiffers();
    void conditionsOfBothSidesAreSaid();
    void aSideThatIsGoneTakesItsFigures();
    void anotherStoreHasOtherSides();
    void cancelledStaysCancelled();
    void picturesThatFailAreSaid();
    void everyWidgetHasAName();

private:
    ComparePage& opened();
    static void settle(const ComparePage& page);

    std::unique_ptr<QTemporaryDir> m_store; ///< written once, copied for each test
    std::unique_ptr<Fixture> m_fixture;
};

namespace {

quint64 number(QString text)
{
    return text.remove(QLatin1Char(',')).toULongLong();
}

/// The figure of a tile: "Newly rejected: 1,234, ..." gives 1234.
quint64 tile(const ComparePage& page, int index)
{
    const QString line = page.tilesText().split(QLatin1Char('\n')).at(index);
    const QString figure
        = line.section(QStringLiteral(": "), 1, 1).section(QStringLiteral(", "), 0, 0);
    return number(figure);
}

} // namespace

void TestCompare::initTestCase()
{
    m_store = std::make_unique<QTemporaryDir>();
    auto store = storage::RunStore::open(m_store->filePath(QStringLiteral("runs.db")).toStdString(),
                                         storage::Access::Write);
    QVERIFY(store.has_value());
    replayDemo(**store, "public-api.yaml", "today");
    replayDemo(**store, "public-api-next.yaml", "proposal");
    replayDemo(**store, "public-api-next.yaml", "proposal again");
}

void TestCompare::cleanup()
{
    m_fixture.reset();
}

void TestCompare::settle(const ComparePage& page)
{
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 30'000);
    QTest::qWait(50);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 30'000);
}

ComparePage& TestCompare::opened()
{
    m_fixture = std::make_unique<Fixture>();
    m_fixture->useStore(m_store->filePath(QStringLiteral("runs.db")));
    m_fixture->session().compare(1, 2);
    auto& page = m_fixture->show<ComparePage>(PageId::Compare);
    settle(page);
    return page;
}

void TestCompare::withoutRunsItSaysWhatToDo()
{
    m_fixture = std::make_unique<Fixture>();
    auto& page = m_fixture->show<ComparePage>(PageId::Compare);
    QTest::qWait(50);
    const auto labels = page.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().startsWith(QStringLiteral("No runs yet."));
    }));
    m_fixture->picture(QStringLiteral("compare-empty"), {});
}

void TestCompare::twoRunsAreCompared()
{
    ComparePage& page = opened();
    QCOMPARE(page.baseBox().currentText(), QStringLiteral("1: today"));
    QCOMPARE(page.candidateBox().currentText(), QStringLiteral("2: proposal"));
    QCOMPARE(page.baseBox().itemText(0), QStringLiteral("recorded")); // always the first
    const auto store
        = storage::RunStore::open(m_fixture->session().storePath(), storage::Access::Read);
    const auto compared = app::compareStored(**store, {1}, 2, {}, {});
    QVERIFY(compared.has_value());
    const engine::ChangeCounts& totals = compared->comparison->totals();
    QVERIFY(totals[engine::Change::NewlyRejected] > 0);
    QCOMPARE(tile(page, 0), totals[engine::Change::NewlyRejected]);
    QCOMPARE(tile(page, 1), totals[engine::Change::NewlyAdmitted]);
    QCOMPARE(page.chart().data().bands.size(), 2U);
    const auto& byRule = page.changes(ComparePage::ByRule);
    const int last = byRule.model()->rowCount() - 1;
    QCOMPARE(cell(byRule, last, 0), QStringLiteral("all"));
    QCOMPARE(number(cell(byRule, last, 3)), totals[engine::Change::NewlyRejected]);
    QCOMPARE(number(cell(byRule, last, 4)), totals[engine::Change::NewlyAdmitted]);
    m_fixture->pictures(QStringLiteral("compare"));
    m_fixture->trigger(ActionId::LogScale);
    m_fixture->pictures(QStringLiteral("compare-log"));
    const QImage picture = page.chart().grab().toImage();
    QVERIFY(tests::console::shareOf(picture, theme().rejected) > 0.0005);
    QVERIFY(tests::console::shareOf(picture, theme().admitted) > 0.0);
}

void TestCompare::tilesAddUp()
{
    ComparePage& page = opened();
    const storage::RunSummary* const run = m_fixture->session().run(2);
    QCOMPARE(tile(page, 0) + tile(page, 1) + tile(page, 2) + tile(page, 3), run->totals.requests);
    const QString all = page.tilesText().split(QLatin1Char('\n')).at(4);
    const quint64 before = tile(page, 1) + tile(page, 2);
    const quint64 after = tile(page, 0) + tile(page, 2);
    QCOMPARE(after, run->totals.rejected);
    QCOMPARE(before, m_fixture->session().run(1)->totals.rejected);
    QVERIFY(all.contains(QChar(0x2192)));
}

void TestCompare::sidesAreSwapped()
{
    ComparePage& page = opened();
    const quint64 rejected = tile(page, 0);
    const quint64 admitted = tile(page, 1);
    m_fixture->trigger(ActionId::SwapSides);
    settle(page);
    QCOMPARE(page.baseBox().currentText(), QStringLiteral("2: proposal"));
    QCOMPARE(tile(page, 0), admitted);
    QCOMPARE(tile(page, 1), rejected);
}

void TestCompare::withWhatProductionDid()
{
    ComparePage& page = opened();
    page.baseBox().setCurrentIndex(0);
    settle(page);
    const storage::RunSummary* const run = m_fixture->session().run(2);
    QCOMPARE(tile(page, 1) + tile(page, 2), run->totals.recordedRejected);
    QVERIFY(!m_fixture->window().actions().at(ActionId::SwapSides)->isEnabled());
    m_fixture->picture(QStringLiteral("compare-recorded"), {});
}

void TestCompare::byPathAndByAttribute()
{
    ComparePage& page = opened();
    page.tabs().setCurrentIndex(ComparePage::ByPath);
    QVERIFY(page.changes(ComparePage::ByPath).model()->rowCount() > 1);
    page.tabs().setCurrentIndex(ComparePage::ByAttribute);
    settle(page);
    auto* const attribute = page.findChild<QComboBox*>(QStringLiteral("attribute"));
    QVERIFY(attribute != nullptr && attribute->isVisible());
    attribute->setCurrentIndex(attribute->findText(QStringLiteral("plan")));
    Q_EMIT attribute->activated(attribute->currentIndex());
    settle(page);
    const auto& view = page.changes(ComparePage::ByAttribute);
    QStringList plans;
    quint64 rejected = 0;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        plans << cell(view, row, 0);
        rejected += number(cell(view, row, 1));
    }
    QVERIFY2(plans.contains(QStringLiteral("free")), qPrintable(plans.join(QLatin1Char(' '))));
    QCOMPARE(rejected, tile(page, 0)); // each request has one value
    m_fixture->picture(QStringLiteral("compare-attribute"), {});
}

void TestCompare::theListIsFilteredSortedAndSaved()
{
    ComparePage& page = opened();
    const QAbstractItemModelTester tester(page.newlyRejected().model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const int all = page.newlyRejected().model()->rowCount();
    QVERIFY(all > 1);
    quint64 sum = 0;
    for (int row = 0; row < all; ++row) {
        sum += number(cell(page.newlyRejected(), row, NewlyRejectedModel::Requests));
    }
    QCOMPARE(sum, tile(page, 0));
    page.newlyRejected().sortByColumn(NewlyRejectedModel::FirstAt, Qt::AscendingOrder);
    settle(page);
    for (int row = 1; row < all; ++row) {
        QVERIFY(cell(page.newlyRejected(), row - 1, NewlyRejectedModel::FirstAt)
                <= cell(page.newlyRejected(), row, NewlyRejectedModel::FirstAt));
    }
    m_fixture->trigger(ActionId::Find);
    auto* const filter = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(filter != nullptr);
    const QString who = cell(page.newlyRejected(), 0, NewlyRejectedModel::Who);
    QTest::keyClicks(filter, who);
    settle(page);
    QVERIFY(page.newlyRejected().model()->rowCount() >= 1);
    QCOMPARE(cell(page.newlyRejected(), 0, NewlyRejectedModel::Who), who);
    QTest::keyClick(filter, Qt::Key_Escape);
    settle(page);
    const QString path = m_fixture->path(QStringLiteral("list.csv"));
    page.askSavePath = [&](const QString&, const QString&, const QString&) { return path; };
    page.newlyRejected().setFocus();
    m_fixture->trigger(ActionId::SaveList);
    settle(page);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), all + 1);
}

void TestCompare::returnExplainsTheFirstRejection()
{
    ComparePage& page = opened();
    QSignalSpy asked(&m_fixture->session(), &Session::explainAsked);
    page.newlyRejected().setFocus();
    page.newlyRejected().selectRow(0);
    QTest::keyClick(&page.newlyRejected(), Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toLongLong(), 2);
    QVERIFY(asked[0][1].value<app::ExplainTarget>().n.has_value());
}

void TestCompare::policiesDifferInWords()
{
    ComparePage& page = opened();
    m_fixture->trigger(ActionId::WhatChanged);
    QCOMPARE(page.tabs().currentIndex(), static_cast<int>(ComparePage::OfPolicy));
    const QString text = page.changes(ComparePage::OfPolicy).plainText();
    QVERIFY2(text.contains(QStringLiteral("search")) && text.contains(QStringLiteral("->")),
             qPrintable(text));
    m_fixture->picture(QStringLiteral("compare-policy"), {});
    page.baseBox().setCurrentIndex(0); // what production did has no policy
    settle(page);
    QVERIFY(!page.tabs().isTabVisible(ComparePage::OfPolicy));
}

void TestCompare::nothingDiffers()
{
    ComparePage& page = opened();
    m_fixture->session().compare(2, 3);
    settle(page);
    QVERIFY2(page.banners().plainText().contains(QStringLiteral("No decision differs.")),
             qPrintable(page.banners().plainText()));
    QCOMPARE(page.newlyRejected().model()->rowCount(), 0);
    m_fixture->picture(QStringLiteral("compare-same"), {});
}

void TestCompare::conditionsOfBothSidesAreSaid()
{
    ComparePage& page = opened();
    QCOMPARE(page.asIfText(), QString()); // both under the usual ones
    Session& session = m_fixture->session();
    app::GivenOptions given;
    given.add("nodes", "4");
    given.add("state", "local");
    {
        const auto store = storage::RunStore::open(session.storePath(), storage::Access::Write);
        QVERIFY(store.has_value());
        replayDemo(**store, "public-api.yaml", "four servers", {}, given);
    }
    QSignalSpy listed(&session, &Session::runsChanged);
    session.refreshRuns();
    QVERIFY(listed.wait(10'000));
    session.compare(1, 4);
    settle(page);
    QVERIFY2(page.asIfText().startsWith(
                 QStringLiteral("Base under the usual conditions\nCandidate as if: 4 servers")),
             qPrintable(page.asIfText()));
    QCOMPARE(tile(page, 0), 0ULL); // four limits reject nobody that one admits
    QVERIFY(tile(page, 1) > 0);
    QVERIFY(page.tabs().isTabVisible(ComparePage::OfConditions));
    page.tabs().setCurrentIndex(ComparePage::OfConditions);
    const QString figures = page.changes(ComparePage::OfConditions).plainText();
    QVERIFY2(
        figures.contains(QRegularExpression(QStringLiteral("servers\\W+that were asked\\W+4"))),
        qPrintable(figures));
    m_fixture->picture(QStringLiteral("compare-conditions"), {});
    session.compare(4, 1); // sides change places, and so do their figures
    settle(page);
    const QString swapped = page.changes(ComparePage::OfConditions).plainText();
    QVERIFY2(swapped.contains(QStringLiteral("that were asked")) && swapped != figures,
             qPrintable(swapped));
    session.compare(1, 2); // nothing to say of it: the tab goes, and another one is seen
    settle(page);
    QVERIFY(!page.tabs().isTabVisible(ComparePage::OfConditions));
    QVERIFY(page.tabs().currentIndex() != ComparePage::OfConditions);
    session.compare(std::nullopt, 4);
    settle(page);
    QVERIFY2(page.asIfText().startsWith(QStringLiteral("Candidate as if: 4 servers")),
             qPrintable(page.asIfText()));
}

void TestCompare::aSideThatIsGoneTakesItsFigures()
{
    ComparePage& page = opened();
    Session& session = m_fixture->session();
    const QString before = page.tilesText();
    const auto remove = [&](storage::RunId run) {
        const auto store = storage::RunStore::open(session.storePath(), storage::Access::Write);
        QVERIFY((*store)->remove({run}).has_value());
        session.refreshRuns();
        QTRY_VERIFY(session.run(run) == nullptr);
        settle(page);
    };
    remove(1);
    QCOMPARE(page.candidateBox().currentText(), QStringLiteral("2: proposal"));
    QVERIFY(page.baseBox().currentText() != QStringLiteral("1: today"));
    QVERIFY(page.tilesText() != before);
    remove(2);
    QCOMPARE(page.candidateBox().currentText(), QStringLiteral("3: proposal again"));
    QSignalSpy asked(&session, &Session::explainAsked);
    page.baseBox().setCurrentIndex(0); // recorded: there are some
    settle(page);
    page.newlyRejected().setFocus();
    page.newlyRejected().selectRow(0);
    QTest::keyClick(&page.newlyRejected(), Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][0].toLongLong(), 3);
}

void TestCompare::anotherStoreHasOtherSides()
{
    ComparePage& page = opened();
    Session& session = m_fixture->session();
    const quint64 newlyRejected = tile(page, 0);
    const QString path = m_fixture->path(QStringLiteral("other.db"));
    {
        auto store = storage::RunStore::open(path.toStdString(), storage::Access::Write);
        QVERIFY(store.has_value());
        replayDemo(**store, "public-api-next.yaml", "proposal");
        replayDemo(**store, "public-api.yaml", "today");
    }
    session.setStorePath(path.toStdString());
    QCOMPARE(page.candidateBox().count(), 0);
    QVERIFY(!page.can(ActionId::SaveList));
    QTRY_COMPARE(session.runs().size(), 2U);
    settle(page);
    QCOMPARE(page.candidateBox().currentText(), QStringLiteral("2: today"));
    QCOMPARE(page.baseBox().currentText(), QStringLiteral("1: proposal"));
    QCOMPARE(tile(page, 1), newlyRejected); // the other way round
}

void TestCompare::cancelledStaysCancelled()
{
    ComparePage& page = opened();
    Session& session = m_fixture->session();
    session.compare(1, 3);
    QVERIFY(page.isBusy());
    for (QPushButton* const button : page.findChildren<QPushButton*>()) {
        if (button->text() == QStringLiteral("Cancel")) {
            button->click();
        }
    }
    QVERIFY(!page.isBusy());
    QSignalSpy listed(&session, &Session::runsChanged);
    session.refreshRuns();
    QVERIFY(listed.wait(10'000));
    QVERIFY(!page.isBusy());
    QVERIFY(!page.can(ActionId::SaveList));
    session.compare(1, 3); // until it is asked for
    settle(page);
    QVERIFY(page.can(ActionId::SaveList));
}

void TestCompare::picturesThatFailAreSaid()
{
    ComparePage& page = opened();
    QString path;
    page.askSavePath = [&](const QString&, const QString&, const QString&) { return path; };
    page.chart().setFocus();
    path = m_fixture->path(QStringLiteral("chart.PNG"));
    m_fixture->trigger(ActionId::SaveList);
    settle(page);
    QFile picture(path);
    QVERIFY(picture.open(QIODevice::ReadOnly));
    QVERIFY(picture.read(4) == "\x89PNG"); // not a table
    path = m_fixture->path(QStringLiteral("missing/chart.png"));
    m_fixture->trigger(ActionId::SaveList);
    QVERIFY(page.banners().plainText().contains(QStringLiteral("missing/chart.png")));
}

void TestCompare::everyWidgetHasAName()
{
    ComparePage& page = opened();
    QCOMPARE(tests::console::namelessWidgets(page).join(QLatin1Char('\n')), QString());
}

QTEST_MAIN(TestCompare)
#include "tst_compare.moc"
