#include "app/console/frame/figure_view.h"
#include "app/console/suggest/curve_chart.h"
#include "app/console/suggest/suggest_page.h"
#include "app/workbench/replay.h"
#include "storage/run_store.h"
#include "tests/console/console_fixture.h"

#include <QTextDocument>

using namespace app::console;
using namespace tests::console;

namespace {

constexpr const char* kPolicy
    = "weir: 1\nname: mine\ntiers:\n  gateway:\n"
      "    - name: key # agreed in May\n      key: [api_key]\n"
      "      algorithm: sliding_window_log\n      rate: 20/min # was 10\n";

} // namespace

class TestSuggest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsMissing();
    void writesACandidateIntoThePolicy();
    void forgetsTheCurveOfAnotherPolicy();
};

void TestSuggest::saysWhatIsMissing()
{
    Fixture fixture;
    auto& page = fixture.show<SuggestPage>(PageId::Suggest);
    QVERIFY(page.plainText().contains(QLatin1String("Open a policy first")));
    fixture.pictures(QStringLiteral("suggest-empty"));
    fixture.session().document().openText(kPolicy, QStringLiteral("mine.yaml"));
    fixture.session().document().checkNow();
    fixture.window().showPage(PageId::Suggest);
    QVERIFY2(page.plainText().contains(QLatin1String("Replay a log first")),
             qPrintable(page.plainText()));
    QVERIFY(!fixture.window().actions().at(ActionId::WriteValue)->isEnabled());
}

void TestSuggest::writesACandidateIntoThePolicy()
{
    Fixture fixture;
    fixture.replayDemo();
    Document& document = fixture.session().document();
    document.openText(kPolicy, QStringLiteral("mine.yaml"));
    document.checkNow();
    auto& page = fixture.show<SuggestPage>(PageId::Suggest);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy() && page.chart().current().has_value(), 20000);
    fixture.pictures(QStringLiteral("suggest"));
    const std::size_t before = *page.chart().current();
    page.chart().setFocus();
    QTest::keyClick(&page.chart(), Qt::Key_Right);
    QCOMPARE(*page.chart().current(), before + 1);
    QVERIFY(page.plainText().contains(QLatin1String("Now, at 20 per min")));
    fixture.trigger(ActionId::WriteValue);
    const std::string text = document.currentText();
    QVERIFY2(text.find("/min # was 10") != std::string::npos, text.c_str());
    QVERIFY(text.find("rate: 20/min") == std::string::npos);
    QVERIFY(text.find("# agreed in May") != std::string::npos);
    fixture.trigger(ActionId::Undo);
    QCOMPARE(document.currentText(), std::string(kPolicy));
    // Line and row are one selection.
    QList<FigureView*> tables = page.findChildren<FigureView*>();
    tables.removeIf(
        [](const FigureView* one) { return one->accessibleName() != QLatin1String("Candidates"); });
    QCOMPARE(tables.size(), 1);
    FigureView* table = tables.front();
    const std::size_t chosen = *page.chart().current();
    QTest::keyClick(table, Qt::Key_Up);
    QCOMPARE(*page.chart().current(), chosen - 1);
    QCOMPARE(table->currentIndex().row(), static_cast<int>(chosen) - 1);
    const QStringList nameless = namelessWidgets(page);
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
    const QString csv = fixture.path(QStringLiteral("c.csv"));
    page.askSavePath = [&](const QString&, const QString&, const QString&) { return csv; };
    fixture.trigger(ActionId::SaveList);
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("in the policy now"));
}

void TestSuggest::forgetsTheCurveOfAnotherPolicy()
{
    Fixture fixture;
    fixture.replayDemo();
    Document& document = fixture.session().document();
    document.openText(kPolicy, QStringLiteral("mine.yaml"));
    document.checkNow();
    auto& page = fixture.show<SuggestPage>(PageId::Suggest);
    QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy() && page.chart().current().has_value(), 20000);
    const std::string other = "weir: 1\nname: other\ntiers:\n  edge:\n    - name: key\n"
                              "      key: [client_ip]\n      algorithm: token_bucket\n"
                              "      rate: 7/s\n      burst: 7\n";
    document.openText(other, QStringLiteral("other.yaml"));
    fixture.trigger(ActionId::WriteValue); // of the old curve: nothing is written
    QCOMPARE(document.currentText(), other);
}

QTEST_MAIN(TestSuggest)
#include "tst_suggest.moc"
