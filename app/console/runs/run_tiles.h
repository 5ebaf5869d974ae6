#pragma once
#include "app/console/runs/run_data.h"

#include <QWidget>

#include <optional>
#include <set>
#include <vector>

class QHBoxLayout;

namespace app::console {

class Tile;

/// The seven figures of a run, and of one under conditions those that matter there. Each asks for
/// what it is about when it is clicked. Where there is no room the least worth give way.
class RunTiles : public QWidget {
    Q_OBJECT

public:
    enum Which {
        Requests,
        Admitted,
        Rejected,
        WouldBeRejected,
        Delayed,
        KeysHit,
        WorstSecondOf,
        Attempts,
        LockedOut,
        MostAdmitted
    };

    explicit RunTiles(QWidget* parent = nullptr);

    void setRun(const RunOverview& overview);
    /// Counted later than the others; nothing: nothing was rejected.
    void setWorstSecond(const std::optional<WorstSecond>& worst);

    [[nodiscard]] Tile& tile(Which which) const
    {
        return *m_tiles.at(static_cast<std::size_t>(which));
    }

Q_SIGNALS:
    void asked(app::console::RunTiles::Which which);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void setConditions(const RunOverview& overview);
    void arrange(int width);

    std::vector<Tile*> m_tiles;
    std::set<Which> m_idle; ///< that say nothing of this run
    std::set<Which> m_zero; ///< that count nothing: the first to give way
    QHBoxLayout* m_row;
};

/// What the reader of a run's figures must know first, as sentences; empty: nothing.
QString limitsOf(const storage::RunDetail& run);

/// "Run 14: pro 600, search 10".
QString titleOf(const storage::RunSummary& run);
/// "public-api 8c1f40 on edge-2026-03-10.log.gz, 2026-03-11 09:12 UTC".
QString captionOf(const storage::RunSummary& run);

} // namespace app::console
