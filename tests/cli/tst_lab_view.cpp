#include "app/cli/lab_view.h"

#include <QTemporaryFile>
#include <QTest>

using namespace app;
using namespace app::cli;

/// A figure that differs is said and counted: what `weir lab` ends with 1 by.
class TestLabView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatDiffersIsCountedAndShown();
    void whatIsMissingNeitherHoldsNorDiffers();
};

namespace {

std::string shown(const std::vector<LabFigure>& figures)
{
    QTemporaryFile file;
    if (!file.open()) {
        return {};
    }
    const LowArgs args;
    const Common common;
    Output out(file.handle());
    Messages messages(file.handle(), out, {});
    Context context {args, common, out, messages};
    writeFigures(context, figures);
    out.flush();
    QFile written(file.fileName());
    return written.open(QIODevice::ReadOnly) ? written.readAll().toStdString() : std::string();
}

} // namespace

void TestLabView::whatDiffersIsCountedAndShown()
{
    const PublishedFigure figure {"ii", "second-burst", "bursts", nullptr, ""};
    const ReproducedFigure seen {
        {sameText("first", "500", "500"), sameText("second", "205", "204")}, {"a note"}};
    const std::vector<LabFigure> figures {{&figure, seen}};
    QCOMPARE(differing(figures), std::size_t {1});
    QCOMPARE(shown(figures),
             std::string("(ii) second-burst: bursts\n"
                         "          expected  seen\n"
                         "  first   500       500\n"
                         "  second  205       204   DIFFERS\n"
                         "  a note\n"
                         "\n"
                         "1 of 2 figures differ\n"));
}

void TestLabView::whatIsMissingNeitherHoldsNorDiffers()
{
    const PublishedFigure figure {"vi", "ten-nodes", "nodes", nullptr, "not yet"};
    const std::vector<LabFigure> figures {{&figure, std::nullopt}};
    QCOMPARE(differing(figures), std::size_t {0});
    QVERIFY(shown(figures).find("not reproduced: not yet") != std::string::npos);
    QVERIFY(shown(figures).find("0 figures as expected; 1 not reproduced") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestLabView)
#include "tst_lab_view.moc"
