#include "app/console/suggest/suggest_page.h"

#include "app/console/frame/button.h"
#include "app/console/frame/figure_model.h"
#include "app/console/frame/figure_view.h"
#include "app/console/frame/panel.h"
#include "app/console/frame/save_figures.h"
#include "app/console/frame/values.h"
#include "app/console/look/fonts.h"
#include "app/console/session/session.h"
#include "app/console/suggest/curve_chart.h"
#include "app/console/suggest/curve_tables.h"
#include "app/workbench/stored_run.h"
#include "app/workbench/where.h"
#include "policies/limit_words.h"
#include "policies/plan_rule.h"
#include "storage/run_reader.h"
#include "storage/run_store.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QVBoxLayout>

#include <thread>

namespace app::console {

namespace {

/// What a curve is asked of, as values for the worker.
struct Question {
    PolicySource policy;
    std::string rule;
    std::string store;
    storage::RunId run = 0;
    std::string stop;
    std::string protect;
};

engine::Status readMatch(const std::string& text, const char* name,
                         std::optional<engine::Match>& match)
{
    if (text.empty()) {
        return engine::Done {};
    }
    engine::Result<engine::Match> read = parseMatch(text, name);
    if (!read) {
        return engine::fail(read.error());
    }
    match = std::move(*read);
    return engine::Done {};
}

/// The run's own log, read as the run read it.
engine::Result<RuleCurve> answer(Question question, const StopFlag& stop)
{
    RuleCurveRequest request {std::move(question.policy), question.rule, {}, {}, {}, {}};
    if (engine::Status read = readMatch(question.stop, "Stop", request.stop); !read) {
        return engine::fail(read.error());
    }
    if (engine::Status read = readMatch(question.protect, "Protect", request.protect); !read) {
        return engine::fail(read.error());
    }
    const auto store = storage::RunStore::open(question.store, storage::Access::Read);
    if (!store) {
        return engine::fail(store.error());
    }
    const auto detail = storage::RunReader(**store).detail(question.run);
    if (!detail) {
        return engine::fail(detail.error());
    }
    ReadAgain again;
    again.jobs = std::max(1U, std::thread::hardware_concurrency());
    again.stop = &stop;
    engine::Result<StoredRun> stored = openStoredRun(*detail, again);
    if (!stored) {
        return engine::fail(stored.error());
    }
    request.pass = std::move(stored->pass);
    request.pass.stop = &stop;
    return ruleCurve(std::move(request));
}

QLabel* valueLabel()
{
    QLabel* label = plainLabel({});
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void addRow(QFormLayout& form, const QString& name, QWidget* field)
{
    auto* label = plainLabel(name);
    label->setBuddy(field);
    label->setForegroundRole(QPalette::PlaceholderText);
    field->setAccessibleName(name);
    form.addRow(label, field);
}

} // namespace

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
    , m_key(valueLabel())
    , m_match(valueLabel())
    , m_algorithm(valueLabel())
    , m_stop(new QLineEdit)
    , m_protect(new QLineEdit)
    , m_sentence(valueLabel())
    , m_more(valueLabel())
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
    connect(m_candidates, &FigureView::currentRowChanged, this, [this](int row) {
        if (row >= 0) {
            choose(m_candidatesModel->rowAt(row), true);
        }
    });
    fillRules();
    fillRuns();
    say();
}

QWidget* SuggestPage::buildLeft()
{
    m_chartPanel->addTool(captionLabel(QStringLiteral("Left, Right: next candidate")));
    auto* scale = plainButton(QStringLiteral("Log scale"));
    scale->setCheckable(true);
    scale->setChecked(true);
    connect(scale, &QPushButton::toggled, m_chart, &CurveChart::setLogScale);
    connect(actions().at(ActionId::LogScale), &QAction::triggered, scale, [this, scale] {
        if (isVisible()) {
            scale->toggle();
        }
    });
    m_chartPanel->addTool(scale);
    m_chartPanel->setBody(m_chart);
    m_candidates->setModel(m_candidatesModel);
    m_candidates->setSelectionMode(QAbstractItemView::SingleSelection);
    auto* save = new ActionButton(actions().at(ActionId::SaveList));
    save->setLabel(QStringLiteral("Save..."));
    m_candidatesPanel->addTool(save);
    m_candidatesPanel->setBody(m_candidates);
    QSplitter* left = splitter(Qt::Vertical, {m_chartPanel, m_candidatesPanel});
    left->setStretchFactor(0, 3);
    left->setStretchFactor(1, 2);
    left->setSizes({470, 300});
    return left;
}

QWidget* SuggestPage::buildRight()
{
    auto* look = new Panel(QStringLiteral("Look at"));
    auto* fields = new QWidget;
    auto* form = new QFormLayout(fields);
    form->setContentsMargins(0, 0, 0, 0);
    form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_rule->setMinimumContentsLength(12);
    m_run->setMinimumContentsLength(12);
    m_run->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_rule->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    addRow(*form, QStringLiteral("Rule"), m_rule);
    addRow(*form, QStringLiteral("Log of"), m_run);
    addRow(*form, QStringLiteral("Matches"), m_match);
    addRow(*form, QStringLiteral("Key"), m_key);
    addRow(*form, QStringLiteral("Limit now"), m_algorithm);
    m_stop->setPlaceholderText(QStringLiteral("api_key=k_80aa14"));
    m_protect->setPlaceholderText(QStringLiteral("plan=pro"));
    m_stop->setToolTip(QStringLiteral("Requests that the limit is to reject"));
    m_protect->setToolTip(QStringLiteral("Requests that it must not"));
    addRow(*form, QStringLiteral("Stop"), m_stop);
    addRow(*form, QStringLiteral("Protect"), m_protect);
    look->setBody(fields, true);

    m_peaks->setModel(m_peaksModel);
    m_peaks->setFixedHeight(6 * rowHeight() + 4);
    m_peaksPanel->setCaption(QStringLiteral("rolling windows"));
    m_peaksPanel->setBody(m_peaks);

    auto* says = new Panel(QStringLiteral("At the line"));
    auto* text = new QWidget;
    auto* column = new QVBoxLayout(text);
    column->setContentsMargins(0, 0, 0, 0);
    m_sentence->setFont(fontOf(Type::Strong));
    m_more->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(m_sentence);
    column->addWidget(m_more);
    column->addStretch(1);
    column->addWidget(m_write, 0, Qt::AlignRight);
    says->setBody(text, true);

    auto* right = new QWidget;
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(look);
    layout->addWidget(m_peaksPanel);
    layout->addWidget(says, 1);
    right->setMinimumWidth(320);
    return right;
}

void SuggestPage::fillRules()
{
    const auto& good = session().document().lastGood();
    const QString before = m_asked.isEmpty() ? m_rule->currentText() : m_asked;
    m_rule->clear();
    if (good) {
        for (const auto& tier : good->loaded.policy->tiers) {
            for (const policies::Rule& rule : tier) {
                m_rule->addItem(shown(rule.name.value, 100),
                                QByteArray::fromStdString(rule.name.value));
            }
        }
    }
    const int at = m_rule->findText(before);
    m_rule->setCurrentIndex(at < 0 && m_rule->count() > 0 ? 0 : at); // the rule may be gone
    m_asked.clear();
    m_isStale = true;
    showRule();
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
        const QString name = QFileInfo(QString::fromStdString(run.source)).fileName();
        m_run->addItem(QStringLiteral("run %1: %2").arg(run.id).arg(shown(name.toStdString(), 60)));
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
    m_written.clear();
    if (!emptyReason().isEmpty()) {
        m_curve = {};
        m_chart->clear();
        m_candidatesModel->setTable({});
        m_peaksModel->setTable({});
        say();
        return;
    }
    m_isStale = false;
    Question question {session().document().source(),
                       m_rule->currentData().toByteArray().toStdString(),
                       session().storePath(),
                       m_runs.at(static_cast<std::size_t>(m_run->currentIndex())),
                       m_stop->text().trimmed().toStdString(),
                       m_protect->text().trimmed().toStdString()};
    m_worker.start([question = std::move(question)](
                       const StopFlag& stop) mutable { return answer(std::move(question), stop); },
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
    m_write->setLabel(m_written == shown(at->value)
                          ? QStringLiteral("Written, Ctrl+Z undoes")
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
        m_written = shown(value);
        for (CurvePoint& point : m_curve.points) {
            point.isNow = &point == at;
        }
        const std::size_t current = *m_chart->current();
        m_chart->setCurve(m_curve);
        m_candidatesModel->setTable(candidatesTable(m_curve));
        choose(current, false);
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
    const bool isPicture
        = path.endsWith(QLatin1String(".png")) || path.endsWith(QLatin1String(".pdf"));
    engine::Status saved = engine::Done {};
    if (isPicture && !m_chart->savePicture(path)) {
        saved = engine::fail("file.write",
                             "the picture could not be written to " + path.toStdString(),
                             "choose another place");
    } else if (!isPicture) {
        saved = saveFigures(path, {candidatesTable(m_curve), peaksTable(m_curve)});
    }
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
    return action == ActionId::LogScale || (current() != nullptr && session().document().isOpen());
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
