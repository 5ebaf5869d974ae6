#include "app/console/suggest/suggest_page.h"

#include "app/console/frame/button.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/save_figures.h"
#include "app/console/frame/values.h"
#include "app/console/session/session.h"
#include "app/console/suggest/curve_chart.h"
#include "app/console/suggest/curve_tables.h"
#include "app/console/suggest/suggest_work.h"
#include "policies/limit_words.h"
#include "policies/plan_rule.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>

namespace app::console {

SuggestPage::SuggestPage(Session& session, Actions& actions, QWidget* parent)
    : Page(session, actions, PageId::Suggest, parent)
    , m_chart(new CurveChart)
    , m_chartPanel(new Panel(QStringLiteral("What a limit would cost")))
    , m_candidates(new FigureView(QStringLiteral("Candidates")))
    , m_candidatesModel(new FigureModel(this))
    , m_candidatesPanel(new Panel(QStringLiteral("Candidates")))
    , m_peaks(new FigureView(QStringLiteral("Peaks per key")))
    , m_peaksModel(new FigureModel(this))
    , m_peaksPanel(new Panel(QStringLiteral("Peaks per key")))
    , m_rule(new QComboBox)
    , m_run(new QComboBox)
    , m_key(plainLabel({}))
    , m_match(plainLabel({}))
    , m_algorithm(plainLabel({}))
    , m_stop(new QLineEdit)
    , m_protect(new QLineEdit)
    , m_sentence(plainLabel({}))
    , m_more(plainLabel({}))
    , m_write(new ActionButton(actions.at(ActionId::WriteValue), Rank::Primary))
{
    head().setTitle(QStringLiteral("Suggest"));
    head().setCaption(QStringLiteral("limits from what clients did"));
    head().add(new ActionButton(actions.at(ActionId::Undo)));
    QSplitter* body = splitter(Qt::Horizontal, {buildLeft(), buildRight()});
    body->setStretchFactor(0, 1);
    body->setSizes({1000, 370});
    setBody(body);

    connect(&session, &Session::suggestAsked, this, [this](const QString& rule) {
        m_asked = rule;
        fillRules();
        start();
    });
    connect(&session, &Session::runsChanged, this, &SuggestPage::fillRuns);
    connect(&session.document(), &Document::checkedChanged, this, &SuggestPage::fillRules);
    for (const auto& other : {&Document::opened, &Document::closed}) {
        connect(&session.document(), other, this, &SuggestPage::clear);
    }
    connect(&session.document().text(), &QTextDocument::undoAvailable, this, &SuggestPage::say);
    connect(m_rule, &QComboBox::activated, this, [this] {
        showRule();
        start();
    });
    connect(m_run, &QComboBox::activated, this, &SuggestPage::start);
    connect(m_stop, &QLineEdit::returnPressed, this, &SuggestPage::start);
    connect(m_protect, &QLineEdit::returnPressed, this, &SuggestPage::start);
    connect(m_chart, &CurveChart::chosen, this,
            [this](std::size_t point) { choose(point, false); });
    connect(&m_worker, &Worker::busyChanged, m_chartPanel, &Panel::setLoading);
    connect(&m_worker, &Worker::busyChanged, this, &SuggestPage::actionsChanged);
    connect(m_candidates, &FigureView::currentRowChanged, this, [this](int row) {
        if (row >= 0) {
            choose(m_candidatesModel->rowAt(row), true);
        }
    });
    fillRules();
    fillRuns();
    say();
}

/// Another policy: what was worked out was of the one before.
void SuggestPage::clear()
{
    m_worker.stop();
    m_curve = {};
    m_writtenText.clear();
    m_isStale = true;
    m_chart->clear();
    m_candidatesModel->setTable({});
    m_peaksModel->setTable({});
    m_chartPanel->setCaption({});
    fillRules();
    say();
    if (isVisible()) {
        start();
    }
}

void SuggestPage::fillRules()
{
    const auto& good = session().document().lastGood();
    const QByteArray before
        = m_asked.isEmpty() ? m_rule->currentData().toByteArray() : m_asked.toUtf8();
    m_rule->clear();
    if (good) {
        for (const auto& tier : good->loaded.policy->tiers) {
            for (const policies::Rule& rule : tier) {
                m_rule->addItem(shown(rule.name.value, 100),
                                QByteArray::fromStdString(rule.name.value));
            }
        }
    }
    const int at = m_rule->findData(before);
    if (at < 0 && !m_asked.isEmpty()) {
        banners().show({QStringLiteral("rule"), BannerKind::Advice,
                        QStringLiteral("The policy that is open has no rule %1.")
                            .arg(shown(m_asked.toStdString(), 100))});
    } else {
        banners().clear(QStringLiteral("rule"));
    }
    m_rule->setCurrentIndex(at < 0 && m_rule->count() > 0 ? 0 : at); // the rule may be gone
    m_asked.clear();
    m_isStale = true;
    showRule();
}

/// Where the policy stands now, among the candidates that were worked out.
void SuggestPage::showNow(const policies::Rule& rule)
{
    const bool isRate = m_curve.field == "rate";
    std::optional<std::int64_t> now;
    if (isRate && rule.values.rate && rule.values.rate->value.periodNs == m_curve.periodNs) {
        now = rule.values.rate->value.count;
    } else if (!isRate && rule.values.inFlight) {
        now = rule.values.inFlight->value;
    }
    bool isOther = false;
    for (CurvePoint& point : m_curve.points) {
        isOther = isOther || point.isNow != (point.limit == now);
        point.isNow = point.limit == now;
    }
    if (isOther && m_chart->current()) {
        const std::size_t current = *m_chart->current();
        m_chart->setCurve(m_curve);
        m_candidatesModel->setTable(candidatesTable(m_curve));
        choose(current, false);
    }
}

void SuggestPage::showRule()
{
    const auto& good = session().document().lastGood();
    const policies::Rule* rule = good
        ? good->loaded.policy->rule(m_rule->currentData().toByteArray().toStdString())
        : nullptr;
    if (rule == nullptr) {
        m_key->clear();
        m_match->clear();
        m_algorithm->clear();
        return;
    }
    const engine::Result<engine::PlanRule> planned = policies::planRule(*rule);
    const policies::CardWords card
        = planned ? policies::cardWords(*planned) : policies::CardWords {};
    m_match->setText(shown(card.matches));
    m_key->setText(shown(card.key));
    m_algorithm->setText(shown(card.limit));
    if (m_curve.rule == rule->name.value) {
        showNow(*rule);
    }
}

void SuggestPage::fillRuns()
{
    const int before = m_run->currentIndex();
    const storage::RunId chosen = before < 0 ? 0 : m_runs.at(static_cast<std::size_t>(before));
    m_run->clear();
    m_runs.clear();
    for (const storage::RunSummary& run : session().runs()) {
        if (run.state != storage::RunState::Complete) {
            continue;
        }
        m_run->addItem(QStringLiteral("run %1: %2").arg(run.id).arg(fileNames(run.source)));
        m_runs.push_back(run.id);
    }
    const auto at = std::find(m_runs.begin(), m_runs.end(), chosen);
    m_run->setCurrentIndex(at != m_runs.end()   ? static_cast<int>(at - m_runs.begin())
                               : m_runs.empty() ? -1
                                                : 0);
    if (at == m_runs.end()) {
        m_isStale = true;
    }
    say();
}

QString SuggestPage::emptyReason() const
{
    if (!session().document().isOpen()) {
        return QStringLiteral("Open a policy first: Ctrl+O.");
    }
    if (m_runs.empty()) {
        return QStringLiteral("Suggest needs recorded requests. Replay a log first: Ctrl+R.");
    }
    if (m_rule->count() == 0) {
        return QStringLiteral("The policy has no rule that can be read.");
    }
    return {};
}

void SuggestPage::entered()
{
    if (m_isStale && !m_worker.isBusy()) {
        start();
    }
}

void SuggestPage::start()
{
    banners().clear(QStringLiteral("suggest"));
    m_writtenText.clear();
    if (!emptyReason().isEmpty()) {
        m_curve = {};
        m_chart->clear();
        m_candidatesModel->setTable({});
        m_peaksModel->setTable({});
        say();
        return;
    }
    m_isStale = false;
    CurveQuestion question {session().document().source(),
                            m_rule->currentData().toByteArray().toStdString(),
                            session().storePath(),
                            m_runs.at(static_cast<std::size_t>(m_run->currentIndex())),
                            m_stop->text().trimmed().toStdString(),
                            m_protect->text().trimmed().toStdString()};
    m_worker.start(
        [question = std::move(question)](const StopFlag& stop) mutable {
            return answerOf(std::move(question), stop);
        },
        [this](engine::Result<RuleCurve> curve) { show(std::move(curve)); });
}

void SuggestPage::show(engine::Result<RuleCurve> curve)
{
    if (!curve) {
        m_curve = {};
        m_chart->clear();
        banners().show({QStringLiteral("suggest"), BannerKind::Error, sentence(curve.error())});
        say();
        return;
    }
    m_curve = std::move(*curve);
    m_chart->setCurve(m_curve);
    m_candidatesModel->setTable(candidatesTable(m_curve));
    m_candidates->fitColumns(5);
    m_candidatesPanel->setCaption(
        QStringLiteral("%1, the same figures as the chart").arg(m_curve.points.size()));
    m_peaksModel->setTable(peaksTable(m_curve));
    m_peaks->fitColumns();
    m_chartPanel->setCaption(
        QStringLiteral("%1 by itself, %2").arg(m_rule->currentText(), m_run->currentText()));
    std::size_t at = m_chart->current().value_or(0);
    for (std::size_t i = 0; i < m_curve.points.size(); ++i) {
        if (m_curve.suggested && m_curve.points[i].limit == m_curve.suggested->limit) {
            at = i;
        }
    }
    choose(at, false);
}

const CurvePoint* SuggestPage::current() const
{
    const std::optional<std::size_t> at = m_chart->current();
    return at && *at < m_curve.points.size() ? &m_curve.points[*at] : nullptr;
}

void SuggestPage::choose(std::size_t point, bool fromTable)
{
    m_chart->setCurrent(point);
    if (!fromTable) {
        for (int row = 0; row < m_candidatesModel->rowCount(); ++row) {
            if (m_candidatesModel->rowAt(row) == point) {
                m_candidates->selectRow(row);
            }
        }
    }
    say();
}

void SuggestPage::say()
{
    const CurvePoint* at = current();
    if (at == nullptr) {
        const QString reason = emptyReason();
        m_sentence->setText(m_worker.isBusy() ? QString() : reason);
        m_more->clear();
        m_write->setLabel(QStringLiteral("Write value"));
        Q_EMIT actionsChanged();
        return;
    }
    m_sentence->setText(pointSentence(m_curve, *at));
    m_more->setText(restOfSentence(m_curve, *at));
    // Undone, or changed since: then it is to be written again.
    const bool isWritten = m_written == at->value && !m_writtenText.empty()
        && m_writtenText == session().document().currentText();
    m_write->setLabel(isWritten ? QStringLiteral("Written, Ctrl+Z undoes")
                                : QStringLiteral("Write %1").arg(shown(at->value)));
    Q_EMIT actionsChanged();
}

QString SuggestPage::plainText() const
{
    return m_sentence->text() + QLatin1Char('\n') + m_more->text();
}

void SuggestPage::write()
{
    const CurvePoint* at = current();
    Document& document = session().document();
    const std::string value = at->value;
    if (document.apply(policies::setValue(document.currentText(),
                                          policies::Part::ofRule(m_curve.rule), {m_curve.field},
                                          value))) {
        m_written = value;
        m_writtenText = document.currentText();
        document.checkNow(); // where the policy stands is seen at once
    }
}

void SuggestPage::saveList()
{
    const QString path
        = askSavePath(QStringLiteral("Save candidates"), QStringLiteral("candidates.csv"),
                      figureFilters() + QStringLiteral(";;Picture (*.png *.pdf)"));
    if (path.isEmpty()) {
        return;
    }
    const engine::Status saved = isPicture(path)
        ? pictureSaved(m_chart->savePicture(path), path)
        : saveFigures(path, {candidatesTable(m_curve), peaksTable(m_curve)});
    if (!saved) {
        banners().show({QStringLiteral("save"), BannerKind::Error, sentence(saved.error())});
    }
}

QList<QWidget*> SuggestPage::panes() const
{
    return {m_chart, m_candidates, m_peaks, m_rule, m_write};
}

std::vector<ActionId> SuggestPage::offers() const
{
    return {ActionId::WriteValue, ActionId::SaveList, ActionId::LogScale};
}

bool SuggestPage::can(ActionId action) const
{
    if (action == ActionId::LogScale) {
        return true;
    }
    // While others are worked out, the figures on screen are those of the question before.
    return current() != nullptr && session().document().isOpen() && !m_worker.isBusy();
}

void SuggestPage::perform(ActionId action)
{
    if (action == ActionId::WriteValue) {
        write();
    } else if (action == ActionId::SaveList) {
        saveList();
    }
}

} // namespace app::console
