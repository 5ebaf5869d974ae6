#include "app/console/explain/answer_panel.h"

#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPlainTextEdit>

namespace app::console {

namespace {

QString nameOfStyle(engine::HeaderStyle style)
{
    switch (style) {
    case engine::HeaderStyle::Draft10:
        return QStringLiteral("RateLimit, draft 10");
    case engine::HeaderStyle::Draft07:
        return QStringLiteral("RateLimit, draft 07");
    case engine::HeaderStyle::Github:
        return QStringLiteral("X-RateLimit, GitHub");
    case engine::HeaderStyle::Draft03:
        return QStringLiteral("X-RateLimit, Envoy");
    case engine::HeaderStyle::Kong:
        return QStringLiteral("X-RateLimit, Kong");
    case engine::HeaderStyle::None:
        break;
    }
    return QStringLiteral("No limits");
}

} // namespace

AnswerPanel::AnswerPanel(QWidget* parent)
    : Panel(QStringLiteral("Told to the client"), parent)
    , m_style(new QComboBox)
    , m_text(new QPlainTextEdit)
{
    for (const std::string& name : engine::headerStyleNames()) {
        const engine::HeaderStyle style = *engine::headerStyleNamed(name);
        m_style->addItem(nameOfStyle(style), static_cast<int>(style));
    }
    m_style->setAccessibleName(QStringLiteral("Form of the headers"));
    m_style->view()->setAccessibleName(m_style->accessibleName());
    m_style->setToolTip(QStringLiteral("In which form the client is told of limits"));
    m_text->setReadOnly(true);
    m_text->setFont(fontOf(Type::Mono));
    m_text->setAccessibleName(QStringLiteral("Answer to the client"));
    m_text->setTabChangesFocus(true);
    addTool(m_style);
    setBody(m_text, true);
    connect(m_style, &QComboBox::currentIndexChanged, this, &AnswerPanel::build);
}

void AnswerPanel::setAnswer(std::function<ClientAnswer(engine::HeaderStyle)> tell)
{
    m_tell = std::move(tell);
    build();
}

void AnswerPanel::build()
{
    setCaption({});
    if (!m_tell) {
        m_text->clear();
        return;
    }
    const ClientAnswer told = m_tell(styleOfHeaders());
    const std::string text = answerText(told.answer); // ASCII
    m_text->setPlainText(text.empty() ? QStringLiteral("Nothing of limits.")
                                      : QString::fromStdString(text).trimmed());
    const std::string_view reset = resetWords(styleOfHeaders());
    if (!told.unsayable.empty()) {
        setCaption(sentence(told.unsayable.front()));
    } else if (!reset.empty()) {
        setCaption(QStringLiteral("reset in ") + shown(reset));
    }
}

QString AnswerPanel::text() const
{
    return m_text->toPlainText();
}

void AnswerPanel::setStyleOfHeaders(engine::HeaderStyle style)
{
    m_style->setCurrentIndex(m_style->findData(static_cast<int>(style)));
}

engine::HeaderStyle AnswerPanel::styleOfHeaders() const
{
    return static_cast<engine::HeaderStyle>(m_style->currentData().toInt());
}

QWidget& AnswerPanel::pane() const
{
    return *m_text;
}

} // namespace app::console
