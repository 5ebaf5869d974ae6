#pragma once

#include "app/console/frame/figure_view.h"

namespace app::console {

/// The logs, each with a check box in its first column: a click on it, or Space, chooses the log;
/// Delete takes it out of the list.
class LogView : public FigureView {
    Q_OBJECT

public:
    explicit LogView(QWidget* parent = nullptr);

Q_SIGNALS:
    void removeAsked(int row);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void toggle(int row);
};

} // namespace app::console
