#pragma once

#include "app/console/author/policy_model.h"

#include <QListView>

#include <optional>

class QLabel;
class QToolButton;

namespace app::console {

class RuleCardDelegate;

/// The cards of one tier, one below the other. Cards of any lane can be dropped between them.
class LaneView : public QListView {
    Q_OBJECT

public:
    static constexpr const char* kMime = "application/x-weir-rule";

    LaneView(LaneModel& model, RuleCardDelegate& delegate, QWidget* parent = nullptr);

    [[nodiscard]] LaneModel& tier() const { return m_model; }

    [[nodiscard]] const RuleCard* currentCard() const;
    void selectRow(int row); ///< -1: none

Q_SIGNALS:
    void cardChosen(const std::string& rule);
    void dropped(const std::string& rule, int before); ///< before the so-manieth card of this tier
    void stepAsked(int step); ///< to the lane before, after
    void formAsked();
    void modesAsked(const QPoint& at); ///< a menu of modes, at this place of the screen

protected:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int dropRow(const QPoint& at) const;
    void showDropAt(std::optional<int> row);

    LaneModel& m_model;
    RuleCardDelegate& m_delegate;
    std::optional<int> m_dropRow;
};

/// A lane of the board: the tier's hue and name, how many rules it has, one more; then its cards.
class Lane : public QWidget {
    Q_OBJECT

public:
    Lane(LaneModel& model, RuleCardDelegate& delegate, QWidget* parent = nullptr);

    [[nodiscard]] LaneView& view() const { return *m_view; }

    [[nodiscard]] engine::Tier tier() const { return m_tier; }

Q_SIGNALS:
    void addAsked(engine::Tier tier);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    engine::Tier m_tier;
    LaneView* m_view;
    QLabel* m_count;
    QToolButton* m_add;
};

} // namespace app::console
