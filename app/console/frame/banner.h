#pragma once

#include <QFrame>
#include <QSet>

#include <functional>
#include <utility>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace app::console {

enum class BannerKind { Error, Advice, Done };

/// One action of a banner: what the button says, what it does.
using BannerAction = std::pair<QString, std::function<void()>>;

/// What a banner says. `id` names its cause: a new one of the same cause takes its place, and
/// clear() takes it away when the cause is gone.
struct BannerText {
    QString id;
    BannerKind kind = BannerKind::Advice;
    QString text; ///< plain, already shown() where it comes from outside
    std::vector<BannerAction> actions {};
    bool isProgress = false; ///< said again and again: once closed it stays away until clear()
};

/// The banners of a page, under its head: at most two, then "and 3 more", newest first. They stay
/// until they are closed or their cause is gone, and never take the focus.
class Banners : public QWidget {
    Q_OBJECT

public:
    explicit Banners(QWidget* parent = nullptr);

    /// One of the same cause, kind and names of actions that is seen changes its text where it is:
    /// its buttons stay under the pointer.
    void show(BannerText banner);
    void clear(const QString& id);
    void clearAll();
    [[nodiscard]] bool has(const QString& id) const;
    /// All that is said, for tests and for who reads the screen aloud.
    [[nodiscard]] QString plainText() const;

private:
    class Bar;

    void build();
    void close(const QString& id);

    std::vector<BannerText> m_banners; ///< newest first
    std::vector<Bar*> m_bars; ///< of the first ones
    QSet<QString> m_closed; ///< progress that the user does not want to see
    QVBoxLayout* m_layout;
};

} // namespace app::console
