#pragma once
#include "app/console/frame/panel.h"
#include "storage/run_results.h"

#include <QAbstractListModel>

#include <optional>
#include <vector>

class QLineEdit;
class QListView;

namespace app::console {

/// Runs of the store, newest first, those whose name, policy or log has the filter's text. A name
/// that is edited is asked for, not changed: the store does that.
class RunListModel final : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role { NameRole = Qt::UserRole, DetailRole, StateRole, FiguresRole, IdRole };

    using QAbstractListModel::QAbstractListModel;

    void setRuns(const std::vector<storage::RunSummary>& runs);
    void setFilter(const QString& text);
    [[nodiscard]] std::optional<storage::RunId> idAt(int row) const;
    [[nodiscard]] int rowOf(storage::RunId run) const; ///< -1: none

    [[nodiscard]] std::size_t all() const { return m_runs.size(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void renameAsked(storage::RunId run, const QString& name);

private:
    void show();

    std::vector<storage::RunSummary> m_runs;
    std::vector<std::size_t> m_shown; ///< places in m_runs
    QString m_filter;
};

/// The list of runs at the left of a run: Return opens, F2 renames, Delete deletes.
class RunList : public Panel {
    Q_OBJECT

public:
    explicit RunList(QWidget* parent = nullptr);

    void setRuns(const std::vector<storage::RunSummary>& runs,
                 std::optional<storage::RunId> current);
    void focusFilter();
    void edit(); ///< the name of the current row

    [[nodiscard]] std::optional<storage::RunId> current() const;

    [[nodiscard]] QListView& view() const { return *m_view; }

Q_SIGNALS:
    void opened(storage::RunId run);
    void renameAsked(storage::RunId run, const QString& name);
    void escaped();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showCaption();

    RunListModel* m_model;
    QListView* m_view;
    QLineEdit* m_filter;
};

} // namespace app::console
