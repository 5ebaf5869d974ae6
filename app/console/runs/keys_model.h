#pragma once
#include "app/console/frame/cell_model.h"
#include "app/console/runs/run_data.h"
#include "app/console/session/worker.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace app::console {

/// Which keys of a run a table shows.
struct KeyChoice {
    std::optional<std::uint32_t> rule; ///< nothing: all that enforce
    QString filter;
    KeyColumn column = KeyColumn::Denied;
    bool descending = true;
};

/// The keys of a run that were denied, in pages of 200 rows that a worker reads from the store when
/// they are looked at; a cell is empty until then. Within a range: the keys that were rejected in
/// it, most first; what was judged is known for the whole run only.
class KeysModel final : public CellModel {
    Q_OBJECT

public:
    static constexpr std::size_t kPage = 200;

    explicit KeysModel(QObject* parent = nullptr);

    void setRun(const std::string& store, std::shared_ptr<const RunOverview> run);
    /// Asks for the order in the background; the rows that are there stay until it comes.
    void choose(const KeyChoice& choice);

    [[nodiscard]] const KeyChoice& choice() const { return m_choice; }

    void setMoments(std::shared_ptr<const KeyMoments> moments);
    void setRange(std::shared_ptr<const RangeView> range); ///< nullptr: the whole run

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order) override;

    /// Of the keys before the filter, where that is known.
    [[nodiscard]] std::optional<std::size_t> unfiltered() const { return m_unfiltered; }

    [[nodiscard]] bool isBusy() const { return m_orderer.isBusy(); }

    /// A key as it may be shown, raw bytes; its rule as people name it. Nothing while not read.
    struct Named {
        std::string rule;
        std::string key;
    };

    [[nodiscard]] std::optional<Named> namedAt(int row) const;

    /// A job that makes a table of all rows, for any thread.
    [[nodiscard]] std::function<engine::Result<FigureTable>()> wholeTable() const;

Q_SIGNALS:
    void orderChanged(); ///< other rows, or another number of them
    void failed(const engine::Diagnostic& why);

protected:
    [[nodiscard]] ShownCell cellAt(std::size_t row, int column) const override;

private:
    struct Row {
        std::uint32_t rule = 0;
        std::uint32_t id = 0;
        std::string key; ///< as it may be shown
        std::uint64_t judged = 0;
        std::uint64_t denied = 0;
    };

    using Page = std::vector<Row>;

    [[nodiscard]] const Row* rowAt(std::size_t row) const;
    [[nodiscard]] ShownCell momentCell(const Row& row, int column) const;
    void ask(std::size_t page) const;
    void readNext();
    void take(std::size_t page, const engine::Result<std::vector<storage::KeyRow>>& rows);
    void showRange();
    [[nodiscard]] storage::KeyQuery query() const;

    std::string m_store;
    std::shared_ptr<const RunOverview> m_run;
    KeyChoice m_choice;
    std::shared_ptr<const KeyMoments> m_moments;
    std::shared_ptr<const RangeView> m_range;
    std::vector<Row> m_ofRange; ///< rows while there is a range
    std::vector<storage::KeyPlace> m_places;
    std::map<std::size_t, Page> m_pages;
    std::optional<std::size_t> m_unfiltered;
    mutable std::optional<std::size_t> m_wanted; ///< page that was asked for last
    Worker m_orderer;
    Worker m_reader;
};

} // namespace app::console
