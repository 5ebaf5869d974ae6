#include "app/console/suggest/curve_chart.h"

#include "app/console/charts/painted.h"
#include "app/console/frame/values.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace app::console {

namespace {

constexpr std::size_t kPage = 5;

} // namespace

CurveChart::CurveChart(QWidget* parent)
    : QCustomPlot(parent)
{
    setAccessibleName(QStringLiteral("What a limit would cost"));
    setFocusPolicy(Qt::StrongFocus);
    setMinimumHeight(220);
    build();
    restyle();
}

void CurveChart::build()
{
    plotLayout()->clear();
    m_shares = new QCPAxisRect(this);
    m_keys = new QCPAxisRect(this);
    for (QCPAxisRect* rect : {m_shares, m_keys}) {
        rect->setAutoMargins(QCP::msNone);
        rect->setMargins({64, 22, 18, rect == m_keys ? 26 : 6});
        rect->axis(QCPAxis::atBottom)->setScaleType(QCPAxis::stLogarithmic);
        rect->axis(QCPAxis::atTop)->setVisible(false);
        rect->axis(QCPAxis::atRight)->setVisible(false);
        for (QCPAxis* axis : rect->axes()) {
            axis->setLayer(QStringLiteral("axes"));
            axis->grid()->setLayer(QStringLiteral("grid"));
        }
    }
    m_shares->axis(QCPAxis::atBottom)->setTickLabels(false);
    plotLayout()->addElement(0, 0, m_shares);
    plotLayout()->addElement(1, 0, m_keys);
    plotLayout()->setRowStretchFactor(0, 1.4);
    plotLayout()->setRowSpacing(0);
    m_shareGraph = addGraph(m_shares->axis(QCPAxis::atBottom), m_shares->axis(QCPAxis::atLeft));
    m_keyGraph = addGraph(m_keys->axis(QCPAxis::atBottom), m_keys->axis(QCPAxis::atLeft));
    m_over = new Painted(this, QStringLiteral("overlay"),
                         [this](QCPPainter& painter) { paintOver(painter); });
}

void CurveChart::setCurve(RuleCurve curve)
{
    m_curve = std::move(curve);
    m_current.reset();
    for (std::size_t i = 0; i < m_curve.points.size(); ++i) {
        if (m_curve.points[i].isNow || !m_current) {
            m_current = m_curve.points[i].isNow ? i : m_current.value_or(0);
        }
    }
    restyle();
}

void CurveChart::clear()
{
    setCurve({});
}

void CurveChart::setLogScale(bool isLog)
{
    m_isLog = isLog;
    restyle();
}

void CurveChart::setCurrent(std::size_t point)
{
    if (point >= m_curve.points.size()) {
        return;
    }
    m_current = point;
    const CurvePoint& at = m_curve.points[point];
    setAccessibleDescription(QStringLiteral("Candidate %1: %2 rejected, %3 keys")
                                 .arg(shown(at.value), countText(at.requests), countText(at.keys)));
    replot(QCustomPlot::rpQueuedReplot);
}

void CurveChart::choose(std::size_t point)
{
    if (point < m_curve.points.size() && point != m_current) {
        setCurrent(point);
        Q_EMIT chosen(point);
    }
}

/// The candidate that lies nearest to a place of the axis.
void CurveChart::chooseAt(double x)
{
    const QCPAxis* axis = m_shares->axis(QCPAxis::atBottom);
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < m_curve.points.size(); ++i) {
        const double far
            = std::abs(axis->coordToPixel(static_cast<double>(m_curve.points[i].limit)) - x);
        if (far < least) {
            least = far;
            nearest = i;
        }
    }
    choose(nearest);
}

void CurveChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !m_curve.points.empty()) {
        m_isDragging = true;
        chooseAt(event->position().x());
    }
    setFocus();
}

void CurveChart::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isDragging) {
        chooseAt(event->position().x());
    }
}

void CurveChart::mouseReleaseEvent(QMouseEvent*)
{
    m_isDragging = false;
}

void CurveChart::keyPressEvent(QKeyEvent* event)
{
    const std::size_t last = m_curve.points.empty() ? 0 : m_curve.points.size() - 1;
    const std::size_t at = m_current.value_or(0);
    switch (event->key()) {
    case Qt::Key_Left:
        choose(at == 0 ? 0 : at - 1);
        break;
    case Qt::Key_Right:
        choose(std::min(last, at + 1));
        break;
    case Qt::Key_PageUp:
        choose(std::min(last, at + kPage));
        break;
    case Qt::Key_PageDown:
        choose(at < kPage ? 0 : at - kPage);
        break;
    case Qt::Key_Home:
        choose(0);
        break;
    case Qt::Key_End:
        choose(last);
        break;
    default:
        QCustomPlot::keyPressEvent(event);
    }
}

void CurveChart::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_shareGraph != nullptr) {
        restyle();
    }
}

void CurveChart::focusInEvent(QFocusEvent* event)
{
    QCustomPlot::focusInEvent(event);
    replot(QCustomPlot::rpQueuedReplot);
}

void CurveChart::focusOutEvent(QFocusEvent* event)
{
    QCustomPlot::focusOutEvent(event);
    replot(QCustomPlot::rpQueuedReplot);
}

bool CurveChart::savePicture(const QString& path)
{
    return path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive) ? savePdf(path)
                                                                     : savePng(path, 0, 0, 2.0);
}

} // namespace app::console
