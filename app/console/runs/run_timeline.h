#pragma once
#include "app/console/charts/time_chart.h"
#include "app/console/frame/actions.h"
#include "app/console/frame/panel.h"
#include "app/console/runs/run_data.h"
#include "app/console/session/worker.h"

#include <QTimer>

#include <memory>
#include <optional>

class QPushButton;
class QScrollArea;
class QStackedWidget;

namespace app::console {

class FigureModel;
class FigureView;
class Legend;
class Segments;
class SpanStrip;

/// A run's requests over time: all of it as a strip, and the part in the frame as bands, one for a
/// tier or a rule. Reads the level of the store that the view needs, in the background; what is
/// drawn stays until it is there.
class RunTimeline : public Panel {
    Q_OBJECT

public:
    explicit RunTimeline(const Actions& actions, QWidget* parent = nullptr);

    void setRun(const std::string& store, std::shared_ptr<const RunOverview> run);

    [[nodiscard]] TimeChart& chart() const { return *m_chart; }

    [[nodiscard]] SpanStrip& strip() const { return *m_strip; }

    [[nodiscard]] bool isByRules() const { return m_isByRules; }

    void setByRules(bool isByRules);
    void setLogScale(bool isLog);
    void setAsTable(bool isTable);
    void showTimes(); ///< in the zone that is chosen now

    [[nodiscard]] bool isAsTable() const;
    /// Shows a second in the middle of ten minutes, with the line on it.
    void goTo(std::int64_t second);

    /// The whole view as a table, for a file.
    [[nodiscard]] FigureTable table() const { return m_chart->visibleTable(); }

    [[nodiscard]] bool isBusy() const { return m_reader.isBusy() || m_patience.isActive(); }

Q_SIGNALS:
    void failed(const engine::Diagnostic& why);
    void timesShown(); ///< other data, or another view

private:
    struct Loaded {
        storage::TimelineLevel level = storage::TimelineLevel::Minute;
        bool isByRules = false;
        double from = 0;
        double to = 0;
        ChartData data;
        std::vector<ChartSeries> whole; ///< for the strip; only of a first reading
    };

    static engine::Result<Loaded> load(const std::string& store, const RunOverview& run,
                                       const RunPoints& asked, bool isByRules, bool withWhole);
    void buildHead(const Actions& actions);
    void readWhole();
    void readView();
    void take(Loaded loaded);
    void follow();
    void showCaption();
    void showTable();
    [[nodiscard]] storage::TimelineLevel wantedLevel() const;
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> limits() const;

    std::string m_store;
    std::shared_ptr<const RunOverview> m_run;
    SpanStrip* m_strip;
    TimeChart* m_chart;
    QScrollArea* m_scroll;
    QStackedWidget* m_stack;
    FigureView* m_table;
    FigureModel* m_tableModel;
    Legend* m_legend;
    Segments* m_segments = nullptr;
    QPushButton* m_log = nullptr;
    std::optional<Loaded> m_loaded; ///< without data: what is drawn
    bool m_isByRules = false;
    Worker m_reader;
    QTimer m_patience; ///< a moment, so that a turn of the wheel reads once
};

} // namespace app::console
