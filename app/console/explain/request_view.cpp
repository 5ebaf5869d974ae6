#include "app/console/explain/request_view.h"

#include "app/console/explain/answer_panel.h"
#include "app/console/explain/customer_panel.h"
#include "app/console/explain/explain_tables.h"
#include "app/console/explain/fill_chart.h"
#include "app/console/explain/found_model.h"
#include "app/console/explain/tier_flow.h"
#include "app/console/explain/visit_model.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/page.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/workbench/explanation_text.h"
#include "app/workbench/rule_name.h"
#include "app/workbench/rule_text.h"
#include "app/workbench/verdict_text.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace app::console {

RequestView::RequestView(QWidget* parent)
    : QWidget(parent)
    , m_tierPanel(new Panel(QStringLiteral("Through the tiers")))
    , m_sentence(plainLabel({}))
    , m_sum(captionLabel({}))
    , m_tiers(new TierFlow)
    , m_fillPanel(new Panel(QStringLiteral("What filled it")))
    , m_chart(new FillChart)
    , m_visits(new FigureView(QStringLiteral("Requests of this key, newest first")))
    , m_visitModel(new VisitModel(this))
    , m_requestPanel(new Panel(QStringLiteral("Request")))
    , m_request(new FigureView(QStringLiteral("The request")))
    , m_requestModel(new FigureModel(this))
    , m_answer(new AnswerPanel)
    , m_customer(new CustomerPanel)
{
    QSplitter* left = splitter(Qt::Vertical, {buildTiers(), buildFill()});
    left->setSizes({410, 390});
    QSplitter* right = splitter(Qt::Vertical, {buildRequest(), m_answer, m_customer});
    right->setSizes({340, 280, 160});
    m_across = splitter(Qt::Horizontal, {left, right});
    m_across->setStretchFactor(0, 2);
    m_across->setStretchFactor(1, 1);
    m_across->setSizes({930, 420});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_across);
}

QWidget* RequestView::buildTiers()
{
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 8, 0, 8);
    layout->setSpacing(8);
    auto* box = new QFrame;
    box->setProperty("sentence", true);
    auto* inner = new QVBoxLayout(box);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    m_sentence->setFont(fontOf(Type::Strong));
    for (QLabel* label : {m_sentence, m_sum}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        inner->addWidget(label);
    }
    auto* aside = new QHBoxLayout;
    aside->setContentsMargins(12, 0, 12, 0);
    aside->addWidget(box);
    layout->addLayout(aside);
    layout->addWidget(m_tiers, 1);
    m_tierPanel->setBody(body);
    return m_tierPanel;
}

QWidget* RequestView::buildFill()
{
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_visits->setModel(m_visitModel);
    m_visits->setSelectionMode(QAbstractItemView::SingleSelection);
    layout->addWidget(m_chart, 2);
    layout->addWidget(m_visits, 3);
    m_fillPanel->setBody(body);
    connect(m_visits, &FigureView::currentRowChanged, this, [this](int row) {
        m_chart->setCurrent(m_chart->visits() - 1 - row); // both end with the newest
    });
    connect(m_chart, &FillChart::currentChanged, this, [this](int visit) {
        m_visits->setCurrentIndex(
            m_visitModel->index(m_chart->visits() - 1 - visit, VisitModel::Number));
    });
    connect(m_visits, &FigureView::rowAsked, this, [this](const QModelIndex& index) {
        Q_EMIT requestAsked(m_visitModel->at(index.row()).n);
    });
    return m_fillPanel;
}

QWidget* RequestView::buildRequest()
{
    m_request->setModel(m_requestModel);
    m_request->horizontalHeader()->hide();
    m_requestPanel->setBody(m_request);
    return m_requestPanel;
}

void RequestView::addFillTool(QWidget* tool)
{
    m_fillPanel->addTool(tool);
}

QList<QWidget*> RequestView::panes() const
{
    return {m_tiers, m_chart, m_visits, m_request, &m_answer->pane(), &m_customer->pane()};
}

void RequestView::setLoading(bool isLoading)
{
    m_tierPanel->setLoading(isLoading);
}

QString RequestView::sentenceText() const
{
    return m_sentence->text();
}

std::string RequestView::plainText() const
{
    const engine::HeaderStyle style = m_answer->styleOfHeaders();
    return explanationText(*m_explanation)
        + answerPart(clientAnswer(*m_explanation, style).answer, style, false);
}

void RequestView::showSentence(const QString& sentence, const QString& sum)
{
    m_sentence->setText(sentence);
    m_sum->setText(sum);
    m_sum->setVisible(!sum.isEmpty());
}

void RequestView::clear()
{
    const QString why = QStringLiteral("needs the log");
    m_tierPanel->setCaption({});
    m_tiers->setRows({});
    m_fillPanel->setCaption(why);
    m_requestPanel->setCaption(why);
    m_visits->fitColumns(VisitModel::Request);
    m_chart->setVisits({}, {}, engine::Tier::Edge);
    m_visitModel->setVisits({});
    m_requestModel->setTable({});
    m_answer->setAnswer({});
    m_customer->setText({});
}

void RequestView::setAnswer(const RequestAnswer& answer, storage::RunId run)
{
    setLoading(false);
    m_explanation = answer.explanation;
    m_states = answer.states;
    if (m_explanation) {
        showExplanation();
        return;
    }
    clear();
    if (answer.stored) {
        showSentence(QStringLiteral("Run %1 has it: %2.")
                         .arg(QString::number(run), outcomeText(*answer.stored)),
                     QStringLiteral("At %1, %2. Why needs the log, which is read again.")
                         .arg(momentText(answer.stored->timeNs, TimeForm::Full),
                              shown(answer.stored->who, 200)));
    } else {
        showSentence(QStringLiteral("It could not be worked out."), {});
    }
}

void RequestView::forget()
{
    m_explanation.reset();
    m_states = {};
    clear();
    showSentence({}, {});
}

void RequestView::showExplanation()
{
    const Explanation& explanation = *m_explanation;
    const VerdictText verdict = verdictText(explanation);
    QString sum = shown(verdict.sum);
    if (explanation.verdict.outcome == engine::Outcome::Rejected) {
        sum += QStringLiteral(" It would have passed %1.").arg(shown(retryText(explanation)));
    }
    showSentence(shown(verdict.sentence), sum.trimmed());
    m_tierPanel->setCaption(QStringLiteral("request %1 at %2")
                                .arg(countText(explanation.n),
                                     momentText(explanation.arrivalNs, TimeForm::Millisecond)));
    m_tiers->setRows(tierRows(explanation));
    showFill();
    m_requestPanel->setCaption({});
    m_requestModel->setTable(requestTable(explanation));
    m_request->fitColumns(1);
    m_answer->setAnswer(
        [explanation](engine::HeaderStyle style) { return clientAnswer(explanation, style); });
    m_customer->setText(
        [explanation](const storage::Zone& zone) { return customerText(explanation, zone); });
}

void RequestView::showFill()
{
    const std::optional<std::size_t> telling = tellingRule(*m_explanation);
    if (!telling) {
        m_fillPanel->setCaption(QStringLiteral("no rule judged it"));
        m_chart->setVisits({}, {}, engine::Tier::Edge);
        m_visitModel->setVisits({});
        return;
    }
    const ExplainedRule& rule = m_explanation->rules[*telling];
    // The list has all; the chart those that can still be in the state.
    const auto from = std::find_if(
        rule.visits.begin(), rule.visits.end(),
        [ns = tellingFromNs(rule)](const KeyVisit& visit) { return visit.atNs >= ns; });
    m_chart->setVisits({from, rule.visits.end()}, m_states, rule.rule.tier);
    m_visitModel->setVisits(rule.visits);
    m_visits->fitColumns(VisitModel::Request);
    if (m_visitModel->rowCount() > 0) {
        m_visits->setCurrentIndex(m_visitModel->index(0, VisitModel::Number));
    }
    const std::string key = keyText(rule.rule, shownKey(rule, m_explanation->secrets));
    QString caption = (rule.key.empty() ? QStringLiteral("%1, %2: used of its limit")
                                        : QStringLiteral("%1 for %2: used of its limit"))
                          .arg(shown(fullName(rule.rule), 80), shown(key, 120));
    if (rule.hasEarlier) {
        caption += QStringLiteral(", the newest %1 requests").arg(countText(rule.visits.size()));
    }
    m_fillPanel->setCaption(caption);
}

void RequestView::refresh()
{
    if (m_explanation) {
        showExplanation();
    }
}

} // namespace app::console
