#pragma once

#include "app/console/look/marks.h"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

namespace app::console {

/// Figures side by side: a mark and a name over a number.
class LabFigures : public QWidget {
    Q_OBJECT

public:
    struct Figure {
        std::optional<Mark> mark;
        QString name;
        QString value;
    };

    explicit LabFigures(QWidget* parent = nullptr);

    void set(std::vector<Figure> figures);
    [[nodiscard]] QString plainText() const; ///< "Offered 1,000, Admitted 705, ..."
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] std::vector<int> edgesOf() const;

    std::vector<Figure> m_figures;
};

} // namespace app::console
