#include "app/console/explain/episode_chart.h"

#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace app::console {

namespace {

constexpr int kLeft = 54;
constexpr int kRight = 16;
constexpr int kTop = 10;
constexpr double kLeastWidth = 3;

QString momentOf(std::int64_t ns, bool isOneDay)
{
    const QString time = momentText(ns, TimeForm::Second);
    return isOneDay ? time : momentText(ns, TimeForm::Date) + QLatin1Char(' ') + time;
}

} // namespace

EpisodeChart::EpisodeChart(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void EpisodeChart::setEpisodes(std::vector<KeyEpisode> episodes, std::int64_t firstNs,
                               std::int64_t lastNs)
{
    m_episodes = std::move(episodes);
    m_firstNs = firstNs;
    m_lastNs = lastNs;
    m_current = -1;
    setVisible(!m_episodes.empty());
    update();
}

void EpisodeChart::setCurrent(int episode)
{
    m_current = episode;
    update();
}

QRect EpisodeChart::plot() const
{
    const int labels = QFontMetrics(fontOf(Type::Axis)).height() + 6;
    return rect().adjusted(kLeft, kTop, -kRight, -labels);
}

QRectF EpisodeChart::barOf(const KeyEpisode& episode) const
{
    const QRect area = plot();
    const auto span = static_cast<double>(std::max<std::int64_t>(1, m_lastNs - m_firstNs));
    const auto xOf = [&](std::int64_t ns) {
        return area.left() + static_cast<double>(ns - m_firstNs) / span * area.width();
    };
    const double share = static_cast<double>(episode.denied)
        / static_cast<double>(std::max<std::uint64_t>(1, episode.requests));
    const double left = xOf(episode.beginNs);
    const double width = std::max(kLeastWidth, xOf(episode.endNs) - left);
    const double height = std::max(2.0, share * area.height());
    return {left, area.bottom() - height, width, height};
}

void EpisodeChart::paintEvent(QPaintEvent*)
{
    if (m_episodes.empty()) {
        return;
    }
    const Theme& t = theme();
    QPainter painter(this);
    const QRect area = plot();
    painter.setFont(fontOf(Type::Axis));
    const int height = QFontMetrics(fontOf(Type::Axis)).height();
    for (const auto& [y, text] :
         {std::pair(area.top(), QStringLiteral("100 %")), {area.bottom(), QStringLiteral("0")}}) {
        painter.setPen(t.grid);
        painter.drawLine(area.left(), y, area.right(), y);
        painter.setPen(t.text2);
        painter.drawText(QRect(0, y - height / 2, kLeft - 6, height), Qt::AlignRight, text);
    }
    double drawnTo = -1; // episodes within a pixel that is drawn already are left out
    for (std::size_t i = 0; i < m_episodes.size(); ++i) {
        const QRectF bar = barOf(m_episodes[i]);
        const bool isCurrent = static_cast<int>(i) == m_current;
        if (bar.right() <= drawnTo && !isCurrent) {
            continue;
        }
        painter.fillRect(bar, t.rejected);
        if (isCurrent) {
            painter.setPen(QPen(t.accent, 2));
            painter.drawRect(bar.adjusted(-2, -2, 2, 1));
        }
        drawnTo = std::floor(bar.right());
    }
    const bool isOneDay
        = momentText(m_firstNs, TimeForm::Date) == momentText(m_lastNs, TimeForm::Date);
    painter.setPen(t.text2);
    const QRect below(area.left(), area.bottom() + 4, area.width(), height);
    painter.drawText(below, Qt::AlignLeft, momentOf(m_firstNs, isOneDay));
    painter.drawText(below, Qt::AlignRight, momentOf(m_lastNs, isOneDay));
    painter.drawText(below, Qt::AlignHCenter,
                     QStringLiteral("share of its requests that was denied, by episode"));
}

void EpisodeChart::mousePressEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    int nearest = -1;
    double least = 0;
    for (std::size_t i = 0; i < m_episodes.size(); ++i) {
        const QRectF bar = barOf(m_episodes[i]);
        const double away = x < bar.left() ? bar.left() - x : std::max(0.0, x - bar.right());
        if (nearest < 0 || away < least) {
            nearest = static_cast<int>(i);
            least = away;
        }
    }
    if (nearest >= 0) {
        Q_EMIT chosen(nearest);
    }
}

} // namespace app::console
