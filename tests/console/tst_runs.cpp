#include "app/console/charts/span_strip.h"
#include "app/console/charts/time_chart.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/tile.h"
#include "app/console/frame/values.h"
#include "app/console/runs/keys_panel.h"
#include "app/console/runs/rules_model.h"
#include "app/console/runs/run_list.h"
#include "app/console/runs/run_tiles.h"
#include "app/console/runs/run_timeline.h"
#include "app/console/runs/runs_page.h"
#include "app/console/session/job_run.h"
#include "tests/console/big_run.h"
#include "tests/console/console_fixture.h"
#include "tests/console/demo_runs.h"
#include "tests/storage/run_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>

using namespace app::console;
using namespace tests;
using tests::console::cell;
using tests::console::Fixture;

class TestRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();

    void noRunsSayWhatToDo();
    void aRunOpensWithItsFigures();
    void theDemonstrationIsReplayedAndRead();
    void rulesAreSortedByTheirValues();
    void returnOnARuleShowsItsKeys();
    void keysAreFilteredAndPaged();
    void aRangeNarrowsRulesAndKeys();
    void zoomReadsAFinerLevel();
    void rulesAndTableAndLogScale();
    void onlyRowsThatWereReadAreCopied();
    void theLineAsksForItsRequests();
    void listsAreSavedInEveryForm();
    void picturesOfChartsAreSaved();
    void runsAreRenamedAndDeleted();
    void aRunThatIsGoneIsNotAsked();
    void nothingWrittenIsLeftUnsaid();
    void anotherStoreHasOtherRuns();
    void namesOfLogsAreShownAsTheyAre();
    void aRunThatWasInterruptedSaysSo();
    void everyWidgetHasAName();
    void conditionsAreSaidWithWhatCameOfThem();
    void limitsThatAreLearnedAreBands();

private:
    RunsPage& opened();
    RunsPage& openedAt(const QString& store);
    static void settle(const RunsPage& page);

    std::unique_ptr<QTemporaryDir> m_store; ///< written once, copied for each test
    std::unique_ptr<Fixture> m_fixture;
};

namespace {

constexpr std::size_t kRequests = 651'125;

std::unique_ptr<storage::RunStore> storeAt(const QString& path)
{
    auto store = storage::RunStore::open(path.toStdString(), storage::Access::Write);
    if (!store) {
        qFatal("%s", store.error().message.c_str());
    }
    return std::move(*store);
}

class NoProgress final : public app::Progress {
public:
    void update(const app::ProgressState&) override { }
};

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

void TestRuns::initTestCase()
{
    m_store = std::make_unique<QTemporaryDir>();
    const auto store = storeAt(m_store->filePath(QStringLiteral("runs.db")));
    BigRunOptions options;
    options.requests = kRequests;
    options.keys = 20'000;
    options.name = "pro 1200, search 6";
    writeBigRun(*store, options);
    options.name = "pro 600, search 10";
    options.salt = 1;
    writeBigRun(*store, options);
}

void TestRuns::cleanupTestCase()
{
    m_fixture.reset();
}

void TestRuns::settle(const RunsPage& page)
{
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 30'000);
    QTest::qWait(30);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 30'000);
    QTest::qWait(100); // pages of keys
}

RunsPage& TestRuns::opened()
{
    m_fixture = std::make_unique<Fixture>();
    m_fixture->useStore(m_store->filePath(QStringLiteral("runs.db")));
    auto& page = m_fixture->show<RunsPage>(PageId::Runs);
    settle(page);
    return page;
}

RunsPage& TestRuns::openedAt(const QString& store)
{
    m_fixture->session().setStorePath(store.toStdString());
    QSignalSpy listed(&m_fixture->session(), &Session::runsChanged);
    listed.wait(10'000);
    auto& page = m_fixture->show<RunsPage>(PageId::Runs);
    settle(page);
    return page;
}

void TestRuns::noRunsSayWhatToDo()
{
    m_fixture = std::make_unique<Fixture>();
    auto& page = m_fixture->show<RunsPage>(PageId::Runs);
    QTest::qWait(50);
    QCOMPARE(page.head().title(), QStringLiteral("Runs"));
    const auto labels = page.findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().startsWith(QStringLiteral("No runs yet."));
    }));
    m_fixture->pictures(QStringLiteral("runs-empty"));
}

void TestRuns::aRunOpensWithItsFigures()
{
    RunsPage& page = opened();
    QCOMPARE(page.head().title(), QStringLiteral("Run 2: pro 600, search 10"));
    QCOMPARE(page.tiles().tile(RunTiles::Requests).plainText(),
             QStringLiteral("Requests: 651,125, 7.5 per second on average"));
    const QString worst = page.tiles().tile(RunTiles::WorstSecondOf).plainText();
    QVERIFY2(worst.startsWith(QStringLiteral("Worst second: "))
                 && worst.contains(QStringLiteral("14:0")),
             qPrintable(worst));
    QCOMPARE(page.rules().model()->rowCount(), 8);
    QCOMPARE(cell(page.rules(), 7, RulesModel::Rule), QStringLiteral("tenant-in-flight (shadow)"));
    QVERIFY(cell(page.rules(), 6, RulesModel::WorstMinuteAt).contains(QStringLiteral(" at 14:0")));
    QVERIFY(page.banners().plainText().contains(QStringLiteral("214 lines were not read")));
    QVERIFY(page.banners().plainText().contains(
        QStringLiteral("1,179 requests without api_key were not judged by search")));
    QVERIFY(!cell(page.keys().view(), 0, 1).isEmpty());
    QVERIFY(page.timeline().chart().hasFocus());
    m_fixture->pictures(QStringLiteral("run"));
    page.timeline().goTo(kBigRunStart + 50'600);
    settle(page);
    m_fixture->pictures(QStringLiteral("run-spike"));
}

void TestRuns::theDemonstrationIsReplayedAndRead()
{
    m_fixture = std::make_unique<Fixture>();
    const QString path = m_fixture->path(QStringLiteral("demo.db"));
    replayDemo(*storeAt(path), "public-api.yaml", "today");
    m_fixture->session().setStorePath(path.toStdString());
    QSignalSpy listed(&m_fixture->session(), &Session::runsChanged);
    QVERIFY(listed.wait(10'000));
    auto& page = m_fixture->show<RunsPage>(PageId::Runs);
    settle(page);
    const storage::RunSummary* const run = m_fixture->session().run(1);
    quint64 denied = 0;
    for (int row = 0; row < page.keys().keys().rowCount(); ++row) {
        denied += cell(page.keys().view(), row, 3).remove(QLatin1Char(',')).toULongLong();
    }
    QVERIFY(denied >= run->totals.rejected); // each rejection was denied to a key
    m_fixture->pictures(QStringLiteral("run-demo"));
}

void TestRuns::rulesAreSortedByTheirValues()
{
    RunsPage& page = opened();
    const QAbstractItemModelTester tester(page.rules().model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    page.rules().sortByColumn(RulesModel::Denied, Qt::DescendingOrder);
    quint64 last = std::numeric_limits<quint64>::max();
    for (int row = 0; row < page.rules().model()->rowCount(); ++row) {
        const quint64 denied
            = cell(page.rules(), row, RulesModel::Denied).remove(QLatin1Char(',')).toULongLong();
        QVERIFY(denied <= last);
        last = denied;
    }
}

void TestRuns::returnOnARuleShowsItsKeys()
{
    RunsPage& page = opened();
    page.rules().setFocus();
    page.rules().selectRow(6);
    QTest::keyClick(&page.rules(), Qt::Key_Return);
    settle(page);
    QCOMPARE(page.keys().rule(), std::optional<std::uint32_t>(6));
    QCOMPARE(cell(page.keys().view(), 0, 0), QStringLiteral("tenant-total"));
    QVERIFY(page.keys().caption().endsWith(QStringLiteral("by tenant-total")));
    QVERIFY(page.keys().view().hasFocus());
    QTest::keyClick(&page.keys().view(), Qt::Key_Escape);
    QVERIFY(!page.keys().rule());
}

void TestRuns::keysAreFilteredAndPaged()
{
    RunsPage& page = opened();
    const QAbstractItemModelTester tester(&page.keys().keys(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const int all = page.keys().keys().rowCount();
    QVERIFY(all > 10'000);
    m_fixture->trigger(ActionId::Find);
    auto* const filter = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(filter != nullptr);
    QTest::keyClicks(filter, QStringLiteral("K_12"));
    QTest::qWait(250);
    settle(page);
    const int some = page.keys().keys().rowCount();
    QVERIFY2(some > 0 && some < all,
             qPrintable(QStringLiteral("%1 of %2, %3").arg(some).arg(all).arg(filter->text())));
    QVERIFY(cell(page.keys().view(), 0, 1).contains(QStringLiteral("k_12")));
    QVERIFY2(page.keys().caption().contains(QStringLiteral("filtered from")),
             qPrintable(page.keys().caption()));
    QTest::keyClick(filter, Qt::Key_Escape);
    QTest::qWait(250);
    settle(page);
    QCOMPARE(page.keys().keys().rowCount(), all);
    page.keys().view().scrollToBottom();
    settle(page);
    QVERIFY(!cell(page.keys().view(), all - 1, 1).isEmpty());
    QVERIFY(page.keys().caption().contains(
        QStringLiteral("\u2013%1 of %1").arg(countText(static_cast<std::uint64_t>(all)))));
}

void TestRuns::aRangeNarrowsRulesAndKeys()
{
    RunsPage& page = opened();
    const QString whole = cell(page.rules(), 6, RulesModel::Denied);
    TimeChart& chart = page.timeline().chart();
    page.timeline().goTo(kBigRunStart + 50'600);
    settle(page);
    // By mouse: Ctrl and drag.
    const QPoint from(chart.width() / 2, chart.height() / 2);
    QTest::mousePress(&chart, Qt::LeftButton, Qt::ControlModifier, from);
    QMouseEvent move(QEvent::MouseMove, QPointF(from) + QPointF(40, 0),
                     chart.mapToGlobal(QPointF(from) + QPointF(40, 0)), Qt::NoButton,
                     Qt::LeftButton, Qt::ControlModifier);
    QApplication::sendEvent(&chart, &move);
    QTest::mouseRelease(&chart, Qt::LeftButton, Qt::ControlModifier, from + QPoint(40, 0));
    settle(page);
    QVERIFY(chart.range().has_value());
    QVERIFY(cell(page.rules(), 6, RulesModel::Denied) != whole);
    QVERIFY(cell(page.keys().view(), 0, 2).isEmpty()); // judged: known of the whole run only
    QVERIFY(!cell(page.keys().view(), 0, 3).isEmpty());
    m_fixture->picture(QStringLiteral("run-range"), {});
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Escape);
    settle(page);
    QCOMPARE(cell(page.rules(), 6, RulesModel::Denied), whole);
    // By keys: the line, then Shift and an arrow.
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Right, Qt::ShiftModifier);
    QVERIFY(chart.range().has_value());
    QCOMPARE(chart.range()->second - chart.range()->first, 2 * chart.data().bins.width);
}

void TestRuns::zoomReadsAFinerLevel()
{
    RunsPage& page = opened();
    TimeChart& chart = page.timeline().chart();
    QCOMPARE(chart.data().unit, QStringLiteral("per minute"));
    page.timeline().goTo(kBigRunStart + 50'600);
    settle(page);
    QCOMPARE(chart.data().unit, QStringLiteral("per second"));
    QCOMPARE(page.timeline().title(), QStringLiteral("Requests per second"));
    QVERIFY(page.timeline().caption().contains(QStringLiteral("13:58 \u2013 14:08 UTC")));
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Home);
    settle(page);
    QCOMPARE(chart.data().unit, QStringLiteral("per minute"));
    // The frame of the strip leads the chart.
    page.timeline().strip().setFocus();
    QTest::keyClick(&page.timeline().strip(), Qt::Key_Plus);
    settle(page);
    QVERIFY(chart.view().to - chart.view().from < 50'000);
}

void TestRuns::rulesAndTableAndLogScale()
{
    RunsPage& page = opened();
    m_fixture->trigger(ActionId::TiersOrRules);
    settle(page);
    QCOMPARE(page.timeline().chart().data().bands.size(), 8U);
    m_fixture->picture(QStringLiteral("run-rules"), {});
    m_fixture->trigger(ActionId::TiersOrRules);
    settle(page);
    m_fixture->trigger(ActionId::LogScale);
    QVERIFY(page.timeline().caption().endsWith(QStringLiteral("log scale")));
    m_fixture->picture(QStringLiteral("run-log"), {});
    m_fixture->trigger(ActionId::ChartAsTable);
    QVERIFY(page.timeline().isAsTable());
    const app::FigureTable table = page.timeline().table();
    QCOMPARE(table.rows.size(), 1'440U);
    QCOMPARE(table.columns.size(), 1U + 4 * 3 + 1);
    m_fixture->picture(QStringLiteral("run-table"), {});
}

void TestRuns::onlyRowsThatWereReadAreCopied()
{
    RunsPage& page = opened();
    FigureView& view = page.keys().view();
    const int all = view.model()->rowCount();
    QVERIFY(all > 1'000);
    QSignalSpy said(&m_fixture->session(), &Session::said);
    view.setFocus();
    view.selectAll();
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
    QVERIFY(lines.size() > 100 && lines.size() < all);
    QVERIFY(std::none_of(lines.begin(), lines.end(),
                         [](const QString& line) { return line.trimmed().isEmpty(); }));
    QCOMPARE(said.size(), 1);
    QVERIFY2(said[0][0].toString().startsWith(
                 QStringLiteral("Copied %1 of ")
                     .arg(app::console::countText(static_cast<std::uint64_t>(lines.size() - 1)))),
             qPrintable(said[0][0].toString()));
    view.clearSelection();
    view.selectRow(0);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text().count(QLatin1Char('\n')), qsizetype {2});
    QCOMPARE(said.size(), 1); // all of it
}

void TestRuns::theLineAsksForItsRequests()
{
    RunsPage& page = opened();
    QSignalSpy asked(&m_fixture->session(), &Session::findAsked);
    page.timeline().goTo(kBigRunStart + 50'600);
    settle(page);
    page.timeline().chart().setFocus();
    QTest::keyClick(&page.timeline().chart(), Qt::Key_Return);
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked[0][1].toLongLong(), (kBigRunStart + 50'600) * 1'000'000'000);
    QCOMPARE(asked[0][2].toLongLong(), (kBigRunStart + 50'601) * 1'000'000'000);
    QSignalSpy key(&m_fixture->session(), &Session::explainKeyAsked);
    page.keys().view().setFocus();
    page.keys().view().selectRow(0);
    QTest::keyClick(&page.keys().view(), Qt::Key_Return);
    QCOMPARE(key.size(), 1);
}

void TestRuns::listsAreSavedInEveryForm()
{
    RunsPage& page = opened();
    QString path;
    page.askSavePath = [&](const QString&, const QString&, const QString&) { return path; };
    page.rules().setFocus();
    for (const QString& end :
         {QStringLiteral("csv"), QStringLiteral("json"), QStringLiteral("md")}) {
        path = m_fixture->path(QStringLiteral("rules.") + end);
        m_fixture->trigger(ActionId::SaveList);
        settle(page);
        const QByteArray bytes = bytesOf(path);
        QVERIFY2(bytes.contains("per-address") && bytes.contains("tenant-in-flight"),
                 bytes.left(200).constData());
    }
    page.keys().view().setFocus();
    path = m_fixture->path(QStringLiteral("keys.csv"));
    m_fixture->trigger(ActionId::SaveList);
    settle(page);
    QCOMPARE(bytesOf(path).count('\n'), page.keys().keys().rowCount() + 1); // all, not the page
}

void TestRuns::picturesOfChartsAreSaved()
{
    RunsPage& page = opened();
    QString path;
    page.askSavePath = [&](const QString&, const QString&, const QString&) { return path; };
    page.timeline().chart().setFocus();
    for (const char* const end : {"png", "pdf", "PNG"}) {
        path = m_fixture->path(QStringLiteral("chart-%1.%1").arg(QLatin1String(end)));
        m_fixture->trigger(ActionId::SaveList);
        QVERIFY(QFileInfo(path).size() > 1'000);
    }
    QVERIFY(bytesOf(path).startsWith("\x89PNG")); // not a table
    path = m_fixture->path(QStringLiteral("missing/chart.png"));
    m_fixture->trigger(ActionId::SaveList);
    QVERIFY(page.banners().plainText().contains(QStringLiteral("missing/chart.png")));
}

void TestRuns::runsAreRenamedAndDeleted()
{
    RunsPage& page = opened();
    m_fixture->trigger(ActionId::RunList);
    settle(page);
    QVERIFY(page.list().isVisible());
    m_fixture->picture(QStringLiteral("run-list"), {});
    QListView& view = page.list().view();
    QVERIFY(view.hasFocus());
    QTest::keyClick(&view, Qt::Key_F2);
    auto* const editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(editor != nullptr);
    QTest::keyClick(editor, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(editor, QStringLiteral("as agreed"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(page.head().title(), QStringLiteral("Run 2: as agreed"));
    QString question;
    bool answer = false;
    page.askToDelete = [&](const QString& asked) {
        question = asked;
        return answer;
    };
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Delete);
    QVERIFY(question.contains(QStringLiteral("Delete run 2, as agreed?")));
    settle(page);
    QCOMPARE(m_fixture->session().runs().size(), 2U);
    answer = true;
    QTest::keyClick(&view, Qt::Key_Delete);
    QTRY_COMPARE(m_fixture->session().runs().size(), 1U);
    QTRY_COMPARE(page.head().title(), QStringLiteral("Run 1: pro 1200, search 6"));
}

void TestRuns::aRunThatIsGoneIsNotAsked()
{
    RunsPage& page = opened();
    page.timeline().goTo(kBigRunStart + 50'600);
    settle(page);
    m_fixture->window().showPage(PageId::Author);
    const auto removed = storeAt(m_fixture->path(QStringLiteral("runs.db")))->remove({2});
    QVERIFY(removed.has_value());
    m_fixture->session().refreshRuns();
    QTRY_COMPARE(m_fixture->session().runs().size(), 1U);
    QCOMPARE(page.head().title(), QStringLiteral("Runs"));
    QVERIFY(!page.can(ActionId::SaveList));
    QSignalSpy asked(&m_fixture->session(), &Session::findAsked);
    Q_EMIT page.timeline().chart().binAsked(kBigRunStart + 50'600);
    Q_EMIT page.keys().keyAsked(0);
    for (const auto which : {RunTiles::Rejected, RunTiles::WouldBeRejected, RunTiles::KeysHit,
                             RunTiles::WorstSecondOf}) {
        Q_EMIT page.tiles().asked(which);
    }
    QCOMPARE(asked.size(), 0);
    m_fixture->window().showPage(PageId::Runs);
    QTRY_COMPARE(page.head().title(), QStringLiteral("Run 1: pro 1200, search 6"));
    settle(page);
    QCOMPARE(page.rules().model()->rowCount(), 8);
}

void TestRuns::nothingWrittenIsLeftUnsaid()
{
    RunsPage& page = opened();
    QSignalSpy said(&m_fixture->session(), &Session::said);
    Q_EMIT page.list().renameAsked(1, QStringLiteral("a"));
    Q_EMIT page.list().renameAsked(7, QStringLiteral("b")); // there is none
    Q_EMIT page.list().renameAsked(2, QStringLiteral("c"));
    settle(page);
    QStringList all;
    for (const QList<QVariant>& one : said) {
        all << one[0].toString();
    }
    QVERIFY(all.contains(QStringLiteral("Run 1 is called a.")));
    QVERIFY(all.contains(QStringLiteral("Run 2 is called c.")));
    QVERIFY(!all.join(QLatin1Char(' ')).contains(QStringLiteral("Run 7")));
    QTRY_COMPARE(m_fixture->session().run(1)->name, std::string("a"));
}

/// Its run 1 has the same id and as many requests.
void TestRuns::anotherStoreHasOtherRuns()
{
    m_fixture = std::make_unique<Fixture>();
    Session& session = m_fixture->session();
    QStringList rejected;
    auto& page = m_fixture->show<RunsPage>(PageId::Runs);
    for (const char* const policy : {"public-api.yaml", "public-api-next.yaml"}) {
        const QString path = m_fixture->path(QLatin1String(policy) + QStringLiteral(".db"));
        replayDemo(*storeAt(path), policy, "one");
        session.setStorePath(path.toStdString());
        QCOMPARE(page.head().title(), QStringLiteral("Runs")); // nothing of the store before
        QVERIFY(!page.can(ActionId::SaveList));
        QTRY_COMPARE(page.head().title(), QStringLiteral("Run 1: one"));
        settle(page);
        rejected << page.tiles().tile(RunTiles::Rejected).plainText();
    }
    QVERIFY2(rejected[0] != rejected[1], qPrintable(rejected.join(QLatin1Char('\n'))));
}

void TestRuns::namesOfLogsAreShownAsTheyAre()
{
    m_fixture = std::make_unique<Fixture>();
    const QString path = m_fixture->path(QStringLiteral("hostile.db"));
    {
        const auto store = storeAt(path);
        FakeRun run;
        run.whoTexts
            = {"<b>bold</b>", "\x1b[31mred", "\xe2\x80\xaegnp.exe", std::string(65'536, 'x')};
        storage::RunHeader header = FakeRun::header();
        header.name = "<h1>big</h1>\x1b]0;owned\x07";
        header.source = "/logs/\xe2\x80\xaegol.a";
        const auto writer
            = need(storage::RunWriter::begin(*store, header, run.plan, FakeRun::shape()));
        for (std::uint32_t who = 0; who < 4; ++who) {
            run.settle(writer.get(),
                       {1'700'000'000'000'000'000 + who, who + 1, who, 0, rejected()});
        }
        need(writer->finish(run, FakeRun::closing()));
    }
    m_fixture->session().setStorePath(path.toStdString());
    QSignalSpy listed(&m_fixture->session(), &Session::runsChanged);
    QVERIFY(listed.wait(10'000));
    auto& page = m_fixture->show<RunsPage>(PageId::Runs);
    settle(page);
    QString all = page.head().title() + page.head().caption() + page.keys().view().plainText();
    m_fixture->trigger(ActionId::RunList);
    for (int row = 0; row < page.list().view().model()->rowCount(); ++row) {
        all += page.list().view().model()->index(row, 0).data().toString();
    }
    page.keys().showTab(KeysPanel::BadLines);
    all += page.keys().currentView().plainText();
    QVERIFY(!all.contains(QChar(0x1b)) && !all.contains(QChar(0x202e)) && !all.contains(QChar(7)));
    QVERIFY2(all.contains(QStringLiteral("<h1>big</h1>\\x1b]0;owned")), qPrintable(all.left(300)));
    for (const QLabel* const label : page.findChildren<QLabel*>()) {
        QVERIFY2(label->textFormat() == Qt::PlainText || label->text().isEmpty(),
                 qPrintable(label->text()));
    }
    page.keys().showTab(KeysPanel::Keys);
    m_fixture->picture(QStringLiteral("run-hostile"), {});
}

void TestRuns::aRunThatWasInterruptedSaysSo()
{
    m_fixture = std::make_unique<Fixture>();
    const QString path = m_fixture->path(QStringLiteral("interrupted.db"));
    {
        const auto store = storeAt(path);
        FakeRun run;
        const auto writer = need(
            storage::RunWriter::begin(*store, FakeRun::header(), run.plan, FakeRun::shape()));
        run.settle(writer.get(), {1'700'000'000'000'000'000, 1, 0, 0, rejected()});
        need(writer->interrupt(run, FakeRun::closing()));
    }
    m_fixture->session().setStorePath(path.toStdString());
    QSignalSpy listed(&m_fixture->session(), &Session::runsChanged);
    QVERIFY(listed.wait(10'000));
    auto& page = m_fixture->show<RunsPage>(PageId::Runs);
    settle(page);
    QVERIFY2(page.banners().plainText().contains(QStringLiteral("covers the first 1 request")),
             qPrintable(page.banners().plainText()));
    m_fixture->picture(QStringLiteral("run-interrupted"), {});
}

void TestRuns::everyWidgetHasAName()
{
    RunsPage& page = opened();
    QCOMPARE(tests::console::namelessWidgets(page).join(QLatin1Char('\n')), QString());
}

void TestRuns::conditionsAreSaidWithWhatCameOfThem()
{
    m_fixture = std::make_unique<Fixture>();
    const QString path = m_fixture->path(QStringLiteral("conditions.db"));
    app::GivenOptions given;
    given.add("who", "client_ip");
    given.add("nodes", "10");
    given.add("state", "edge=local,gateway=local"); // the other tiers have a store
    given.add("simulate-skew", "250ms");
    given.add("store-outage", "2026-03-17T12:00:00Z..2026-03-17T12:30:00Z");
    given.add("clients", "immediate");
    replayDemo(*storeAt(path), "public-api.yaml", "ten, local", {}, given);
    RunsPage& page = openedAt(path);
    const QString asIf = page.asIfText();
    QVERIFY2(asIf.startsWith(QStringLiteral("As if: 10 servers in turn; ")), qPrintable(asIf));
    QVERIFY2(asIf.contains(QStringLiteral("the store away from 2026-03-17 12:00:00")),
             qPrintable(asIf));
    const auto tile = [&](RunTiles::Which which) { return page.tiles().tile(which).plainText(); };
    QVERIFY2(tile(RunTiles::Attempts).contains(QStringLiteral(" for each, ")),
             qPrintable(tile(RunTiles::Attempts)));
    QVERIFY(page.tiles().tile(RunTiles::Attempts).isVisible());
    QVERIFY(page.tiles().tile(RunTiles::LockedOut).isVisible());
    QVERIFY2(tile(RunTiles::MostAdmitted).contains(QStringLiteral(" times, the limit of ")),
             qPrintable(tile(RunTiles::MostAdmitted)));
    const ChartData& data = page.timeline().chart().data();
    QCOMPARE(data.bands.back().name, QStringLiteral("Attempts"));
    double attempts = 0;
    for (int series = 0; series < 2; ++series) {
        for (const Sample& sample :
             data.bands.back().series[static_cast<std::size_t>(series)].samples) {
            attempts += sample.value;
        }
    }
    const storage::RunSummary* const run = m_fixture->session().run(1);
    QVERIFY(attempts > static_cast<double>(run->totals.requests)); // some came again
    // A tile leads to its table, by mouse; the others are a choice away.
    QTest::mouseClick(&page.tiles().tile(RunTiles::MostAdmitted), Qt::LeftButton);
    QVERIFY2(page.keys().currentView().plainText().contains(QStringLiteral("times that")),
             qPrintable(page.keys().currentView().plainText()));
    m_fixture->pictures(QStringLiteral("run-conditions"));
    auto* const which = page.keys().findChild<QComboBox*>();
    QVERIFY(which->isVisible());
    QStringList tables;
    for (int i = 0; i < which->count(); ++i) {
        tables << which->itemData(i).toString();
    }
    QCOMPARE(tables.mid(0, 4).join(QLatin1Char(' ')),
             QStringLiteral("servers admitted outages clients"));
    which->setFocus();
    QTest::keyClick(which, Qt::Key_Home);
    const QString servers = page.keys().currentView().plainText();
    QCOMPARE(servers.trimmed().count(QLatin1Char('\n')), 10); // a line for each, and the head
    QString saved = m_fixture->path(QStringLiteral("servers.csv"));
    page.askSavePath = [&](const QString&, const QString&, const QString&) { return saved; };
    m_fixture->trigger(ActionId::SaveList);
    settle(page);
    QVERIFY2(bytesOf(saved).contains("server,requests,admitted,clock_ns"),
             bytesOf(saved).left(200).constData());
    page.keys().showTab(KeysPanel::Memory);
    QVERIFY2(page.keys().currentView().plainText().contains(QStringLiteral("bytes a key")),
             qPrintable(page.keys().currentView().plainText()));
    QVERIFY2(page.keys().caption().contains(QStringLiteral("a request took")),
             qPrintable(page.keys().caption()));
    QCOMPARE(tests::console::namelessWidgets(page).join(QLatin1Char('\n')), QString());
}

void TestRuns::limitsThatAreLearnedAreBands()
{
    m_fixture = std::make_unique<Fixture>();
    const QString path = m_fixture->path(QStringLiteral("learned.db"));
    const QString log = m_fixture->path(QStringLiteral("a.jsonl"));
    QFile file(log);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 6'000; ++i) { // ten minutes; each takes longer and longer, then less again
        const int ms = 400 + std::abs(i % 2'000 - 1'000);
        file.write(QStringLiteral("{\"time_ns\": %1, \"duration_ns\": %2, \"api_key\": \"k\"}\n")
                       .arg(1'773'100'800'000'000'000 + i * 100'000'000LL)
                       .arg(ms * 1'000'000LL)
                       .toUtf8());
    }
    file.close();
    JobOrder order;
    order.policies.push_back({"learned.yaml", R"(weir: 1
name: learned
tiers:
  gateway:
    - { name: "<b>slots", key: [], algorithm: adaptive_concurrency, strategy: vegas, initial: 5 }
)"});
    order.logs = {log.toStdString()};
    NoProgress progress;
    const app::StopFlag stop {false};
    const JobResult result = runJob(order, path.toStdString(), stop, progress);
    QVERIFY2(!result.failure, result.failure ? result.failure->message.c_str() : "");
    RunsPage& page = openedAt(path);
    QCOMPARE(page.asIfText(), QString());
    QVERIFY(!page.tiles().tile(RunTiles::Attempts).isVisible());
    const ChartData& data = page.timeline().chart().data();
    QCOMPARE(data.bands.size(), 2U);
    const ChartBand& band = data.bands.back();
    QCOMPARE(band.name, QStringLiteral("<b>slots"));
    QCOMPARE(band.unit, QStringLiteral("in flight"));
    QCOMPARE(band.series.size(), 2U);
    QVERIFY(band.series[0].samples.size() > 100);
    QVERIFY(band.series[1].samples.back().value >= band.series[0].samples.back().value);
    page.timeline().goTo(1'773'100'800 + 300);
    settle(page);
    page.timeline().chart().setFocus();
    QTest::keyClick(&page.timeline().chart(), Qt::Key_Down);
    const auto said = page.timeline().chart().hoverText();
    QVERIFY(said.has_value());
    QVERIFY2(said->plainText().contains(QStringLiteral("in flight")),
             qPrintable(said->plainText()));
    page.keys().showConditions("limits");
    QVERIFY(page.keys().currentView().plainText().contains(QStringLiteral("<b>slots")));
    m_fixture->picture(QStringLiteral("run-learned"), {});
}

QTEST_MAIN(TestRuns)
#include "tst_runs.moc"
