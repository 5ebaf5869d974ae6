#include "app/console/explain/fill_chart.h"

#include "app/console/explain/visit_model.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace app::console {

namespace {

constexpr int kLeft = 54;
constexpr int kRight = 16;
constexpr int kTop = 16;
constexpr int kMarks = 14; // room for the marks above the zero line's labels

/// A step of the clock that is at least so long.
std::int64_t stepFrom(std::int64_t least)
{
    constexpr std::array<std::int64_t, 21> kSteps {
        1'000'000,   2'000'000,   5'000'000, 10'000'000, 20'000'000, 50'000'000,   100'000'000,
        200'000'000, 500'000'000, kNs,       2 * kNs,    5 * kNs,    15 * kNs,     30 * kNs,
        60 * kNs,    120 * kNs,   300 * kNs, 900 * kNs,  3600 * kNs, 10'800 * kNs, 21'600 * kNs};
    const auto found = std::lower_bound(kSteps.begin(), kSteps.end(), least);
    constexpr std::int64_t kDay = 86'400 * kNs;
    return found != kSteps.end() ? *found : (least / kDay + 1) * kDay;
}

} // namespace

FillChart::FillChart(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(QStringLiteral("State of the rule for this key"));
}

void FillChart::setVisits(std::vector<KeyVisit> visits, std::vector<KeyState> states,
                          engine::Tier tier)
{
    m_visits = std::move(visits);
    m_states = std::move(states);
    m_tier = tier;
    m_current = static_cast<int>(m_visits.size()) - 1;
    update();
}

void FillChart::setCurrent(int visit)
{
    if (visit != m_current && visit >= 0 && visit < static_cast<int>(m_visits.size())) {
        m_current = visit;
        const KeyVisit& at = m_visits[static_cast<std::size_t>(visit)];
        setAccessibleDescription(QStringLiteral("%1: %2").arg(
            momentText(at.atNs, TimeForm::Millisecond), visitText(at)));
        update();
    }
}

QRect FillChart::plot() const
{
    const int labels = QFontMetrics(fontOf(Type::Axis)).height() + 4;
    return rect().adjusted(kLeft, kTop, -kRight, -labels - kMarks);
}

std::int64_t FillChart::firstNs() const
{
    const std::int64_t visit = m_visits.front().atNs;
    return m_states.empty() ? visit : std::min(visit, m_states.front().atNs);
}

double FillChart::xOf(std::int64_t ns) const
{
    const std::int64_t first = firstNs();
    const std::int64_t span = std::max<std::int64_t>(1, m_visits.back().atNs - first);
    const double share = static_cast<double>(ns - first) / static_cast<double>(span);
    return plot().left() + 8 + share * (plot().width() - 16);
}

double FillChart::yOf(double used) const
{
    const auto most = static_cast<double>(std::max<std::int64_t>(1, m_visits.back().capacity));
    double top = most;
    for (const KeyVisit& visit : m_visits) {
        top = std::max(top, static_cast<double>(std::max(visit.before, visit.after)));
    }
    return plot().bottom() - used / top * plot().height();
}

void FillChart::paintGrid(QPainter& painter) const
{
    const Theme& t = theme();
    const QRect area = plot();
    const std::int64_t capacity = m_visits.back().capacity;
    painter.setFont(fontOf(Type::Axis));
    const int height = QFontMetrics(fontOf(Type::Axis)).height();
    std::vector<std::int64_t> levels {0, capacity};
    if (capacity >= 2 && area.height() > 3 * height) {
        levels.insert(levels.begin() + 1, capacity / 2);
    }
    for (const std::int64_t level : levels) {
        const int y = static_cast<int>(yOf(static_cast<double>(level)));
        painter.setPen(t.grid);
        painter.drawLine(area.left(), y, area.right(), y);
        painter.setPen(t.text2);
        painter.drawText(QRect(0, y - height / 2, kLeft - 6, height), Qt::AlignRight,
                         countText(static_cast<std::uint64_t>(level)));
    }
    const std::int64_t first = firstNs();
    const std::int64_t span = m_visits.back().atNs - first;
    const int fits = std::max(1, area.width() / 110);
    const std::int64_t step = stepFrom(std::max<std::int64_t>(1, span / fits));
    const int top = area.bottom() + kMarks + 2;
    for (std::int64_t at = (first / step + (first % step > 0 ? 1 : 0)) * step;
         at <= m_visits.back().atNs; at += step) {
        const int x = static_cast<int>(xOf(at));
        painter.setPen(t.grid);
        painter.drawLine(x, area.top(), x, area.bottom());
        painter.setPen(t.text2);
        const QString label = momentText(at, step < kNs ? TimeForm::Millisecond : TimeForm::Second);
        const int wide = QFontMetrics(fontOf(Type::Axis)).horizontalAdvance(label) + 2;
        const int left = std::min(x - wide / 2, width() - wide - 2); // the last one stays within
        painter.drawText(QRect(left, top, wide, height), Qt::AlignHCenter, label);
    }
}

void FillChart::paintState(QPainter& painter) const
{
    const Theme& t = theme();
    const std::array<QColor, 4> hues {t.edge, t.gateway, t.endpoint, t.tenant};
    const QColor hue = hues.at(static_cast<std::size_t>(m_tier));
    const auto limit = yOf(static_cast<double>(m_visits.back().capacity));
    QPen dashed(hue, 1.5);
    dashed.setDashPattern({4, 2});
    painter.setPen(dashed);
    painter.drawLine(QPointF(plot().left(), limit), QPointF(plot().right(), limit));
    painter.setPen(t.text2);
    painter.drawText(QPointF(plot().left() + 4, limit - 4),
                     QStringLiteral("limit %1")
                         .arg(countText(static_cast<std::uint64_t>(m_visits.back().capacity))));
    painter.setPen(QPen(hue, 1.2));
    QPolygonF line;
    for (const KeyState& state : m_states) {
        line << QPointF(xOf(state.atNs), yOf(static_cast<double>(state.used)));
    }
    if (m_states.empty()) {
        for (const KeyVisit& visit : m_visits) {
            const double x = xOf(visit.atNs);
            line << QPointF(x, yOf(static_cast<double>(visit.before)))
                 << QPointF(x, yOf(static_cast<double>(visit.after)));
        }
    }
    painter.drawPolyline(line);
}

void FillChart::paintVisits(QPainter& painter) const
{
    const double y = plot().bottom() + kMarks / 2.0;
    double last = -10;
    bool wasAdmitted = false;
    for (const KeyVisit& visit : m_visits) {
        const double x = xOf(visit.atNs);
        if (x - last < 1 && wasAdmitted == visit.isAdmitted) {
            continue; // not more than one mark of a kind in a column of pixels
        }
        paintMark(painter, QRectF(x - 4, y - 4, 8, 8),
                  visit.isAdmitted ? Mark::Admitted : Mark::Rejected);
        last = x;
        wasAdmitted = visit.isAdmitted;
    }
}

void FillChart::paintLine(QPainter& painter) const
{
    if (m_current < 0) {
        return;
    }
    const Theme& t = theme();
    const KeyVisit& visit = m_visits[static_cast<std::size_t>(m_current)];
    const double x = xOf(visit.atNs);
    QPen dotted(t.text, 1);
    dotted.setDashPattern({1, 2});
    painter.setPen(dotted);
    painter.drawLine(QPointF(x, plot().top() - 6), QPointF(x, plot().bottom() + kMarks));
    const bool isLast = m_current + 1 == static_cast<int>(m_visits.size());
    const QString label
        = isLast ? QStringLiteral("this request") : QStringLiteral("n %1").arg(countText(visit.n));
    QFont font = fontOf(Type::Axis);
    font.setBold(true);
    painter.setFont(font);
    const int width = QFontMetrics(font).horizontalAdvance(label);
    const bool isLeft = x + width + 10 > this->plot().right();
    const QRectF place(isLeft ? x - width - 6 : x + 6, plot().bottom() - 20, width, 14);
    painter.fillRect(place.adjusted(-2, 0, 2, 0), t.base);
    painter.setPen(t.text);
    painter.drawText(place, Qt::AlignCenter, label);
}

void FillChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (hasFocus()) {
        painter.setPen(QPen(theme().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
    if (m_visits.empty()) {
        return;
    }
    paintGrid(painter);
    paintState(painter);
    paintVisits(painter);
    paintLine(painter);
}

void FillChart::choose(int visit)
{
    const int before = m_current;
    setCurrent(visit);
    if (m_current != before) {
        Q_EMIT currentChanged(m_current);
    }
}

void FillChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_visits.empty()) {
        return;
    }
    int nearest = 0;
    for (int i = 1; i < static_cast<int>(m_visits.size()); ++i) {
        const auto away = [&](int at) {
            return std::abs(xOf(m_visits[static_cast<std::size_t>(at)].atNs)
                            - event->position().x());
        };
        nearest = away(i) < away(nearest) ? i : nearest;
    }
    choose(nearest);
}

void FillChart::keyPressEvent(QKeyEvent* event)
{
    const bool isPlain = event->modifiers() == Qt::NoModifier;
    if (isPlain && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
        choose(m_current + (event->key() == Qt::Key_Left ? -1 : 1));
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace app::console
