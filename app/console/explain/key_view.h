#pragma once

#include "app/workbench/explain_key.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace app::console {

class CustomerPanel;
class EpisodeChart;
class FigureModel;
class FigureView;
class Panel;

/// One key of a rule: its history in episodes, and the numbers that would have been just enough.
class KeyView : public QWidget {
    Q_OBJECT

public:
    explicit KeyView(QWidget* parent = nullptr);

    void setHistory(std::optional<KeyHistory> history);
    void setLoading(bool isLoading);
    void refresh();

    [[nodiscard]] const std::optional<KeyHistory>& history() const { return m_history; }

    [[nodiscard]] FigureView& episodes() const { return *m_episodes; }

    [[nodiscard]] FigureView& enough() const { return *m_enough; }

    [[nodiscard]] CustomerPanel& customer() const { return *m_customer; }

    [[nodiscard]] QString sentenceText() const;
    [[nodiscard]] QList<QWidget*> panes() const;

Q_SIGNALS:
    void requestAsked(quint64 n);

private:
    std::optional<KeyHistory> m_history;
    Panel* m_episodePanel;
    QLabel* m_sentence;
    EpisodeChart* m_chart;
    FigureView* m_episodes;
    FigureModel* m_episodeModel;
    Panel* m_enoughPanel;
    FigureView* m_enough;
    FigureModel* m_enoughModel;
    QLabel* m_enoughText;
    CustomerPanel* m_customer;
};

} // namespace app::console
