#pragma once

#include "app/console/frame/cell_model.h"
#include "app/console/replay/log_collection.h"

namespace app::console {

/// The logs as a table: a check box, then what is known of each. Cells fill in as it is found out.
class LogModel : public CellModel {
    Q_OBJECT

public:
    enum Column { Chosen, Name, Format, Requests, Span, Stamps, NotRead, Size, Columns };

    explicit LogModel(LogCollection& logs, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    LogCollection& m_logs;
    int m_known = 0; ///< rows that the views know of
};

/// "2026-03-10 00:00 – 24:00", "2026-02-01 – 2026-02-28": the span of a log, in the zone that is
/// chosen.
QString spanText(std::int64_t fromNs, std::int64_t toNs);

} // namespace app::console
