#include "app/console/exporting/export_page.h"
#include "policies/read.h"
#include "tests/console/console_fixture.h"

#include <QTextDocument>

using namespace app::console;
using namespace tests::console;

class TestExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTheCanonicalText();
    void saysWhatIsInTheWay();
};

void TestExport::writesTheCanonicalText()
{
    Fixture fixture;
    const QString path = fixture.copied(QStringLiteral("policies/examples/login-protection.yaml"));
    QVERIFY(fixture.window().openPolicy(path));
    auto& page = fixture.show<ExportPage>(PageId::Export);
    QTRY_VERIFY(page.text().has_value());
    fixture.pictures(QStringLiteral("export"));
    const QString out = fixture.path(QStringLiteral("out.yaml"));
    page.askSavePath = [&](const QString&, const QString& proposal, const QString&) {
        return proposal == QLatin1String("login-protection.canonical.yaml") ? out : QString();
    };
    fixture.trigger(ActionId::SaveList);
    QFile file(out);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    QCOMPARE(text, *page.text());
    QVERIFY(policies::read("out.yaml", text).policy.has_value());
    QVERIFY(text.find('#') != std::string::npos);
    QVERIFY(!fixture.session().document().isModified());
    const QStringList nameless = namelessWidgets(page);
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
}

void TestExport::saysWhatIsInTheWay()
{
    Fixture fixture;
    auto& page = fixture.show<ExportPage>(PageId::Export);
    QVERIFY(!page.text().has_value());
    QVERIFY(!fixture.window().actions().at(ActionId::SaveList)->isEnabled());
    fixture.pictures(QStringLiteral("export-empty"));
    fixture.session().document().openText("weir: 1\nname: a\ntiers: { edge: 5 }\n",
                                          QStringLiteral("a.yaml"));
    fixture.window().showPage(PageId::Export);
    QTRY_VERIFY(!page.isBusy());
    QVERIFY(!page.text().has_value());
    fixture.pictures(QStringLiteral("export-error"));
}

QTEST_MAIN(TestExport)
#include "tst_export.moc"
