#include "app/console/author/author_page.h"
#include "app/console/author/board.h"
#include "app/console/author/faces.h"
#include "app/console/author/lab_panel.h"
#include "app/console/author/lane.h"
#include "app/console/author/rule_form.h"
#include "tests/console/console_fixture.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QTextDocument>

using namespace app::console;
using namespace tests::console;

namespace {

AuthorPage& openExample(Fixture& fixture, const char* name = "public-api.yaml")
{
    for (const char* lookup : {"plans.csv", "tenants.csv"}) {
        const QString copy
            = fixture.copied(QStringLiteral("policies/examples/") + QString::fromLatin1(lookup));
        Q_ASSERT(QFile::exists(copy));
    }
    const QString path
        = fixture.copied(QStringLiteral("policies/examples/") + QString::fromLatin1(name));
    fixture.window().openPolicy(path);
    fixture.session().document().checkNow();
    return fixture.show<AuthorPage>(PageId::Author);
}

QString printed(const LaneView& view)
{
    QStringList lines;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        lines << view.model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestBoard : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsTheRulesByTier();
};

void TestBoard::showsTheRulesByTier()
{
    Fixture fixture;
    AuthorPage& page = openExample(fixture);
    const Board& board = page.faces().board();
    QCOMPARE(printed(board.lane(engine::Tier::Endpoint).view()),
             QStringLiteral(
                 "search, GET, HEAD  /search/**, per api_key, 120 per minute, enforce\n"
                 "login, POST  /login, per client_ip, 20 per hour, exact, enforce\n"
                 "sms, POST  /sms/send, one bucket for all, 10 per second, queue 20, enforce\n"
                 "exports, /exports/**, per tenant, 4 in flight, enforce"));
    QTRY_VERIFY(!page.faces().lab().isBusy());
    fixture.pictures(QStringLiteral("board"));
}

QTEST_MAIN(TestBoard)
#include "tst_board.moc"
