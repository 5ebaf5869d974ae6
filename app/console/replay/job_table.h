#pragma once

#include "app/console/frame/cell_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/session/jobs.h"

namespace app::console {

/// The line of jobs as a table.
class JobModel : public CellModel {
    Q_OBJECT

public:
    enum Column { Run, Name, Log, Progress, Requests, Rate, Time, Act, Columns };

    enum Role {
        ShareRole = Qt::UserRole + 50 ///< from 0 to 1, where a bar is to be drawn
    };

    explicit JobModel(Jobs& jobs, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

    [[nodiscard]] const Job& at(int row) const
    {
        return m_jobs.all()[static_cast<std::size_t>(row)];
    }

    [[nodiscard]] int rowOf(std::uint64_t id) const;

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    Jobs& m_jobs;
    int m_known = 0;
};

/// Jobs with a bar for what runs. A click on the last column, or Return, does what it says.
class JobView : public FigureView {
    Q_OBJECT

public:
    explicit JobView(QWidget* parent = nullptr);

    /// Columns as wide as what they have; the progress takes what is left.
    void fit();

Q_SIGNALS:
    void actAsked(int row);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
};

/// What the last column offers: "Open run", "Cancel", "Remove"; "" for nothing.
QString actText(const Job& job);

} // namespace app::console
