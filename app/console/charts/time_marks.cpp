#include "app/console/charts/time_marks.h"

#include "app/console/charts/ticks.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QDateTime>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace app::console {

namespace {

constexpr std::int64_t kDay = 86'400;
constexpr int kPerTick = 110; ///< pixels between two times

std::int64_t stepOf(const View& view)
{
    return clockStep(view.to - view.from, std::max(view.columns / kPerTick, 2));
}

std::int64_t zoneOffset(double second)
{
    return timesInUtc()
        ? 0
        : QDateTime::fromSecsSinceEpoch(static_cast<qint64>(second)).offsetFromUtc();
}

/// With the date where a day begins and more than one is seen.
QString markText(std::int64_t second, std::int64_t step, bool isLong)
{
    const std::int64_t ns = second * kNs;
    const QString minute = momentText(ns, TimeForm::Minute);
    if (isLong && (step >= kDay || minute == QStringLiteral("00:00"))) {
        return momentText(ns, TimeForm::Date).mid(5) + QLatin1Char(' ') + minute;
    }
    return step < 60 ? momentText(ns, TimeForm::Second) : minute;
}

} // namespace

std::vector<std::int64_t> timeMarks(const View& view)
{
    return clockTicks(view.from, view.to, stepOf(view), zoneOffset(view.from));
}

int timeMarksHeight()
{
    return QFontMetrics(fontOf(Type::Axis)).height() + 8;
}

void paintTimeMarks(QPainter& painter, const View& view, int left, int top)
{
    painter.save();
    painter.setFont(fontOf(Type::Axis));
    painter.setPen(theme().text2);
    const QFontMetrics metrics(painter.font());
    const bool isLong = view.to - view.from > 1.01 * static_cast<double>(kDay);
    int free = left - kChartValues / 2; // where the label before ends
    for (const std::int64_t tick : timeMarks(view)) {
        QString text = markText(tick, stepOf(view), isLong);
        const bool isEnd = static_cast<double>(tick) > view.to - 60;
        if (isEnd && text == QStringLiteral("00:00")) {
            text = QStringLiteral("24:00");
        }
        const int width = metrics.horizontalAdvance(text);
        const double part = (static_cast<double>(tick) - view.from) / (view.to - view.from);
        const int middle = left + static_cast<int>(std::lround(part * view.columns));
        const int x = std::min(middle - width / 2, left + view.columns - width);
        if (x >= free) {
            painter.drawText(QPoint(x, top + metrics.ascent()), text);
            free = x + width + 8;
        }
    }
    painter.restore();
}

} // namespace app::console
