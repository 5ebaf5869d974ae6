#include "app/console/frame/panel.h"

#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTimerEvent>
#include <QVBoxLayout>

namespace app::console {

namespace {

constexpr int kHeadHeight = 32;
constexpr int kPadding = 12;

} // namespace

QLabel* plainLabel(const QString& text, QWidget* parent)
{
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    return label;
}

QLabel* captionLabel(const QString& text, QWidget* parent)
{
    QLabel* label = plainLabel(text, parent);
    label->setFont(fontOf(Type::Small));
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

Panel::Panel(const QString& title, QWidget* parent)
    : QFrame(parent)
    , m_head(new QWidget(this))
    , m_headLayout(new QHBoxLayout(m_head))
    , m_layout(new QVBoxLayout(this))
    , m_title(plainLabel(title, m_head))
    , m_caption(captionLabel({}, m_head))
{
    m_title->setFont(fontOf(Type::Strong));
    m_title->setVisible(!title.isEmpty());
    m_head->setFixedHeight(kHeadHeight);
    m_headLayout->setContentsMargins(kPadding, 0, kPadding, 0);
    m_headLayout->setSpacing(8);
    m_headLayout->addWidget(m_title);
    m_headLayout->addWidget(m_caption);
    m_headLayout->addStretch(1);
    // The caption gives way first: it is elided by the label's own clip, never the tools.
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_caption->setMinimumWidth(0);
    m_headLayout->setStretchFactor(m_caption, 1000);
    m_layout->setContentsMargins(1, 0, 1, 1);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_head);
    m_layout->addStretch(0);
}

void Panel::setTitle(const QString& title)
{
    m_title->setVisible(!title.isEmpty()); // tabs stand in its place
    m_title->setText(title);
}

void Panel::setCaption(const QString& caption)
{
    m_caption->setText(caption);
    m_caption->setToolTip(caption.toHtmlEscaped());
}

QString Panel::title() const
{
    return m_title->text();
}

QString Panel::caption() const
{
    return m_caption->text();
}

void Panel::addTool(QWidget* tool)
{
    tool->setProperty("small", true);
    m_headLayout->addWidget(tool);
    ++m_tools;
}

void Panel::addHeadWidget(QWidget* widget)
{
    m_headLayout->insertWidget(1, widget);
}

void Panel::setBody(QWidget* body, bool padded)
{
    m_body = body;
    if (padded) {
        auto* frame = new QWidget(this);
        auto* inner = new QVBoxLayout(frame);
        inner->setContentsMargins(kPadding, 8, kPadding, 8);
        inner->addWidget(body);
        m_body = frame;
    }
    m_layout->insertWidget(1, m_body, 1);
}

void Panel::setFolded(bool isFolded)
{
    if (m_isFolded == isFolded) {
        return;
    }
    m_isFolded = isFolded;
    if (m_body != nullptr) {
        m_body->setVisible(!isFolded);
    }
    setMaximumHeight(isFolded ? kHeadHeight : QWIDGETSIZE_MAX);
    Q_EMIT foldedChanged(isFolded);
}

void Panel::setLoading(bool isLoading)
{
    if (m_isLoading == isLoading) {
        return;
    }
    m_isLoading = isLoading;
    m_step = 0;
    if (m_timer != 0) {
        killTimer(m_timer);
        m_timer = 0;
    }
    if (isLoading) {
        m_timer = startTimer(100);
    }
    update();
}

void Panel::timerEvent(QTimerEvent* event)
{
    if (event->timerId() == m_timer) {
        ++m_step;
        update(0, kHeadHeight - 2, width(), 3);
    }
}

void Panel::mousePressEvent(QMouseEvent* event)
{
    if (m_isFolded && event->button() == Qt::LeftButton) {
        setFolded(false);
    }
}

void Panel::paintEvent(QPaintEvent*)
{
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(t.border);
    painter.setBrush(t.base);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!m_isFolded) {
        painter.drawLine(1, kHeadHeight - 1, width() - 2, kHeadHeight - 1);
    }
    constexpr int kPatience = 5; // steps of 100 ms before the bar is seen
    if (m_isLoading && m_step >= kPatience) {
        const int part = width() / 4;
        const int x = (m_step * 24) % (width() + part) - part;
        painter.fillRect(QRect(x, kHeadHeight - 2, part, 2) & rect().adjusted(1, 0, -1, 0),
                         t.accent);
    }
}

} // namespace app::console
