#pragma once

#include "app/workbench/key_episodes.h"

#include <QWidget>

#include <cstdint>
#include <vector>

namespace app::console {

/// When a key was denied, over the time in which it was judged: a bar for each episode, as high as
/// the share of its requests that was denied. A click chooses the episode; the table below it says
/// the same in figures, so it takes no focus.
class EpisodeChart : public QWidget {
    Q_OBJECT

public:
    explicit EpisodeChart(QWidget* parent = nullptr);

    void setEpisodes(std::vector<KeyEpisode> episodes, std::int64_t firstNs, std::int64_t lastNs);
    void setCurrent(int episode);

    [[nodiscard]] QSize sizeHint() const override { return {400, 92}; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 92}; }

Q_SIGNALS:
    void chosen(int episode);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QRect plot() const;
    [[nodiscard]] QRectF barOf(const KeyEpisode& episode) const;

    std::vector<KeyEpisode> m_episodes;
    std::int64_t m_firstNs = 0;
    std::int64_t m_lastNs = 0;
    int m_current = -1;
};

} // namespace app::console
