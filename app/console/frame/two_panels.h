#pragma once
#include <QSplitter>

#include <array>
#include <vector>

namespace app::console {

class Panel;
class Segments;

/// Two panels side by side. Where there is no room for both one of them is seen, and its head
/// offers the other.
class TwoPanels : public QSplitter { // which has a Panel of its own, from QFrame
    Q_OBJECT

public:
    /// `names`: of the panels, short. `narrow`: the width below which one is seen.
    TwoPanels(const std::array<console::Panel*, 2>& panels, const QStringList& names, int narrow,
              QWidget* parent = nullptr);

    /// Brings a panel to the front where only one is seen.
    void show(int panel);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    std::array<console::Panel*, 2> m_panels;
    std::vector<Segments*> m_choices;
    int m_narrow;
    int m_current = 0;
};

} // namespace app::console
