#pragma once

#include "app/workbench/explain.h"
#include "app/workbench/key_states.h"

#include <QWidget>

#include <vector>

namespace app::console {

/// The state of a rule's key over time against its capacity; a mark for each request on the zero
/// line. Left and Right step from request to request. Only what the engine said is drawn; where it
/// is not known between requests, their own states are joined by straight lines.
class FillChart : public QWidget {
    Q_OBJECT

public:
    explicit FillChart(QWidget* parent = nullptr);

    /// Oldest first; the last one is the request that is explained. `states` may be empty.
    void setVisits(std::vector<KeyVisit> visits, std::vector<KeyState> states, engine::Tier tier);
    void setCurrent(int visit); ///< that has the line; without currentChanged()

    [[nodiscard]] int visits() const { return static_cast<int>(m_visits.size()); }

    [[nodiscard]] int current() const { return m_current; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 96}; }

    [[nodiscard]] QSize sizeHint() const override { return {600, 120}; }

Q_SIGNALS:
    void currentChanged(int visit);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRect plot() const;
    [[nodiscard]] std::int64_t firstNs() const;
    [[nodiscard]] double xOf(std::int64_t ns) const;
    [[nodiscard]] double yOf(double used) const;
    void paintGrid(QPainter& painter) const;
    void paintState(QPainter& painter) const;
    void paintVisits(QPainter& painter) const;
    void paintLine(QPainter& painter) const;
    void choose(int visit);

    std::vector<KeyVisit> m_visits;
    std::vector<KeyState> m_states;
    engine::Tier m_tier = engine::Tier::Edge;
    int m_current = -1;
};

} // namespace app::console
