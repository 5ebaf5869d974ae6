#pragma once
#include "app/console/charts/chart_data.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QHBoxLayout;

namespace app::console {

/// One series of a legend: its mark and its name, struck through while it is hidden.
class LegendEntry : public QAbstractButton {
    Q_OBJECT

public:
    LegendEntry(const QString& name, Mark mark, Dash dash, bool isLine, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Mark m_mark;
    Dash m_dash;
    bool m_isLine;
};

/// For the head of a panel: the series in the order in which they are drawn. A click, or Space,
/// hides one and shows it again.
class Legend : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QString name;
        Mark mark = Mark::Offered;
        Dash dash = Dash::Solid;
    };

    /// `isLines`: pieces of the lines in place of marks, where marks would mislead.
    explicit Legend(bool isLines, QWidget* parent = nullptr);
    void setEntries(const std::vector<Entry>& entries);

Q_SIGNALS:
    void hiddenChanged(const QString& name, bool isHidden);

private:
    bool m_isLines;
    QHBoxLayout* m_layout;
};

} // namespace app::console
