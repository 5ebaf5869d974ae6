#pragma once

#include "app/console/explain/explain_work.h"

#include <QWidget>

#include <optional>

class QLabel;
class QSplitter;

namespace app::console {

class AnswerPanel;
class CustomerPanel;
class FigureModel;
class FigureView;
class FillChart;
class Panel;
class TierFlow;
class VisitModel;

/// One request: the verdict in a sentence, the way through the tiers, what filled the rule, the
/// request itself, what its client is told by the answer and what its customer may be told.
class RequestView : public QWidget {
    Q_OBJECT

public:
    explicit RequestView(QWidget* parent = nullptr);

    void setAnswer(const RequestAnswer& answer, storage::RunId run);
    /// Nothing is known of a request any more.
    void forget();
    void setLoading(bool isLoading);
    /// Times are shown in another zone.
    void refresh();

    [[nodiscard]] const std::optional<Explanation>& explanation() const { return m_explanation; }

    [[nodiscard]] QList<QWidget*> panes() const;

    [[nodiscard]] TierFlow& tiers() const { return *m_tiers; }

    [[nodiscard]] FigureView& visits() const { return *m_visits; }

    [[nodiscard]] AnswerPanel& answer() const { return *m_answer; }

    [[nodiscard]] CustomerPanel& customer() const { return *m_customer; }

    [[nodiscard]] QString sentenceText() const;
    /// All of the explanation in words, as `weir explain` prints it.
    [[nodiscard]] std::string plainText() const;
    /// Adds a button to the head of "What filled it".
    void addFillTool(QWidget* tool);

    [[nodiscard]] QSplitter& across() const { return *m_across; }

Q_SIGNALS:
    void requestAsked(quint64 n);

private:
    QWidget* buildTiers();
    QWidget* buildFill();
    QWidget* buildRequest();
    void showSentence(const QString& sentence, const QString& sum);
    void showExplanation();
    void showFill();
    void clear();

    std::optional<Explanation> m_explanation;
    std::vector<KeyState> m_states; ///< of the key that is shown
    Panel* m_tierPanel;
    QLabel* m_sentence;
    QLabel* m_sum;
    TierFlow* m_tiers;
    Panel* m_fillPanel;
    FillChart* m_chart;
    FigureView* m_visits;
    VisitModel* m_visitModel;
    Panel* m_requestPanel;
    FigureView* m_request;
    FigureModel* m_requestModel;
    AnswerPanel* m_answer;
    CustomerPanel* m_customer;
    QSplitter* m_across;
};

} // namespace app::console
