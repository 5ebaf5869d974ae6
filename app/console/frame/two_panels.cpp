#include "app/console/frame/two_panels.h"

#include "app/console/frame/panel.h"
#include "app/console/frame/segments.h"

#include <QResizeEvent>

namespace app::console {

namespace {

constexpr int kGap = 8;

} // namespace

TwoPanels::TwoPanels(const std::array<console::Panel*, 2>& panels, const QStringList& names,
                     int narrow, QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
    , m_panels(panels)
    , m_narrow(narrow)
{
    setHandleWidth(kGap);
    setChildrenCollapsible(false);
    for (console::Panel* const panel : m_panels) {
        auto* const choice = new Segments(names, QStringLiteral("Table"), panel);
        panel->addTool(choice);
        choice->hide();
        m_choices.push_back(choice);
        connect(choice, &Segments::chosen, this, &TwoPanels::show);
        addWidget(panel);
    }
}

void TwoPanels::show(int panel)
{
    m_current = panel;
    arrange();
}

void TwoPanels::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    arrange();
}

void TwoPanels::arrange()
{
    const bool isNarrow = width() < m_narrow;
    for (int i = 0; i < 2; ++i) {
        const auto place = static_cast<std::size_t>(i);
        m_panels[place]->setVisible(!isNarrow || i == m_current);
        m_choices[place]->setVisible(isNarrow);
        m_choices[place]->setCurrent(m_current);
    }
}

} // namespace app::console
