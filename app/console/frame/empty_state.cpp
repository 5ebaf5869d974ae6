#include "app/console/frame/empty_state.h"

#include "app/console/frame/panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace app::console {

EmptyState::EmptyState(const QString& text, QWidget* parent)
    : QWidget(parent)
    , m_text(plainLabel(text))
    , m_buttons(new QHBoxLayout)
{
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_buttons->addStretch(1);
    m_buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(24, 12, 24, 12);
    layout->setSpacing(12);
    layout->addStretch(1);
    layout->addWidget(m_text);
    layout->addLayout(m_buttons);
    layout->addStretch(1);
}

void EmptyState::setText(const QString& text)
{
    m_text->setText(text);
}

QString EmptyState::text() const
{
    return m_text->text();
}

void EmptyState::add(QWidget* button)
{
    m_buttons->insertWidget(m_buttons->count() - 1, button);
}

} // namespace app::console
