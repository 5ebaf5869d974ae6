#include "app/console/frame/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>

namespace app::console {

Segments::Segments(const QStringList& choices, const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_group(new QButtonGroup(this))
{
    setAccessibleName(name);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_group->setExclusive(true);
    for (int i = 0; i < choices.size(); ++i) {
        auto* button = new QPushButton(choices.at(i), this);
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setProperty("small", true);
        button->setAccessibleName(QStringLiteral("%1: %2").arg(name, choices.at(i)));
        QFont bold = button->font(); // as the one that is pressed has it
        bold.setBold(true);
        button->setMinimumWidth(QFontMetrics(bold).horizontalAdvance(choices.at(i)) + 26);
        m_group->addButton(button, i);
        row->addWidget(button);
    }
    connect(m_group, &QButtonGroup::idClicked, this, &Segments::chosen);
}

int Segments::current() const
{
    return m_group->checkedId();
}

void Segments::setCurrent(int index)
{
    if (QAbstractButton* button = m_group->button(index)) {
        button->setChecked(true);
    }
}

} // namespace app::console
