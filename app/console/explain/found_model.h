#pragma once

#include "app/console/frame/cell_model.h"
#include "app/workbench/find_requests.h"

#include <vector>

namespace app::console {

/// Requests that were found, in order of arrival.
class FoundModel : public CellModel {
    Q_OBJECT

public:
    enum Column { Number, Time, Who, Path, Outcome, Columns };

    explicit FoundModel(QObject* parent = nullptr);

    void setRequests(std::vector<FoundRequest> requests);

    [[nodiscard]] const std::vector<FoundRequest>& requests() const { return m_requests; }

    [[nodiscard]] const FoundRequest& at(int row) const
    {
        return m_requests[static_cast<std::size_t>(row)];
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    std::vector<FoundRequest> m_requests;
    bool m_areOfOneDay = true;
};

/// "rejected by search", "admitted; search would have rejected it", "admitted".
QString outcomeText(const FoundRequest& request);

} // namespace app::console
