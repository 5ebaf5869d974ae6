#pragma once
#include <QHeaderView>

namespace app::console {

/// The header of a table of figures: titles as their columns stand, with a mark behind the one that
/// the rows are sorted by.
class FigureHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit FigureHeader(QWidget* parent = nullptr);

protected:
    void paintSection(QPainter* painter, const QRect& place, int section) const override;
};

} // namespace app::console
