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

/// Would it look the same but for its text?
bool isOfOneShape(const BannerText& one, const BannerText& other)
{
    return one.id == other.id && one.kind == other.kind
        && std::equal(one.actions.begin(), one.actions.end(), other.actions.begin(),
                      other.actions.end(), [](const BannerAction& left, const BannerAction& right) {
                          return left.first == right.first;
                      });
}

} // namespace

class Banners::Bar final : public QFrame {
public:
    Bar(const BannerText& text, QWidget* parent)
        : QFrame(parent)
        , m_kind(text.kind)
        , m_label(plainLabel({}, this))
    {
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(32, 5, 6, 5);
        m_label->setWordWrap(true);
        m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        row->addWidget(m_label, 1);
        for (std::size_t i = 0; i < text.actions.size(); ++i) {
            QPushButton* button = plainButton(text.actions[i].first, Rank::Outlined, this);
            button->setProperty("small", true);
            QObject::connect(button, &QPushButton::clicked, this, [this, i] {
                const auto action = m_actions[i].second; // which may take this banner away
                action();
            });
            row->addWidget(button);
        }
        m_close = plainButton(QStringLiteral("Close"), Rank::Flat, this);
        m_close->setProperty("small", true);
        row->addWidget(m_close);
        say(text);
    }

    /// Other words, and what the same buttons do now.
    void say(const BannerText& text)
    {
        setAccessibleName(text.text);
        m_label->setText(text.text);
        m_actions = text.actions;
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
    QLabel* m_label;
    std::vector<BannerAction> m_actions;
    QPushButton* m_close = nullptr;
};

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
    if (banner.isProgress && m_closed.contains(banner.id)) {
        return;
    }
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        if (isOfOneShape(m_banners[i], banner)) {
            m_bars[i]->say(banner);
            m_banners[i] = std::move(banner);
            return;
        }
    }
    std::erase_if(m_banners, [&](const BannerText& other) { return other.id == banner.id; });
    m_banners.insert(m_banners.begin(), std::move(banner));
    build();
}

void Banners::clear(const QString& id)
{
    m_closed.remove(id);
    if (has(id)) {
        std::erase_if(m_banners, [&](const BannerText& banner) { return banner.id == id; });
        build();
    }
}

void Banners::close(const QString& id)
{
    clear(id);
    m_closed.insert(id);
}

void Banners::clearAll()
{
    m_closed.clear();
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
    m_bars.clear();
    for (std::size_t i = 0; i < std::min(kShown, m_banners.size()); ++i) {
        m_bars.push_back(new Bar(m_banners[i], this));
        connect(m_bars.back()->close(), &QPushButton::clicked, this,
                [this, id = m_banners[i].id] { close(id); });
        m_layout->addWidget(m_bars.back());
    }
    if (m_banners.size() > kShown) {
        m_layout->addWidget(
            captionLabel(QStringLiteral("and %1 more").arg(m_banners.size() - kShown), this));
    }
    setVisible(!m_banners.empty());
}

} // namespace app::console
