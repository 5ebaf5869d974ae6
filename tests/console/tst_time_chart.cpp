#include "app/console/charts/legend.h"
#include "app/console/charts/span_strip.h"
#include "app/console/charts/time_chart.h"
#include "app/console/look/theme.h"
#include "tests/console/console_fixture.h"

#include <QClipboard>
#include <QWheelEvent>

using namespace app::console;

class TestTimeChart : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void wheelZoomsAtThePointer();
    void shiftAndWheelPan();
    void draggingPansAndClickingSetsTheLine();
    void controlAndDragSelect();
    void keysMoveTheLineAndTheRange();
    void viewNeverLeavesTheLimits();
    void labelSaysWhatIsThere();
    void hiddenSeriesAreNowhere();
    void tableHasGapsAndIsCopied();
    void linesAreDrawnInTheirColours();
    void stripMovesAndResizesItsFrame();
    void legendHidesBySpace();

private:
    [[nodiscard]] QPoint at(double part, std::size_t band = 0) const;
    void wheel(const QPoint& place, int clicks, Qt::KeyboardModifiers modifiers = {});

    std::unique_ptr<TimeChart> m_chart;
};

namespace {

constexpr std::int64_t kFirst = 1'700'000'040;
constexpr std::int64_t kSpan = 3'600;

/// An hour by the second with ten in each; nothing from 1,000 s to 2,000 s, which is a gap.
ChartData data()
{
    ChartSeries requests {QStringLiteral("requests"), Mark::Offered};
    ChartSeries rejected {QStringLiteral("rejected"), Mark::Rejected};
    for (std::int64_t second = 0; second < kSpan; ++second) {
        if (second < 1'000 || second >= 2'000) {
            requests.samples.push_back({kFirst + second, 100});
            rejected.samples.push_back({kFirst + second, second == 500 ? 40.0 : 10.0});
        }
    }
    ChartBand edge;
    edge.name = QStringLiteral("edge");
    edge.tier = engine::Tier::Edge;
    edge.series = {requests, rejected};
    ChartBand tenant = edge;
    tenant.name = QStringLiteral("tenant");
    tenant.tier = engine::Tier::Tenant;
    return {{edge, tenant}, {1, 900}, QStringLiteral("per second")};
}

} // namespace

void TestTimeChart::initTestCase()
{
    applyTheme(*qApp, ThemeChoice::Light);
}

void TestTimeChart::init()
{
    m_chart = std::make_unique<TimeChart>(QStringLiteral("Requests"));
    m_chart->resize(900, 300);
    m_chart->setLimits(kFirst, kFirst + kSpan);
    m_chart->setData(data());
    m_chart->show();
    m_chart->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(m_chart.get()));
    m_chart->setFocus();
    QTest::qWait(20);
}

/// A place within a band, from 0 at its left to 1 at its right.
QPoint TestTimeChart::at(double part, std::size_t band) const
{
    const QRect rect = m_chart->axisRect(static_cast<int>(band))->rect();
    return {rect.left() + static_cast<int>(part * rect.width()), rect.center().y()};
}

void TestTimeChart::wheel(const QPoint& place, int clicks, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(place, m_chart->mapToGlobal(QPointF(place)), {}, {0, clicks * 120},
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(m_chart.get(), &event);
}

void TestTimeChart::wheelZoomsAtThePointer()
{
    QSignalSpy changed(m_chart.get(), &TimeChart::viewChanged);
    wheel(at(0.25), 4);
    const View view = m_chart->view();
    QCOMPARE(changed.size(), 1);
    QVERIFY(view.to - view.from < 1'600);
    const double there = view.from + 0.25 * (view.to - view.from);
    QVERIFY(std::abs(there - (kFirst + kSpan * 0.25)) < 10);
}

void TestTimeChart::shiftAndWheelPan()
{
    m_chart->setView(kFirst + 1'000, kFirst + 1'800);
    wheel(at(0.5), -1, Qt::ShiftModifier);
    QCOMPARE(m_chart->view().from, kFirst + 1'100.0);
    QCOMPARE(m_chart->view().to, kFirst + 1'900.0);
}

void TestTimeChart::draggingPansAndClickingSetsTheLine()
{
    m_chart->setView(kFirst + 1'000, kFirst + 1'800);
    const QPoint from = at(0.5);
    const QPoint to = at(0.25);
    QTest::mousePress(m_chart.get(), Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, m_chart->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     {});
    QApplication::sendEvent(m_chart.get(), &move);
    QTest::mouseRelease(m_chart.get(), Qt::LeftButton, {}, to);
    QVERIFY(std::abs(m_chart->view().from - (kFirst + 1'200)) < 5);
    QVERIFY(!m_chart->line());
    QTest::mouseClick(m_chart.get(), Qt::LeftButton, {}, at(0.5));
    QVERIFY(m_chart->line().has_value());
    QVERIFY(std::abs(static_cast<double>(*m_chart->line() - kFirst) - 1'600) < 5);
    QTest::mouseDClick(m_chart.get(), Qt::LeftButton, {}, at(0.5));
    QCOMPARE(m_chart->view().from, static_cast<double>(kFirst));
}

void TestTimeChart::controlAndDragSelect()
{
    QSignalSpy selected(m_chart.get(), &TimeChart::rangeChanged);
    const QPoint to = at(0.5);
    QTest::mousePress(m_chart.get(), Qt::LeftButton, Qt::ControlModifier, at(0.25));
    QMouseEvent move(QEvent::MouseMove, to, m_chart->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::ControlModifier);
    QApplication::sendEvent(m_chart.get(), &move);
    QTest::mouseRelease(m_chart.get(), Qt::LeftButton, Qt::ControlModifier, to);
    QCOMPARE(selected.size(), 1);
    QVERIFY(std::abs(static_cast<double>(m_chart->range()->first - kFirst) - 900) < 10);
    QVERIFY(std::abs(static_cast<double>(m_chart->range()->second - kFirst) - 1'800) < 10);
    QCOMPARE(m_chart->view().from, static_cast<double>(kFirst)); // it does not pan
    QTest::keyClick(m_chart.get(), Qt::Key_Escape);
    QVERIFY(!m_chart->range());
    QCOMPARE(selected.size(), 2);
}

void TestTimeChart::keysMoveTheLineAndTheRange()
{
    QTest::keyClick(m_chart.get(), Qt::Key_Right); // there was none: the middle
    const std::int64_t middle = kFirst + kSpan / 2;
    QCOMPARE(m_chart->line(), std::optional(middle));
    QTest::keyClick(m_chart.get(), Qt::Key_Left);
    QTest::keyClick(m_chart.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(m_chart->line(), std::optional(middle + 9));
    QTest::keyClick(m_chart.get(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(*m_chart->range(), (TimeChart::Range {middle + 8, middle + 10}));
    QSignalSpy asked(m_chart.get(), &TimeChart::binAsked);
    QTest::keyClick(m_chart.get(), Qt::Key_Return);
    QCOMPARE(asked.at(0).at(0).toLongLong(), middle + 8);
    QTest::keyClick(m_chart.get(), Qt::Key_Escape);
    QTest::keyClick(m_chart.get(), Qt::Key_Escape);
    QVERIFY(!m_chart->range() && !m_chart->line());
    QTest::keyClick(m_chart.get(), Qt::Key_Plus);
    QCOMPARE(m_chart->view().to - m_chart->view().from, kSpan / 2.0);
    QTest::keyClick(m_chart.get(), Qt::Key_Home);
    QCOMPARE(m_chart->view().to - m_chart->view().from, static_cast<double>(kSpan));
}

void TestTimeChart::viewNeverLeavesTheLimits()
{
    m_chart->setView(kFirst - 500, kFirst + 100);
    QCOMPARE(m_chart->view().from, static_cast<double>(kFirst));
    QCOMPARE(m_chart->view().to, kFirst + 600.0);
    m_chart->setView(kFirst + 3'500, kFirst + 9'999'999);
    QCOMPARE(m_chart->view().from, static_cast<double>(kFirst));
    QCOMPARE(m_chart->view().to, static_cast<double>(kFirst + kSpan));
    for (int i = 0; i < 60; ++i) {
        m_chart->zoom(2);
    }
    QVERIFY(m_chart->view().to - m_chart->view().from >= 10);
}

void TestTimeChart::labelSaysWhatIsThere()
{
    m_chart->setLine(kFirst + 500);
    QCOMPARE(m_chart->hoverText()->plainText(),
             QStringLiteral("22:22:20, edge, per second: requests 100, rejected 40"));
    QCOMPARE(m_chart->accessibleDescription(), m_chart->hoverText()->plainText());
    QTest::keyClick(m_chart.get(), Qt::Key_Down);
    QVERIFY(m_chart->hoverText()->title.endsWith(QStringLiteral("tenant")));
    m_chart->setLine(kFirst + 1'500); // in the gap
    QVERIFY(!m_chart->hoverText());
    QTest::mouseMove(m_chart.get(), at(0.9, 0));
    QMouseEvent move(QEvent::MouseMove, at(0.9), m_chart->mapToGlobal(at(0.9)), Qt::NoButton,
                     Qt::NoButton, {});
    QApplication::sendEvent(m_chart.get(), &move);
    QVERIFY(m_chart->hoverText()->title.endsWith(QStringLiteral("edge")));
}

void TestTimeChart::hiddenSeriesAreNowhere()
{
    m_chart->setLine(kFirst + 500);
    const double before = m_chart->axisRect(0)->axis(QCPAxis::atLeft)->range().upper;
    m_chart->setSeriesHidden(QStringLiteral("requests"), true);
    QCOMPARE(m_chart->hoverText()->values.size(), 1U);
    QVERIFY(m_chart->axisRect(0)->axis(QCPAxis::atLeft)->range().upper < before); // y follows
    m_chart->setSeriesHidden(QStringLiteral("requests"), false);
    QCOMPARE(m_chart->axisRect(0)->axis(QCPAxis::atLeft)->range().upper, before);
    QCOMPARE(m_chart->axisRect(1)->axis(QCPAxis::atLeft)->range().upper, before); // heights compare
}

void TestTimeChart::tableHasGapsAndIsCopied()
{
    m_chart->setView(kFirst + 990, kFirst + 1'010);
    const app::FigureTable table = m_chart->visibleTable();
    QCOMPARE(table.rows.size(), 10U); // the gap has no rows
    QCOMPARE(table.columns.size(), 5U);
    QCOMPARE(table.rows[0].cells[1].count, 100U);
    m_chart->copy();
    QVERIFY(QApplication::clipboard()->text().startsWith(
        QStringLiteral("Time\tedge requests\tedge rejected\t")));
}

void TestTimeChart::linesAreDrawnInTheirColours()
{
    QTest::qWait(50);
    const QImage picture = m_chart->grab().toImage();
    QVERIFY(tests::console::shareOf(picture, theme().rejected) > 0.001);
    QVERIFY(tests::console::shareOf(picture, theme().offered) > 0.001);
    QVERIFY(tests::console::shareOf(picture, theme().edge) > 0.0005); // the tier's bar
    // Between 1,000 s and 2,000 s there is nothing but grid.
    const QRect gap(at(0.30), at(0.53));
    const QImage inner = picture.copy(gap.left(), 0, gap.width(), picture.height());
    QCOMPARE(tests::console::shareOf(inner, theme().rejected), 0.0);
}

void TestTimeChart::stripMovesAndResizesItsFrame()
{
    SpanStrip strip(QStringLiteral("All"));
    strip.resize(900, 70);
    strip.setData(data().bands[0].series, {1, 900}, kFirst, kFirst + kSpan);
    strip.setFrame(kFirst + 900, kFirst + 1'800);
    strip.show();
    QVERIFY(QTest::qWaitForWindowExposed(&strip));
    QSignalSpy moved(&strip, &SpanStrip::frameMoved);
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(strip.from(), kFirst + 990.0);
    QTest::keyClick(&strip, Qt::Key_Home);
    QCOMPARE(strip.to() - strip.from(), static_cast<double>(kSpan));
    QCOMPARE(moved.size(), 2);
    strip.setFrame(kFirst + 900, kFirst + 1'800);
    // A click beside the frame brings it there.
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(strip.width() - 60, 20));
    QVERIFY(strip.from() > kFirst + 1'800);
    QCOMPARE(strip.to() - strip.from(), 900.0);
    QVERIFY(tests::console::shareOf(strip.grab().toImage(), theme().accent) > 0.002);
}

void TestTimeChart::legendHidesBySpace()
{
    Legend legend(false);
    legend.setEntries({{QStringLiteral("requests"), Mark::Offered, Dash::Solid},
                       {QStringLiteral("rejected"), Mark::Rejected, Dash::Solid}});
    legend.show();
    QVERIFY(QTest::qWaitForWindowExposed(&legend));
    QSignalSpy hidden(&legend, &Legend::hiddenChanged);
    const QList<LegendEntry*> entries = legend.findChildren<LegendEntry*>();
    QCOMPARE(entries.size(), 2);
    QTest::keyClick(entries[1], Qt::Key_Space);
    QCOMPARE(hidden.at(0).at(0).toString(), QStringLiteral("rejected"));
    QCOMPARE(hidden.at(0).at(1).toBool(), true);
    QTest::mouseClick(entries[1], Qt::LeftButton);
    QCOMPARE(hidden.at(1).at(1).toBool(), false);
}

QTEST_MAIN(TestTimeChart)
#include "tst_time_chart.moc"
