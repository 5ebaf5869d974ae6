#include "app/console/frame/actions.h"
#include "app/console/frame/banner.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"
#include "tests/console/console_fixture.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSet>

using namespace app::console;
using namespace tests::console;

namespace {

/// All actions of the menus, those of menus within menus as well.
QSet<QAction*> actionsOf(const QMenuBar& bar)
{
    QSet<QAction*> found;
    QList<QMenu*> menus = bar.findChildren<QMenu*>();
    for (const QMenu* menu : menus) {
        for (QAction* action : menu->actions()) {
            found.insert(action);
        }
    }
    return found;
}

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void inksCanBeRead();
    void everyActionHasAMenuAndAKey();
    void noKeyMeansTwoThings();
    void everyPageIsReachedAndNamed();
    void panesAreWalkedThrough();
    void keepsItsState();
    void fitsTheLeastWindow();
    void bannersKeepTheirButtons();
    void closedProgressStaysAway();
};

namespace {

QPushButton* buttonOf(const Banners& banners, const QString& text)
{
    for (QPushButton* const button : banners.findChildren<QPushButton*>()) {
        if (button->text() == text && !button->isHidden()) {
            return button;
        }
    }
    return nullptr;
}

BannerText progressAt(int percent, const std::function<void()>& action)
{
    return {QStringLiteral("working"),
            BannerKind::Advice,
            QStringLiteral("%1 %").arg(percent),
            {{QStringLiteral("Cancel"), action}},
            true};
}

} // namespace

/// Said anew between press and release, as progress is: it is a click all the same.
void TestWindow::bannersKeepTheirButtons()
{
    Banners banners;
    int first = 0;
    int second = 0;
    banners.show(progressAt(1, [&] { ++first; }));
    QPushButton* const cancel = buttonOf(banners, QStringLiteral("Cancel"));
    QVERIFY(cancel != nullptr);
    QTest::mousePress(cancel, Qt::LeftButton);
    banners.show(progressAt(2, [&] { ++second; }));
    QCOMPARE(buttonOf(banners, QStringLiteral("Cancel")), cancel);
    QTest::mouseRelease(cancel, Qt::LeftButton);
    QCOMPARE(first, 0);
    QCOMPARE(second, 1); // what it says now
    QCOMPARE(banners.plainText(), QStringLiteral("2 %"));
}

void TestWindow::closedProgressStaysAway()
{
    Banners banners;
    banners.show(progressAt(1, [] {}));
    buttonOf(banners, QStringLiteral("Close"))->click();
    banners.show(progressAt(2, [] {}));
    QVERIFY(banners.plainText().isEmpty());
    banners.clear(QStringLiteral("working"));
    banners.show(progressAt(1, [] {}));
    QCOMPARE(banners.plainText(), QStringLiteral("1 %"));

    // What goes wrong anew is said anew.
    const BannerText failure {QStringLiteral("failed"), BannerKind::Error, QStringLiteral("No.")};
    Banners others;
    others.show(failure);
    buttonOf(others, QStringLiteral("Close"))->click();
    others.show(failure);
    QCOMPARE(others.plainText(), QStringLiteral("No."));
}

void TestWindow::inksCanBeRead()
{
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        const Theme& t = *theme;
        for (const QColor& ink :
             {t.text, t.text2, t.accent, t.admitted, t.rejected, t.shadow, t.delayed, t.offered,
              t.error, t.advice, t.ok, t.edge, t.gateway, t.endpoint, t.tenant, t.yamlKey,
              t.yamlString, t.yamlNumber, t.yamlComment}) {
            for (const QColor& ground : {t.base, t.window, t.sel}) {
                QVERIFY2(contrast(ink, ground) >= 4.5,
                         qPrintable(ink.name() + QLatin1Char(' ') + ground.name()));
            }
        }
        for (const auto& [ink, ground] : {std::pair(t.rejected, t.rejectedGround),
                                          {t.text2, t.rejectedGround},
                                          {t.text, t.rejectedGround},
                                          {t.admitted, t.rejectedGround},
                                          {t.admitted, t.admittedGround},
                                          {t.shadow, t.shadowGround},
                                          {t.advice, t.adviceGround},
                                          {t.error, t.errorGround},
                                          {t.ok, t.okGround},
                                          {t.text, t.line},
                                          {t.text2, t.line},
                                          {t.yamlComment, t.line},
                                          {t.text2, t.alt},
                                          {t.onAccent, t.accent}}) {
            QVERIFY2(contrast(ink, ground) >= 4.5,
                     qPrintable(ink.name() + QLatin1Char(' ') + ground.name()));
        }
        QVERIFY(contrast(t.control, t.base) >= 3);
        QVERIFY(contrast(t.control, t.window) >= 3);
    }
    // The figures of the design, so that the measure itself is right.
    QCOMPARE(QString::number(contrast(lightTheme().text, lightTheme().base), 'f', 2),
             QStringLiteral("16.56"));
    QCOMPARE(QString::number(contrast(darkTheme().tenant, darkTheme().sel), 'f', 2),
             QStringLiteral("7.78"));
}

void TestWindow::everyActionHasAMenuAndAKey()
{
    Fixture fixture;
    const QSet<QAction*> inMenus = actionsOf(*fixture.window().menuBar());
    QStringList hidden; // what the program cannot do has no place in the table
    for (const ActionRow& row : actionTable()) {
        QAction* action = fixture.window().actions().at(row.id);
        QVERIFY2(inMenus.contains(action), row.text);
        QVERIFY2(!action->shortcut().isEmpty(), row.text);
        if (!action->isVisible()) {
            hidden << QString::fromLatin1(row.text);
        }
    }
    QVERIFY2(hidden.isEmpty(), qPrintable(hidden.join(QStringLiteral(", "))));
}

void TestWindow::noKeyMeansTwoThings()
{
    Fixture fixture;
    for (const PageId id : {PageId::Author, PageId::Replay, PageId::Runs, PageId::Compare,
                            PageId::Explain, PageId::Suggest, PageId::Export}) {
        const Page* page = fixture.window().page(id);
        QVERIFY(page != nullptr);
        const std::vector<ActionId> offered = page->offers();
        QMap<QString, QString> taken;
        for (const ActionRow& row : actionTable()) {
            const bool isHere = std::find(offered.begin(), offered.end(), row.id) != offered.end();
            // Keys of panes hold within one pane only; those of a page and the window everywhere.
            if (row.owner == ActionOwner::Pane || (row.owner == ActionOwner::Page && !isHere)) {
                continue;
            }
            for (const char* key : row.keys) {
                const QString text = QKeySequence(QString::fromLatin1(key)).toString();
                QVERIFY2(!taken.contains(text),
                         qPrintable(text + QStringLiteral(": ") + taken.value(text)
                                    + QStringLiteral(" and ") + QString::fromLatin1(row.text)));
                taken.insert(text, QString::fromLatin1(row.text));
            }
        }
    }
}

void TestWindow::everyPageIsReachedAndNamed()
{
    Fixture fixture;
    QVERIFY(fixture.window().openPolicy(
        fixture.copied(QStringLiteral("policies/examples/login-protection.yaml"))));
    const std::array keys {Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4,
                           Qt::Key_5, Qt::Key_6, Qt::Key_7};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        QTest::keyClick(&fixture.window(), keys.at(i), Qt::ControlModifier);
        const Page* page = fixture.window().currentPage();
        QCOMPARE(page->id(), static_cast<PageId>(i));
        const QStringList nameless = namelessWidgets(*page);
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(", "))));
    }
}

void TestWindow::panesAreWalkedThrough()
{
    Fixture fixture;
    QVERIFY(fixture.window().openPolicy(
        fixture.copied(QStringLiteral("policies/examples/login-protection.yaml"))));
    fixture.window().showPage(PageId::Author);
    QSet<QWidget*> visited;
    for (int i = 0; i < 8; ++i) {
        QTest::keyClick(&fixture.window(), Qt::Key_F6);
        visited.insert(QApplication::focusWidget());
    }
    QVERIFY(visited.size() >= 4);
}

void TestWindow::keepsItsState()
{
    Fixture fixture;
    fixture.trigger(ActionId::ThemeDark);
    QVERIFY(theme().isDark);
    fixture.window().keepState();
    fixture.trigger(ActionId::ThemeLight);
    fixture.window().restoreState();
    QVERIFY(theme().isDark);
    fixture.trigger(ActionId::ThemeLight);
}

void TestWindow::fitsTheLeastWindow()
{
    Fixture fixture;
    fixture.window().resize(800, 600);
    QCOMPARE(fixture.window().size(), QSize(1024, 700));
    for (const PageId id : {PageId::Author, PageId::Replay, PageId::Runs, PageId::Compare,
                            PageId::Explain, PageId::Suggest, PageId::Export}) {
        fixture.window().showPage(id);
        QTest::qWait(10);
        QVERIFY2(fixture.window().width() <= 1024 && fixture.window().height() <= 700,
                 qPrintable(QStringLiteral("page %1 wants %2x%3")
                                .arg(static_cast<int>(id))
                                .arg(fixture.window().width())
                                .arg(fixture.window().height())));
    }
}

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
