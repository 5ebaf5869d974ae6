#include "app/console/frame/banner.h"

#include "app/console/frame/button.h"
#include "app/console/frame/panel.h"
#include "app/console/look/marks.h"
#include "app/console/look/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

namespace {

constexpr std::size_t kShown = 2;

Mark markOf(BannerKind kind)
{
    switch (kind) {
    case BannerKind::Error:
        return Mark::Error;
    case BannerKind::Advice:
        return Mark::Advice;
    case BannerKind::Done:
        return Mark::Ok;
    }
    return Mark::Advice;
}

QColor groundOf(BannerKind kind)
{
    switch (kind) {
    case BannerKind::Error:
        return theme().errorGround;
    case BannerKind::Advice:
        return theme().adviceGround;
    case BannerKind::Done:
        return theme().okGround;
    }
    return theme().adviceGround;
}

class Banner final : public QFrame {
public:
    Banner(const BannerText& text, QWidget* parent)
        : QFrame(parent)
        , m_kind(text.kind)
    {
        setAccessibleName(text.text);
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(32, 5, 6, 5);
        auto* label = plainLabel(text.text, this);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        row->addWidget(label, 1);
        for (const auto& [name, action] : text.actions) {
            QPushButton* button = plainButton(name, Rank::Outlined, this);
            button->setProperty("small", true);
            QObject::connect(button, &QPushButton::clicked, this, action);
            row->addWidget(button);
        }
        m_close = plainButton(QStringLiteral("Close"), Rank::Flat, this);
        m_close->setProperty("small", true);
        row->addWidget(m_close);
    }

    [[nodiscard]] QPushButton* close() const { return m_close; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(groundOf(m_kind));
        painter.drawRoundedRect(rect(), 4, 4);
        const int side = 12;
        paintMark(painter, QRectF(11, (height() - side) / 2.0, side, side), markOf(m_kind));
    }

private:
    BannerKind m_kind;
    QPushButton* m_close = nullptr;
};

} // namespace

Banners::Banners(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(8, 8, 8, 0);
    m_layout->setSpacing(4);
    setVisible(false);
}

void Banners::show(BannerText banner)
{
    const auto same = [&](const BannerText& other) { return other.id == banner.id; };
    m_banners.erase(std::remove_if(m_banners.begin(), m_banners.end(), same), m_banners.end());
    m_banners.insert(m_banners.begin(), std::move(banner));
    build();
}

void Banners::clear(const QString& id)
{
    if (has(id)) {
        std::erase_if(m_banners, [&](const BannerText& banner) { return banner.id == id; });
        build();
    }
}

void Banners::clearAll()
{
    m_banners.clear();
    build();
}

bool Banners::has(const QString& id) const
{
    return std::any_of(m_banners.begin(), m_banners.end(),
                       [&](const BannerText& banner) { return banner.id == id; });
}

QString Banners::plainText() const
{
    QStringList all;
    for (const BannerText& banner : m_banners) {
        all << banner.text;
    }
    return all.join(QLatin1Char('\n'));
}

void Banners::build()
{
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    for (std::size_t i = 0; i < std::min(kShown, m_banners.size()); ++i) {
        auto* banner = new Banner(m_banners[i], this);
        const QString id = m_banners[i].id;
        connect(banner->close(), &QPushButton::clicked, this, [this, id] { clear(id); });
        m_layout->addWidget(banner);
    }
    if (m_banners.size() > kShown) {
        m_layout->addWidget(
            captionLabel(QStringLiteral("and %1 more").arg(m_banners.size() - kShown), this));
    }
    setVisible(!m_banners.empty());
}

} // namespace app::console
