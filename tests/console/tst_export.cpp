#include "app/console/exporting/export_page.h"
#include "app/console/look/theme.h"
#include "policies/read.h"
#include "tests/console/console_fixture.h"

#include <QPlainTextEdit>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

using namespace app::console;
using namespace tests::console;

class TestExport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void writesTheCanonicalText();
    void saysWhatIsInTheWay();
};

namespace {

bool hasInk(const QTextDocument& document, const QColor& colour)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (const QTextLayout::FormatRange& range : block.layout()->formats()) {
            if (range.format.foreground().color() == colour) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

void TestExport::writesTheCanonicalText()
{
    Fixture fixture;
    const QString path = fixture.copied(QStringLiteral("policies/examples/login-protection.yaml"));
    QVERIFY(fixture.window().openPolicy(path));
    auto& page = fixture.show<ExportPage>(PageId::Export);
    QTRY_VERIFY(page.text().has_value());
    fixture.pictures(QStringLiteral("export"));
    // Colours of the text follow the theme: its keys are written in the one of the theme in force.
    for (const bool isDark : {true, false}) {
        fixture.trigger(isDark ? ActionId::ThemeDark : ActionId::ThemeLight);
        QCOMPARE(theme().isDark, isDark);
        auto* const view = qobject_cast<QPlainTextEdit*>(page.panes().front());
        QVERIFY(view != nullptr);
        QTRY_VERIFY(hasInk(*view->document(), theme().yamlKey));
    }
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
