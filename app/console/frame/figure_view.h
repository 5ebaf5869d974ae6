#pragma once

#include <QTableView>

namespace app::console {

/// A table of figures as the design has it: rows of one height with a hairline below, whole-row
/// selection, no vertical header, values of logs as plain text, elided in the middle, with the
/// whole in the tool tip. Ctrl+C copies the selected rows as TSV with headers. Return or a double
/// click asks for the row.
class FigureView : public QTableView {
    Q_OBJECT

public:
    /// `name` is told to who reads the screen aloud.
    explicit FigureView(const QString& name, QWidget* parent = nullptr);

    void setModel(QAbstractItemModel* model) override;
    /// Widths from the header and the first 200 rows, at most 40 characters; the column `stretch`
    /// takes what is left (none: -1).
    void fitColumns(int stretch = -1);
    void copySelection() const;
    /// All rows as TSV with headers, for tests and for Copy as text.
    [[nodiscard]] QString plainText() const;

Q_SIGNALS:
    void rowAsked(const QModelIndex& index);
    void currentRowChanged(int row);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    [[nodiscard]] QString asText(const QList<int>& rows) const;
};

} // namespace app::console
