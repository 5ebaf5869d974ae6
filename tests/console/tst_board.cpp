#include "app/console/author/board.h"
#include "app/console/author/lab_panel.h"
#include "app/console/author/lane.h"
#include "app/console/author/policy_editor.h"
#include "app/console/author/rule_form.h"
#include "app/console/look/theme.h"
#include "policies/read.h"
#include "tests/console/author_example.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QTextDocument>

using namespace app::console;
using namespace tests::console;
using engine::Tier;

namespace {

LaneView& lane(const AuthorPage& page, Tier tier)
{
    return page.faces().board().lane(tier).view();
}

/// A line for each card, as it is told to who reads the screen aloud.
QString printed(const AuthorPage& page, Tier tier)
{
    const LaneView& view = lane(page, tier);
    QStringList lines;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        lines << view.model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
    }
    return lines.join(QLatin1Char('\n'));
}

QStringList names(const AuthorPage& page, Tier tier)
{
    const LaneView& view = lane(page, tier);
    QStringList list;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        list << view.model()->index(row, 0).data().toString();
    }
    return list;
}

QStringList rules(const char* text)
{
    return QString::fromLatin1(text).split(QLatin1Char(' '));
}

/// Drops a card as the window system would.
void drop(LaneView& view, const QString& rule, const QPoint& at)
{
    QMimeData data;
    data.setData(QString::fromLatin1(LaneView::kMime), rule.toUtf8());
    QDragEnterEvent enters(at, Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(view.viewport(), &enters);
    QVERIFY(enters.isAccepted());
    QDragMoveEvent moves(at, Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(view.viewport(), &moves);
    QDropEvent drops(at, Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(view.viewport(), &drops);
}

} // namespace

class TestBoard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsTheRulesByTier();
    void aClickSelects();
    void keysWalk();
    void rulesMoveByKeys();
    void rulesMoveByDrag();
    void rulesComeAndGo();
    void modes();
    void spaceOpensTheModes();
    void staysWhileTheTextIsBroken();
    void showsRulesWithErrors();
    void emptyLanesSayWhatToDo();
    void hostileNames();
    void looksAsItShould();
    void manyRules();
};

void TestBoard::showsTheRulesByTier()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    const QAbstractItemModelTester tester(lane(page, Tier::Edge).model());
    QCOMPARE(printed(page, Tier::Edge),
             QStringLiteral("per-address, every request, per network, 1,000 per minute, enforce"));
    QCOMPARE(printed(page, Tier::Gateway),
             QStringLiteral(
                 "free-plan, plan is free, per api_key, 120 per minute, burst 120, enforce\n"
                 "pro-plan, plan is pro, per api_key, 600 per minute, burst 100, enforce, 1 "
                 "override\n"
                 "enterprise-plan, plan is enterprise, per api_key, 3,000 per minute, burst 500, "
                 "enforce"));
    QCOMPARE(printed(page, Tier::Endpoint),
             QStringLiteral(
                 "search, GET, HEAD  /search/**, per api_key, 120 per minute, enforce\n"
                 "login, POST  /login, per client_ip, 20 per hour, exact, enforce\n"
                 "sms, POST  /sms/send, one bucket for all, 10 per second, queue 20, enforce\n"
                 "exports, /exports/**, per tenant, 4 in flight, enforce"));
    QCOMPARE(printed(page, Tier::Tenant),
             QStringLiteral("tenant-total, every request, per tenant, 50 per second, burst 200, "
                            "enforce\n"
                            "tenant-in-flight, every request, per tenant, 50 in flight, shadow"));
    QCOMPARE(lane(page, Tier::Tenant).accessibleName(), QStringLiteral("Tier tenant, 2 rules"));
    QCOMPARE(page.selectedRule(), QStringLiteral("per-address"));
    const QStringList nameless = namelessWidgets(page);
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char(';'))));
    QTRY_VERIFY(!page.faces().lab().isBusy());
    fixture.pictures(QStringLiteral("board"));
}

void TestBoard::aClickSelects()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    LaneView& tenant = lane(page, Tier::Tenant);
    QTest::mouseClick(tenant.viewport(), Qt::LeftButton, Qt::NoModifier,
                      tenant.visualRect(tenant.model()->index(0, 0)).center());
    QCOMPARE(page.selectedRule(), QStringLiteral("tenant-total"));
    QVERIFY(page.faces().form().sentence().startsWith(
        QLatin1String("A tenant may burst 200, then 50 per second.")));
    QVERIFY(!lane(page, Tier::Edge).currentIndex().isValid());
}

void TestBoard::keysWalk()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    page.faces().board().focusCard();
    LaneView& edge = lane(page, Tier::Edge);
    LaneView& gateway = lane(page, Tier::Gateway);
    QVERIFY(edge.hasFocus());
    QTest::keyClick(&edge, Qt::Key_Right);
    QVERIFY(gateway.hasFocus());
    QCOMPARE(page.selectedRule(), QStringLiteral("free-plan"));
    QTest::keyClick(&gateway, Qt::Key_Down);
    QCOMPARE(page.selectedRule(), QStringLiteral("pro-plan"));
    QTest::keyClick(&gateway, Qt::Key_Right);
    QCOMPARE(page.selectedRule(), QStringLiteral("login"));
    QTest::keyClicks(&lane(page, Tier::Endpoint), QStringLiteral("ex"));
    QCOMPARE(page.selectedRule(), QStringLiteral("exports"));
    QTest::keyClick(&lane(page, Tier::Endpoint), Qt::Key_Return);
    QCOMPARE(QApplication::focusWidget()->accessibleName(), QStringLiteral("Name"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(lane(page, Tier::Endpoint).hasFocus());
}

void TestBoard::rulesMoveByKeys()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    page.selectRule(QStringLiteral("pro-plan"));
    page.faces().board().focusCard();
    LaneView& gateway = lane(page, Tier::Gateway);
    QTest::keyClick(&gateway, Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(names(page, Tier::Gateway), rules("pro-plan free-plan enterprise-plan"));
    QTest::keyClick(&gateway, Qt::Key_Right, Qt::AltModifier);
    QCOMPARE(names(page, Tier::Gateway), rules("free-plan enterprise-plan"));
    QCOMPARE(names(page, Tier::Endpoint), rules("search login sms exports pro-plan"));
    QVERIFY(lane(page, Tier::Endpoint).hasFocus());
    QCOMPARE(page.selectedRule(), QStringLiteral("pro-plan"));
    Document& document = fixture.session().document();
    QVERIFY(document.currentText().find("# 100 at once from rest, then 10 a second")
            != std::string::npos);
    document.text().undo();
    document.text().undo();
    document.checkNow();
    QCOMPARE(names(page, Tier::Gateway), rules("free-plan pro-plan enterprise-plan"));
    QVERIFY(!document.isModified());
}

void TestBoard::rulesMoveByDrag()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    LaneView& tenant = lane(page, Tier::Tenant);
    drop(tenant, QStringLiteral("search"), {20, 4});
    QCOMPARE(names(page, Tier::Tenant), rules("search tenant-total tenant-in-flight"));
    QCOMPARE(names(page, Tier::Endpoint), rules("login sms exports"));
    QCOMPARE(page.selectedRule(), QStringLiteral("search"));
    drop(tenant, QStringLiteral("search"), {20, tenant.viewport()->height() - 2});
    QCOMPARE(names(page, Tier::Tenant), rules("tenant-total tenant-in-flight search"));
    const std::string before = fixture.session().document().currentText();
    drop(tenant, QStringLiteral("search"), {20, tenant.viewport()->height() - 2});
    drop(tenant, QStringLiteral("nobody"), {20, 4});
    QCOMPARE(fixture.session().document().currentText(), before);
}

void TestBoard::rulesComeAndGo()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    QTest::mouseClick(named<QToolButton>(page, QStringLiteral("Add a rule to tenant")),
                      Qt::LeftButton);
    QCOMPARE(names(page, Tier::Tenant), rules("tenant-total tenant-in-flight new-rule"));
    QCOMPARE(page.selectedRule(), QStringLiteral("new-rule"));
    // The name has the focus, selected, to be typed over.
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("spare"));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(names(page, Tier::Tenant), rules("tenant-total tenant-in-flight spare"));
    QCOMPARE(page.selectedRule(), QStringLiteral("spare"));
    fixture.trigger(ActionId::DuplicateRule);
    QCOMPARE(names(page, Tier::Tenant), rules("tenant-total tenant-in-flight spare spare-copy"));
    page.faces().board().focusCard();
    QTest::keyClick(&lane(page, Tier::Tenant), Qt::Key_Delete);
    QCOMPARE(names(page, Tier::Tenant), rules("tenant-total tenant-in-flight spare"));
    QCOMPARE(page.selectedRule(), QStringLiteral("spare"));
    Document& document = fixture.session().document();
    QVERIFY(policies::read("p.yaml", document.currentText()).policy);
    while (document.text().isUndoAvailable()) {
        document.text().undo();
    }
    document.checkNow();
    QCOMPARE(names(page, Tier::Tenant), rules("tenant-total tenant-in-flight"));
    QVERIFY(!document.isModified());
}

void TestBoard::modes()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    page.selectRule(QStringLiteral("search"));
    fixture.trigger(ActionId::Shadow);
    QVERIFY(printed(page, Tier::Endpoint)
                .startsWith(QLatin1String(
                    "search, GET, HEAD  /search/**, per api_key, 120 per minute, shadow")));
    QVERIFY(
        page.faces().form().sentence().startsWith(QLatin1String("In shadow: for GET and HEAD")));
    fixture.trigger(ActionId::Off);
    QVERIFY(page.faces().form().sentence().startsWith(QLatin1String("Off. Would be: for GET")));
    fixture.trigger(ActionId::Enforce);
    Document& document = fixture.session().document();
    QCOMPARE(document.bytes(), document.savedBytes());
}

void TestBoard::spaceOpensTheModes()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    page.selectRule(QStringLiteral("search"));
    page.faces().board().focusCard();
    QTimer::singleShot(100, [] {
        QWidget* const menu = QApplication::activePopupWidget();
        QVERIFY(menu != nullptr);
        QTest::keyClick(menu, Qt::Key_Down); // from enforce to shadow
        QTest::keyClick(menu, Qt::Key_Return);
    });
    QTest::keyClick(&lane(page, Tier::Endpoint), Qt::Key_Space);
    QTRY_VERIFY(printed(page, Tier::Endpoint).contains(QLatin1String("120 per minute, shadow")));
}

void TestBoard::staysWhileTheTextIsBroken()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    Document& document = fixture.session().document();
    QTextCursor(&document.text()).insertText(QStringLiteral("a: [\n"));
    document.checkNow();
    QVERIFY(!page.faces().board().isEnabled());
    QCOMPARE(names(page, Tier::Tenant), rules("tenant-total tenant-in-flight"));
    QVERIFY2(page.banners().plainText().contains(QLatin1String("cannot be read")),
             qPrintable(page.banners().plainText()));
    QVERIFY(!page.can(ActionId::NewRule));
    fixture.pictures(QStringLiteral("board-broken"));
    document.text().undo();
    document.checkNow();
    QVERIFY(page.faces().board().isEnabled());
    QVERIFY(page.banners().plainText().isEmpty());
}

void TestBoard::showsRulesWithErrors()
{
    Fixture fixture;
    AuthorPage& page = openText(
        fixture,
        "weir: 1\nname: p\ntiers:\n  endpoint:\n    - name: sms\n      match: { path: /sms/send }\n"
        "      key: []\n      algorithm: leaky_bucket\n      rate: 10/s\n      ques: 20\n"
        "    - name: ok\n      key: [user]\n      algorithm: fixed_window\n      rate: 5/min\n");
    const QString cards = printed(page, Tier::Endpoint);
    QVERIFY2(cards.startsWith(QLatin1String("sms, /sms/send, one bucket for all, ")),
             qPrintable(cards));
    QVERIFY2(cards.contains(QLatin1String("error")), qPrintable(cards));
    QVERIFY2(cards.contains(QLatin1String("\nok, every request, per user, 5 per minute, enforce")),
             qPrintable(cards));
    // Faces work on, beside the mistake.
    page.selectRule(QStringLiteral("ok"));
    fixture.trigger(ActionId::Shadow);
    QVERIFY(printed(page, Tier::Endpoint).contains(QLatin1String("5 per minute, shadow")));
    page.selectRule(QStringLiteral("sms"));
    fixture.pictures(QStringLiteral("board-error"));
}

void TestBoard::emptyLanesSayWhatToDo()
{
    Fixture fixture;
    AuthorPage& page = openText(fixture, "weir: 1\nname: p\ntiers: {}\n");
    QCOMPARE(page.selectedRule(), QString());
    fixture.pictures(QStringLiteral("board-no-rules"));
    fixture.trigger(ActionId::NewRule);
    QCOMPARE(names(page, Tier::Gateway), rules("new-rule"));
    QCOMPARE(fixture.session().document().checkNow().errors(), std::size_t {0});
}

void TestBoard::hostileNames()
{
    Fixture fixture;
    const std::string hostile = "<b>bold</b>\\e[31m\\u202E" + std::string(65536, 'x');
    AuthorPage& page = openText(
        fixture,
        "weir: 1\nname: p\ntiers:\n  edge:\n    - name: \"" + hostile
            + "\"\n      match: { \"<i>a\": \"<img src=x>\\e\" }\n      key: [\"<u>k\"]\n"
              "      algorithm: fixed_window\n      rate: 5/min\n");
    const LaneView& view = lane(page, Tier::Edge);
    QCOMPARE(view.model()->rowCount(), 1);
    const QModelIndex card = view.model()->index(0, 0);
    const QString told = card.data(Qt::AccessibleTextRole).toString();
    QVERIFY(told.startsWith(QLatin1String("<b>bold</b>\\x1b[31m")));
    QVERIFY(told.size() < 3000);
    QVERIFY(!told.contains(QChar(0x202E)));
    const QString tip = card.data(Qt::ToolTipRole).toString();
    QVERIFY(!tip.contains(QLatin1String("<b>")) && !tip.contains(QLatin1String("<img")));
    // What cannot be seen as it is, is shown escaped, and not changed by a field.
    auto* const name = named<QLineEdit>(page, QStringLiteral("Name"));
    QVERIFY(name->text().startsWith(QLatin1String("<b>bold</b>\\x1b[31m")));
    QVERIFY(!name->text().contains(QChar(0x202E)));
    QVERIFY(name->isReadOnly());
    const std::string before = fixture.session().document().currentText();
    for (QLineEdit* const field : page.faces().form().findChildren<QLineEdit*>()) {
        QVERIFY(!field->text().contains(QChar(0x1B)) && !field->text().contains(QChar(0x202E)));
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
    }
    QCOMPARE(fixture.session().document().currentText(), before);
    QTRY_VERIFY(!page.faces().lab().isBusy());
    fixture.picture(QStringLiteral("board-hostile"), {});
}

void TestBoard::looksAsItShould()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    QTest::qWait(50);
    const QImage board = page.faces().board().grab().toImage();
    for (const QColor& hue : {theme().edge, theme().gateway, theme().endpoint, theme().tenant}) {
        QVERIFY2(shareOf(board, hue) > 0.0005, qPrintable(hue.name()));
    }
    QVERIFY(shareOf(board, theme().accent) > 0.0005); // the selected card's edge
    QVERIFY(shareOf(board, theme().shadow) > 0.0001);
    QVERIFY(shareOf(board, theme().window) > 0.2);
}

void TestBoard::manyRules()
{
    Fixture fixture;
    std::string text = "weir: 1\nname: p\ntiers:\n  edge:\n";
    for (int i = 0; i < 10'000; ++i) {
        text += "    - { name: r" + std::to_string(i)
            + ", key: [client_ip], algorithm: fixed_window, rate: 5/min, match: { path: /"
            + std::to_string(i) + " } }\n";
    }
    AuthorPage& page = openText(fixture, text);
    QTRY_COMPARE(lane(page, Tier::Edge).model()->rowCount(), 10'000);
    QTRY_COMPARE(page.faces().board().selected(), std::string("r0"));
    QElapsedTimer clock;
    clock.start();
    page.faces().refresh();
    qInfo("10,000 rules: %lld ms", clock.elapsed());
#ifndef WEIR_SANITIZES
    QVERIFY2(clock.elapsed() < 100, qPrintable(QString::number(clock.elapsed())));
#endif
}

QTEST_MAIN(TestBoard)
#include "tst_board.moc"
