#pragma once

#include "app/console/frame/cell_model.h"
#include "app/workbench/explain.h"

#include <vector>

namespace app::console {

/// The requests of a key up to the one that is explained, newest first.
class VisitModel : public CellModel {
    Q_OBJECT

public:
    enum Column { Number, Time, Request, Used, Outcome, Columns };

    explicit VisitModel(QObject* parent = nullptr);

    void setVisits(const std::vector<KeyVisit>& visits);

    [[nodiscard]] const KeyVisit& at(int row) const
    {
        return m_visits[m_visits.size() - 1 - static_cast<std::size_t>(row)];
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    std::vector<KeyVisit> m_visits; ///< oldest first
};

/// "admitted, counted 1", "denied here, not counted", "rejected by another rule, not counted".
QString visitText(const KeyVisit& visit);

} // namespace app::console
