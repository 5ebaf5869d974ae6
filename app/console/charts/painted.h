#pragma once
#include "app/console/charts/plot.h"

#include <functional>
#include <utility>

namespace app::console {

/// Something on a layer of a plot that a function paints.
class Painted final : public QCPLayerable {
public:
    using Paint = std::function<void(QCPPainter&)>;

    Painted(QCustomPlot* plot, const QString& layer, Paint paint)
        : QCPLayerable(plot, layer)
        , m_paint(std::move(paint))
    {
    }

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override
    {
        painter->setAntialiasing(false);
    }

    void draw(QCPPainter* painter) override { m_paint(*painter); }

private:
    Paint m_paint;
};

} // namespace app::console
