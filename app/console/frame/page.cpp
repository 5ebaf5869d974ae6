#include "app/console/frame/page.h"

#include "app/console/frame/dialogs.h"
#include "app/console/frame/panel.h"
#include "app/console/look/fonts.h"
#include "app/console/look/theme.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>

namespace app::console {

namespace {

constexpr int kHeadHeight = 44;
constexpr int kMargin = 8;

} // namespace

PageHead::PageHead(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
    , m_title(plainLabel({}, this))
    , m_caption(captionLabel({}, this))
{
    setFixedHeight(kHeadHeight);
    m_title->setFont(fontOf(Type::Title));
    m_layout->setContentsMargins(16, 0, 8, 0);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_title);
    m_layout->addSpacing(4);
    m_layout->addWidget(m_caption, 1);
    m_caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void PageHead::setTitle(const QString& title)
{
    m_title->setText(title);
}

void PageHead::setCaption(const QString& caption)
{
    m_caption->setText(caption);
}

QString PageHead::title() const
{
    return m_title->text();
}

QString PageHead::caption() const
{
    return m_caption->text();
}

void PageHead::add(QWidget* widget)
{
    m_layout->addWidget(widget);
}

void PageHead::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(theme().border);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

Page::Page(Session& session, Actions& actions, PageId id, QWidget* parent)
    : QWidget(parent)
    , askSavePath([this](const QString& title, const QString& proposal, const QString& filter) {
        return askForSavePath(this, title, proposal, filter);
    })
    , m_session(session)
    , m_actions(actions)
    , m_id(id)
    , m_head(new PageHead(this))
    , m_banners(new Banners(this))
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_head);
    m_layout->addWidget(m_banners);
}

void Page::setBody(QWidget* body)
{
    auto* frame = new QWidget(this);
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    inner->addWidget(body);
    m_layout->addWidget(frame, 1);
}

void Page::bind(ActionId action, QWidget* pane)
{
    pane->addAction(m_actions.at(action));
}

QSplitter* splitter(Qt::Orientation orientation, std::initializer_list<QWidget*> children)
{
    auto* made = new QSplitter(orientation);
    made->setHandleWidth(kMargin);
    made->setChildrenCollapsible(false);
    for (QWidget* child : children) {
        made->addWidget(child);
    }
    return made;
}

} // namespace app::console
