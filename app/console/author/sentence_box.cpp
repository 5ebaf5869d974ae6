#include "app/console/author/sentence_box.h"

#include "app/console/frame/panel.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace app::console {

SentenceBox::SentenceBox(QWidget* parent)
    : QFrame(parent)
    , m_sentence(plainLabel({}))
    , m_more(captionLabel({}))
{
    m_sentence->setFont(fontOf(Type::Strong));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 6, 10, 6);
    layout->setSpacing(2);
    for (QLabel* const label : {m_sentence, m_more}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(label);
    }
}

void SentenceBox::say(const QString& sentence, const QString& more)
{
    m_sentence->setText(sentence);
    m_more->setText(more);
    m_more->setVisible(!more.isEmpty());
}

QString SentenceBox::plainText() const
{
    return m_sentence->text() + QLatin1Char('\n') + m_more->text();
}

void SentenceBox::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().line);
    painter.fillRect(QRect(0, 0, 3, height()), theme().accent);
}

} // namespace app::console
